"""What travels on the bus: each topic with its frozen payload and the most that one message may weigh."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any, Generic, TypeVar

from pydantic import BaseModel, ConfigDict, Field

Name = Annotated[str, Field(min_length=1, max_length=120)]
Number = Annotated[int, Field(ge=0, lt=2**63)]


class Payload(BaseModel):
    """What all payloads share: frozen, and nothing unknown passes."""

    model_config = ConfigDict(extra="forbid", frozen=True, strict=True, allow_inf_nan=False)


class EventNote(Payload):
    """An event was recorded. `line` is its line of the log; `previous` the number of the one before it (-1: none)."""

    table: Name
    seq: Number
    previous: int = Field(ge=-1)
    line: str = Field(max_length=60_000)


class AlertNote(Payload):
    """A verdict was recorded: `id` in the record, `body` its line, times in Unix ms to measure how quick it was.

    `proved` is when the frame arrived that proved it, `recorded` when it was durable.
    """

    id: Number
    table: Name
    round: str | None
    seq: Number
    ruling: Name
    check: Name
    severity: int = Field(ge=0, le=4)
    proved: Number
    recorded: Number
    body: str = Field(max_length=60_000)


class Mark(Payload):
    """One thing that the eyes see, in pixels of the preview: four corners, what it is, how surely."""

    quad: tuple[tuple[float, float], tuple[float, float], tuple[float, float], tuple[float, float]]
    label: str = Field(max_length=40)
    conf: float = Field(ge=0, le=1)
    kind: str = Field(default="card", max_length=20)


class Preview(Payload):
    """A live picture for the room; the JPEG is the message's blob; `scale` is preview pixels per camera pixel."""

    table: Name
    camera: Name
    at: Number
    index: Number
    width: int = Field(gt=0, le=8192)
    height: int = Field(gt=0, le=8192)
    scale: float = Field(gt=0, le=1)
    marks: tuple[Mark, ...] = Field(default=(), max_length=400)
    state: str = Field(default="", max_length=400)


class Health(Payload):
    """A process is alive: what it is, how it does, and figures for metrics.

    `state` is `ok`, `degraded` (works, but something is wrong: `why`) or `down`.
    """

    process: Name
    kind: Name
    pid: int = Field(gt=0)
    wall: Number
    state: str = Field(pattern="^(ok|degraded|down)$")
    why: str = Field(default="", max_length=1000)
    gauges: dict[str, float] = Field(default_factory=dict, max_length=60)


class SignalNote(Payload):
    """A table signal came in: an event of the engine without number and time (those are given by the table).

    `came` is Unix ms at the door, `sender` which token or key it was let in by.
    """

    table: Name
    sender: Name
    came: Number
    event: dict[str, Any] = Field(max_length=30)


P = TypeVar("P", bound=Payload)


@dataclass(frozen=True, slots=True)
class Topic(Generic[P]):
    """A topic's name, payload, and bounds in bytes for the payload and the blob."""

    name: str
    payload: type[P]
    most_bytes: int = 64 * 1024
    most_blob: int = 0


EVENTS = Topic("events", EventNote, 128 * 1024)
ALERTS = Topic("alerts", AlertNote, 128 * 1024)
PREVIEW = Topic("preview", Preview, 128 * 1024, 1024 * 1024)
HEALTH = Topic("health", Health)
SIGNALS = Topic("signals", SignalNote)
TOPICS: dict[str, Topic[Any]] = {one.name: one for one in (EVENTS, ALERTS, PREVIEW, HEALTH, SIGNALS)}
