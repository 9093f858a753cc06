"""Events found against events that happened: pairs of the same kind, seat and area within half a second.

Counted are events that a camera gives. Left out are signals and operators' entries (they arrive as messages), the
start and end of a round (the log's own punctuation), and what no camera can tell: a look at one's own cards, and a
jackpot that the cage pays, of which nothing shows on the table.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import events as ev
from engine.events import Event

TOLERANCE = 500
PUNCTUATION = (ev.RoundOpened, ev.RoundClosed, ev.EventRetracted, ev.CardIdentified)


def is_scored(event: Event) -> bool:
    """Whether a camera could have given an event."""
    if not event.witness.startswith("camera:") or isinstance(event, PUNCTUATION):
        return False
    if isinstance(event, ev.HandViewed):
        return event.by not in (None, event.seat)
    if isinstance(event, ev.JackpotPaid):
        return not event.by_cage
    return True


@dataclass(frozen=True, slots=True)
class Pair:
    """An event that happened and the one that was found for it."""

    true: Event
    found: Event

    @property
    def wrong_fields(self) -> list[str]:
        """Fields in which what was found is not what happened; what was left open is not wrong."""
        wrong = []
        for name in ("amount", "count", "face_up", "in_rack"):
            told, real = getattr(self.found, name, None), getattr(self.true, name, None)
            if told is not None and real is not None and told != real:
                wrong.append(name)
        by, real_by = getattr(self.found, "by", None), getattr(self.true, "by", None)
        if by is not None and real_by is not None and by != real_by:
            wrong.append("by")
        told_cards = _labels(self.found)
        real_cards = _labels(self.true)
        if any(card != "??" and card not in real_cards for card in told_cards) and real_cards:
            wrong.append("cards")
        if len(told_cards) != len(real_cards) and isinstance(self.true, ev.CardsTurned):
            wrong.append("cards")
        return wrong


def _labels(event: Event) -> list[str]:
    cards = getattr(event, "cards", ())
    return [str(card) for card in cards] if isinstance(cards, tuple) else []


@dataclass(slots=True)
class EventScore:
    """Pairs, and what is left over on either side."""

    pairs: list[Pair] = field(default_factory=list)
    missed: list[Event] = field(default_factory=list)
    extra: list[Event] = field(default_factory=list)

    @property
    def precision(self) -> float:
        """Share of what was found that happened."""
        total = len(self.pairs) + len(self.extra)
        return len(self.pairs) / total if total else 1.0

    @property
    def recall(self) -> float:
        """Share of what happened that was found."""
        total = len(self.pairs) + len(self.missed)
        return len(self.pairs) / total if total else 1.0

    @property
    def f1(self) -> float:
        """The harmonic mean of both."""
        p, r = self.precision, self.recall
        return 2 * p * r / (p + r) if p + r else 0.0

    def add(self, other: EventScore) -> None:
        """Take in the score of another scene."""
        self.pairs += other.pairs
        self.missed += other.missed
        self.extra += other.extra


def standing(events: Iterable[Event]) -> list[Event]:
    """The events that have not been taken back."""
    listed = list(events)
    taken_back = {event.retracts for event in listed if isinstance(event, ev.EventRetracted)}
    return [event for event in listed if event.seq not in taken_back]


def key_of(event: Event) -> tuple[object, ...]:
    """What must be the same in two events to be about the same thing."""
    return (type(event).__name__, getattr(event, "seat", None), getattr(event, "area", None))


def score_events(truth: Sequence[Event], found: Sequence[Event], tolerance: int = TOLERANCE) -> EventScore:
    """Pair events, the nearest in time first."""
    real = [event for event in truth if is_scored(event)]
    told = [event for event in standing(found) if is_scored(event)]
    by_key: dict[tuple[object, ...], list[Event]] = {}
    for event in told:
        by_key.setdefault(key_of(event), []).append(event)
    near = sorted(
        (abs(one.at - other.at), one.seq, other.seq, one, other)
        for one in real
        for other in by_key.get(key_of(one), ())
        if abs(one.at - other.at) <= tolerance
    )
    score = EventScore()
    used_real: set[int] = set()
    used_told: set[int] = set()
    for _, first, second, one, other in near:
        if first not in used_real and second not in used_told:
            used_real.add(first)
            used_told.add(second)
            score.pairs.append(Pair(one, other))
    score.missed = [event for event in real if event.seq not in used_real]
    score.extra = [event for event in told if event.seq not in used_told]
    return score
