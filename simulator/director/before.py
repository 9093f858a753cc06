"""Before the cards: shuffle, cut, load; wagers; the call."""

from __future__ import annotations

from typing import Any

from engine import events as ev
from engine.events import DEALER, Area, Device, Pool, Role, Side
from engine.settings import JackpotMode, Method
from simulator.director.chips import pile
from simulator.director.plan import RoundPlan, SeatPlan, Stake
from simulator.director.stage import Stage, Step


def device_of(plan: RoundPlan) -> Device:
    """Return what the cards are dealt from."""
    if plan.rulebook == "nz":
        return Device.SHUFFLER if plan.settings.method is Method.PACKETS else Device.SHOE
    return {Method.SHOE: Device.SHOE, Method.HAND: Device.HAND, Method.PACKETS: Device.AUTO_SHOE}[
        plan.settings.method
    ]


def make_ready(stage: Stage, plan: RoundPlan) -> None:
    """Shuffle the deck of the round, cut it where the rulebook asks, and load it (nz 7.1, 7.2; s10 (d))."""
    deck, nz = plan.deck, plan.rulebook == "nz"
    if nz and plan.settings.machine_shuffle:
        stage.put(ev.DeckLoaded, (2000, 5000), deck=deck, device=Device.SHUFFLER)
        stage.put(ev.DeckShuffled, (9000, 20000), deck=deck, by=Role.MACHINE)
        if plan.settings.counting_shuffler:
            stage.put(ev.ShufflerReported, (200, 600), deck=deck, count=52)
        return
    if plan.settings.machine_shuffle:
        stage.put(ev.DeckShuffled, (9000, 20000), deck=deck, by=Role.MACHINE)
        if plan.settings.counting_shuffler:
            stage.put(ev.ShufflerReported, (200, 600), deck=deck, count=52)
    else:
        stage.put(ev.DeckShuffled, (12000, 26000), deck=deck, by=Role.DEALER)
        by = stage.rng.choice((Role.DEALER, Role.SUPERVISOR)) if nz else Role.DEALER
        racked = None if nz else True
        stage.put(ev.DeckCut, deck=deck, by=by, cards=stage.rng.randint(10, 42), cover_card_racked=racked)
    stage.put(ev.DeckLoaded, (1200, 2600), deck=deck, device=device_of(plan))


def open_bets(stage: Stage, plan: RoundPlan) -> None:
    """Open the round and let everybody wager, change their mind, and wager again."""
    stage.put(
        ev.RoundOpened,
        (1500, 4000),
        faces=plan.deck_order,
        round=plan.round,
        deck=plan.deck,
        redeal=plan.redeal,
    )
    for pool, amount in sorted(plan.meters.items()):
        stage.meters[pool] = amount
        stage.put(ev.JackpotMeterRead, (50, 200), amount=amount, pool=pool)
    sequences = [_wagers(stage, plan, seat) for seat in plan.seats]
    if stage.chance(0.06):
        sequences.append(_never_mind(stage, plan))
    if plan.settings.jackpot is JackpotMode.ELECTRONIC and stage.chance(0.15):
        sequences.append([lambda: grow(stage, plan, stage.rng.randint(1, 6))])  # wagers at linked tables
    stage.merge(sequences)
    if plan.settings.method is Method.HAND:
        side = stage.rng.choice((Side.LEFT, Side.RIGHT))
        stage.put(ev.DeckHeld, (400, 900), hand=side, over_tray=True)


def _wagers(stage: Stage, plan: RoundPlan, seat: SeatPlan) -> list[Step]:
    """Return the steps in which one area gets its wagers: the ante first, then what needs an ante."""
    steps: list[Step] = []
    number, by = seat.seat, seat.owner

    def place(area: Area, chips: tuple[int, ...], amount: int | None = None, **more: Any) -> Step:
        total = sum(chips) if amount is None else amount
        fields: dict[str, Any] = {
            "seat": number,
            "area": area,
            "amount": total,
            "chips": chips,
            "by": by,
            **more,
        }
        return lambda: stage.put(ev.WagerPlaced, (500, 2500), stack=chips, **fields)

    steps += _ante(stage, plan, seat, place(Area.ANTE, seat.ante_chips, seat.ante, tender=seat.tender))
    if stage.chance(0.05):
        steps.append(lambda: stage.put(ev.WagerTouched, seat=number, area=Area.ANTE, by=by))
    if seat.blind:
        steps.append(place(Area.BET, seat.bet_chips))
    if seat.stake is Stake.CHIP:
        steps.append(place(Area.JACKPOT, pile(plan.settings.jackpot_wager, plan.settings.chip_values)))
    elif seat.stake is Stake.COUPON:
        steps.append(lambda: stage.put(ev.CouponRedeemed, (500, 2500), seat=number))
    if seat.stake is not Stake.NONE and plan.settings.jackpot is JackpotMode.ELECTRONIC:
        steps.append(lambda: light_up(stage, plan, number))
    return steps


