"""The deal and the decisions: cards delivered, the stub, hands looked at, bets and folds, the reveal."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.events import DEALER, Area, Side
from engine.settings import JackpotMode, Method
from simulator.director.plan import Choice, RoundPlan, SeatPlan, Stake
from simulator.director.stage import Stage, Step


def up_position(plan: RoundPlan) -> int:
    """Return which of the dealer's cards lies face up: nz last or bottom (8.2, 8.4), s10 first or bottom."""
    return 5 if plan.rulebook == "nz" and plan.settings.method is not Method.PACKETS else 1


def placing_hand(stage: Stage, plan: RoundPlan) -> Side:
    """Return the hand that puts cards down: the one away from the shoe (at the dealer's left) or the deck."""
    if plan.settings.method is Method.HAND:
        held = next(beat.event for beat in reversed(stage.beats) if isinstance(beat.event, ev.DeckHeld))
        return Side.RIGHT if held.hand is Side.LEFT else Side.LEFT
    return Side.RIGHT


def deal(stage: Stage, plan: RoundPlan) -> None:
    """Deal the round (nz 8, s10 (g), (h), (i)), up to the moment when the players look at their cards."""
    if plan.settings.method is Method.PACKETS:
        _packets(stage, plan)
        if plan.rulebook == "nz" and not stage.chance(0.25):
            _turn_up(stage, plan)
        elif plan.rulebook == "nz":
            stage.put(ev.HandSpread, (400, 900), seat=DEALER, count=5, face_up=False)
            _turn_up(stage, plan)
        else:
            put_stub_away(stage, plan)
            stage.put(ev.HandSpread, (400, 900), seat=DEALER, count=5, face_up=False)
            _turn_up(stage, plan)
        return
    _one_by_one(stage, plan)
    if plan.rulebook == "s10":
        put_stub_away(stage, plan)


def _one_by_one(stage: Stage, plan: RoundPlan) -> None:
    up, side = up_position(plan), placing_hand(stage, plan)
    seen = None if plan.rulebook == "nz" and stage.chance(0.2) else side
    for turn in range(5):
        for seat in plan.seats:
            card = seat.hand[turn]
            stage.put(ev.CardDealt, (280, 520), faces=(card,), seat=seat.seat, back=plan.back, hand=seen)
        card = plan.dealer[turn]
        shown: dict[str, Any] = {"face_up": True, "card": card} if turn + 1 == up else {}
        stage.put(ev.CardDealt, (280, 520), faces=(card,), seat=DEALER, back=plan.back, hand=seen, **shown)


def _packets(stage: Stage, plan: RoundPlan) -> None:
    for seat in plan.seats:
        stage.put(ev.PacketDealt, (700, 1500), faces=seat.hand, seat=seat.seat, count=5, back=plan.back)
    stage.put(ev.PacketDealt, (700, 1500), faces=plan.dealer, seat=DEALER, count=5, back=plan.back)


def _turn_up(stage: Stage, plan: RoundPlan) -> None:
    card = plan.dealer[up_position(plan) - 1]
    stage.put(
        ev.CardsTurned,
        (400, 900),
        faces=(card,),
        seat=DEALER,
        cards=(card,),
        by=DEALER,
        position=up_position(plan),
    )


def put_stub_away(stage: Stage, plan: RoundPlan, missing: int = 0) -> None:
    """Count the stub where it is due and put it into the rack unseen (s10 (g)(5), (g)(6), (h)(4), (i)(4))."""
    count = 52 - 5 * (len(plan.seats) + 1) - missing
    if plan.count_stub:
        stage.put(ev.StubCounted, (4000, 9000), faces=plan.stub, count=count)
    stage.put(ev.StubPlaced, (700, 1500), faces=plan.stub, in_rack=True, exposed=False)


def decide(stage: Stage, plan: RoundPlan) -> None:
    """Let every player look, and bet or fold; most in turn, sometimes all at once."""
    later: list[Step] = []
    sequences = [_decision(stage, plan, seat, later) for seat in plan.seats]
    if stage.chance(0.35):
        stage.merge(sequences)
    else:
        for sequence in sequences:
            for step in sequence:
                step()
    for step in later:
        step()


