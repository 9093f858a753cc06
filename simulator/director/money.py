"""Settlement: wagers taken and paid, jackpots, hands to the rack, in the order of each rulebook."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from engine import events as ev
from engine.events import DEALER, Area, Pool
from engine.hands import Category, evaluate
from engine.settings import JackpotMode
from simulator.director.amounts import bet_due, jackpots, left_after, pool_of
from simulator.director.cards import collect, take
from simulator.director.chips import in_two, pile
from simulator.director.plan import RoundPlan, SeatPlan, Stake
from simulator.director.stage import Stage


@dataclass(slots=True)
class Desk:
    """The dealer's work on one round: the stage, the plan, and what has been done so far.

    `read_as` is how the dealer reads the own hand (None: rightly), `mistakes` the outcomes that the dealer takes
    for others, `away` the seats whose hands are out of the round.
    """

    stage: Stage
    plan: RoundPlan
    gone: set[int] = field(default_factory=set)
    turned: set[int] = field(default_factory=set)
    read_as: bool | None = None
    mistakes: dict[int, str] = field(default_factory=dict)
    away: frozenset[int] = frozenset()

    @property
    def plays(self) -> bool:
        """Whether the dealer plays, as the dealer reads the hand."""
        return self.plan.qualifies if self.read_as is None else self.read_as

    @property
    def staying(self) -> list[SeatPlan]:
        """The seats still in the round, from the dealer's right."""
        return [seat for seat in reversed(self.plan.seats) if not seat.folds and seat.seat not in self.away]

    @property
    def manual(self) -> bool:
        """Whether jackpot chips lie on the layout."""
        return self.plan.settings.jackpot is JackpotMode.MANUAL

    def outcome(self, seat: SeatPlan) -> str:
        """Return none, win, lose or push: how the ante and the bet of a seat end."""
        if seat.seat in self.mistakes:
            return self.mistakes[seat.seat]
        if not self.plays:
            return "none"
        mine, theirs = evaluate(seat.hand), evaluate(self.plan.dealer)
        return "push" if mine == theirs else "win" if mine > theirs else "lose"

    def turn(self, seat: SeatPlan) -> None:
        """Turn a player's hand face up."""
        hand = seat.hand
        self.turned.add(seat.seat)
        self.stage.put(ev.CardsTurned, (700, 1600), faces=hand, seat=seat.seat, cards=hand, by=DEALER)

    def take_stakes(self, seat: SeatPlan) -> None:
        """Take a loser's ante and bet, in either order."""
        wagers = [(Area.ANTE, seat.ante), (Area.BET, 2 * seat.ante)]
        if self.stage.chance(0.4):
            wagers.reverse()
        for area, amount in wagers:
            take(self.stage, seat.seat, area, amount)

    def pay(self, seat: SeatPlan, area: Area) -> None:
        """Pay an ante or a bet, sometimes in two goes."""
        amount = seat.ante
        if area is Area.BET:
            amount = bet_due(self.plan.rulebook, self.plan.settings, seat.kind, 2 * seat.ante)
        values = self.plan.settings.chip_values
        parts: Sequence[int] = (amount,)
        if self.stage.chance(0.1):
            parts = in_two(amount, min(values), self.stage.rng) or parts
        for part in parts:
            chips = pile(part, values)
            self.stage.put(
                ev.WagerPaid,
                (700, 1600),
                stack=chips,
                seat=seat.seat,
                area=area,
                amount=part,
                chips=chips if len(chips) <= 20 else None,
            )

    def pay_winner(self, seat: SeatPlan) -> None:
        """Pay a winner's ante and bet."""
        areas = [Area.ANTE, Area.BET]
        if self.stage.chance(0.3):
            areas.reverse()
        for area in areas:
            self.pay(seat, area)

    def clear(self, seat: SeatPlan, counted: bool) -> None:
        """Put a hand into the rack, under nz after counting it (10.1(b), 9.2)."""
        if seat.seat in self.gone:
            return
        if counted:
            self.stage.put(ev.HandCounted, (900, 1900), seat=seat.seat, count=5)
        collect(self.stage, self.plan, seat.seat, seen=seat.seat in self.turned)
        self.gone.add(seat.seat)

    def jackpot_seats(self) -> list[SeatPlan]:
        """The seats that are due a jackpot, from the dealer's right."""
        return [seat for seat in self.staying if seat.wins_jackpot]

    def jackpot_dues(self, order: Iterable[SeatPlan]) -> dict[int, int]:
        """Return what each jackpot is due when the seats are paid in this order."""
        seats = list(order)
        pool = self.stage.meters.get(Pool.MAJOR if self.plan.settings.sub_pools else Pool.MAIN, 0)
        kinds = {seat.seat: seat.kind for seat in seats}
        return jackpots(self.plan.rulebook, self.plan.settings, kinds, [seat.seat for seat in seats], pool)

    def pay_jackpot(self, seat: SeatPlan, amount: int) -> None:
        """Verify, call the supervisor, pay, do the papers where the cage pays (nz 11.13, s10 (k)(2))."""
        stage, number = self.stage, seat.seat
        by_cage = seat.kind >= Category.STRAIGHT_FLUSH or amount >= 100_000 or stage.chance(0.12)
        stage.put(ev.JackpotVerified, (1200, 3000), faces=seat.hand, seat=number)
        stage.put(ev.SupervisorConfirmed, (4000, 12000), seat=number)
        chips = () if by_cage else pile(amount, self.plan.settings.chip_values)
        stage.put(ev.JackpotPaid, (2000, 5000), stack=chips, seat=number, amount=amount, by_cage=by_cage)
        if by_cage:
            stage.put(ev.PapersCompleted, (8000, 30000), seat=number)
        pool = pool_of(self.plan.settings, seat.kind)
        if pool in stage.meters:
            stage.meters[pool] = left_after(stage.meters[pool], amount, seat.kind)
            stage.put(ev.JackpotMeterRead, (200, 900), amount=stage.meters[pool], pool=pool)

    def take_jackpot_chip(self, seat: SeatPlan) -> None:
        """Take a jackpot chip from the layout (manual jackpots only)."""
        if self.manual and seat.stake is Stake.CHIP:
            take(self.stage, seat.seat, Area.JACKPOT, self.plan.settings.jackpot_wager)


