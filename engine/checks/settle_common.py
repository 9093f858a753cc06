"""What the checks of settlement share: how each hand ends, what is still due, and when the dealer has moved on.

A wager that was passed over is not yet settled out of order: it may never be settled, which is another matter. So
order is judged at the act that came late, and the seat that is named is the one that was served ahead of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from engine import events as ev
from engine.checks.registry import Moment, reading
from engine.errors import BadHand
from engine.events import DEALER, Area
from engine.hands import CLASSES
from engine.possible import Bounds, possible
from engine.settings import JackpotMode
from engine.settlement import Odds, Outcome
from engine.state.model import Act, Seat, TableState, Wager

ANYTHING: Final = Bounds(0, len(CLASSES) - 1)
GROUPS: Final = "groups"
"""The reading by which pairs, threes and fours are compared before single cards."""
STAKES: Final = (Area.ANTE, Area.BET)
SETTLING: Final = (
    ev.WagerTaken,
    ev.WagerPaid,
    ev.JackpotPaid,
    ev.HandCounted,
    ev.CardsCollected,
    ev.CardsTurned,
    ev.RoundClosed,
)
"""Events at which the dealer may turn from one seat to the next; see `left_seat`."""


def strength(seat: Seat) -> Bounds:
    """Return the bounds of a hand, as far as its cards were read.

    Worked out once for each state of the cards: many checks ask at every event of the settlement.
    """
    memo = seat.__dict__.get("_strength")
    if memo is None or memo[0] is not seat.cards:
        memo = seat.__dict__["_strength"] = (seat.cards, _strength(seat))
    bounds: Bounds = memo[1]
    return bounds


def _strength(seat: Seat) -> Bounds:
    if len(seat.cards) > 5 or not any(held.card.known for held in seat.cards):
        return ANYTHING
    try:
        return possible(seat.faces)
    except BadHand:  # the same card twice: another check's business
        return ANYTHING


def in_play(seat: Seat) -> bool:
    """Whether a hand is to be settled: dealt, bet on, neither folded nor void nor forfeited."""
    return seat.playing and seat.bet is not None and seat.informed is None


def qualified(state: TableState) -> bool | None:
    """Whether the dealer's hand qualifies; None if its cards do not tell."""
    return strength(state.dealer_hand).qualifies


def treated_as(state: TableState) -> bool | None:
    """Return how the dealer treats the own hand, qualified or not; None if its cards do not tell.

    What was announced counts. Where nothing was heard, a hand that does not qualify is treated as one that does once
    a wager is taken for it or a bet paid.
    """
    now, truth = state.round, qualified(state)
    if now is None or truth is None or now.announced_qualifies is not None:
        return truth if now is None or truth is None else now.announced_qualifies
    if truth or now.revealed is None:
        return truth
    for act in now.acts:
        seat = state.seats[act.seat]
        if act.seq < now.revealed or act.seat == DEALER or not in_play(seat):
            continue
        if act.area in STAKES and (act.what == "taken" or (act.what == "paid" and act.area is Area.BET)):
            return True
        if act.what == "collected":
            return False
    return truth


def result(m: Moment, seat: Seat) -> Outcome:
    """Return how a hand ends as the dealer treats the own hand, so that a misread hand is reported only once."""
    state = m.after
    if seat.folded is not None:
        return Outcome.FOLD
    if not in_play(seat):
        return Outcome.VOID
    plays = treated_as(state)
    if plays is None:
        return Outcome.UNDECIDED
    if not plays:
        return Outcome.NOT_QUALIFIED
    mine, theirs = strength(seat), strength(state.dealer_hand)
    if reading(m, "comparison", GROUPS) != GROUPS and mine.category is theirs.category is not None:
        return _by_cards(seat, state.dealer_hand)
    if mine.worst > theirs.best:
        return Outcome.WIN
    if mine.best < theirs.worst:
        return Outcome.LOSE
    return Outcome.PUSH if mine.certain and theirs.certain else Outcome.UNDECIDED


def _by_cards(seat: Seat, dealer: Seat) -> Outcome:
    """Compare two hands of one kind by the highest card that only one of them has, whatever its part in the hand."""
    if not seat.known or not dealer.known:
        return Outcome.UNDECIDED
    mine, theirs = ({held.card.rank for held in hand.cards} for hand in (seat, dealer))
    if mine == theirs:
        return Outcome.PUSH
    return Outcome.WIN if max(mine ^ theirs) in mine else Outcome.LOSE


