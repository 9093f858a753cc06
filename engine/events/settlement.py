"""Settlement: wagers taken and paid, jackpots, voids, the end of the round."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events.base import Area, Event


@dataclass(frozen=True, kw_only=True)
class HandAnnounced(Event):
    """The dealer announced the dealer's hand; whether it was said to qualify (heard or reported)."""

    qualifies: bool


@dataclass(frozen=True, kw_only=True)
class WagerTaken(Event):
    """The dealer took a wager to the tray; `amount` None if it could not be read."""

    seat: int
    area: Area
    amount: int | None = None


@dataclass(frozen=True, kw_only=True)
class WagerPaid(Event):
    """The dealer paid on a wager: `amount` is what was added, not counting the wager itself."""

    seat: int
    area: Area
    amount: int | None = None
    chips: tuple[int, ...] | None = None


@dataclass(frozen=True, kw_only=True)
class JackpotVerified(Event):
    """The dealer verified a hand for a jackpot payout."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class SupervisorConfirmed(Event):
    """A supervisor confirmed a jackpot payout at a seat."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class JackpotPaid(Event):
    """A jackpot was paid to a seat; `by_cage` when it does not come from the table's tray."""

    seat: int
    amount: int | None = None
    by_cage: bool = False


@dataclass(frozen=True, kw_only=True)
class PapersCompleted(Event):
    """The documents for a jackpot paid by the cage were completed."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class HandVoided(Event):
    """The dealer or a supervisor declared one hand void."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class RoundVoided(Event):
    """The dealer or a supervisor declared the whole round void."""


@dataclass(frozen=True, kw_only=True)
class RoundClosed(Event):
    """The round ended: everything that will be settled has been settled."""