def settle_nz(desk: Desk) -> None:
    """Settle seat by seat from the dealer's right, then the jackpots (nz 10, 11.12)."""
    for seat in desk.staying:
        desk.turn(seat)
        if not seat.wins_jackpot:
            desk.take_jackpot_chip(seat)
        outcome = desk.outcome(seat)
        if outcome == "lose":
            desk.take_stakes(seat)
        elif outcome == "win":
            desk.pay_winner(seat)
        elif outcome == "none":
            desk.pay(seat, Area.ANTE)
        if not seat.wins_jackpot:
            desk.clear(seat, counted=True)
            leave(desk, seat, 0.2)
    jackpots_nz(desk)


def jackpots_nz(desk: Desk) -> None:
    """Pay the jackpots: fixed prizes, straight flushes, royals (11.10); count the deck (11.14, 11.6C)."""
    seats = sorted(
        desk.jackpot_seats(), key=lambda seat: (max(seat.kind, Category.FOUR_OF_A_KIND), -seat.seat)
    )
    if not seats:
        return
    due = desk.jackpot_dues(seats)
    major = any(seat.kind >= Category.STRAIGHT_FLUSH for seat in seats)
    count = major or not desk.plan.settings.sub_pools or desk.stage.chance(0.3)
    early = desk.stage.chance(0.5)
    if count and early:
        desk.stage.put(ev.DeckCounted, (9000, 16000), deck=desk.plan.deck, count=52)
    for seat in seats:
        desk.pay_jackpot(seat, due[seat.seat])
        desk.take_jackpot_chip(seat)
        desk.clear(seat, counted=True)
    if count and not early:
        desk.stage.put(ev.DeckCounted, (9000, 16000), deck=desk.plan.deck, count=52)


