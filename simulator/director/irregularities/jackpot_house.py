"""Jackpots between tables: two tables share a pool, and each has a hand that is due a part of it."""

from __future__ import annotations

import random
from dataclasses import dataclass, replace

from engine.events import DEALER, Area, Pool
from engine.settings import JackpotMode
from simulator.director.before import close_bets, open_bets
from simulator.director.cards import collect, deal, decide, reveal
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.money import Desk, jackpots_nz, settle_nz
from simulator.director.plan import RoundPlan, SeatPlan, plan
from simulator.director.play import close, new_stage
from simulator.director.script import Beat, Script, renumbered
from simulator.director.stage import Stage
from simulator.errors import ScriptError

PRIZES = Want(
    jackpot=JackpotMode.ELECTRONIC,
    hands=("straight_flush",),
    all_jackpot=True,
    seats_at_most=3,
)


@dataclass(slots=True)
class WaitingDesk(Desk):
    """A dealer who settles antes and bets, and leaves the jackpots until told."""

    waiting: bool = True

    def jackpot_seats(self) -> list[SeatPlan]:
        """The seats that are due a jackpot, once their time has come."""
        return [] if self.waiting else Desk.jackpot_seats(self)


class House:
    """Two tables on one clock, with one meter."""

    def __init__(self, plans: tuple[RoundPlan, RoundPlan]) -> None:
        self.beats: list[Beat] = []
        self.clock = 0
        self.meters: dict[Pool, int] = {}
        self.told = [0, 0]
        self.desks = [WaitingDesk(new_stage(one), one) for one in plans]

    def turn(self, table: int) -> tuple[Stage, RoundPlan]:
        """Let a table go on: bring its clock and its meter up to now."""
        desk = self.desks[table]
        desk.stage.clock = max(self.clock, desk.stage.clock)
        return desk.stage, desk.plan

    def done(self, table: int) -> None:
        """Take over what a table has done in its turn."""
        stage = self.desks[table].stage
        self.beats += stage.beats[self.told[table] :]
        self.told[table] = len(stage.beats)
        self.clock = stage.clock

    def bets(self, table: int) -> None:
        """Open and close the bets of a table."""
        stage, plan = self.turn(table)
        open_bets(stage, replace(plan, meters=self.meters or plan.meters))
        close_bets(stage, plan)
        self.meters = stage.meters
        self.done(table)

    def hands(self, table: int) -> None:
        """Deal, decide, reveal and settle everything but the jackpots."""
        stage, plan = self.turn(table)
        deal(stage, plan)
        decide(stage, plan)
        self.desks[table].gone |= {seat.seat for seat in plan.seats if seat.folds}
        reveal(stage, plan)
        settle_nz(self.desks[table])
        self.done(table)

    def prizes(self, table: int) -> None:
        """Pay the jackpots of a table and close its round."""
        stage, plan = self.turn(table)
        desk = self.desks[table]
        stage.meters = self.meters
        desk.waiting = False
        jackpots_nz(desk)
        collect(stage, plan, DEALER, seen=True)
        close(desk)
        self.done(table)


def play_house(plans: tuple[RoundPlan, RoundPlan], paid_first: int) -> tuple[Beat, ...]:
    """Play two tables, the first dealt to first; `paid_first` is the one whose jackpots are paid first."""
    house = House(plans)
    for step in (house.bets, house.hands):
        for table in (0, 1):
            step(table)
    for table in (paid_first, 1 - paid_first):
        house.prizes(table)
    return renumbered(house.beats)


def two_tables(rulebook: str, seed: str, want: Want) -> Script:
    """Return a legal scene of two tables with a common jackpot, a prize at each, paid by priority (nz 11.11)."""
    rng = random.Random(f"house:{rulebook}:{seed}")
    if rng.random() < 0.4:
        want = replace(want, hands=("royal",))
    first = plan(rulebook, f"{seed}:first", want)
    for number in range(60):
        second = plan(rulebook, f"{seed}:second:{number}", want)
        common = first.settings
        if common.jackpot_wager in second.settings.chip_values:
            break
    else:
        raise ScriptError("no second table has the chip of the first one's jackpot")
    settings = replace(
        second.settings,
        table="CS-2",
        jackpot_wager=common.jackpot_wager,
        sub_pools=common.sub_pools,
        meter_rate_percent=common.meter_rate_percent,
    )
    plans = (first, replace(second, settings=settings))
    beats = play_house(plans, paid_first=0)
    return Script(rulebook, common, beats, notes={"plans": plans}, linked=(settings,))


@irregularity(
    "jackpot.priority", "later_hand_paid_first", nz="11.11", want=PRIZES, base=two_tables, visible=False
)
def later_hand_paid_first(edit: Edit) -> Hit:
    """Of two tables with a prize each, the one whose hand was dealt later is paid out of the pool first."""
    plans = edit.script.notes["plans"]
    assert isinstance(plans, tuple)
    later: list[SeatPlan] = [seat for seat in plans[1].seats if seat.wins_jackpot]
    edit.need(len(later) == 1 and sum(seat.wins_jackpot for seat in plans[0].seats) == 1)
    edit.beats = list(play_house(plans, paid_first=1))
    return later[0].seat, Area.JACKPOT
