"""Jackpots: not paid, paid to the wrong one, paid wrongly, paid too early, paid without the steps before."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.events import Area, Pool
from engine.hands import Category
from engine.settings import JackpotMode
from simulator.director.amounts import NZ_TIMES, S10_FIXED, S10_STRAIGHT_FLUSH
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.jackpot_common import (
    JackpotDesk,
    dues,
    pool_at_reveal,
    winner,
    winners,
    won,
)
from simulator.director.irregularities.settle_common import (
    resettle,
)
from simulator.director.plan import RoundPlan, SeatPlan, Stake

ONE = won("flush")
MANY = Want(hands=("full_house",), all_jackpot=True, seats_at_least=3, all_bet=True)


@irregularity(
    "jackpot.not_paid",
    "forgotten",
    nz="11.9",
    s10="(k)(1)",
    want=ONE,
    allowed=("jackpot.cards_taken_early", "jackpot.wager_taken_early"),
)
def forgotten(edit: Edit) -> Hit:
    """The dealer overlooks that a hand with a jackpot wager wins, and clears it away."""
    seat = winner(edit)
    resettle(edit, JackpotDesk, unpaid=frozenset({seat.seat}))
    return seat.seat, Area.JACKPOT


def _with(plan: RoundPlan, seat: SeatPlan, new: SeatPlan) -> RoundPlan:
    return replace(plan, seats=tuple(new if one is seat else one for one in plan.seats))


@irregularity(
    "jackpot.not_entitled",
    "no_wager",
    nz="11.1",
    s10="(k)(2)(ii)",
    want=Want(hands=("flush",), jackpot=JackpotMode.ELECTRONIC, seats_at_most=4),
)
def no_wager(edit: Edit) -> Hit:
    """A flush without a jackpot wager is paid a jackpot."""
    edit.need(not winners(edit))
    seat: SeatPlan = edit.pick(
        edit.seats(lambda one: one.stake is Stake.NONE and not one.folds and one.kind >= Category.FLUSH)
    )
    resettle(edit, plan=_with(edit.plan, seat, replace(seat, stake=Stake.CHIP)))
    return seat.seat, Area.JACKPOT


class TakenForFlush(SeatPlan):
    """A hand in which the dealer sees a flush that is not there."""

    @property
    def wins_jackpot(self) -> bool:
        """Whether the dealer pays a jackpot on it: yes."""
        return True


class BlindDesk(JackpotDesk):
    """A dealer who pays some hands as if they were flushes."""

    def jackpot_dues(self, order: list[SeatPlan]) -> dict[int, int]:  # type: ignore[override]
        """Return what each jackpot is due, to this dealer's eyes."""
        seats = list(order)
        true = [seat for seat in seats if not isinstance(seat, TakenForFlush)]
        flush = (
            NZ_TIMES[Category.FLUSH] * self.plan.settings.jackpot_wager
            if self.plan.rulebook == "nz"
            else S10_FIXED[Category.FLUSH]
        )
        return JackpotDesk.jackpot_dues(self, true) | {
            seat.seat: flush for seat in seats if isinstance(seat, TakenForFlush)
        }


@irregularity(
    "jackpot.not_entitled",
    "no_prize_hand",
    nz="11.7",
    s10="(k)(2)(i)",
    want=Want(hands=("straight",), all_jackpot=True, jackpot=JackpotMode.ELECTRONIC, seats_at_most=4),
)
def no_prize_hand(edit: Edit) -> Hit:
    """A straight is taken for a flush and paid a jackpot."""
    seat: SeatPlan = edit.pick(
        edit.seats(
            lambda one: (
                one.stake is not Stake.NONE
                and not one.folds
                and Category.TWO_PAIR < one.kind < Category.FLUSH
            )
        )
    )
    edit.need(not winners(edit))
    fields = {name: getattr(seat, name) for name in SeatPlan.__slots__}
    resettle(edit, BlindDesk, plan=_with(edit.plan, seat, TakenForFlush(**fields)))
    return seat.seat, Area.JACKPOT


@irregularity(
    "jackpot.not_entitled",
    "folded",
    nz="11.8",
    s10="(k)(2)(i)",
    want=Want(folds=1, jackpot=JackpotMode.ELECTRONIC),
)
def folded(edit: Edit) -> Hit:
    """A player who folded says that it was a flush, and is paid a jackpot."""
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.folds and one.stake is not Stake.NONE))
    stage = edit.continue_from(edit.first(ev.RoundClosed).at)
    rest = edit.beats[edit.first(ev.RoundClosed).at :]
    desk = BlindDesk(stage, edit.plan)
    fields = {name: getattr(seat, name) for name in SeatPlan.__slots__}
    claimed = TakenForFlush(**fields)
    desk.pay_jackpot(claimed, desk.jackpot_dues([claimed])[seat.seat])
    if edit.nz and not edit.all(ev.DeckCounted):
        stage.put(ev.DeckCounted, (9000, 16000), deck=edit.plan.deck, count=52)
    shift = stage.clock - rest[0].event.at + 500
    moved = [replace(beat, event=replace(beat.event, at=beat.event.at + shift)) for beat in rest]
    edit.beats = [*stage.beats, *moved]
    return seat.seat, Area.JACKPOT


