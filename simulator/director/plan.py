"""The plan of one round: who plays, with what, on which cards, and what they decide; all from one seed."""

from __future__ import annotations

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import StrEnum

from engine.cards import DECK, Card
from engine.events import Pool, Tender
from engine.hands import Category, category, evaluate, qualifies
from engine.settings import JackpotMode, TableSettings
from simulator.director.chips import pile
from simulator.director.house import ANY, Want, lawful_settings
from simulator.director.wanted import JACKPOT_KINDS, KINDS, Hand, make_hand, tie_with
from simulator.errors import ScriptError

BACKS = ("red", "blue", "green", "black")


class Choice(StrEnum):
    """What a player does with the hand; blind bets lie there before the deal (nz 5.1(c))."""

    BET = "bet"
    FOLD = "fold"
    BLIND = "blind"
    BLIND_FOLD = "blind_fold"


class Stake(StrEnum):
    """How a player joins the jackpot, if at all."""

    NONE = "none"
    CHIP = "chip"
    COUPON = "coupon"


@dataclass(frozen=True, slots=True)
class SeatPlan:
    """One wagering area in play; `owner` is the seat at which its player sits."""

    seat: int
    owner: int
    player: str
    ante: int
    ante_chips: tuple[int, ...]
    bet_chips: tuple[int, ...]
    stake: Stake
    choice: Choice
    hand: Hand
    tender: Tender = Tender.CHIPS
    looks: bool = True

    @property
    def folds(self) -> bool:
        """Whether the player gives up the hand."""
        return self.choice in (Choice.FOLD, Choice.BLIND_FOLD)

    @property
    def blind(self) -> bool:
        """Whether the bet wager is made before the deal."""
        return self.choice in (Choice.BLIND, Choice.BLIND_FOLD)

    @property
    def kind(self) -> Category:
        """The category of the hand."""
        return category(evaluate(self.hand))

    @property
    def wins_jackpot(self) -> bool:
        """Whether the hand is due a jackpot: wagered, kept, a flush or better (nz 11.7, s10 (l)(5))."""
        return self.stake is not Stake.NONE and not self.folds and self.kind >= Category.FLUSH


@dataclass(frozen=True, slots=True)
class RoundPlan:
    """A whole round before it is played. Hands are in the order in which their cards come."""

    rulebook: str
    seed: str
    settings: TableSettings
    seats: tuple[SeatPlan, ...]
    dealer: Hand
    stub: tuple[Card, ...]
    meters: Mapping[Pool, int]
    round: str = "R1"
    deck: str = "A"
    back: str = "red"
    idle_deck: str | None = None
    count_stub: bool = False
    redeal: bool = False

    @property
    def deck_order(self) -> tuple[Card, ...]:
        """The deck as it will be dealt."""
        hands = [seat.hand for seat in self.seats] + [self.dealer]
        if self.settings.method == "packets":
            dealt = [card for hand in hands for card in hand]
        else:
            dealt = [hand[turn] for turn in range(5) for hand in hands]
        return (*dealt, *self.stub)

    @property
    def qualifies(self) -> bool:
        """Whether the dealer plays."""
        return qualifies(evaluate(self.dealer))

    def seat(self, number: int) -> SeatPlan:
        """Return the plan of one seat."""
        return next(seat for seat in self.seats if seat.seat == number)


@dataclass(frozen=True, slots=True)
class Frame:
    """What a round takes over from the session it belongs to."""

    settings: TableSettings
    players: Mapping[int, str]
    meters: Mapping[Pool, int]
    round: str
    deck: str
    back: str
    idle_deck: str | None = None
    count_stub: bool = False
    redeal: bool = False
    must_play: frozenset[int] = field(default_factory=frozenset)


def plan(rulebook: str, seed: str | int, want: Want = ANY, frame: Frame | None = None) -> RoundPlan:
    """Return the plan of a legal round, the same for the same seed."""
    if rulebook not in ("nz", "s10"):
        raise ScriptError(f"rulebook: {rulebook!r} is not nz or s10")
    rng = random.Random(f"plan:{rulebook}:{seed}")
    for _ in range(60):
        try:
            return _plan(rulebook, str(seed), rng, want, frame)
        except ScriptError as error:
            last = error
    raise ScriptError(f"no round of {rulebook} fits: {last}")


