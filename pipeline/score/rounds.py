"""A round as a whole: what its log says at the end against what happened, seat by seat.

Both logs are folded by the engine and compared in what a reconstruction needs: how many cards came to each hand, which
faces were shown, what was wagered, taken and paid, who folded, what went to the rack. A value that was left
open is no error where the truth hides it from a camera (the worth of a plaque, the number of cards in a packet that
nobody counted), and is one everywhere else.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import events as ev
from engine.events import Area, Event, Tender
from engine.state import TableState, apply, empty_table
from engine.state.model import Seat, Wager
from pipeline.score.matching import standing


@dataclass(slots=True)
class RoundScore:
    """What differs, in words; counts for the rates."""

    errors: list[str] = field(default_factory=list)
    faces: int = 0
    faces_right: int = 0
    counts: int = 0
    counts_right: int = 0
    amounts: int = 0
    amounts_right: int = 0

    @property
    def right(self) -> bool:
        """Whether nothing differs."""
        return not self.errors

    def add(self, other: RoundScore) -> None:
        """Take in the score of another scene."""
        self.errors += other.errors
        for name in ("faces", "faces_right", "counts", "counts_right", "amounts", "amounts_right"):
            setattr(self, name, getattr(self, name) + getattr(other, name))

    def note(self, ok: bool, what: str) -> bool:
        """Note one comparison."""
        if not ok:
            self.errors.append(what)
        return ok


def final_states(events: Iterable[Event], seats: int) -> list[TableState]:
    """The state at the end of every round of a log."""
    state = empty_table(seats)
    ends: list[TableState] = []
    for event in standing(events):
        if isinstance(event, ev.RoundOpened) and state.round is not None:
            ends.append(state)
        state = apply(state, event)
    if state.round is not None:
        ends.append(state)
    return ends


def score_round(truth: Sequence[Event], found: Sequence[Event], seats: int) -> RoundScore:
    """Compare the rounds of a log with those that happened."""
    score = RoundScore()
    real, told = final_states(truth, seats), final_states(found, seats)
    score.note(len(real) == len(told), f"rounds: {len(told)} instead of {len(real)}")
    for one, other in zip(real, told, strict=False):
        for number in range(seats + 1):
            _seat(score, one.seats[number], other.seats[number])
    return score


def _seat(score: RoundScore, real: Seat, told: Seat) -> None:
    name = f"seat {real.number}"
    if real.dealt or told.dealt:
        score.counts += 1
        ok = real.dealt == told.dealt
        score.counts_right += score.note(ok, f"{name}: {told.dealt} cards instead of {real.dealt}")
    faces = {str(card) for card in real.faces if card.known}
    read = {str(card) for card in told.faces if card.known}
    score.faces += len(faces)
    score.faces_right += len(faces & read)
    score.note(faces == read, f"{name}: read {sorted(read - faces)}, missed {sorted(faces - read)}")
    score.note((real.folded is None) == (told.folded is None), f"{name}: folded")
    score.note((real.collected is None) == (told.collected is None), f"{name}: collected")
    for area in Area:
        _wager(score, f"{name}, {area}", real.wager(area), told.wager(area))


def _wager(score: RoundScore, name: str, real: Wager | None, told: Wager | None) -> None:
    if real is None or told is None:
        score.note(real is told, f"{name}: {'invented' if real is None else 'missed'}")
        return
    open_value = real.tender is not Tender.CHIPS
    for what in ("amount", "taken_amount", "paid_amount"):
        a, b = getattr(real, what), getattr(told, what)
        if a or b:
            score.amounts += 1
            ok = a == b or (open_value and b is None)
            score.amounts_right += score.note(ok, f"{name}: {what} {b} instead of {a}")
    for what in ("taken", "withdrawn"):
        a, b = getattr(real, what), getattr(told, what)
        score.note((a is None) == (b is None), f"{name}: {what}")