def _decision(stage: Stage, plan: RoundPlan, seat: SeatPlan, later: list[Step]) -> list[Step]:
    """Return the steps of one player, and put into `later` what the dealer leaves for the end (nz 9.2)."""
    number, by, nz = seat.seat, seat.owner, plan.rulebook == "nz"
    steps: list[Step] = []
    if seat.looks:
        if stage.chance(0.08):
            steps.append(lambda: stage.put(ev.HandTouched, (400, 1200), seat=number, by=by))
        steps.append(lambda: stage.put(ev.HandPickedUp, (500, 2000), seat=number, by=by, count=5))
        if stage.chance(0.4):
            steps.append(lambda: stage.put(ev.HandViewed, (300, 1500), faces=seat.hand, seat=number, by=by))
        if nz and stage.chance(0.07):
            steps.append(lambda: _show_own(stage, seat))
    down: list[Step] = []
    if seat.looks:
        down.append(lambda: stage.put(ev.HandLaidDown, (800, 5000), seat=number, by=by, count=5))
    if seat.folds:
        folded = [*down, lambda: stage.put(ev.PlayerFolded, (300, 1200), seat=number)]
        if seat.choice is Choice.BLIND_FOLD:
            folded.append(lambda: stage.put(ev.WagerWithdrawn, seat=number, area=Area.BET, by=by))
        clear: Step = lambda: fold_away(stage, plan, seat)  # noqa: E731
        if nz and stage.chance(0.2):
            later.append(clear)
            return steps + folded
        return [*steps, *folded[:-1], _both(folded[-1], clear)]
    bet: list[Step] = [] if seat.blind else [lambda: place_bet(stage, seat)]
    after = [*down, *bet] if stage.chance(0.6) else [*bet, *down]
    if nz and stage.chance(0.05):
        after.append(lambda: stage.put(ev.HandTouched, (400, 1200), seat=number, by=by))
    return steps + after


def _both(first: Step, second: Step) -> Step:
    """Return a step that cannot be parted: under s10 a folded hand is collected at once (j)(1)."""

    def run() -> None:
        first()
        second()

    return run


def _show_own(stage: Stage, seat: SeatPlan) -> None:
    """Let a player show a card of the own hand, which is no misdeal (nz 12.6), and hide it again."""
    position = stage.rng.randint(1, 5)
    card = seat.hand[position - 1]
    turned: dict[str, Any] = {"seat": seat.seat, "cards": (card,), "by": seat.owner, "position": position}
    stage.put(ev.CardsTurned, (300, 900), faces=(card,), **turned)
    stage.put(ev.CardsTurned, (300, 900), faces=(card,), face_up=False, **turned)


def place_bet(stage: Stage, seat: SeatPlan) -> None:
    """Let a player make the bet wager of twice the ante (nz 5.3, s10 (a)(1)(ii))."""
    stage.put(
        ev.WagerPlaced,
        (600, 2500),
        stack=seat.bet_chips,
        seat=seat.seat,
        area=Area.BET,
        amount=2 * seat.ante,
        chips=seat.bet_chips,
        by=seat.owner,
    )


def fold_away(stage: Stage, plan: RoundPlan, seat: SeatPlan) -> None:
    """Let the dealer clear a folded hand (nz 9.2: wagers, cards, spread and count, rack; s10 (j)(1))."""
    manual = plan.settings.jackpot is JackpotMode.MANUAL
    if manual and seat.stake is Stake.CHIP:
        take(stage, seat.seat, Area.JACKPOT, plan.settings.jackpot_wager)
    take(stage, seat.seat, Area.ANTE, seat.ante)
    if plan.rulebook == "nz" or stage.chance(0.15):
        stage.put(ev.HandCounted, (1200, 2500), seat=seat.seat, count=5)
    collect(stage, plan, seat.seat, seen=False)


def take(stage: Stage, seat: int, area: Area, amount: int) -> None:
    """Let the dealer take a wager."""
    stage.put(ev.WagerTaken, (500, 1200), seat=seat, area=area, amount=amount)


def collect(stage: Stage, plan: RoundPlan, seat: int, seen: bool) -> None:
    """Let the dealer put a hand into the rack; `seen`: its faces were up."""
    hand = plan.dealer if seat == DEALER else plan.seat(seat).hand
    stage.put(
        ev.CardsCollected,
        (500, 1300),
        faces=hand,
        seat=seat,
        count=5,
        cards=hand if seen else (),
        in_order=True,
        back=plan.back,
    )


def reveal(stage: Stage, plan: RoundPlan, read_as: bool | None = None) -> None:
    """Turn the dealer's hole cards and announce the hand (nz 9.3, 10.1; s10 (j)(4), (j)(6)(ii))."""
    up = up_position(plan)
    hole = tuple(card for number, card in enumerate(plan.dealer, start=1) if number != up)
    stage.put(ev.CardsTurned, (1200, 2600), faces=hole, seat=DEALER, cards=hole, by=DEALER)
    stage.put(ev.HandAnnounced, (500, 1200), qualifies=plan.qualifies if read_as is None else read_as)