def due_areas(m: Moment, seat: Seat, end: Outcome) -> tuple[Area, ...]:
    """Return the areas on which the dealer has to act when a hand ends so; a jackpot that is won has its own rules."""
    if end is Outcome.FOLD:
        return (Area.ANTE,)
    if end is Outcome.NOT_QUALIFIED:
        return (Area.ANTE,)
    return STAKES if end in (Outcome.WIN, Outcome.LOSE) else ()


def open_wagers(m: Moment, seat: Seat, end: Outcome) -> Iterator[tuple[Area, Wager]]:
    """Yield the wagers of a seat that are due to be taken or paid and were not touched yet."""
    for area in due_areas(m, seat, end):
        wager = seat.wager(area)
        if wager is not None and not wager.settled and wager.withdrawn is None:
            yield area, wager


def mistaken(seat: Seat, end: Outcome) -> bool:
    """Whether a seat was treated as if its hand ended otherwise; what follows from that is no fault of its own."""
    stakes = [wager for wager in (seat.ante, seat.bet) if wager is not None]
    if any(wager.paid is not None for wager in stakes) and end in (Outcome.LOSE, Outcome.PUSH):
        return True
    return any(wager.taken is not None for wager in stakes) and end is not Outcome.LOSE


def chip_open(m: Moment, seat: Seat) -> Wager | None:
    """Return a jackpot chip on the layout that has still to be taken (jackpots run by hand only)."""
    wager = seat.jackpot
    if m.settings.jackpot is not JackpotMode.MANUAL or wager is None or not wager.lies:
        return None
    return wager


def stray_jackpot(m: Moment, seat: Seat) -> str | None:
    """Return the clause by which the jackpot wager of a whole hand without an ante is void, if there is one."""
    rule = m.book.rules.get("settle.void_round")
    stray = seat.ante is None and seat.dealt >= 5 and seat.jackpot is not None
    return rule.params.get("stray_jackpot") if stray and rule is not None and rule.params else None


def outcome_clause(m: Moment, end: Outcome) -> str | None:
    """Return the clause for how a hand ends, where the rulebook has one for each."""
    table = None if m.rule.params is None else m.rule.params.get("clause")
    return None if table is None else table.get(end.name.lower())


def qualified_clause(m: Moment, plays: bool | None) -> str | None:
    """Return the clause for a dealer's hand that qualifies, or does not."""
    table = None if m.rule.params is None else m.rule.params.get("clause")
    return None if table is None else table.get("qualified" if plays else "not_qualified")


def flag(m: Moment, name: str) -> bool:
    """Return a yes-or-no parameter of the rule; no where it is not given."""
    return m.rule.params is not None and bool(m.rule.params.get(name, False))


def text(m: Moment, name: str) -> str | None:
    """Return a parameter of the rule, such as a clause, where it is given."""
    return None if m.rule.params is None else m.rule.params.get(name)


def left_seat(m: Moment, *whats: str) -> Act | None:
    """Return the last act of these kinds if this event shows that the dealer has left its seat.

    That is an act at another seat, the hand counted or collected, or the end of the round: until then a payment may be
    made in two goes.
    """
    now = m.before.round
    if now is None or not now.acts:
        return None
    last = now.acts[-1]
    if last.what not in whats:
        return None
    event = m.event
    if isinstance(event, ev.RoundClosed) or event.seat != last.seat:
        return last
    if "collected" in whats:
        return None
    return last if isinstance(event, ev.HandCounted | ev.CardsCollected | ev.JackpotPaid) else None


def posted(m: Moment) -> Odds:
    """Return the odds on the bet wager that this table pays: the rulebook's, or the posting where it may differ."""
    odds = m.book.bet_odds
    assert odds is not None, "a rulebook with checks of payments has odds"
    if m.book.odds.get("kind") == "fixed" or not m.settings.posted_odds:
        return odds
    return odds.posted(m.settings.posted_odds)


def name(seat: int) -> str:
    """Return a seat in words."""
    return "the dealer" if seat == DEALER else f"seat {seat}"


WORDS: Final = {
    Outcome.WIN: "wins",
    Outcome.LOSE: "loses",
    Outcome.PUSH: "ties",
    Outcome.NOT_QUALIFIED: "plays against a dealer without a qualifying hand",
    Outcome.FOLD: "has folded",
}
