"""Wagers: placed, changed, withdrawn; calls, lights and meters around them."""

from __future__ import annotations

from dataclasses import dataclass

from engine.events.base import Area, Event, Pool, Tender


@dataclass(frozen=True, kw_only=True)
class RoundOpened(Event):
    """Betting opened for a new round; `redeal` when it replaces a void round."""

    round: str
    deck: str | None = None
    redeal: bool = False


@dataclass(frozen=True, kw_only=True)
class WagerPlaced(Event):
    """A new pile of chips was placed in an area.

    `amount` is in cents, None if it could not be read; `chips` bottom to top. `by` is the seat whose
    player's hand brought it, `OUTSIDER` for somebody else, None if that was not seen.
    """

    seat: int
    area: Area
    amount: int | None = None
    chips: tuple[int, ...] | None = None
    tender: Tender = Tender.CHIPS
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class WagerChanged(Event):
    """The pile in an area now has another amount."""

    seat: int
    area: Area
    amount: int | None = None
    chips: tuple[int, ...] | None = None
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class WagerWithdrawn(Event):
    """A pile left its area to a player's side."""

    seat: int
    area: Area
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class WagerTouched(Event):
    """A hand handled a pile and left it as it was."""

    seat: int
    area: Area
    by: int | None = None


@dataclass(frozen=True, kw_only=True)
class OralWagerAccepted(Event):
    """The dealer accepted a wager that was called out; whether chips came with it."""

    seat: int
    area: Area
    with_chips: bool | None = None


@dataclass(frozen=True, kw_only=True)
class NoMoreBetsCalled(Event):
    """The dealer called "no more bets"."""


@dataclass(frozen=True, kw_only=True)
class LockOutPressed(Event):
    """The lock-out button of the table controller was pressed."""


@dataclass(frozen=True, kw_only=True)
class AcceptorLightChanged(Event):
    """The light of a seat's jackpot acceptor went on or off."""

    seat: int
    lit: bool


@dataclass(frozen=True, kw_only=True)
class CouponRedeemed(Event):
    """A progressive wager coupon was redeemed for a seat."""

    seat: int


@dataclass(frozen=True, kw_only=True)
class JackpotChipsCounted(Event):
    """The dealer counted the jackpot chips in front of the tray."""

    count: int | None = None


@dataclass(frozen=True, kw_only=True)
class JackpotMeterRead(Event):
    """A jackpot meter showed an amount, in cents."""

    amount: int
    pool: Pool = Pool.MAIN
