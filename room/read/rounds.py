"""One round, rebuilt: beliefs event by event, hands and money, what was due against what was done, every check."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import Any

from engine import events as ev
from engine.checks import CHECKS
from engine.errors import PitwatchEngineError
from engine.events import Event
from engine.events.codec import decode
from engine.monitor import Monitor
from engine.rulebook import Rulebook
from engine.state.model import Seat, TableState
from engine.verdicts import Ruling
from pipeline.errors import RecordRefused
from pipeline.reconstruct import Story, sentence, tell
from pipeline.reconstruct.story import hand_words
from pipeline.record import Record
from pipeline.record.queries import AlertFilter, find_alerts
from pipeline.record.schema import AlertRow, RoundRow
from pipeline.record.verdict_text import verdict_of
from room.read.belief import believe, due, expected_outcome
from room.read.folding import Folding
from room.read.tables import House, TableInfo

CONTEXT = 400
"""How many events before a round are folded first: who sits where, which deck, what cannot be seen."""
WORST = (Ruling.OK, Ruling.HANDLED, Ruling.CANNOT_TELL, Ruling.VIOLATION)


def events_around(record: Record, row: RoundRow) -> tuple[list[Event], list[Event]]:
    """Return what came before a round and the round's own events."""
    after = max(-1, row.opened_seq - 1 - CONTEXT)
    before: list[Event] = []
    inside: list[Event] = []
    for line in record.lines(row.table_name, after=after, until=row.closed_seq):
        (inside if line.round == row.round else before).append(decode(json.loads(line.body)))
    return before, inside


def alerts_of(record: Record, row: RoundRow) -> list[AlertRow]:
    """Return the alerts of a round, worst first."""
    return find_alerts(record, AlertFilter(table=row.table_name, round=row.round), limit=500)


def story_of(record: Record, row: RoundRow) -> Story:
    """Return the round in words, for reports and packages."""
    _, inside = events_around(record, row)
    verdicts = [verdict_of(json.loads(one.body)) for one in alerts_of(record, row)]
    return tell(inside, verdicts, seats=9)


def moment_of(record: Record, house: House, alert: AlertRow) -> dict[str, Any] | None:
    """Return the table at the event that proved an alert, and the events that prove it."""
    if alert.round is None:
        return None
    try:
        row = record.round(alert.table_name, alert.round)
    except RecordRefused:  # the round has expired, or its beginning was never recorded
        return None
    table = house.table(record, row.table_name)
    folding = Folding(table.settings.seats)
    before, inside = events_around(record, row)
    for event in [*before, *inside]:
        if event.seq > alert.seq:
            break
        folding.feed(event)
    belief = believe(folding.state, house.book(table.rulebook), table.settings, folding.seq, folding.at)
    proof = set(json.loads(alert.body)["events"])
    return {"belief": belief, "events": [_moment(event) for event in inside if event.seq in proof]}


def replay(record: Record, house: House, row: RoundRow) -> dict[str, Any]:
    """Return everything that the round page shows and the API gives."""
    table = house.table(record, row.table_name)
    book = house.book(table.rulebook)
    before, inside = events_around(record, row)
    folding = Folding(table.settings.seats)
    for event in before:
        folding.feed(event)
    beliefs, last = [], folding.state
    for event in inside:
        folding.feed(event)
        beliefs.append(believe(folding.state, book, table.settings, event.seq, event.at))
        last = folding.state
    return {
        "table": row.table_name,
        "round": row.round,
        "state": row.state,
        "rulebook": table.rulebook,
        "wall": row.wall,
        "start": inside[0].at if inside else row.opened_at,
        "end": inside[-1].at if inside else row.opened_at,
        "moments": [_moment(event) for event in inside],
        "beliefs": beliefs,
        "hands": [_hand(last, seat, book, table) for seat in last.seats if _took_part(seat)],
        "checks": checks_of(record, house, row),
    }


def _took_part(seat: Seat) -> bool:
    return seat.number == 0 or bool(seat.cards) or seat.ante is not None or seat.jackpot is not None


def _moment(event: Event) -> dict[str, Any]:
    return {
        "seq": event.seq,
        "at": event.at,
        "kind": type(event).__name__,
        "text": sentence(event),
        "witness": event.witness,
        "confidence": round(event.confidence, 3),
        "group": _group(event),
        "seat": getattr(event, "seat", None),
        "frames": [[frame.camera, frame.index] for frame in event.frames],
    }


