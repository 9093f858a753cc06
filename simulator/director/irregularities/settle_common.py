"""What the irregularities of settlement share: seats by outcome, places of their steps, payments changed."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.events import Area
from engine.hands import evaluate
from simulator.director.chips import pile
from simulator.director.edit import Edit, Found
from simulator.director.irregularities.decide_common import play_on
from simulator.director.money import Desk
from simulator.director.plan import RoundPlan, SeatPlan

NZ_CLAUSES = {"none": "10.1", "lose": "10.5", "win": "10.6", "push": "10.7"}
S10_CLAUSES = {"none": "(j)(6)(ii)", "lose": "(j)(5)(i)", "win": "(j)(5)(iii)", "push": "(j)(5)(ii)"}


def outcome(plan: RoundPlan, seat: SeatPlan) -> str:
    """Return none, lose, win or push: how the wagers of a seat must end."""
    if not plan.qualifies:
        return "none"
    mine, theirs = evaluate(seat.hand), evaluate(plan.dealer)
    return "push" if mine == theirs else "win" if mine > theirs else "lose"


def clause(edit: Edit, ends: str) -> str:
    """Return the clause that says how wagers of such an outcome are settled."""
    return (NZ_CLAUSES if edit.nz else S10_CLAUSES)[ends]


def ending(edit: Edit, *ends: str) -> list[SeatPlan]:
    """Return the seats that stay in the round and end so, from the dealer's right, without jackpots."""
    return [
        seat
        for seat in reversed(edit.plan.seats)
        if not seat.folds and not seat.wins_jackpot and (not ends or outcome(edit.plan, seat) in ends)
    ]


def pick(edit: Edit, *ends: str) -> SeatPlan:
    """Choose one of the seats that end so."""
    seat: SeatPlan = edit.pick(ending(edit, *ends))
    return seat


def after_reveal(edit: Edit, kind: type[ev.Event], seat: int, **match: Any) -> list[Found]:
    """Return the steps of a kind in the settlement of one seat."""
    return edit.all(kind, edit.reveal(), seat=seat, **match)


def step(edit: Edit, kind: type[ev.Event], seat: int, **match: Any) -> int:
    """Return the place of the first such step, or give the round up."""
    return edit.first(kind, edit.reveal(), seat=seat, **match).at


def wager_steps(edit: Edit, seat: int) -> list[int]:
    """Return where the ante and the bet of a seat are taken or paid."""
    found = after_reveal(edit, ev.WagerTaken, seat) + after_reveal(edit, ev.WagerPaid, seat)
    return sorted(one.at for one in found if one.event.area is not Area.JACKPOT)


def card_steps(edit: Edit, seat: int) -> list[int]:
    """Return where a hand is counted and collected in settlement."""
    found = after_reveal(edit, ev.HandCounted, seat) + after_reveal(edit, ev.CardsCollected, seat)
    return sorted(one.at for one in found)


def stays_on_layout(edit: Edit, seat: int) -> None:
    """Let the player leave the wagers alone after settlement: what was not settled is not the player's to take."""
    edit.drop_all(ev.WagerWithdrawn, edit.reveal(), seat=seat)


def pay_instead(edit: Edit, seat: int, area: Area, amount: int) -> None:
    """Let the dealer pay another amount, in one go."""
    edit.need(amount > 0)
    first, *more = [one.at for one in after_reveal(edit, ev.WagerPaid, seat, area=area)] or edit.pick([])
    chips = pile(amount, edit.settings.chip_values)
    edit.need(sum(chips) == amount)
    edit.change(first, stack=chips, amount=amount, chips=chips if len(chips) <= 20 else None)
    edit.drop(*more)


def unit(edit: Edit) -> int:
    """Return the smallest chip of the table."""
    return min(edit.settings.chip_values)


def resettle(edit: Edit, kind: type[Desk] = Desk, plan: RoundPlan | None = None, **fields: Any) -> Desk:
    """Let the round be revealed and settled anew by a dealer who errs as the fields say."""
    desk = kind(edit.continue_from(edit.reveal()), plan or edit.plan, **fields)
    play_on(edit, desk)
    return desk