def _ante(stage: Stage, plan: RoundPlan, seat: SeatPlan, place: Step) -> list[Step]:
    """Return the steps of an ante: plainly, in two goes, taken back and made again, or called out (nz 5.5)."""
    number, by, rng = seat.seat, seat.owner, stage.rng
    low = plan.settings.ante_min or seat.ante
    if seat.tender is not ev.Tender.CHIPS or rng.random() > 0.16:
        return [place]
    if plan.rulebook == "nz" and rng.random() < 0.25:
        said: dict[str, Any] = {"seat": number, "area": Area.ANTE, "with_chips": True}
        placed: dict[str, Any] = {
            "seat": number,
            "area": Area.ANTE,
            "amount": seat.ante,
            "chips": seat.ante_chips,
        }
        return [
            lambda: stage.put(ev.OralWagerAccepted, (500, 1500), **said),
            lambda: stage.put(ev.WagerPlaced, (400, 900), stack=seat.ante_chips, by=DEALER, **placed),
        ]
    if rng.random() < 0.5:
        back: dict[str, Any] = {"seat": number, "area": Area.ANTE, "by": by}
        return [place, lambda: stage.put(ev.WagerWithdrawn, (500, 2000), **back), place]
    if seat.ante == low:
        return [place]
    first = pile(low, plan.settings.chip_values)
    return [
        lambda: stage.put(
            ev.WagerPlaced,
            (500, 2500),
            stack=first,
            seat=number,
            area=Area.ANTE,
            amount=low,
            chips=first,
            by=by,
        ),
        lambda: stage.put(
            ev.WagerChanged,
            (500, 2500),
            stack=seat.ante_chips,
            seat=number,
            area=Area.ANTE,
            amount=seat.ante,
            chips=seat.ante_chips,
            by=by,
        ),
    ]


def _never_mind(stage: Stage, plan: RoundPlan) -> list[Step]:
    """Return the steps of somebody who wagers and takes it back before the call."""
    used = {seat.seat for seat in plan.seats} | {seat.owner for seat in plan.seats}
    used |= stage.seated
    free = [seat for seat in range(1, plan.settings.seats + 1) if seat not in used]
    if not free or plan.redeal:
        return []
    number = stage.rng.choice(free)
    ante = plan.settings.ante_min or 500
    chips = pile(ante, plan.settings.chip_values)
    area: dict[str, Any] = {"seat": number, "area": Area.ANTE, "by": number}
    return [
        lambda: stage.put(ev.PlayerSat, (500, 2000), seat=number, player=f"guest-{number}"),
        lambda: stage.put(ev.WagerPlaced, (500, 2000), stack=chips, amount=ante, chips=chips, **area),
        lambda: stage.put(ev.WagerWithdrawn, (900, 2500), **area),
        lambda: stage.put(ev.PlayerLeft, (500, 1500), seat=number),
    ]


def light_up(stage: Stage, plan: RoundPlan, seat: int) -> None:
    """Let the acceptor take the wager: its light goes on and the meter grows."""
    stage.put(ev.AcceptorLightChanged, (120, 400), seat=seat, lit=True)
    stage.lit.add(seat)
    grow(stage, plan, 1)


def grow(stage: Stage, plan: RoundPlan, wagers: int) -> None:
    """Let the meter grow by its rate for so many jackpot wagers (nz 11.6, s10 (l)(6))."""
    added = wagers * plan.settings.jackpot_wager * plan.settings.meter_rate_percent // 100
    parts = {Pool.MAIN: added}
    if plan.settings.sub_pools:
        parts = {Pool.MAJOR: added - added // 3, Pool.MINOR: added // 3}
    for pool, part in parts.items():
        stage.meters[pool] += part
        stage.put(ev.JackpotMeterRead, (50, 200), amount=stage.meters[pool], pool=pool)


def close_bets(stage: Stage, plan: RoundPlan) -> None:
    """Call "no more bets"; s10: press the lock-out and count the jackpot chips against the lights (g)(2)."""
    stage.put(ev.NoMoreBetsCalled, (1500, 3500))
    stakes = [seat.stake for seat in plan.seats if seat.stake is not Stake.NONE]
    if plan.rulebook == "s10":
        stage.put(ev.LockOutPressed, (300, 1200))
        if stakes:
            stage.put(ev.JackpotChipsCounted, (1500, 3500), count=stakes.count(Stake.CHIP))
    elif plan.settings.jackpot is JackpotMode.MANUAL and stakes:
        grow(stage, plan, len(stakes))
