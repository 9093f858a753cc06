"""Jackpot wagers as they stand when bets are closed: with an ante, of the right amount, lit, locked."""

from __future__ import annotations

from collections.abc import Iterator

from engine import events as ev
from engine.checks.deal_common import method_clause, missed_start
from engine.checks.registry import Finding, Moment, check, unsure
from engine.checks.wager_common import CLOSING, bets_close, came_late
from engine.events import Area
from engine.money import format_amount
from engine.settings import JackpotMode


@check(
    "wager.jackpot_without_ante",
    "Jackpot wager without an ante",
    on=CLOSING,
    needs=("seat",),
    applies=lambda settings: settings.jackpot is not JackpotMode.NONE,
    first_card=True,
)
def jackpot_without_ante(m: Moment) -> Iterator[Finding]:
    """A jackpot wager needs an ante of the same hand; which comes first does not matter until bets are closed."""
    if not bets_close(m) or missed_start(m.after):
        return
    for seat in m.after.players:
        jackpot = seat.jackpot
        staked = seat.coupon or (jackpot is not None and jackpot.lies)
        if staked and (seat.ante is None or not seat.ante.lies):
            yield Finding(
                "a jackpot wager only with an ante",
                f"seat {seat.number} has a jackpot wager and no ante",
                seat.number,
                Area.JACKPOT,
                events=(m.event.seq,) if jackpot is None else (jackpot.placed, m.event.seq),
            )


@check(
    "wager.jackpot_amount",
    "Jackpot wager of the wrong amount",
    on=CLOSING,
    needs=("seat",),
    applies=lambda settings: settings.jackpot is not JackpotMode.NONE,
    first_card=True,
)
def jackpot_amount(m: Moment) -> Iterator[Finding]:
    """A jackpot wager is one chip of a fixed worth: the rulebook's, or else the one on the table's sign."""
    if not bets_close(m):
        return
    params = m.rule.params or {}
    due: int = params.get("amount", m.settings.jackpot_wager)
    for seat in m.after.players:
        wager = seat.jackpot
        if wager is None or not wager.lies or wager.piles > 1:
            continue
        if wager.amount is None:
            yield unsure(
                f"the jackpot wager of seat {seat.number} could not be read", seat.number, Area.JACKPOT
            )
        elif wager.amount != due or (wager.chips is not None and len(wager.chips) > 1):
            count = len(wager.chips or ())
            yield Finding(
                f"one chip of {format_amount(due)}",
                f"{f'{count} chips, ' if count > 1 else ''}{format_amount(wager.amount)}",
                seat.number,
                Area.JACKPOT,
                events=(wager.placed, m.event.seq),
                clause=None if wager.amount != due else params.get("one_chip"),
            )


@check(
    "wager.jackpot_light",
    "Jackpot light does not match the wager",
    on=(ev.CardDealt, ev.PacketDealt),
    needs=("seat", "signal:lights"),
    applies=lambda settings: settings.jackpot is JackpotMode.ELECTRONIC,
    first_card=True,
)
def jackpot_light(m: Moment) -> Iterator[Finding]:
    """Where an acceptor has taken a wager its light burns, and nowhere else; judged when the cards come."""
    now = m.round
    if now.first_card != m.event.seq or missed_start(m.after):
        return
    for seat in m.after.players:
        wager = seat.jackpot
        if wager is not None and came_late(wager, Area.JACKPOT, now):
            continue
        staked = seat.coupon or (wager is not None and wager.withdrawn is None)
        if staked and seat.light is None and "signal:lights" in m.after.past_gaps:
            yield unsure(
                f"whether the light of seat {seat.number} is on was not signalled", seat.number, Area.JACKPOT
            )
        elif staked is not bool(seat.light):
            yield Finding(
                "the light on" if staked else "the light off",
                f"seat {seat.number} has a jackpot wager and no light"
                if staked
                else f"the light of seat {seat.number} is on without a jackpot wager",
                seat.number,
                Area.JACKPOT,
                events=(m.event.seq,) if wager is None else (wager.placed, m.event.seq),
            )


@check(
    "wager.lock_out",
    "Lock-out button not pressed before the deal",
    on=(ev.CardDealt, ev.PacketDealt),
    needs=("table", "signal:lock_out", "signal:no_more_bets"),
    first_card=True,
)
def lock_out(m: Moment) -> Iterator[Finding]:
    """Between the call and the first card the button is pressed; a deal without a call is reported as that."""
    now = m.round
    if now.first_card != m.event.seq or now.called is None or missed_start(m.after):
        return
    if now.lock_out is None or now.lock_out < now.called:
        pressed = now.lock_out is not None
        yield Finding(
            'the lock-out button pressed after "no more bets" and before the first card',
            "pressed before the call" if pressed else "not pressed",
            events=(now.called, m.event.seq),
            zones=("signal:lock_out", "signal:no_more_bets"),
            clause=method_clause(m),
        )
