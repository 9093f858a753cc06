"""Decisions: what the dealer may show and take before every player has bet or folded."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import away, call_known, exposure_grade, known_dealer_cards, missed_start
from engine.checks.deal_faces import SHOWING, dealer_set, turns_up_card
from engine.checks.registry import Finding, Moment, check, unsure
from engine.events import DEALER, Area
from engine.exposure import exposure_words
from engine.state.model import Seat, TableState


def undecided(state: TableState) -> list[Seat]:
    """Return the seats that still have to bet or fold; who is not there has nothing to decide."""
    return [
        seat for seat in state.playing() if not seat.decided and not away(seat) and seat.collected is None
    ]


def _shows_hole_card(m: Moment) -> bool:
    """Whether the event shows a card of the dealer that is not the up-card."""
    event = m.event
    if event.seat != DEALER:
        return False
    if isinstance(event, ev.CardFlashed):
        return True
    if not event.face_up or turns_up_card(m):
        return False
    if isinstance(event, ev.CardDealt):
        return m.before.round is not None and m.before.round.up_card is not None
    up = {held.card for held in m.before.dealer_hand.cards if held.face_up}
    return any(not card.known or card not in up for card in event.cards)


@check(
    "decide.early_reveal",
    "Dealer's hole cards shown before every player decided",
    on=SHOWING,
    needs=("seats", "dealer"),
)
def early_reveal(m: Moment) -> Iterator[Finding]:
    """A hole card showed while somebody had still to bet or fold.

    How grave it is follows from what it is worth to know so many of the dealer's cards. Cards that show while the
    dealer's hand is still being dealt belong to `deal.dealer_card_exposed`, but for those after the first where the
    rulebook has a rule for several (params `several_in_deal`).
    """
    if m.event.seat != DEALER or missed_start(m.after) or not _shows_hole_card(m):
        return
    if not dealer_set(m) and not _several(m):
        return
    waiting = undecided(m.after)
    if not waiting:
        return
    if m.round.called is None and "decide.hole_before_call" in m.book.rules:
        if not call_known(m):
            yield unsure("whether bets were closed when the cards showed was not signalled", DEALER)
        return
    known = known_dealer_cards(m)
    seats = " and ".join(str(seat.number) for seat in waiting)
    yield Finding(
        "the hole cards stay face down until every player has bet or folded",
        f"seat {seats} had not decided; {exposure_words(known)}",
        seat=DEALER,
        since=m.round.first_card,
        severity=exposure_grade(known, m.rule.severity),
        clause=_exposure_clause(m),
    )


def _several(m: Moment) -> bool:
    """Whether more of the dealer's cards show than the one that `deal.dealer_card_exposed` deals with."""
    event = m.event
    if isinstance(event, ev.CardsTurned) and len(event.cards) > 1:
        return True
    if m.rule.params is None or not m.rule.params.get("several_in_deal", False):
        return False
    if isinstance(event, ev.CardDealt) and m.after.dealer_hand.dealt >= 5:
        return False  # the fifth face up after an early up-card: that is the early card's remedy undone
    return sum(seat == DEALER for _, seat in m.round.exposed) > 1


def _exposure_clause(m: Moment) -> str | None:
    """Return the clause for a few cards shown in error, where it is not the one for the reveal."""
    whole = all(held.face_up for held in m.after.dealer_hand.cards)
    return None if whole or m.rule.params is None else m.rule.params.get("in_error_clause")


@check(
    "decide.hole_before_call",
    'Hole card shown before "no more bets"',
    on=SHOWING,
    needs=("signal:no_more_bets", "dealer"),
)
def hole_before_call(m: Moment) -> Iterator[Finding]:
    """A hole card showed before bets were closed: all hands are void."""
    if (
        m.event.seat != DEALER
        or m.round.called is not None
        or missed_start(m.after)
        or not _shows_hole_card(m)
    ):
        return
    playing = list(m.after.playing())
    if playing and not undecided(m.after):
        return  # the ordinary reveal of a round whose call was never made
    known = known_dealer_cards(m)
    yield Finding(
        'no hole card shows before "no more bets"',
        f"a hole card of the dealer showed while bets were open; {exposure_words(known)}",
        seat=DEALER,
        severity=exposure_grade(known, m.rule.severity),
    )


@check(
    "decide.taken_undecided",
    "Cards taken before the player decided",
    on=(ev.CardsCollected,),
    needs=("seat", "dealer"),
)
def taken_undecided(m: Moment) -> Iterator[Finding]:
    """The dealer took a hand whose player had neither bet nor folded."""
    seat = m.before.seats[m.event.seat]
    if m.event.seat == DEALER or not seat.playing or seat.decided or seat.present is False:
        return
    if missed_start(m.after) or m.round.revealed is not None or _misdealt(seat):
        return
    yield Finding(
        f"the hand of seat {seat.number} stays until its player bets or folds",
        f"the dealer took the cards of seat {seat.number} undecided",
        seat=seat.number,
    )


def _misdealt(seat: Seat) -> bool:
    return not seat.dealt_unsure and seat.dealt != 5


@check(
    "decide.absent_player",
    "Hand of an absent player not treated as folded",
    on=(ev.WagerPaid, ev.WagerPlaced, ev.RoundClosed),
    needs=("seat",),
)
def absent_player(m: Moment) -> Iterator[Finding]:
    """A player who was not there to decide was paid or played for, or the wagers were left lying."""
    if missed_start(m.after) or m.round.first_card is None:
        return
    event = m.event
    if isinstance(event, ev.RoundClosed):
        seats = [
            seat for seat in m.after.players if _absent(seat) and seat.ante is not None and seat.ante.lies
        ]
        what = "the ante was left lying"
    else:
        if isinstance(event, ev.WagerPlaced) and event.area is not Area.BET:
            return
        seats = [seat for seat in (m.before.seats[event.seat],) if _absent(seat)]
        what = f"the {event.area} wager was {'paid' if isinstance(event, ev.WagerPaid) else 'made for the player'}"
    for seat in seats:
        yield Finding(
            "a player who is not there to decide has folded, and the wagers are forfeited",
            f"nobody decided for seat {seat.number}, and {what}",
            seat=seat.number,
            remedy="",
        )


def _absent(seat: Seat) -> bool:
    return away(seat) and seat.playing and seat.dealt >= 5 and not seat.decided


@check(
    "decide.hand_rebuilt",
    "Laid-down hand rebuilt from deeper in the rack",
    on=(ev.HandRebuilt,),
    needs=("seat", "rack"),
)
def hand_rebuilt(m: Moment) -> Iterator[Finding]:
    """A hand that its player had laid down was rebuilt though its cards were not the top five of the rack."""
    seat = m.before.seats[m.event.seat]
    if (seat.laid_down is None and seat.folded is None) or missed_start(m.after):
        return
    if m.event.from_top is None:
        yield unsure("whether the cards were the top five of the rack was not seen", seat.number)
    elif not m.event.from_top:
        yield Finding(
            "a laid-down hand is rebuilt only from the top five cards of the rack; otherwise it is folded",
            f"the hand of seat {seat.number} was rebuilt from deeper in the rack",
            seat=seat.number,
            events=tuple(seq for seq in (seat.laid_down, seat.collected, m.event.seq) if seq is not None),
            since=m.event.seq,
        )
