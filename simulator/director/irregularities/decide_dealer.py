"""Decisions: what the dealer shows or takes before every player has bet or folded."""

from __future__ import annotations

from dataclasses import replace

from engine import events as ev
from engine.events import DEALER, OUTSIDER, Area
from engine.settings import Method
from simulator.director.cards import up_position
from simulator.director.edit import Edit
from simulator.director.house import Want
from simulator.director.irregularities.base import Hit, irregularity
from simulator.director.irregularities.decide_common import (
    decided_at,
    fold_block,
    in_hand,
    own_seats,
    play_on,
)
from simulator.director.money import Desk
from simulator.director.plan import Choice, SeatPlan
from simulator.director.script import Expected

FOLDER = Want(folds=1, seats_at_least=3)
OPENS_PLAY = (ev.HandPickedUp, ev.PlayerFolded, ev.StubPlaced, ev.StubCounted)


def _folder(edit: Edit) -> SeatPlan:
    """Return a player who folds, without a blind bet, while somebody else stays."""
    edit.need(any(not seat.folds for seat in edit.plan.seats))
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.choice is Choice.FOLD))
    return seat


def _hole_card(edit: Edit) -> int:
    """Return the number of one of the dealer's hole cards."""
    return int(edit.pick([n for n in range(1, 6) if n != up_position(edit.plan)]))


def _players_act(edit: Edit) -> int:
    """Return the first place at which the deal is plainly over."""
    start = edit.deliveries()[-1].at
    return next(at for at in range(start, edit.reveal()) if isinstance(edit.beats[at].event, OPENS_PLAY)) + 1


def _flash(edit: Edit, at: int) -> None:
    card = edit.plan.dealer[_hole_card(edit) - 1]
    edit.insert(at, ev.CardFlashed, faces=(card,), seat=DEALER, card=card, by=DEALER)


def _settles_first(edit: Edit) -> None:
    """Let the dealer reveal and clear somebody's hand before the last player may fold."""
    seat = _folder(edit)
    reveal = edit.reveal()
    cleared = [one.at for one in edit.all(ev.CardsCollected, reveal) if one.event.seat != DEALER]
    edit.need(bool(cleared))
    edit.move(fold_block(edit, seat.seat), cleared[0] + 1)


@irregularity("decide.early_reveal", "settled_before_decision", nz="9.3", want=FOLDER)
def settled_before_decision(edit: Edit) -> Hit:
    """The dealer turns up the whole hand and settles a seat while another player has not decided."""
    _settles_first(edit)
    return DEALER, None


@irregularity("decide.early_reveal", "no_option_after_flash", nz="12.7", want=FOLDER)
def no_option_after_flash(edit: Edit) -> Hit:
    """A hole card flashes; the dealer settles before the last player had the option to bet or fold."""
    _settles_first(edit)
    _flash(edit, int(edit.pick(range(_players_act(edit), edit.reveal() + 1))))
    return DEALER, None


@irregularity("decide.early_reveal", "reveal_before_fold", s10="(j)(4)", want=FOLDER)
def reveal_before_fold(edit: Edit) -> Hit:
    """The dealer reveals the hole cards while a player still thinks; then that player folds."""
    seat = _folder(edit)
    edit.move(fold_block(edit, seat.seat), edit.reveal() + 2)
    return DEALER, None


@irregularity("decide.early_reveal", "hole_card_flashed", s10="(j)(4)")
def hole_card_flashed(edit: Edit) -> Hit:
    """A hole card flashes while players decide."""
    start, _ = edit.decisions()
    last = max(decided_at(edit, seat) for seat in edit.plan.seats)
    _flash(edit, int(edit.pick(range(start, last + 1))))
    return DEALER, None


@irregularity("decide.early_reveal", "hole_card_turned", s10="(j)(4)")
def hole_card_turned(edit: Edit) -> Hit:
    """The dealer turns one hole card up while players decide, and leaves it so."""
    start, _ = edit.decisions()
    last = max(decided_at(edit, seat) for seat in edit.plan.seats)
    number = _hole_card(edit)
    card = edit.plan.dealer[number - 1]
    reveal = edit.reveal()
    rest = tuple(one for one in edit.beats[reveal].cards if one != card)
    edit.change(reveal, faces=rest, cards=rest)
    at = int(edit.pick(range(start, last + 1)))
    edit.insert(at, ev.CardsTurned, faces=(card,), seat=DEALER, cards=(card,), by=DEALER, position=number)
    return DEALER, None


@irregularity(
    "decide.hole_before_call",
    "flashed_while_bets_open",
    s10="(m)(1)",
    allowed=("deal.before_call", "jackpot.chips_uncounted"),
)
def hole_before_call(edit: Edit) -> Hit:
    """The dealer deals before calling "no more bets", shows a hole card, and plays on."""
    deliveries = edit.deliveries()
    own = [one for one in deliveries if one.event.seat == DEALER]
    packets = edit.settings.method is Method.PACKETS
    hole = own[0] if packets else own[edit.rng.randint(1, len(own) - 1)]
    cards = edit.beats[hole.at].cards
    card = cards[_hole_card(edit) - 1] if packets else cards[0]
    calls = [
        at
        for at in range(edit.call(), deliveries[0].at)
        if isinstance(edit.beats[at].event, ev.NoMoreBetsCalled | ev.LockOutPressed | ev.JackpotChipsCounted)
    ]
    edit.move(calls, hole.at + 1)
    at = hole.at - len(calls) + 1
    edit.insert(at, ev.CardFlashed, faces=(card,), seat=DEALER, card=card, by=DEALER)
    return DEALER, None