def _group(event: Event) -> str:
    """Return the lane of the timeline that an event belongs to."""
    module = type(event).__module__.rsplit(".", 1)[-1]
    if isinstance(event, ev.RoundOpened | ev.RoundClosed):
        return "round"
    return {"decisions": "players", "wagers": "wagers", "settlement": "wagers", "sight": "sight"}.get(
        module, "cards"
    )


def _hand(state: TableState, seat: Seat, book: Rulebook, table: TableInfo) -> dict[str, Any]:
    """Return one hand: cards, money in and out, and what should have happened."""
    end = expected_outcome(state, seat)
    owed = None if end is None else due(seat, end, book, table.settings)
    stakes = [wager for wager in (seat.ante, seat.bet, seat.jackpot) if wager is not None]
    return {
        "seat": seat.number,
        "cards": [held.card.label for held in seat.cards],
        "hand": hand_words(seat.faces),
        "decision": "" if seat.number == 0 else _decision(seat),
        "outcome": None if end is None else str(end),
        "due": None if owed is None else asdict(owed),
        "done": {
            "ante_paid": 0 if seat.ante is None else _paid(seat.ante.paid, seat.ante.paid_amount),
            "bet_paid": 0 if seat.bet is None else _paid(seat.bet.paid, seat.bet.paid_amount),
            "ante_taken": 0
            if seat.ante is None
            else _taken(seat.ante.taken, seat.ante.taken_amount, seat.ante.amount),
            "bet_taken": 0
            if seat.bet is None
            else _taken(seat.bet.taken, seat.bet.taken_amount, seat.bet.amount),
        },
        "staked": _total(wager.amount for wager in stakes),
        "paid": _total([*(_paid(one.paid, one.paid_amount) for one in stakes), seat.jackpot_amount or 0]),
        "taken": _total(_taken(one.taken, one.taken_amount, one.amount) for one in stakes),
        "jackpot_paid": seat.jackpot_amount,
    }


def _decision(seat: Seat) -> str:
    if seat.folded is not None:
        return "fold"
    return "bet" if seat.bet is not None else "no decision seen"


def _paid(mark: int | None, amount: int | None) -> int | None:
    return 0 if mark is None else amount


def _taken(mark: int | None, amount: int | None, stake: int | None) -> int | None:
    if mark is None:
        return 0
    return stake if amount is None else amount


def _total(amounts: Iterable[int | None]) -> int | None:
    """Return a sum, or None where an amount in it was not seen."""
    listed = list(amounts)
    return None if any(one is None for one in listed) else sum(one or 0 for one in listed)


def checks_of(record: Record, house: House, row: RoundRow) -> list[dict[str, Any]]:
    """Return every check of the rulebook with how it came out in this round, the worst first.

    What was recorded counts; running the monitor once more only tells which checks had anything to look at.
    """
    table = house.table(record, row.table_name)
    book = house.book(table.rulebook)
    said: dict[str, Ruling] = {}
    for alert in alerts_of(record, row):
        ruling = Ruling(alert.ruling)
        said[alert.check_id] = max(said.get(alert.check_id, Ruling.OK), ruling, key=WORST.index)
    before, inside = events_around(record, row)
    looked = _exercised(book, table, tuple(before), tuple(inside))
    listed = []
    for id, rule in book.rules.items():
        found: Ruling | None = said.get(id) or (Ruling.OK if id in looked else None)
        listed.append(
            {
                "check": id,
                "title": CHECKS[id].title,
                "clause": rule.clause,
                "severity": rule.severity.word,
                "ruling": None if found is None else str(found),
            }
        )
    order = {str(one): -WORST.index(one) for one in WORST}
    return sorted(listed, key=lambda one: order.get(str(one["ruling"]), 1))


def _exercised(
    book: Rulebook, table: TableInfo, before: Sequence[Event], inside: Sequence[Event]
) -> frozenset[str]:
    """Return the checks that had anything to look at in a round; one that still runs is closed for the purpose."""
    if not inside:
        return frozenset()
    last = inside[-1]
    end = [] if isinstance(last, ev.RoundClosed) else [_closing(last)]
    monitor = Monitor(book, table.settings)
    try:
        monitor.feed_all([*before, *inside, *end])
    except PitwatchEngineError:  # a log that the engine refuses shows what was recorded and no more
        return frozenset()
    return frozenset(monitor.rounds[-1].exercised) if monitor.rounds else frozenset()


def _closing(last: Event) -> ev.RoundClosed:
    return ev.RoundClosed(seq=last.seq + 1, at=last.at, table=last.table)
