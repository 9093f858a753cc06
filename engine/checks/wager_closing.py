"""Wagers as they stand when they bind: amounts, chips, who made them, and the jackpot's."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.checks.wager_common import (
    BINDING,
    CLOSING,
    bets_close,
    binding,
    blind_allowed,
    closed,
    due_bet,
    person,
)
from engine.events import DEALER, OUTSIDER, Area, Tender
from engine.money import format_amount
from engine.state.model import Seat, Wager


@check(
    "wager.blind_bet",
    "Bet made before the deal where that is not allowed",
    on=CLOSING,
    needs=("seat",),
    first_card=True,
)
def blind_bet(m: Moment) -> Iterator[Finding]:
    """A bet lies in its area when bets are closed, though it may be made only after the deal."""
    if not bets_close(m) or blind_allowed(m):
        return
    for seat in m.after.players:
        if seat.bet is not None and seat.bet.lies:
            yield Finding(
                "the bet wager made after the cards are dealt",
                f"seat {seat.number} has a bet in place before the deal",
                seat.number,
                Area.BET,
                events=(seat.bet.placed, m.event.seq),
            )


@check(
    "wager.stack_order",
    "Larger chip above a smaller one",
    on=BINDING,
    needs=("seat",),
    first_card=True,
)
def stack_order(m: Moment) -> Iterator[Finding]:
    """Antes and bets are stacked with the smaller chips on top."""
    for seat, area, wager in binding(m):
        if area is Area.JACKPOT or wager.tender is not Tender.CHIPS or wager.piles > 1:
            continue
        if wager.chips is None:
            yield unsure(
                f"the chips of the {area} of seat {seat.number} could not be read", seat.number, area
            )
            continue
        for below, above in zip(wager.chips, wager.chips[1:], strict=False):
            if above > below:
                yield Finding(
                    "smaller chips on top of larger ones",
                    f"a chip of {format_amount(above)} lies on one of {format_amount(below)}",
                    seat.number,
                    area,
                    events=(wager.placed, m.event.seq),
                )
                break


@check(
    "wager.second_in_area",
    "More than one wager in an area",
    on=BINDING,
    needs=("seat",),
    first_card=True,
)
def second_in_area(m: Moment) -> Iterator[Finding]:
    """One area takes one wager: two piles side by side are two, whoever made them."""
    for seat, area, wager in binding(m):
        if wager.piles > 1:
            yield Finding(
                "one wager in one area",
                f"{wager.piles} piles in the {area} area of seat {seat.number}",
                seat.number,
                area,
                events=(wager.placed, m.event.seq),
            )


@check(
    "wager.limits",
    "Ante outside the table's limits",
    on=CLOSING,
    needs=("seat",),
    applies=lambda settings: settings.ante_min is not None or settings.ante_max is not None,
    first_card=True,
)
def limits(m: Moment) -> Iterator[Finding]:
    """The limits are the house's: they come from the table's settings."""
    if not bets_close(m) or reading(m, "table_limits", "settings") != "settings":
        return
    low, high = m.settings.ante_min, m.settings.ante_max
    for seat in m.after.players:
        ante = seat.ante
        if ante is None or not ante.lies:
            continue
        if ante.amount is None:
            yield unsure(f"the ante of seat {seat.number} could not be read", seat.number, Area.ANTE)
            continue
        fault = ""
        if low is not None and ante.amount < low:
            fault = f"at least {format_amount(low)}, as posted (setting ante_min)"
        elif high is not None and ante.amount > high:
            fault = f"at most {format_amount(high)}, as posted (setting ante_max)"
        if fault:
            observed = f"an ante of {format_amount(ante.amount)}"
            yield Finding(fault, observed, seat.number, Area.ANTE, events=(ante.placed, m.event.seq))


@check(
    "wager.tender",
    "Wager made with something that is not accepted",
    on=BINDING,
    needs=("seat",),
    first_card=True,
)
def tender(m: Moment) -> Iterator[Finding]:
    """Cash, or whatever else the rulebook does not list, lies in an area when bets bind."""
    accepted = m.book.game["tenders"]
    for seat, area, wager in binding(m):
        if wager.tender not in accepted:
            yield Finding(
                f"wagers made with {' or '.join(_WORDS[one] for one in accepted)}",
                f"{_WORDS[wager.tender]} in the {area} area of seat {seat.number}",
                seat.number,
                area,
                events=(wager.placed, m.event.seq),
            )


_WORDS = {"chips": "chips", "plaque": "plaques", "coupon": "match-play coupons", "cash": "cash"}


@check(
    "wager.bet_amount",
    "Bet is not twice the ante",
    on=(ev.CardsTurned, ev.WagerTaken, ev.WagerPaid, ev.RoundClosed),
    needs=("seat",),
)
def bet_amount(m: Moment) -> Iterator[Finding]:
    """The bet must be a fixed multiple of the ante; it may be built up or put right until the reveal.

    A bet that was right once and was altered afterwards is `wager.late` or `wager.pinched`.
    """
    event, now = m.event, m.round
    if isinstance(event, ev.WagerTaken | ev.WagerPaid):
        if now.revealed is not None and event.area is not Area.JACKPOT:
            yield from _bet_amount(m, m.seat)
    elif isinstance(event, ev.RoundClosed) or now.revealed == event.seq:
        for seat in m.after.players:
            yield from _bet_amount(m, seat)


def _bet_amount(m: Moment, seat: Seat) -> Iterator[Finding]:
    bet = seat.bet
    if bet is None or seat.voided is not None or seat.folded is not None:
        return
    if bet.withdrawn is not None and (m.round.revealed is None or bet.withdrawn < m.round.revealed):
        return
    if not bet.history:
        return  # only its settlement was seen
    if bet.before_deal and reading(m, "blind_bet_amount", "twice the ante") != "twice the ante":
        return
    times = {2: "twice", 1: "the same as", 3: "three times"}.get(
        m.book.game["bet_times_ante"], "a multiple of"
    )
    if seat.ante is None:
        observed = (
            f"a bet of {format_amount(bet.amount)} without an ante" if bet.amount else "a bet without an ante"
        )
        yield _wrong_bet(m, seat, bet, f"a bet of {times} the ante", observed)
        return
    due = due_bet(m, seat)
    if not due or None in bet.history:
        unread = "ante" if not due else "bet"
        yield unsure(f"the {unread} of seat {seat.number} could not be read", seat.number, Area.BET)
    elif not due & set(bet.history) and bet.amount is not None:
        ante = min(due) // m.book.game["bet_times_ante"]
        expected = f"a bet of {format_amount(min(due))}, {times} the ante of {format_amount(ante)}"
        yield _wrong_bet(m, seat, bet, expected, f"a bet of {format_amount(bet.amount)}")


def _wrong_bet(m: Moment, seat: Seat, bet: Wager, expected: str, observed: str) -> Finding:
    ante = () if seat.ante is None else (seat.ante.placed,)
    events = (*ante, bet.placed, m.event.seq)
    return Finding(expected, observed, seat.number, Area.BET, events=events)


@check(
    "wager.not_seated",
    "Wager by somebody who is not seated",
    on=(*CLOSING, ev.WagerPlaced),
    needs=("seat",),
    first_card=True,
)
def not_seated(m: Moment) -> Iterator[Finding]:
    """Only seated players wager; antes are judged when bets are closed, later wagers as they are made.

    Who left after the deal and still bets is `wager.left_seat`.
    """
    before = not isinstance(m.event, ev.WagerPlaced)
    for seat, area, wager in _made(m):
        if wager.by is None:
            yield unsure(f"who made the {area} of seat {seat.number} was not seen", seat.number, area)
        elif wager.by == OUTSIDER or (before and wager.by != DEALER and not _seated(m, wager.by)):
            yield Finding(
                "wagers made by seated players only",
                f"{person(wager.by)} made the {area} of seat {seat.number}"
                + ("" if wager.by == OUTSIDER else ", who had left"),
                seat.number,
                area,
                events=(wager.placed, m.event.seq) if wager.placed != m.event.seq else (m.event.seq,),
            )


def _seated(m: Moment, number: int) -> bool:
    return number < len(m.after.seats) and m.after.seats[number].present is not False


def _made(m: Moment) -> Iterator[tuple[Seat, Area, Wager]]:
    """Yield wagers whose maker can be judged now: all when bets are closed, a bet when it is made."""
    if not isinstance(m.event, ev.WagerPlaced):
        if bets_close(m):
            yield from binding(m)
        return
    wager = m.seat.wager(m.event.area)
    if m.event.area is Area.BET and wager is not None and wager.placed == m.event.seq and closed(m.before):
        yield m.seat, m.event.area, wager


@check(
    "wager.several_hands",
    "One player wagers on several hands",
    on=(*CLOSING, ev.WagerPlaced),
    needs=("seats",),
    first_card=True,
)
def several_hands(m: Moment) -> Iterator[Finding]:
    """A player has wagers in the areas of more than one seat, and neither rulebook nor house lets that pass."""
    option = (m.rule.params or {}).get("if_nobody_excluded")
    allowed = option is not None and m.settings.several_areas
    unknown = _makers_unknown(m)
    if unknown:
        yield unsure(f"who made the ante of seat {' and '.join(unknown)} was not seen", key="makers")
    for seat, area, wager in _made(m):
        if area is Area.JACKPOT:
            continue
        owner = _owner(m, seat, wager)
        if owner is None:
            continue
        excluded = seat.present is True and (
            seat.player is None or seat.player != m.after.seats[owner].player
        )
        if not allowed or excluded:
            yield Finding(
                "one hand for each player" if not allowed else "no player kept from playing",
                f"the player of seat {owner} also has a wager in the {area} area of seat {seat.number}"
                + (", whose own player sits there" if allowed else ""),
                seat.number,
                area,
                key="several",
                clause=option if allowed else None,
            )


def _makers_unknown(m: Moment) -> list[str]:
    """Return the seats whose antes somebody made who was not seen, where another seat plays, too."""
    if isinstance(m.event, ev.WagerPlaced) or not bets_close(m):
        return []
    antes = [seat for seat in m.after.players if seat.ante is not None and seat.ante.lies]
    unknown = [seat for seat in antes if seat.ante is not None and seat.ante.by is None]
    return [str(seat.number) for seat in unknown] if len(antes) > 1 else []


def _owner(m: Moment, seat: Seat, wager: Wager) -> int | None:
    """Return the other seat at which the maker of a wager sits and plays, if there is one."""
    by = wager.by
    if by is not None and by > DEALER and by != seat.number and by < len(m.after.seats):
        ante = m.after.seats[by].ante
        return by if ante is not None and ante.by in (None, by, DEALER) else None
    if by == seat.number and seat.player is not None:
        for other in m.after.players[: seat.number - 1]:
            if other.player == seat.player and other.ante is not None and other.ante.lies:
                return other.number
    return None