@irregularity("decide.taken_undecided", "played_without_hand", nz="12.13", s10="(j)(1)", want=FOLDER)
def taken_undecided(edit: Edit) -> Hit:
    """The dealer takes ante and cards of a player who has not touched the hand, and reveals."""
    seat = _folder(edit)
    edit.drop(*in_hand(edit, seat.seat))
    edit.drop_all(ev.PlayerFolded, seat=seat.seat)
    return seat.seat, None


def _absent(edit: Edit) -> SeatPlan:
    """Let a player who would have folded leave after the deal, without a decision."""
    mine = {seat.seat for seat in own_seats(edit)}
    edit.need(any(not seat.folds for seat in edit.plan.seats))
    seat: SeatPlan = edit.pick(edit.seats(lambda one: one.choice is Choice.FOLD and one.seat in mine))
    antes = edit.all(ev.WagerPlaced, seat=seat.seat, area=Area.ANTE)
    edit.need(
        antes[-1].event.by == seat.seat
    )  # put down by the dealer, it could be somebody else's second hand
    edit.drop(*in_hand(edit, seat.seat))
    edit.insert(edit.decisions()[0], ev.PlayerLeft, seat=seat.seat)
    return seat


def _play_for(edit: Edit, seat: SeatPlan) -> None:
    """Let the dealer treat the seat as one that stays in the round."""
    staying = replace(seat, choice=Choice.BET)
    edit.need(not staying.wins_jackpot)
    seats = tuple(staying if one is seat else one for one in edit.plan.seats)
    desk = Desk(edit.continue_from(edit.reveal()), replace(edit.plan, seats=seats))
    play_on(edit, desk)
    edit.drop_all(ev.WagerWithdrawn, edit.reveal(), seat=seat.seat)


@irregularity("decide.absent_player", "paid", nz="12.12", want=replace(FOLDER, dealer="no_hand"))
def absent_paid(edit: Edit) -> Hit:
    """The player left without a decision; the dealer has no hand and pays the ante all the same."""
    seat = _absent(edit)
    edit.drop(*fold_block(edit, seat.seat))
    _play_for(edit, seat)
    return seat.seat, None


@irregularity("decide.absent_player", "bet_by_friend", nz="12.12", want=FOLDER)
def absent_bet(edit: Edit) -> Hit:
    """The player left without a decision; a friend puts down the bet, and the dealer lets it stand."""
    seat = _absent(edit)
    edit.drop(*fold_block(edit, seat.seat))
    edit.insert(
        edit.reveal(),
        ev.WagerPlaced,
        stack=seat.bet_chips,
        seat=seat.seat,
        area=Area.BET,
        amount=2 * seat.ante,
        chips=seat.bet_chips,
        by=OUTSIDER,
    )
    _play_for(edit, seat)
    return seat.seat, None


@irregularity("decide.absent_player", "ante_left", nz="12.12", want=FOLDER)
def absent_left(edit: Edit) -> Hit:
    """The player left without a decision; the dealer clears the cards and leaves the ante lying."""
    seat = _absent(edit)
    edit.drop_all(ev.PlayerFolded, seat=seat.seat)
    edit.drop_all(ev.WagerTaken, seat=seat.seat, area=Area.ANTE)
    return seat.seat, None


@irregularity("decide.hand_rebuilt", "not_on_top", nz="12.14", want=FOLDER)
def hand_rebuilt(edit: Edit) -> Hit:
    """A hand laid down goes to the rack by mistake, another on top of it; it is rebuilt and played."""
    players = edit.seats(lambda one: one.choice is Choice.BET and one.looks)
    chances: list[tuple[SeatPlan, int, int]] = []
    for seat in players:
        down = edit.first(ev.HandLaidDown, seat=seat.seat).at
        if decided_at(edit, seat) < down:
            continue
        racked = [f.at for f in edit.all(ev.CardsCollected, down) if f.at < edit.reveal()]
        chances += [(seat, down, at) for at in racked]
    seat, down, covered = edit.pick(chances)
    touched = [one.at for one in edit.all(ev.HandTouched, down, seat=seat.seat) if one.at < covered]
    edit.drop(*touched)
    covered -= len(touched)
    edit.insert(covered + 1, ev.HandRebuilt, faces=seat.hand, seat=seat.seat, from_top=False)
    bet = decided_at(edit, seat)
    if bet < covered:
        edit.move([bet], covered + 2)
    edit.insert(
        down + 1,
        ev.CardsCollected,
        faces=seat.hand,
        seat=seat.seat,
        count=5,
        in_order=True,
        back=edit.plan.back,
    )
    edit.handled.append(Expected("decide.taken_undecided", "12.13", seat.seat))
    return seat.seat, None
