"""Events on their way out: kept back for a moment so that they leave in the order in which they happened.

A card that lies is seen at once, a wager only when the hand has gone: without waiting, the log would tell them in
the wrong order. What is not yet known when an event is made (the name of a card) may still be learnt until it leaves.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

from engine.events import Event, FrameRef

HOLD: Final = 760
"""How long (ms) an event is kept back; an alert must not come later than a second after its proof."""
_BETS: Final = frozenset(
    ("WagerPlaced", "WagerChanged", "WagerWithdrawn", "WagerTouched", "WagerTaken", "WagerPaid")
)


@dataclass(slots=True)
class Draft:
    """An event before it has its number."""

    at: int
    kind: type[Event]
    fields: dict[str, Any]
    frames: tuple[FrameRef, ...] = ()
    late: Callable[[], dict[str, Any]] | None = None
    order: int = 0
    cancelled: bool = False
    wait_for: str | None = None
    wait_until: int = 0
    seq: int | None = None
    done: Callable[[Event], None] | None = field(default=None, repr=False)


class Outbox:
    """Drafts in, numbered events out."""

    def __init__(self, table: str, seq: int = 1) -> None:
        self.table = table
        self._next = seq
        self._count = 0
        self._drafts: list[Draft] = []
        self._last = 0

    def put(
        self,
        kind: type[Event],
        at: int,
        frames: tuple[FrameRef, ...] = (),
        late: Callable[[], dict[str, Any]] | None = None,
        done: Callable[[Event], None] | None = None,
        **fields: Any,
    ) -> Draft:
        """Hand in an event; `late` gives fields that are asked for only when it leaves."""
        self._count += 1
        draft = Draft(at, kind, fields, frames, late, self._count, done=done)
        self._drafts.append(draft)
        return draft

    def signal(self, event: Event) -> None:
        """Hand in an event that a signal or an operator gave."""
        fields = {name: value for name, value in vars(event).items() if name not in ("seq", "at", "table")}
        frames = fields.pop("frames")
        self.put(type(event), event.at, frames, **fields)

    def pending(self, kind: type[Event] | None = None) -> list[Draft]:
        """The drafts that wait, of one kind or all."""
        return [
            draft
            for draft in self._drafts
            if not draft.cancelled and (kind is None or issubclass(draft.kind, kind))
        ]

    def release(self, now: int | None) -> list[Event]:
        """The events that leave now; None: all that are left."""
        ready = self._ready(now)
        if not ready:
            return []
        gone = {id(draft) for draft in ready}
        self._drafts = [draft for draft in self._drafts if id(draft) not in gone]
        ready.sort(key=lambda draft: (draft.at, draft.order))
        return [self._number(draft) for draft in ready if not draft.cancelled]

    def _ready(self, now: int | None) -> list[Draft]:
        """The drafts that have been kept long enough; one that waits for a detail keeps back all that come after it."""
        if now is None:
            return list(self._drafts)
        ready = []
        for draft in sorted(self._drafts, key=lambda draft: (draft.at, draft.order)):
            if draft.at > now - HOLD:
                break
            if (
                draft.wait_for is not None
                and draft.fields.get(draft.wait_for) is None
                and now < draft.wait_until
            ):
                break
            ready.append(draft)
        return ready

    def _number(self, draft: Draft) -> Event:
        fields = dict(draft.fields)
        if draft.late is not None:
            fields.update(draft.late())
        if "witness" not in fields:
            fields["witness"] = "camera:bets" if draft.kind.__name__ in _BETS else "camera:overview"
        self._last = max(self._last, draft.at)
        event = draft.kind(seq=self._next, at=draft.at, table=self.table, frames=draft.frames, **fields)
        self._next += 1
        draft.seq = event.seq
        if draft.done is not None:
            draft.done(event)
        return event
