"""The deal: which cards show their faces, and the dealer's up-card."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import (
    call_known,
    dealing_order,
    exposure_grade,
    known_dealer_cards,
    method_clause,
    missed_start,
    up_kind,
    voids_one_hand,
)
from engine.checks.registry import Finding, Moment, check, reading, unsure
from engine.events import DEALER
from engine.exposure import exposure_words
from engine.settings import Method
from engine.verdicts import Ruling

SHOWING = (ev.CardDealt, ev.CardsTurned, ev.CardFlashed)


def _shows(m: Moment) -> bool:
    """Whether the event shows a face while cards are being dealt."""
    now = m.before.round
    if now is not None and now.deal_over is not None:
        return False
    return isinstance(m.event, ev.CardFlashed) or bool(m.event.face_up)


def _exposed_players(m: Moment) -> list[tuple[int, int]]:
    """Return the exposures that count together, as (event, seat).

    The dealer's own cards have a rule of their own (nz 12.7 "notwithstanding 12.5"), so by the reading they do not
    count here; read otherwise, they do, but for the one that is the up-card.
    """
    players = [one for one in m.round.exposed if one[1] != DEALER]
    if reading(m, "exposed_cards_counted", "players") == "players":
        return players
    return players + [one for one in m.round.exposed if one[1] == DEALER][1:]


@check("deal.card_exposed", "Player's card exposed while dealing", on=SHOWING, needs=("seat",))
def card_exposed(m: Moment) -> Iterator[Finding]:
    """A player's card showed its face while it was dealt.

    Where more than one makes a misdeal, only the first is dealt with here. A card that only flashed lies face
    down again: if turning it over is all that is ordered, it is put right.
    """
    event = m.event
    if event.seat == DEALER or not _shows(m) or m.round.first_card is None:
        return
    by = DEALER if isinstance(event, ev.CardDealt) else event.by
    if by is None:
        yield unsure(f"who showed a card of seat {event.seat} was not seen", event.seat)
        return
    if by != DEALER or ("deal.several_exposed" in m.book.rules and len(_exposed_players(m)) > 1):
        return
    flashed = isinstance(event, ev.CardFlashed)
    put_right = flashed and m.rule.remedy == "turn_down"
    turned = isinstance(
        event, ev.CardsTurned
    )  # in the deal only if the dealer's hand was seen not to be full
    yield Finding(
        "players' cards are dealt face down",
        f"a card of seat {event.seat} {'flashed' if flashed else 'lay face up'} in the deal ({_faces(m)})",
        seat=event.seat,
        since=m.round.first_card if turned else event.seq,
        zones=("seat", "dealer") if turned else None,
        clause=method_clause(m),
        ruling=Ruling.HANDLED if put_right else Ruling.VIOLATION,
        reason="put right: the card lies face down again" if put_right else "",
    )


@check("deal.several_exposed", "More than one card exposed while dealing", on=SHOWING, needs=("seats",))
def several_exposed(m: Moment) -> Iterator[Finding]:
    """A second card showed its face while cards were dealt: a misdeal."""
    if not _shows(m) or len(m.round.exposed) < 2:
        return
    shown = _exposed_players(m)
    if len(shown) != 2 or shown[-1][0] != m.event.seq:
        return
    seats = sorted({seat for _, seat in shown})
    one_hand = None if m.rule.params is None else m.rule.params.get("one_hand_remedy")
    alone = len(seats) == 1 and voids_one_hand(m)
    yield Finding(
        "no more than one card is exposed in a deal",
        f"{len(shown)} cards were exposed, at seat {' and '.join(map(str, seats))}",
        seat=m.event.seat,
        events=tuple(seq for seq, _ in shown),
        since=m.round.first_card,
        zones=("seats", "dealer"),
        remedy=one_hand if alone else None,
    )


def _faces(m: Moment) -> str:
    cards = m.event.cards if isinstance(m.event, ev.CardsTurned) else (m.event.card,)
    return " ".join(map(str, cards))


@check("deal.dealer_card_exposed", "Dealer's card exposed out of turn", on=SHOWING, needs=("dealer",))
def dealer_card_exposed(m: Moment) -> Iterator[Finding]:
    """A card of the dealer showed its face while the hand was being dealt, and it is not the one that should.

    How grave it is follows from what it is worth to know one more of the dealer's cards.
    """
    event = m.event
    if event.seat != DEALER or not _shows(m) or missed_start(m.after):
        return
    if not _out_of_turn(m):
        return
    if m.round.called is None and "decide.hole_before_call" in m.book.rules:
        if not call_known(m):
            yield unsure("whether bets were closed when the card showed was not signalled", DEALER)
        return
    known = known_dealer_cards(m)
    if up_kind(m) != "first":
        known = min(5, known + 1)  # the lawful up-card is still to come
    yield Finding(
        "the dealer's hole cards stay face down",
        f"card {_number(m)} of the dealer showed in the deal ({_faces(m)}); {exposure_words(known)}",
        seat=DEALER,
        since=m.round.first_card,  # which of the cards it is, is known only if all before it were seen
        clause=method_clause(m),
        severity=exposure_grade(known, m.rule.severity),
    )


def _number(m: Moment) -> str:
    if isinstance(m.event, ev.CardDealt):
        return str(m.after.dealer_hand.dealt)
    position = getattr(m.event, "position", None)
    return "?" if position is None else str(position)


def dealer_set(m: Moment) -> bool:
    """Whether, before the event, the dealer's hand lay as it is played: all dealt, the up-card showing."""
    now = m.before.round
    if now is None:
        return False
    if now.deal_over is not None:
        return True
    if m.settings.method is Method.PACKETS:
        return now.up_card is not None
    return m.before.dealer_hand.dealt >= 5 and now.up_card is not None


