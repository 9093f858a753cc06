"""Settlement: from the dealer's right, losers before pushes before winners, wagers before cards.

Seats are numbered from the dealer's left, so the order is the falling one.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks import unread
from engine.checks.jackpot_common import jackpot_due
from engine.checks.registry import Finding, Moment, check, reading
from engine.checks.settle_common import (
    STAKES,
    WORDS,
    chip_open,
    flag,
    in_play,
    mistaken,
    open_wagers,
    outcome_clause,
    qualified_clause,
    result,
    text,
    treated_as,
)
from engine.events import DEALER, Area
from engine.money import amount_or_unseen
from engine.settlement import Outcome
from engine.state.model import Act, Seat


def _first_acts(m: Moment, kind: str) -> dict[int, Act]:
    """Return the first act of a kind (turned, taken, paid, money) at each seat since the reveal."""
    start = m.round.revealed
    found: dict[int, Act] = {}
    if start is None:
        return found
    for act in m.round.acts:
        if act.seq < start or act.seat == DEALER or act.seat in found:
            continue
        if m.after.seats[act.seat].folded is not None:  # a late fold is cleared whenever it comes
            continue
        if kind == "turned_up":
            fits = act.what == kind
        else:
            fits = act.area in STAKES and act.what in (("taken", "paid") if kind == "money" else (kind,))
        if fits:
            found[act.seat] = act
    return found


@check(
    "settle.seat_order",
    "Seats settled in the wrong order",
    on=(ev.CardsTurned, ev.WagerTaken, ev.WagerPaid),
    needs=("seat", "dealer"),
)
def seat_order(m: Moment) -> Iterator[Finding]:
    """A seat was served although one nearer to the dealer's right came only later."""
    event = m.event
    if event.seat == DEALER or m.round.revealed is None or not in_play(m.seat):
        return
    if isinstance(event, ev.CardsTurned):
        if not event.face_up or (treated_as(m.after) is False and not flag(m, "turn_no_hand")):
            return
        kind, what = "turned_up", "turned up"
    else:
        if event.area not in STAKES:
            return
        kind = "paid" if isinstance(event, ev.WagerPaid) else "taken"
        what = kind
        if not flag(m, "passes"):
            kind, what = "money", "settled"
    acts = _first_acts(m, kind)
    late = acts.get(event.seat)
    if late is None or late.seq != event.seq:
        return
    ahead = [act for act in acts.values() if act.seat < event.seat and act.seq < event.seq]
    if ahead:
        first = min(ahead, key=lambda act: act.seq)
        yield Finding(
            f"from the dealer's right: seat {event.seat} before seat {first.seat}",
            f"seat {first.seat} was {what} before seat {event.seat}",
            seat=first.seat,
            events=(first.seq, event.seq),
            since=m.round.revealed,
            zones=(f"seat:{first.seat}", f"seat:{event.seat}"),
            clause=_order_clause(m, kind),
        )


def _order_clause(m: Moment, kind: str) -> str | None:
    plays = treated_as(m.after)
    table = None if m.rule.params is None else m.rule.params.get("clause", {})
    if plays and kind == "paid" and table and "win" in table:
        found: str = table["win"]
        return found
    return qualified_clause(m, plays)


@check(
    "settle.pass_order",
    "Losers, pushes and winners settled in the wrong order",
    on=(ev.WagerTaken, ev.CardsCollected, ev.CardsTurned),
    needs=("seats", "dealer"),
    unread=unread.ends,
)
def pass_order(m: Moment) -> Iterator[Finding]:
    """A winner was paid, or a push cleared, before a loser's wagers and hand were collected.

    A hand that stays for its jackpot does not count: it lies there as it should.
    """
    event, seat = m.event, m.after.seats[m.event.seat]
    if event.seat == DEALER or m.round.revealed is None or isinstance(event, ev.CardsTurned):
        return
    if isinstance(event, ev.WagerTaken) and event.area not in STAKES:
        return
    end = result(m, seat)
    if end not in (Outcome.LOSE, Outcome.PUSH):
        return
    collected = isinstance(event, ev.CardsCollected)
    if (end is Outcome.PUSH and not collected) or (collected and jackpot_due(m, seat) is not False):
        return
    if mistaken(seat, end) or (collected and any(True for _ in open_wagers(m, seat, end))):
        return
    for act in m.round.acts:
        if act.seq >= event.seq:
            break
        other = m.after.seats[act.seat]
        if act.seat in (DEALER, event.seat) or not _overtook(m, act, other, end):
            continue
        paid = act.what == "paid"
        late = "wager" if isinstance(event, ev.WagerTaken) else "hand"
        yield Finding(
            "losing wagers and hands are collected first, then pushes, then winners are paid",
            f"seat {act.seat} was {'paid' if paid else 'cleared'} before the {late} of seat {event.seat}, "
            f"which {WORDS[end]}, was collected",
            seat=act.seat,
            events=(act.seq, event.seq),
            since=m.round.revealed,
            clause=None if paid else text(m, result(m, other).name.lower()),
            zones=(f"seat:{act.seat}", f"seat:{event.seat}", "dealer"),
        )
        return