def settle_s10(desk: Desk) -> None:
    """Settle in passes from the dealer's right (s10 (j)(5), (j)(6), (k))."""
    if desk.plays:
        _passes(desk)
    else:
        _no_hand(desk)


def _passes(desk: Desk) -> None:
    """Losers, pushes, winners (j)(5); jackpots before their cards go (k)(1), at one of three lawful moments."""
    stage, seats = desk.stage, desk.staying
    by_outcome = {
        name: [seat for seat in seats if desk.outcome(seat) == name] for name in ("lose", "push", "win")
    }
    moment = stage.rng.choice(("pass", "turn", "end"))
    order = desk.jackpot_seats()
    if moment == "pass":
        order = [seat for name in ("lose", "push", "win") for seat in by_outcome[name] if seat.wins_jackpot]
    due = desk.jackpot_dues(order)
    paying = due if moment == "pass" else {}
    _losers(desk, by_outcome["lose"], paying)
    for seat in by_outcome["push"]:
        _jackpot_of(desk, seat, paying)
        if not seat.wins_jackpot or moment == "pass":
            desk.clear(seat, counted=False)
    for seat in seats:
        if seat in by_outcome["win"]:
            desk.pay_winner(seat)
        if moment == "turn" or (moment == "pass" and seat in by_outcome["win"]):
            _jackpot_of(desk, seat, due)
    if moment == "end":
        for seat in order:
            _jackpot_of(desk, seat, due)
    for seat in seats:
        desk.clear(seat, counted=False)


def _losers(desk: Desk, losers: list[SeatPlan], due: dict[int, int]) -> None:
    """Turn all hands and collect the losing wagers and hands, in one of three lawful ways (j)(5)(i)."""
    manner = desk.stage.rng.choice(("seat by seat", "turn all", "wagers first"))
    for seat in desk.staying:
        desk.turn(seat)
        if manner == "seat by seat" and seat in losers:
            desk.take_stakes(seat)
            _clear_loser(desk, seat, due)
    if manner == "turn all":
        for seat in losers:
            desk.take_stakes(seat)
            _clear_loser(desk, seat, due)
    elif manner == "wagers first":
        for seat in losers:
            desk.take_stakes(seat)
        for seat in losers:
            _clear_loser(desk, seat, due)


def _clear_loser(desk: Desk, seat: SeatPlan, due: dict[int, int]) -> None:
    """Collect a losing hand, after its jackpot; one whose jackpot comes later stays."""
    _jackpot_of(desk, seat, due)
    if not seat.wins_jackpot or seat.seat in due:
        desk.clear(seat, counted=False)


def _jackpot_of(desk: Desk, seat: SeatPlan, due: dict[int, int]) -> None:
    if seat.wins_jackpot and seat.seat in due and seat.seat not in desk.gone:
        desk.pay_jackpot(seat, due[seat.seat])


def _no_hand(desk: Desk) -> None:
    """Pay the antes, leave the bets, then the cards (j)(6)."""
    stage, seats = desk.stage, desk.staying
    turned = [s for s in seats if desk.plan.settings.turn_all_hands or s.stake is not Stake.NONE]
    due = desk.jackpot_dues(desk.jackpot_seats())
    at_turn, together = stage.chance(0.5), stage.chance(0.5)
    if not together:
        for seat in turned:
            desk.turn(seat)
    for seat in seats:
        if together and seat in turned:
            desk.turn(seat)
        desk.pay(seat, Area.ANTE)
        if at_turn:
            _jackpot_of(desk, seat, due)
    if not at_turn:
        for seat in seats:
            _jackpot_of(desk, seat, due)
    for seat in seats:
        desk.clear(seat, counted=False)


def leave(desk: Desk, seat: SeatPlan, chance: float) -> None:
    """Let a player take back what is the player's once the hand is settled."""
    if desk.outcome(seat) == "lose" or not desk.stage.chance(chance):
        return
    for area in (Area.ANTE, Area.BET):
        desk.stage.put(ev.WagerWithdrawn, (400, 1200), seat=seat.seat, area=area, by=seat.owner)
