"""Play a plan: from the shuffle to the closed round, every event in order, nothing out of the rulebook."""

from __future__ import annotations

import random

from engine import events as ev
from engine.events import DEALER, Role
from simulator.director.before import close_bets, make_ready, open_bets
from simulator.director.cards import collect, deal, decide, reveal
from simulator.director.house import ANY, Want
from simulator.director.money import Desk, leave, settle_nz, settle_s10
from simulator.director.plan import RoundPlan, plan
from simulator.director.script import Script
from simulator.director.stage import Stage


def new_stage(plan: RoundPlan) -> Stage:
    """Return a stage for a round that stands alone: the players of the plan sit, and the deck is ready."""
    rng = random.Random(f"play:{plan.rulebook}:{plan.seed}")
    stage = Stage(plan.settings, rng, start=rng.randrange(1_000, 5_000))
    seats = {seat.owner: seat.player for seat in plan.seats}
    for seat, player in seats.items():
        stage.put(ev.PlayerSat, (300, 1500), seat=seat, player=player)
    make_ready(stage, plan)
    return stage


def play(plan: RoundPlan) -> Script:
    """Play a plan alone, as the only round of a scene."""
    stage = new_stage(plan)
    play_round(stage, plan)
    return Script(plan.rulebook, plan.settings, tuple(stage.beats), notes={"plan": plan})


def legal(rulebook: str, seed: str | int, want: Want = ANY) -> Script:
    """Plan and play one legal round."""
    return play(plan(rulebook, seed, want))


def play_round(stage: Stage, plan: RoundPlan) -> None:
    """Play one round on a stage whose deck is shuffled and loaded."""
    open_bets(stage, plan)
    close_bets(stage, plan)
    deal(stage, plan)
    decide(stage, plan)
    finish(stage, plan)


def finish(stage: Stage, plan: RoundPlan) -> None:
    """Reveal, settle and clear the table, when every player has decided."""
    desk = Desk(stage, plan)
    if plan.idle_deck is not None and stage.chance(0.5):
        stage.put(ev.DeckShuffled, (100, 900), deck=plan.idle_deck, by=Role.MACHINE)
        if plan.settings.counting_shuffler:
            stage.put(ev.ShufflerReported, (50, 200), deck=plan.idle_deck, count=52)
    finish_at(desk)


def finish_at(desk: Desk) -> None:
    """Reveal, settle and clear the table as this dealer sees it."""
    stage, plan = desk.stage, desk.plan
    desk.gone |= {seat.seat for seat in plan.seats if seat.folds}
    reveal(stage, plan, desk.read_as)
    if plan.rulebook == "nz":
        settle_nz(desk)
    else:
        settle_s10(desk)
    collect(stage, plan, DEALER, seen=True)
    if plan.rulebook == "nz" and stage.chance(0.7):
        stage.put(ev.StubPlaced, (700, 1500), faces=plan.stub)
    close(desk)


def close(desk: Desk) -> None:
    """Let the players take what is theirs, close the round, and let the lights go out."""
    stage = desk.stage
    taken = {
        beat.event.seat
        for beat in stage.beats[_start(stage) :]
        if isinstance(beat.event, ev.WagerWithdrawn) and beat.event.area is ev.Area.BET
    }
    chance = stage.rng.choice((0.0, 0.0, 0.5, 1.0))
    for seat in desk.staying:
        if seat.seat not in taken:
            leave(desk, seat, chance)
    stage.put(ev.RoundClosed, (500, 1500))
    lights_out(stage)


def _start(stage: Stage) -> int:
    """Return where the round in play begins in the beats."""
    numbers = [n for n, beat in enumerate(stage.beats) if isinstance(beat.event, ev.RoundOpened)]
    return numbers[-1] if numbers else 0


def lights_out(stage: Stage) -> None:
    """Let the acceptor lights go out between rounds."""
    for seat in sorted(stage.lit):
        stage.put(ev.AcceptorLightChanged, (20, 60), seat=seat, lit=False)
    stage.lit.clear()