def _overtook(m: Moment, act: Act, other: Seat, end: Outcome) -> bool:
    """Whether an earlier act at another seat belongs to a later pass."""
    if act.what == "paid" and act.area in STAKES:
        return result(m, other) is Outcome.WIN
    if act.what != "collected" or end is not Outcome.LOSE or act.seq < (m.round.revealed or 0):
        return False
    if result(m, other) is Outcome.PUSH:
        return not mistaken(other, Outcome.PUSH)
    by_seat = bool(reading(m, "losers_seat_by_seat", True)) or not isinstance(m.event, ev.WagerTaken)
    return not by_seat and result(m, other) is Outcome.LOSE


@check(
    "settle.cards_before_wager",
    "Cards taken before the wager was settled",
    on=(ev.CardsCollected, ev.WagerPaid),
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def cards_before_wager(m: Moment) -> Iterator[Finding]:
    """A hand went to the rack before its wager was settled, or before all antes were paid where that is ordered."""
    event, seat = m.event, m.after.seats[m.event.seat]
    if event.seat == DEALER or m.round.revealed is None or not in_play(seat):
        return
    end = result(m, seat)
    if isinstance(event, ev.WagerPaid):
        if event.area is Area.ANTE and end is Outcome.NOT_QUALIFIED and flag(m, "all_antes"):
            yield from _collected_before(
                m, Outcome.NOT_QUALIFIED, "all antes are paid before hands are collected"
            )
        return
    if end is Outcome.WIN and not flag(m, "winners"):
        return
    open_ = list(open_wagers(m, seat, end))
    chip = chip_open(m, seat)
    if chip is not None and jackpot_due(m, seat) is False:
        open_.append((Area.JACKPOT, chip))
    for area, wager in open_[:1]:
        yield Finding(
            f"seat {seat.number} {WORDS.get(end, 'is settled')}: its wagers are settled before its cards are taken",
            f"the cards were taken while the {area} of {amount_or_unseen(wager.amount)} was unsettled",
            seat=seat.number,
            events=(event.seq,),
            since=m.round.revealed,
            zones=("seat",),
            clause=outcome_clause(m, end),
        )


def _collected_before(m: Moment, end: Outcome, expected: str) -> Iterator[Finding]:
    """Yield the first hand of this outcome that was collected before the payment that this event makes."""
    for act in m.round.acts:
        if act.seq >= m.event.seq:
            return
        if act.what != "collected" or act.seat in (DEALER, m.event.seat):
            continue
        other = m.after.seats[act.seat]
        if act.seq < (m.round.revealed or 0) or result(m, other) is not end or mistaken(other, end):
            continue
        yield Finding(
            expected,
            f"the cards of seat {act.seat} were taken before the {m.event.area} of seat {m.event.seat} was paid",
            seat=act.seat,
            events=(act.seq, m.event.seq),
            since=m.round.revealed,
            clause=outcome_clause(m, end),
            zones=(f"seat:{act.seat}", f"seat:{m.event.seat}", "dealer"),
        )
        return


@check(
    "settle.winner_cards_early",
    "Winner's cards taken before all winners were paid",
    on=(ev.CardsCollected, ev.WagerPaid),
    needs=("seat", "dealer"),
    unread=unread.ends,
)
def winner_cards_early(m: Moment) -> Iterator[Finding]:
    """Winning hands stay face up until every winning ante and bet is paid."""
    event, seat = m.event, m.after.seats[m.event.seat]
    if event.seat == DEALER or m.round.revealed is None or result(m, seat) is not Outcome.WIN:
        return
    expected = "winning hands stay face up until all winners are paid"
    if isinstance(event, ev.WagerPaid):
        if event.area in STAKES:
            yield from _collected_before(m, Outcome.WIN, expected)
        return
    for area, wager in open_wagers(m, seat, Outcome.WIN):
        yield Finding(
            expected,
            f"the cards of seat {seat.number} were taken while its {area} of "
            f"{amount_or_unseen(wager.amount)} was unpaid",
            seat=seat.number,
            since=m.round.revealed,
        )
        return