def turns_up_card(m: Moment) -> bool:
    """Whether the event is the dealer turning the up-card, rightly or wrongly chosen, in a hand that is dealt."""
    event, now = m.event, m.before.round
    if (
        not isinstance(event, ev.CardsTurned)
        or len(event.cards) != 1
        or now is None
        or now.up_card is not None
    ):
        return False
    if m.settings.method is Method.PACKETS:
        return event.by in (DEALER, None) or event.position in (
            1,
            None,
        )  # nobody else turns the dealer's cards
    return m.before.dealer_hand.dealt >= 5 or (up_kind(m) == "first" and m.before.dealer_hand.dealt == 1)


def _out_of_turn(m: Moment) -> bool:
    event, kind = m.event, up_kind(m)
    if dealer_set(m) or turns_up_card(m) or kind is None:
        return False
    if isinstance(event, ev.CardsTurned):
        return len(event.cards) == 1
    if isinstance(event, ev.CardFlashed):
        return True
    number = m.after.dealer_hand.dealt
    if kind == "last":  # it may be the dealer's last with one card missing, which is another matter
        last = all(m.after.seats[seat].dealt >= 5 for seat in dealing_order(m.after)[:-1])
        return number < 5 and not last
    cards = m.after.dealer_hand.cards
    return kind == "first" and number > 1 and cards[0].face_up


@check(
    "deal.face_up_in_shoe",
    "Card found face up in the shoe or the deck",
    on=(ev.CardFoundFaceUp,),
    needs=("deck", "rack"),
)
def face_up_in_shoe(m: Moment) -> Iterator[Finding]:
    """A card came out face up: the first goes to the rack unused, a second makes the round void."""
    found = m.round.found_face_up
    several = len(found) > 1
    yield Finding(
        "all hands are void and the cards reshuffled"
        if several
        else "the card goes to the discard rack, unused",
        f"{len(found)} cards came out face up ({' '.join(map(str, found))})"
        if several
        else f"a card came out face up ({found[0]})",
        since=m.event.seq,
        key="several" if several else "",
        remedy="void_round" if several else None,
        consequence="all hands are void and the cards are reshuffled" if several else None,
    )


@check(
    "deal.up_card",
    "Wrong card of the dealer face up",
    on=(ev.CardDealt, ev.CardsTurned, ev.WagerPlaced, ev.PlayerFolded),
    needs=("dealer",),
)
def up_card(m: Moment) -> Iterator[Finding]:
    """The dealer's face-up card is not the one that rulebook and method order, or there is none.

    A card that was exposed in error and stays as the up-card, where the rulebook orders that, is not wrong.
    """
    kind, event = up_kind(m), m.event
    if kind is None or missed_start(m.after) or m.round.first_card is None or _stays_exposed(m):
        return
    observed = ""
    if isinstance(event, ev.CardDealt):
        if kind != "first" or event.seat != DEALER or m.after.dealer_hand.dealt != 2:
            return
        if not m.after.dealer_hand.cards[0].face_up:
            observed = "the dealer's first card lies face down"
    elif isinstance(event, ev.CardsTurned):
        if event.seat != DEALER or not event.face_up:
            return
        if turns_up_card(m):
            wanted = 5 if kind == "last" else 1
            if event.position is None:
                yield unsure("which of the dealer's cards was turned up could not be told", DEALER)
            elif event.position != wanted:
                observed = f"card {event.position} of the dealer ({_faces(m)}) was turned up"
            elif _unspread(m):
                observed = "the dealer's hand was not spread in a row before its up-card was turned"
        elif m.round.up_card is None and m.round.revealed == event.seq:
            observed = "the dealer's hand was played without an up-card"
    elif (
        m.round.up_card is None
        and _decision(m)
        and m.after.dealer_hand.dealt >= (1 if kind == "bottom" else 5)
    ):
        observed = f"seat {event.seat} decided and none of the dealer's cards is face up"
    if observed:
        yield Finding(
            f"the dealer's {kind} card is face up",
            observed,
            seat=DEALER,
            events=(*(one.seq for one in m.round.deliveries if one.seat == DEALER), event.seq),
            clause=method_clause(m),
        )


def _stays_exposed(m: Moment) -> bool:
    rule = m.book.rules.get("deal.dealer_card_exposed")
    if rule is None or rule.remedy != "leave_as_up_card":
        return False
    return any(seat == DEALER and seq != m.event.seq for seq, seat in m.round.exposed)


def _unspread(m: Moment) -> bool:
    asked = m.rule.params is not None and str(m.settings.method) in m.rule.params.get("spread_first", ())
    return asked and m.before.dealer_hand.spread is None


def _decision(m: Moment) -> bool:
    if isinstance(m.event, ev.PlayerFolded):
        return True
    return isinstance(m.event, ev.WagerPlaced) and m.event.area is ev.Area.BET
