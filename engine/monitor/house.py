"""The tables of one house: each judged by its own monitor, and together for what only shows between them.

Tables that feed one jackpot (the setting `jackpot_link`) share its meter: a reading at one is known at all. Between
them it shows who comes first when two hands win at about the same time (nz 11.11), and whether the meter grew by all
wagers and not only by those of one table. Times of different tables are compared, so their clocks must agree.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final

from engine import events as ev
from engine.checks.jackpot_common import VARIANTS, has_jackpot, jackpot_due, kind_of
from engine.checks.jackpot_meter import pools_of, rate_of, slow_meter, wagered
from engine.checks.registry import Finding, Moment, unsure
from engine.errors import BadSettings
from engine.events import DEALER, Area, Event, Pool
from engine.jackpot import Claim, JackpotRules, Winner, meter_too_slow, prioritise
from engine.monitor.monitor import Monitor
from engine.monitor.sight import first_gap
from engine.rulebook import Rulebook
from engine.settings import Method, TableSettings
from engine.verdicts import Verdict

PRIORITY = "jackpot.priority"
RATE = "jackpot.meter_rate"


@dataclass(slots=True)
class Dealt:
    """When a hand got its first and its last card, in milliseconds."""

    first: int
    last: int


@dataclass(slots=True)
class Ledger:
    """What went into one shared jackpot and out of it since a moment when no wager was on its way."""

    base: dict[Pool, int] = field(default_factory=dict)
    shown: dict[Pool, int] = field(default_factory=dict)
    wagered: int = 0
    paid: int = 0
    paying: set[Pool] = field(default_factory=set)
    unsure: str = ""


class HouseMonitor:
    """Judges the events of several tables against one rulebook.

    Without settings every table has the defaults; with any, a table that has none is an error, because judging it by
    somebody else's limits and jackpots would be a guess.

    >>> from engine.rulebook import load_rulebook
    >>> house = HouseMonitor(load_rulebook("nz"))
    >>> house.feed(ev.RoundOpened(seq=1, at=0, table="CS-1", round="r1"))
    []
    >>> list(house.monitors)
    ['CS-1']
    """

    def __init__(self, book: Rulebook, settings: Mapping[str, TableSettings] | None = None) -> None:
        self.book = book
        self.monitors: dict[str, Monitor] = {}
        self._settings = dict(settings or {})
        self._dealt: dict[str, dict[int, Dealt]] = {}
        self._ledgers: dict[str, Ledger] = {}
        self._counted: set[tuple[str, int]] = set()

    def feed_all(self, events: Iterable[Event]) -> list[Verdict]:
        """Judge many events."""
        return [verdict for event in events for verdict in self.feed(event)]

    def feed(self, event: Event) -> list[Verdict]:
        """Judge one event at its table, and what it proves between tables."""
        monitor = self.monitors.get(event.table) or self._open(event.table)
        verdicts = monitor.feed(event)
        if has_jackpot(monitor.settings):
            watch = _WATCHED.get(type(event))
            if watch is not None:
                verdicts += watch(self, monitor, event)
        return verdicts

    def _open(self, table: str) -> Monitor:
        settings = self._settings.get(table)
        if settings is None:
            if self._settings:
                known = ", ".join(sorted(self._settings))
                raise BadSettings(f"table: {table!r} has no settings; there are those of {known}")
            settings = TableSettings(table=table)
        monitor = Monitor(self.book, settings)
        self.monitors[table] = monitor
        self._dealt[table] = {}
        if has_jackpot(settings):
            for pool, amount in self._ledger(monitor).shown.items():
                monitor.note_meter(pool, amount)
        return monitor

    def _linked(self, monitor: Monitor) -> list[tuple[str, Monitor]]:
        """Return the other tables that play for the same jackpot."""
        link = monitor.settings.jackpot_link
        return [
            (table, other)
            for table, other in self.monitors.items()
            if other is not monitor and has_jackpot(other.settings) and other.settings.jackpot_link == link
        ]

    def _rules(self, settings: TableSettings) -> JackpotRules | None:
        return self.book.jackpot_for([name for name in VARIANTS if getattr(settings, name)])

    def _round_opened(self, monitor: Monitor, event: ev.RoundOpened) -> list[Verdict]:
        self._dealt[event.table] = {}
        return []

    def _card_dealt(self, monitor: Monitor, event: ev.CardDealt | ev.PacketDealt) -> list[Verdict]:
        if event.seat != DEALER:
            hands = self._dealt[event.table]
            old = hands.get(event.seat)
            hands[event.seat] = Dealt(event.at if old is None else old.first, event.at)
        return []

    def _claim(self, table: str, monitor: Monitor, seat: int) -> Claim:
        times = self._dealt[table].get(seat)
        settings = monitor.settings
        winner = Winner(seat, kind_of(monitor.state.seats[seat]), settings.jackpot_wager)
        packets = settings.method is Method.PACKETS
        first, last = (None, None) if times is None else (times.first, times.last)
        return Claim(table, winner, packets, first, last)

    def _jackpot_paid(self, monitor: Monitor, event: ev.JackpotPaid) -> list[Verdict]:
        rules = self._rules(monitor.settings)
        self._count_in(event.table, monitor)
        ledger = self._ledger(monitor)
        ledger.paid += event.amount or 0
        ledger.paying |= set(Pool)
        if event.amount is None:
            ledger.unsure = f"what was paid at table {event.table} was not read"
        if rules is None or PRIORITY not in self.book.rules or not self._won(monitor, event, event.seat):
            return []
        mine = self._claim(event.table, monitor, event.seat)
        if rules.pool(mine.winner.kind) not in rules.priority_pools:
            return []
        found: list[Verdict] = []
        for table, other in self._linked(monitor):
            for claim in self._waiting(table, other, rules, event):
                finding = self._compare(rules, mine, claim, other)
                verdict = None if finding is None else monitor.raise_finding(PRIORITY, finding, event)
                found += [] if verdict is None else [verdict]
        return found

    def _won(self, monitor: Monitor, event: Event, seat: int) -> bool:
        state = monitor.state
        if state.round is None or state.round.voided is not None:
            return False
        moment = Moment(state, event, state, self.book, monitor.settings, self.book.rules[PRIORITY])
        return jackpot_due(moment, state.seats[seat]) is True

    def _waiting(self, table: str, other: Monitor, rules: JackpotRules, event: Event) -> list[Claim]:
        """Return the claims of another table that are known, hands face up, and not paid yet."""
        now = other.state.round
        if now is None or now.closed is not None:
            return []
        claims = [
            self._claim(table, other, seat.number)
            for seat in other.state.players
            if seat.turned_up is not None
            and seat.jackpot_paid is None
            and self._won(other, event, seat.number)
        ]
        return [claim for claim in claims if rules.pool(claim.winner.kind) in rules.priority_pools]

    def _compare(self, rules: JackpotRules, mine: Claim, claim: Claim, other: Monitor) -> Finding | None:
        """Return what is wrong with paying `mine` while the claim of another table waits."""
        seat = mine.winner.seat
        key = f"{claim.table}:{claim.winner.seat}"
        where = f"seat {claim.winner.seat} of table {claim.table}"
        order = prioritise(rules, (mine, claim))
        gap = first_gap(("seat",), claim.winner.seat, None, other.state, other.settings)
        if order is None or gap:
            why = gap or f"which of {where} and seat {seat} was dealt first could not be told"
            return unsure(why, seat, Area.JACKPOT, key)
        if order[0] is mine:
            return None
        what = "all its cards" if claim.packets else "its first card"
        return Finding(
            f"{where} comes first: it got {what} at {_clock(claim.decided_at)}, seat {seat} at "
            f"{_clock(mine.decided_at)}",
            f"seat {seat} was paid while the {claim.winner.kind.words} of {where} waited",
            seat=seat,
            area=Area.JACKPOT,
            key=key,
        )

    def _ledger(self, monitor: Monitor) -> Ledger:
        return self._ledgers.setdefault(monitor.settings.jackpot_link, Ledger())

    def _meter_read(self, monitor: Monitor, event: ev.JackpotMeterRead) -> list[Verdict]:
        ledger = self._ledger(monitor)
        if event.amount < ledger.shown.get(event.pool, 0) and event.pool not in ledger.paying:
            ledger.unsure = "the meter fell without a payout that was seen"
        ledger.paying.discard(event.pool)
        ledger.shown[event.pool] = event.amount
        ledger.base.setdefault(event.pool, event.amount)
        for _, other in self._linked(monitor):
            other.note_meter(event.pool, event.amount)
        return []

    def _count_in(self, table: str, monitor: Monitor) -> None:
        """Enter the wagers of a round into the ledger, once: by then the meter has taken them in."""
        now = monitor.state.round
        if now is None or now.redeal or (table, now.number) in self._counted:
            return
        self._counted.add((table, now.number))
        self._ledger(monitor).wagered += wagered(monitor.state, monitor.settings)

    def _round_closed(self, monitor: Monitor, event: ev.RoundClosed) -> list[Verdict]:
        """Judge the growth of a meter that several tables feed, and start anew when none is in a round."""
        self._count_in(event.table, monitor)
        ledger, linked = self._ledger(monitor), self._linked(monitor)
        rules = self._rules(monitor.settings)
        found = self._priority_unseen(monitor, event) if linked and rules is not None else []
        pools = pools_of(monitor.settings)
        read = all(pool in ledger.base and pool in ledger.shown for pool in pools)
        if linked and rules is not None and read and RATE in self.book.rules:
            before = sum(ledger.base[pool] for pool in pools)
            after = sum(ledger.shown[pool] for pool in pools) + ledger.paid
            rate = rate_of(rules, monitor.settings)
            if ledger.wagered and meter_too_slow(before, after, ledger.wagered, rate):
                finding = replace(slow_meter(before, after, ledger.wagered, rate), key="house")
                doubt = ledger.unsure or self._meter_doubt([monitor, *(other for _, other in linked)])
                finding = unsure(doubt, area=Area.JACKPOT, key="house") if doubt else finding
                if not self._said_of_table(monitor):
                    verdict = monitor.raise_finding(RATE, finding, event)
                    found += [] if verdict is None else [verdict]
        if not any(_staking(other) for _, other in linked):
            self._ledgers[monitor.settings.jackpot_link] = Ledger(dict(ledger.shown), dict(ledger.shown))
            self._counted = {one for one in self._counted if _current(self.monitors[one[0]], one[1])}
        return found

    def _priority_unseen(self, monitor: Monitor, event: Event) -> list[Verdict]:
        """Say that a hand of this table may have come first, if its seats were not seen throughout."""
        gap = first_gap(("seats",), None, None, monitor.state, monitor.settings)
        if not gap or PRIORITY not in self.book.rules:
            return []
        verdict = monitor.raise_finding(PRIORITY, unsure(gap, area=Area.JACKPOT, key="unseen"), event)
        return [] if verdict is None else [verdict]

    def _said_of_table(self, monitor: Monitor) -> bool:
        """Whether the table's own wagers already showed it in this round."""
        return (
            any(verdict.check == RATE for verdict in monitor.rounds[-1].verdicts) if monitor.rounds else False
        )

    def _meter_doubt(self, monitors: Iterable[Monitor]) -> str:
        for one in monitors:
            gap = first_gap(("signal:meter",), None, None, one.state, one.settings)
            if gap:
                return gap
        return ""


def _staking(monitor: Monitor) -> bool:
    """Whether a table is in a round whose jackpot wagers may be on their way to the meter."""
    now = monitor.state.round
    return now is not None and now.closed is None and wagered(monitor.state, monitor.settings) > 0


def _current(monitor: Monitor, number: int) -> bool:
    return monitor.state.round is not None and monitor.state.round.number == number


def _clock(at: int | None) -> str:
    """Return a moment in seconds.

    >>> _clock(12345)
    '12.345 s'
    """
    return "an unknown time" if at is None else f"{at // 1000}.{at % 1000:03d} s"


_WATCHED: Final[dict[type[Event], Callable[[HouseMonitor, Monitor, Any], list[Verdict]]]] = {
    ev.RoundOpened: HouseMonitor._round_opened,
    ev.CardDealt: HouseMonitor._card_dealt,
    ev.PacketDealt: HouseMonitor._card_dealt,
    ev.JackpotPaid: HouseMonitor._jackpot_paid,
    ev.JackpotMeterRead: HouseMonitor._meter_read,
    ev.RoundClosed: HouseMonitor._round_closed,
}