def _plan(rulebook: str, seed: str, rng: random.Random, want: Want, frame: Frame | None) -> RoundPlan:
    frame = frame or _frame(lawful_settings(rulebook, rng, want), rng, want)
    owners = _areas(rng, frame, want)
    kinds = _kinds(rng, want, len(owners))
    dealer_kind = want.dealer or rng.choices(("any", "no_hand", "ace_king", "pair"), (4, 2, 1, 3))[0]
    cards = list(DECK)
    hands: list[Hand] = [()] * len(kinds)
    for index in sorted(range(len(kinds)), key=lambda index: -KINDS.index(kinds[index])):
        hands[index] = make_hand(rng, cards, kinds[index])  # the rarest first, from the fullest deck
        cards = [card for card in cards if card not in hands[index]]
    dealer = make_hand(rng, cards, dealer_kind)
    cards = [card for card in cards if card not in dealer]
    if (want.tie or rng.random() < 0.12) and qualifies(evaluate(dealer)):
        cards, hands = _tie(rng, cards, hands, dealer, kinds, want)
    elif want.tie:
        raise ScriptError("a dealer who does not qualify ties with nobody")
    rng.shuffle(cards)
    seats = [
        _seat(rulebook, rng, frame, want, number, owner, hand, kind)
        for (number, owner), hand, kind in zip(owners.items(), hands, kinds, strict=True)
    ]
    seats = _with_folds(rng, seats, want)
    return RoundPlan(
        rulebook=rulebook,
        seed=seed,
        settings=frame.settings,
        seats=tuple(seats),
        dealer=dealer,
        stub=tuple(cards),
        meters=dict(frame.meters),
        round=frame.round,
        deck=frame.deck,
        back=frame.back,
        idle_deck=frame.idle_deck,
        count_stub=frame.count_stub,
        redeal=frame.redeal,
    )


def _frame(settings: TableSettings, rng: random.Random, want: Want) -> Frame:
    """Set up a round that stands alone."""
    low = min(max(want.seats_at_least, len(want.hands) + want.folds), 7)
    number = rng.randint(low, max(low, want.seats_at_most))
    seats = sorted(rng.sample(range(1, 8), number))
    players = {seat: f"p{rng.randrange(100, 999)}-{seat}" for seat in seats}
    return Frame(
        settings=settings,
        players=players,
        meters=opening_meters(settings, rng),
        round=f"R{rng.randrange(1, 400)}",
        deck="A",
        back=rng.choice(BACKS),
        idle_deck="B" if settings.decks == 2 else None,
        count_stub=rng.random() < 0.35,
        must_play=frozenset(seats),
    )


def opening_meters(settings: TableSettings, rng: random.Random) -> dict[Pool, int]:
    """Return what the meters show when a scene begins, in cents."""
    if settings.jackpot is JackpotMode.NONE:
        return {}
    amount = rng.choice((rng.randrange(800_000, 3_000_000), rng.randrange(3_000_000, 30_000_000)))
    if settings.sub_pools:
        return {Pool.MAJOR: amount, Pool.MINOR: rng.randrange(200_000, 2_000_000)}
    return {Pool.MAIN: amount}


def _areas(rng: random.Random, frame: Frame, want: Want) -> dict[int, int]:
    """Return area -> seat of its player, with second areas where the house allows them (nz 5.6)."""
    playing = [s for s in frame.players if s in frame.must_play or rng.random() < 0.85]
    if len(playing) < min(want.seats_at_least, len(frame.players)) or not playing:
        playing = list(frame.players)
    owners = {seat: seat for seat in playing}
    free = [seat for seat in range(1, frame.settings.seats + 1) if seat not in frame.players]
    if frame.settings.several_areas and free and (want.several_areas or rng.random() < 0.5):
        extra = rng.choice(free)
        owners[extra] = min(playing, key=lambda seat: abs(seat - extra))
    return dict(sorted(owners.items()))


