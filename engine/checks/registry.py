"""What a check is: a function from one moment of a table to findings, with what it needs to see.

A check looks at the state before an event, the event, and the state after it. It reports what it finds as it
finds it, and knows nothing of blocked views, repeated alerts or remedies: the monitor sees to those in one
place, from what the check declares.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, Final

from engine.events import Area, Event
from engine.rulebook import Rule, Rulebook
from engine.settings import TableSettings
from engine.state.model import Round, Seat, TableState
from engine.verdicts import Ruling, Severity


@dataclass(slots=True)
class Moment:
    """One event in its context: everything that a check may look at.

    The monitor makes one for each event and puts in the rule of one check after the other, because making a dozen
    would cost more than running most checks; a check has nothing to write here.
    """

    before: TableState
    event: Any
    after: TableState
    book: Rulebook
    settings: TableSettings
    rule: Rule

    @property
    def round(self) -> Round:
        """The round in play after the event."""
        assert self.after.round is not None, "checks of a round run only in a round"
        return self.after.round

    @property
    def seat(self) -> Seat:
        """The seat that the event is about, after the event."""
        number: int = self.event.seat
        return self.after.seats[number]


def reading(m: Moment, name: str, otherwise: object) -> object:
    """Return how the rulebook reads an unclear passage, if it has anything to say about it."""
    found = None if m.book.readings is None else m.book.readings.get(name)
    return otherwise if found is None else found.value


@dataclass(frozen=True, slots=True)
class Finding:
    """What a check found, in words an operator understands.

    `since`: only gaps in view that touch the time from this event on put it in doubt (default: any gap in the
    round). `certain`: what was seen proves it, whatever was not seen. `zones`: what must have been seen for it, where
    that differs from what the check declares. `clause`, `severity`, `consequence`, `remedy` override the rule's;
    `remedy=""` means none. `key` tells two findings of one check about one seat apart.
    """

    expected: str
    observed: str
    seat: int | None = None
    area: Area | None = None
    events: tuple[int, ...] = ()
    ruling: Ruling = Ruling.VIOLATION
    reason: str = ""
    key: str = ""
    since: int | None = None
    certain: bool = False
    zones: tuple[str, ...] | None = None
    clause: str | None = None
    severity: Severity | None = None
    consequence: str | None = None
    remedy: str | None = None


def unsure(reason: str, seat: int | None = None, area: Area | None = None, key: str = "") -> Finding:
    """Return the finding that it cannot be told, and why."""
    return Finding("", "", seat, area, ruling=Ruling.CANNOT_TELL, reason=reason, key=key)


Function = Callable[[Moment], Iterable[Finding]]
Unread = Callable[[Moment], str]


@dataclass(frozen=True, slots=True)
class Check:
    """A named check: when it runs, what it needs to see, and for which tables it has a meaning.

    `needs` are zones (`seat`: the finding's seat, `seats`: all of them, `dealer`, `tray`, `rack`, `deck`) and
    `signal:NAME`. `applies` says for which settings the check means anything. `own_doubts`: the check says itself
    what it could not see, because it looks further back than the round. `first_card`: of the cards dealt only the
    first of a round concerns it, so that it need not run for the others. `unread` says, when a round ends, which
    detail was not read that the check rests on: a face, a back, whose hand it was.
    """

    id: str
    title: str
    on: tuple[type[Event], ...]
    needs: tuple[str, ...]
    run: Function
    applies: Callable[[TableSettings], bool]
    in_void_rounds: bool
    outside_rounds: bool
    own_doubts: bool = False
    first_card: bool = False
    unread: Unread | None = None


CHECKS: Final[dict[str, Check]] = {}


def check(
    id: str,
    title: str,
    *,
    on: Iterable[type[Event]],
    needs: Iterable[str],
    applies: Callable[[TableSettings], bool] = lambda settings: True,
    in_void_rounds: bool = False,
    outside_rounds: bool = False,
    own_doubts: bool = False,
    first_card: bool = False,
    unread: Unread | None = None,
) -> Callable[[Function], Function]:
    """Register a check under its stable id.

    Checks of the round run while a round is in play and not void; `in_void_rounds` and `outside_rounds` widen that.
    """

    def register(run: Function) -> Function:
        assert id not in CHECKS, f"two checks are called {id}"
        CHECKS[id] = Check(
            id,
            title,
            tuple(on),
            tuple(needs),
            run,
            applies,
            in_void_rounds,
            outside_rounds,
            own_doubts,
            first_card,
            unread,
        )
        return run

    return register