def _pays(edit: Edit, amounts: dict[int, int], clause: str) -> list[Hit]:
    """Let the dealer pay these amounts, and name the seats that get another one than they are due."""
    due = dues(edit, winners(edit))
    wrong = [seat for seat, amount in amounts.items() if amount != due[seat]]
    edit.need(bool(wrong))
    resettle(edit, JackpotDesk, amounts=amounts)
    return [(seat, Area.JACKPOT, clause) for seat in sorted(wrong)]


@irregularity("jackpot.amount", "fixed_prize_short", nz="11.9", s10="(l)(5)", want=won("full_house"))
def fixed_prize_short(edit: Edit) -> list[Hit]:
    """A fixed prize is paid as that of the next lower hand."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    edit.need(Category.FLUSH < seat.kind < Category.STRAIGHT_FLUSH)
    lower = Category(seat.kind - 1)
    amount = NZ_TIMES[lower] * edit.settings.jackpot_wager if edit.nz else S10_FIXED[lower]
    return _pays(edit, {seat.seat: amount}, "11.9" if edit.nz else "(l)(5)")


@irregularity("jackpot.amount", "lesser_of_two", nz="11.9", want=won("straight_flush", sub_pools=False))
def lesser_of_two(edit: Edit) -> list[Hit]:
    """A straight flush is paid the lesser of 1,000 to 1 and ten percent of the pool."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    edit.need(seat.kind is Category.STRAIGHT_FLUSH)
    amount = min(1_000 * edit.settings.jackpot_wager, pool_at_reveal(edit) // 10)
    return _pays(edit, {seat.seat: amount}, "11.9")


@irregularity("jackpot.amount", "royal_short", nz="11.9", s10="(l)(5)", want=won("royal", sub_pools=False))
def royal_short(edit: Edit) -> list[Hit]:
    """A royal flush is paid nine tenths of what it is due."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    edit.need(seat.kind is Category.ROYAL_FLUSH)
    amount = dues(edit, [seat])[seat.seat] * 9 // 10
    return _pays(edit, {seat.seat: amount}, "11.9" if edit.nz else "(l)(5)")


@irregularity(
    "jackpot.amount", "pool_not_reduced", nz="11.10", want=won("straight_flush", "quads", sub_pools=False)
)
def pool_not_reduced(edit: Edit) -> list[Hit]:
    """A straight flush is paid ten percent of a pool from which a fixed prize was not deducted."""
    seats = [seat for seat in winners(edit) if seat.kind is Category.STRAIGHT_FLUSH]
    edit.need(len(seats) == 1)
    amount = max(1_000 * edit.settings.jackpot_wager, pool_at_reveal(edit) // 10)
    return _pays(edit, {seats[0].seat: amount}, "11.10")


@irregularity(
    "jackpot.amount",
    "royals_not_shared",
    nz="11.10",
    s10="(l)(7)",
    want=won("royal", "royal", sub_pools=False),
)
def royals_not_shared(edit: Edit) -> list[Hit]:
    """Of two royal flushes the first is paid the whole pool, the second what is left."""
    seats = winners(edit)
    edit.need([seat.kind for seat in seats] == [Category.ROYAL_FLUSH] * 2)
    pool = pool_at_reveal(edit)
    second = 10_000 * edit.settings.jackpot_wager if edit.nz else 100
    amounts = {seats[0].seat: max(pool, second), seats[1].seat: second}
    return _pays(edit, amounts, "11.10" if edit.nz else "(l)(7)")


@irregularity("jackpot.amount", "from_minor_pool", nz="11.6C", want=won("straight_flush", sub_pools=True))
def from_minor_pool(edit: Edit) -> list[Hit]:
    """A straight flush is paid ten percent of the Minor pool instead of the Major."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    edit.need(seat.kind is Category.STRAIGHT_FLUSH)
    amount = max(1_000 * edit.settings.jackpot_wager, pool_at_reveal(edit, Pool.MINOR) // 10)
    return _pays(edit, {seat.seat: amount}, "11.6C")


@irregularity("jackpot.amount", "not_as_designated", s10="(l)(5)", want=won("straight_flush"))
def not_as_designated(edit: Edit) -> list[Hit]:
    """A straight flush is paid the lesser prize though the house has designated the other."""
    edit.need(len(winners(edit)) == 1)
    seat = winner(edit)
    edit.need(seat.kind is Category.STRAIGHT_FLUSH)
    other = pool_at_reveal(edit) // 10 if edit.settings.straight_flush_fixed else S10_STRAIGHT_FLUSH
    edit.need(other < dues(edit, [seat])[seat.seat])
    return _pays(edit, {seat.seat: other}, "(l)(5)")
