"""Messages as bytes: four frames (topic, header, payload, blob), checked before anything is believed."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic

from pydantic import ValidationError

from pipeline.bus.topics import TOPICS, P, Topic
from pipeline.errors import BadMessage

VERSION = 1
HEADER_BYTES = 512
FRAMES = 4


@dataclass(frozen=True, slots=True)
class Message(Generic[P]):
    """One message as it was sent: `number` counts a sender's messages of a topic, without holes."""

    topic: Topic[P]
    sender: str
    number: int
    payload: P
    blob: bytes = b""


def pack(message: Message[Any]) -> list[bytes]:
    """Return a message's frames; one that no receiver would take is refused here."""
    topic = message.topic
    header = json.dumps({"v": VERSION, "from": message.sender, "n": message.number}).encode()
    payload = message.payload.model_dump_json().encode()
    if len(payload) > topic.most_bytes or len(message.blob) > topic.most_blob or len(header) > HEADER_BYTES:
        raise BadMessage(f"{topic.name}: {len(payload)} + {len(message.blob)} bytes are too many")
    return [topic.name.encode(), header, payload, message.blob]


def unpack(frames: Sequence[bytes], topics: Mapping[str, Topic[Any]] = TOPICS) -> Message[Any]:
    """Return the message in some frames, or say what is wrong with them."""
    if len(frames) != FRAMES:
        raise BadMessage(f"{len(frames)} frames, not {FRAMES}")
    name, header, payload, blob = frames
    topic = topics.get(name.decode("ascii", "replace"))
    if topic is None:
        raise BadMessage(f"no topic {name[:40]!r}")
    if len(header) > HEADER_BYTES or len(payload) > topic.most_bytes or len(blob) > topic.most_blob:
        raise BadMessage(f"{topic.name}: too large")
    sender, number = _header(topic.name, header)
    try:
        body = topic.payload.model_validate_json(payload)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        where = ".".join(str(part) for part in first["loc"]) or "payload"
        raise BadMessage(f"{topic.name}: {where}: {first['msg']}") from None
    return Message(topic, sender, number, body, bytes(blob))


def _header(topic: str, header: bytes) -> tuple[str, int]:
    try:
        data = json.loads(header)
    except (ValueError, RecursionError):
        raise BadMessage(f"{topic}: header: not JSON") from None
    if not isinstance(data, dict) or set(data) != {"v", "from", "n"}:
        raise BadMessage(f"{topic}: header: not v, from and n")
    if data["v"] != VERSION:
        raise BadMessage(f"{topic}: header: version {str(data['v'])[:20]}, not {VERSION}")
    sender, number = data["from"], data["n"]
    if not isinstance(sender, str) or not 0 < len(sender) <= 120 or type(number) is not int or number < 0:
        raise BadMessage(f"{topic}: header: from or n is not what it should be")
    return sender, number
