"""What the irregularities of jackpots share: a dealer who errs about them, and the steps of a payout."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from engine import events as ev
from engine.events import Pool
from simulator.director.amounts import jackpots
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.money import Desk
from simulator.director.plan import SeatPlan

FIXED = ("flush", "full_house", "quads")


@dataclass(slots=True)
class JackpotDesk(Desk):
    """A dealer who forgets jackpots (`unpaid`) or pays other amounts (`amounts`, by seat)."""

    unpaid: frozenset[int] = frozenset()
    amounts: Mapping[int, int] = field(default_factory=dict)

    def pay_jackpot(self, seat: SeatPlan, amount: int) -> None:
        """Pay a jackpot, if it is not forgotten, as this dealer reckons it."""
        if seat.seat not in self.unpaid:
            Desk.pay_jackpot(self, seat, self.amounts.get(seat.seat, amount))


def won(*hands: str, **more: object) -> Want:
    """Return a wish for jackpots won with these hands, at a table where hardly anything else happens."""
    base: dict[str, object] = {"hands": hands, "all_jackpot": True, "seats_at_most": 4}
    return Want(**{**base, **more})  # type: ignore[arg-type]


def winners(edit: Edit) -> list[SeatPlan]:
    """Return the seats that are due a jackpot, from the dealer's right."""
    return [seat for seat in reversed(edit.plan.seats) if seat.wins_jackpot]


def winner(edit: Edit) -> SeatPlan:
    """Choose a seat that is due a jackpot."""
    seat: SeatPlan = edit.pick(winners(edit))
    return seat


def pool_at_reveal(edit: Edit, pool: Pool | None = None) -> int:
    """Return what the meter of a pool shows when the dealer reveals."""
    name = pool or (Pool.MAJOR if edit.settings.sub_pools else Pool.MAIN)
    read = [one.event.amount for one in edit.all(ev.JackpotMeterRead, pool=name) if one.at < edit.reveal()]
    edit.need(bool(read))
    return int(read[-1])


def dues(edit: Edit, order: Iterable[SeatPlan]) -> dict[int, int]:
    """Return what each jackpot is due when the seats are paid in this order."""
    seats = list(order)
    kinds = {seat.seat: seat.kind for seat in seats}
    return jackpots(edit.rulebook, edit.settings, kinds, [one.seat for one in seats], pool_at_reveal(edit))


def payout(edit: Edit, seat: int) -> list[int]:
    """Return the steps of a payout: verified, confirmed, paid, papers, and the meter after it."""
    kinds = (ev.JackpotVerified, ev.SupervisorConfirmed, ev.JackpotPaid, ev.PapersCompleted)
    steps = [one.at for kind in kinds for one in edit.all(kind, seat=seat)]
    last = max(steps)
    if last + 1 < len(edit.beats) and isinstance(edit.beats[last + 1].event, ev.JackpotMeterRead):
        steps.append(last + 1)
    return sorted(steps)