def _kinds(rng: random.Random, want: Want, number: int) -> list[str]:
    """Return the kind of hand of each area, those wanted at random places."""
    if number < len(want.hands):
        raise ScriptError(f"{number} areas are too few for {len(want.hands)} wanted hands")
    rest = number - len(want.hands)
    mixed = rng.choices(
        ("any", "ace_king", "pair", "trips", "straight", *JACKPOT_KINDS),
        (30, 3, 8, 2, 2, 2, 2, 1, 1, 1),
        k=rest,
    )
    kinds = [*want.hands, *mixed]
    rng.shuffle(kinds)
    return kinds


def _tie(
    rng: random.Random, cards: list[Card], hands: list[Hand], dealer: Hand, kinds: Sequence[str], want: Want
) -> tuple[list[Card], list[Hand]]:
    """Give one hand left to chance the dealer's strength."""
    free = [index for index, kind in enumerate(kinds) if kind == "any"]
    for index in free:
        pool = [*cards, *hands[index]]
        tie = tie_with(rng, dealer, pool)
        if tie is not None:
            hands = [*hands[:index], tie, *hands[index + 1 :]]
            return [card for card in pool if card not in tie], hands
    if want.tie:
        raise ScriptError("no hand can be made to tie")
    return cards, hands


def _seat(
    rulebook: str,
    rng: random.Random,
    frame: Frame,
    want: Want,
    number: int,
    owner: int,
    hand: Hand,
    kind: str,
) -> SeatPlan:
    settings = frame.settings
    values = settings.chip_values
    low = settings.ante_min or 500
    ante = min(low * rng.choice((1, 1, 2, 3, 4, 5, 8)), settings.ante_max or low * 8)
    tender = Tender.CHIPS
    if rulebook == "s10" and rng.random() < 0.06:
        tender = rng.choice((Tender.PLAQUE, Tender.COUPON))
    looks = not (settings.view_one_hand and owner != number) and rng.random() > 0.04
    return SeatPlan(
        seat=number,
        owner=owner,
        player=frame.players[owner],
        ante=ante,
        ante_chips=pile(ante, values, rng) if tender is Tender.CHIPS else (ante,),
        bet_chips=pile(2 * ante, values, rng),
        stake=_stake(rulebook, settings, rng, want.all_jackpot and kind in want.hands),
        choice=_choice(settings, rng, want, hand, kind, looks),
        hand=hand,
        tender=tender,
        looks=looks,
    )


def _stake(rulebook: str, settings: TableSettings, rng: random.Random, must: bool) -> Stake:
    drawn = rng.random()
    if settings.jackpot is JackpotMode.NONE or (drawn > 0.65 and not must):
        return Stake.NONE
    return Stake.COUPON if rulebook == "s10" and drawn < 0.06 else Stake.CHIP


def _choice(
    settings: TableSettings, rng: random.Random, want: Want, hand: Hand, kind: str, looks: bool
) -> Choice:
    """Bet with ace-king or better, as most players do; some bet blind, some on nothing, few throw gold away."""
    drawn = rng.random()
    if settings.blind_bets and rng.random() < 0.4:
        gives_up = (
            not qualifies(evaluate(hand)) and drawn < 0.7 and not want.all_bet and kind not in want.hands
        )
        return Choice.BLIND_FOLD if gives_up else Choice.BLIND
    if want.all_bet or kind in want.hands:
        return Choice.BET
    if qualifies(evaluate(hand)):
        return Choice.FOLD if drawn < 0.03 else Choice.BET
    return Choice.BET if drawn < (0.2 if looks else 0.6) else Choice.FOLD


def _with_folds(rng: random.Random, seats: list[SeatPlan], want: Want) -> list[SeatPlan]:
    """Make players fold until the scene has the folds that it needs."""
    missing = want.folds - sum(seat.folds for seat in seats)
    free = [index for index, seat in enumerate(seats) if seat.choice is Choice.BET and not seat.wins_jackpot]
    if missing > len(free):
        raise ScriptError(f"{want.folds} folds are wanted of {len(seats)} players")
    for index in rng.sample(free, max(0, missing)):
        seats[index] = replace(seats[index], choice=Choice.FOLD)
    return seats
