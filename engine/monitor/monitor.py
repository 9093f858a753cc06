"""The monitor: events in, verdicts out, each raised once, at the earliest event that proves it.

It is the one place that knows about repetition, remedies, gaps in view, unsure events and retractions, so that
the checks can stay small.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, field, replace

from engine import events as ev
from engine.checks import CHECKS
from engine.checks.registry import Check, Finding, Moment, Unread
from engine.errors import BadRulebook, BadSettings
from engine.events import Event
from engine.monitor.remedies import REMEDIES, Remedy
from engine.monitor.sight import doubts, first_gap
from engine.rulebook import Rule, Rulebook
from engine.settings import TableSettings
from engine.state import apply, empty_table
from engine.state.fold_money import shared_reading
from engine.state.model import TableState
from engine.verdicts import READ, Ruling, Severity, Verdict

LEAST_CONFIDENCE = 0.5
"""An event seen less surely than this proves nothing: what rests on it cannot be told."""

DELIVERIES = (ev.CardDealt, ev.PacketDealt)

Key = tuple[str, int, int | None, str, str]
Wired = tuple[tuple[tuple[Check, Rule], ...], frozenset[str]]
"""Checks with their rules, and the names of those checks."""


@dataclass(frozen=True, slots=True)
class Pending:
    """An irregularity that waits for its remedy."""

    check: Check
    rule: Rule
    finding: Finding
    remedy: Remedy
    opened: int
    confidence: float


@dataclass
class RoundBook:
    """What the monitor keeps of one round: verdicts by check, and which checks had anything to look at."""

    id: str | None
    number: int
    verdicts: list[Verdict] = field(default_factory=list)
    exercised: set[str] = field(default_factory=set)

    def rulings(self) -> dict[str, Ruling]:
        """Return one ruling per check that had anything to look at; the worst one counts."""
        worst = [Ruling.OK, Ruling.HANDLED, Ruling.CANNOT_TELL, Ruling.VIOLATION]
        result = dict.fromkeys(sorted(self.exercised), Ruling.OK)
        for verdict in self.verdicts:
            old = result.get(verdict.check, Ruling.OK)
            result[verdict.check] = max(old, verdict.ruling, key=worst.index)
        return result


class Monitor:
    """Judges one table's events against one rulebook."""

    def __init__(self, book: Rulebook, settings: TableSettings) -> None:
        methods = book.game.get("methods")
        if methods is not None and settings.method not in methods:
            raise BadSettings(
                f"method: {str(settings.method)!r} is no dealing method of rulebook {book.id!r}, which has "
                + ", ".join(methods)
            )
        self.book = book
        self.settings = settings
        self.state: TableState = empty_table(settings.seats)
        self.rounds: list[RoundBook] = []
        self._book = RoundBook(None, 0)
        self._said: set[Key] = set()
        self._pending: list[Pending] = []
        self._confidence: dict[int, float] = {}
        self._since_round: list[Event] = []
        self._round_start: TableState = self.state
        self._table: dict[type[Event], list[tuple[Check, Rule]]] = defaultdict(list)
        self._situations: dict[tuple[type[Event], bool, bool, bool], Wired] = {}
        self._wire()

    def _wire(self) -> None:
        """Build the table of checks by event type."""
        for id, rule in self.book.rules.items():
            check = CHECKS.get(id)
            if check is None:
                raise BadRulebook(f"rulebook {self.book.id!r}, checks.{id}: no such check")
            if rule.remedy is not None and rule.remedy not in REMEDIES:
                raise BadRulebook(
                    f"rulebook {self.book.id!r}, checks.{id}.remedy: no such remedy {rule.remedy!r}"
                )
            if check.applies(self.settings):
                for kind in check.on:
                    self._table[kind].append((check, rule))

    def feed_all(self, events: Iterable[Event]) -> list[Verdict]:
        """Judge many events."""
        return [verdict for event in events for verdict in self.feed(event)]

    def feed(self, event: Event) -> list[Verdict]:
        """Judge one event and return what it proves."""
        if isinstance(event, ev.EventRetracted):
            return self._retract(event)
        verdicts: list[Verdict] = []
        if isinstance(event, ev.RoundOpened):
            self._start_round(event, verdicts)
        before = self.state
        after = apply(before, event)
        self.state = after
        self._since_round.append(event)
        self._confidence[event.seq] = event.confidence
        if after.round is not None and after.round.number != self._book.number:
            self._new_book()
        verdicts += self._settle_pending(before, event, after)
        verdicts += self._run_checks(before, event, after)
        if isinstance(event, ev.RoundClosed):
            verdicts += self._close_round(event)
        return verdicts

    def raise_finding(self, id: str, finding: Finding, event: Event) -> Verdict | None:
        """Weigh a finding that somebody who sees more than this table has made, as if a check had made it here."""
        check, rule = CHECKS[id], self.book.rules[id]
        self._book.exercised.add(id)
        return self._weigh(check, rule, finding, event)

    def note_meter(self, pool: ev.Pool, amount: int) -> None:
        """Take note of a reading of a shared meter that came from another table.

        If it fell, the other table was paid from it: what this round starts from falls by as much.
        """
        seq = self._since_round[-1].seq if self._since_round else 0
        self.state = shared_reading(self.state, pool, amount, seq)

    def _run_checks(self, before: TableState, event: Event, after: TableState) -> list[Verdict]:
        verdicts: list[Verdict] = []
        now = after.round
        in_round = now is not None and now.closed in (None, event.seq)
        void = now is not None and now.voided is not None and now.voided != event.seq
        later = isinstance(event, DELIVERIES) and now is not None and now.first_card != event.seq
        entries, ids = self._in_force(type(event), later, in_round, void)
        if not entries:
            return verdicts
        moment = Moment(before, event, after, self.book, self.settings, entries[0][1])
        self._book.exercised |= ids
        for check, rule in entries:
            moment.rule = rule
            for finding in check.run(moment):
                verdict = self._weigh(check, rule, finding, event)
                if verdict is not None:
                    verdicts.append(verdict)
        return verdicts

    def _in_force(self, kind: type[Event], later: bool, in_round: bool, void: bool) -> Wired:
        """Return the checks that run for an event in this situation, and their names; worked out once for each."""
        key = (kind, later, in_round, void)
        known = self._situations.get(key)
        if known is None:
            entries = tuple(
                (check, rule)
                for check, rule in self._table.get(kind, ())
                if not (later and check.first_card)
                and (in_round or check.outside_rounds)
                and (not void or check.in_void_rounds)
            )
            known = self._situations[key] = (entries, frozenset(check.id for check, _ in entries))
        return known

    def _weigh(self, check: Check, rule: Rule, finding: Finding, event: Event) -> Verdict | None:
        """Turn a finding into a verdict: doubted, put off until its remedy, already said, or raised."""
        key: Key = (check.id, self._book.number, finding.seat, str(finding.area or ""), finding.key)
        if key in self._said:
            return None
        self._said.add(key)
        if not finding.events:
            finding = replace(finding, events=(event.seq,))
        if finding.ruling is Ruling.VIOLATION:
            doubt = doubts(check, finding, self.state, self.settings) or self._unsure(finding)
            remedy = rule.remedy if finding.remedy is None else (finding.remedy or None)
            if doubt:
                finding = replace(finding, ruling=Ruling.CANNOT_TELL, reason=doubt)
            elif remedy is not None:
                least = self._least(finding.events)
                self._pending.append(Pending(check, rule, finding, REMEDIES[remedy], event.seq, least))
                return None
        return self._say(check, rule, finding, event)

    def _unsure(self, finding: Finding) -> str:
        least = self._least(finding.events)
        return f"it was seen too unsurely ({least:.2f})" if least < LEAST_CONFIDENCE else ""

    def _least(self, events: Iterable[int]) -> float:
        return min((self._confidence.get(seq, 1.0) for seq in events), default=1.0)

    def _say(self, check: Check, rule: Rule, finding: Finding, event: Event) -> Verdict:
        consequence = finding.consequence if finding.consequence is not None else rule.consequence
        if finding.ruling is not Ruling.CANNOT_TELL:
            read = [f"{one.clause} is read so: {one.text}" for one in self.book.readings_of(check.id)]
            consequence = READ.join([consequence, *read] if consequence else read)
        severity = finding.severity if finding.severity is not None else rule.severity
        violation = finding.ruling is Ruling.VIOLATION
        verdict = Verdict(
            ruling=finding.ruling,
            check=check.id,
            rulebook=self.book.id,
            clause=finding.clause or rule.clause,
            severity=severity if violation else min(severity, Severity.LOW),
            table=event.table,
            round=self._book.id,
            seq=event.seq,
            at=event.at,
            title=check.title,
            seat=finding.seat,
            area=finding.area,
            expected=finding.expected,
            observed=finding.observed,
            reason=finding.reason,
            consequence=consequence,
            events=finding.events,
            confidence=self._least(finding.events),
        )
        self._book.verdicts.append(verdict)
        return verdict

    def _settle_pending(self, before: TableState, event: Event, after: TableState) -> list[Verdict]:
        """See which waiting irregularities were put right, or went by."""
        if not self._pending:
            return []
        verdicts: list[Verdict] = []
        waiting: list[Pending] = []
        for one in self._pending:
            if one.remedy.done(before, event, after, one.finding):
                finding = replace(
                    one.finding,
                    ruling=Ruling.HANDLED,
                    reason=f"put right: {one.remedy.says}",
                    events=(*one.finding.events, event.seq),
                )
                verdicts.append(self._say(one.check, one.rule, finding, event))
            elif isinstance(event, ev.RoundVoided) and not one.remedy.outlives:
                continue  # a void round cures what else was wrong with it
            elif one.remedy.late(before, event, after, one.finding):
                verdicts.append(self._went_by(one, event))
            else:
                waiting.append(one)
        self._pending = waiting
        return verdicts

    def _went_by(self, one: Pending, event: Event) -> Verdict:
        """Say that an irregularity was not put right, unless the remedy may have gone unseen."""
        finding = replace(one.finding, events=(*one.finding.events, event.seq))
        doubt = doubts(one.check, finding, self.state, self.settings) or self._unsure(finding)
        if doubt:
            finding = replace(finding, ruling=Ruling.CANNOT_TELL, reason=doubt)
        else:
            finding = replace(finding, reason=f"not put right, and play went on; ordered: {one.remedy.says}")
        return self._say(one.check, one.rule, finding, event)

    def _start_round(self, event: Event, verdicts: list[Verdict]) -> None:
        """Close the books of a round whose end was missed."""
        now = self.state.round
        if now is not None and now.closed is None and self._book.number == now.number:
            verdicts += self._close_round(event)

    def _new_book(self) -> None:
        now = self.state.round
        assert now is not None
        self._book = RoundBook(now.id, now.number)
        self._pending = [one for one in self._pending if one.remedy.outlives]
        self._round_start = self.state
        self._since_round = []
        self._said = {key for key in self._said if key[1] >= now.number - 1}
        self._confidence = {seq: sure for seq, sure in self._confidence.items() if seq >= now.opened}

    def _close_round(self, event: Event) -> list[Verdict]:
        """Say what could not be told of the round, and put its books away."""
        verdicts: list[Verdict] = []
        spoken = {verdict.check for verdict in self._book.verdicts}
        now = self.state.round
        dealt = now is not None and (now.first_card is not None or now.voided is not None)
        unread: dict[Unread, str] = {}  # several checks rest on the same details
        for check, rule in self._wired():
            if (check.own_doubts and dealt) or check.id in spoken:
                continue
            reason = first_gap(check.needs, None, None, self.state, self.settings)
            if not reason and check.unread is not None and now is not None and now.voided is None:
                if check.unread not in unread:
                    moment = Moment(self.state, event, self.state, self.book, self.settings, rule)
                    unread[check.unread] = check.unread(moment)
                reason = unread[check.unread]
            if reason:
                finding = Finding("", "", ruling=Ruling.CANNOT_TELL, reason=reason, events=(event.seq,))
                verdicts.append(self._say(check, rule, finding, event))
        self.rounds.append(self._book)
        return verdicts

    def _wired(self) -> Iterable[tuple[Check, Rule]]:
        """Yield every check in force once."""
        seen: set[str] = set()
        for entries in self._table.values():
            for check, rule in entries:
                if check.id not in seen:
                    seen.add(check.id)
                    yield check, rule

    def _retract(self, event: ev.EventRetracted) -> list[Verdict]:
        """Fold the round anew without an event that did not happen.

        Verdicts stand as they were said: a retraction is a reason to look again, and what follows from the events
        that remain is said if it was not said before.
        """
        kept = [one for one in self._since_round if one.seq != event.retracts]
        said, book = self._said, self._book
        self.state, self._since_round = self._round_start, []
        self._said = {key for key in said if key[1] != book.number}
        self._pending = []
        self._book = RoundBook(book.id, book.number)
        fresh: list[Verdict] = []
        for one in kept:
            fresh += self.feed(one)
        told = {(old.check, old.seat, old.area, old.ruling) for old in book.verdicts}
        new = [one for one in fresh if (one.check, one.seat, one.area, one.ruling) not in told]
        self._book.verdicts = [*book.verdicts, *new]
        self._book.exercised |= book.exercised
        return new
