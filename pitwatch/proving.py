"""The proving ground without film: choreographed rounds through imperfect eyes, tracker, interpreter and monitor.

A `Trial` is one scene: its truth, what was made of it, and what differs. Thousands of them take minutes, so that a
change to tracking or interpretation can be judged by numbers before a single frame is filmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from calibration.layout import standard_layout
from engine.events import Event
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.verdicts import Ruling, Verdict
from pipeline.interpret import Interpreter
from pipeline.score import AlertScore, EventScore, RoundScore, score_alerts, score_events, score_round
from pitwatch.evaluation import Case
from simulator.choreography import choreograph
from simulator.director import Script
from simulator.film import LONGEST_WAIT
from simulator.observe import STATED, Noise, observe
from simulator.scenarios import catalogue, scenario_names, script_of
from vision.observe import View
from vision.tracks import Tracker

MESSAGES: Final = ("signal:", "operator:")
"""Witnesses whose events arrive as messages, not by camera."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One scene played through noisy eyes."""

    script: Script
    seed: str | int
    found: tuple[Event, ...]
    verdicts: tuple[Verdict, ...]
    events: EventScore
    round: RoundScore
    alerts: AlertScore

    @property
    def name(self) -> str:
        """How to ask for this scene again."""
        return f"{self.script.rulebook}/{self.script.name}/{self.seed}"


def can_be_played(script: Script) -> bool:
    """Whether a scene fits on film: at one table, and not about hours that pass."""
    waits = (b.at - a.at for a, b in pairwise(script.events))
    return not script.linked and all(wait <= LONGEST_WAIT for wait in waits)


def play(script: Script, noise: Noise = STATED, seed: str | int = 0) -> Trial:
    """Play a scene through eyes, tracker, interpreter and monitor, and compare with the truth."""
    layout = standard_layout()
    film = choreograph(script, layout, seed)
    return watch(script, film.script.events, observe(film, layout, noise, seed), seed)


def watch(
    script: Script, truth: Sequence[Event], moments: Iterable[Sequence[View]], seed: str | int = 0
) -> Trial:
    """Play what eyes reported of a scene through tracker, interpreter and monitor."""
    messages = [event for event in truth if event.witness.startswith(MESSAGES)]
    tracker, reader = Tracker(), Interpreter(script.settings, standard_layout())
    found: list[Event] = []
    told = 0
    for views in moments:
        now = views[0].at
        due = told
        while due < len(messages) and messages[due].at <= now:
            due += 1
        found += reader.feed(tracker.update(views), messages[told:due])
        told = due
    found += reader.finish(messages[told:])
    verdicts = Monitor(load_rulebook(script.rulebook), script.settings).feed_all(found)
    return Trial(
        script, seed, tuple(found), tuple(verdicts), score_events(truth, found),
        score_round(truth, found, script.settings.seats), alert_score(script, truth, verdicts),
    )  # fmt: skip


def alert_score(script: Script, truth: Sequence[Event], verdicts: Sequence[Verdict]) -> AlertScore:
    """Alerts against what the script expects; what the monitor says of the truth itself is never a false alert."""
    wanted = [(one.check, one.clause, one.seat) for one in script.expected]
    ideal = Monitor(load_rulebook(script.rulebook), script.settings).feed_all(truth)
    also = {(one.check, one.seat) for one in ideal if one.ruling is Ruling.VIOLATION}
    return score_alerts(wanted, verdicts, script.allowed, also)


def noisy_cases(
    count: int, scenario: str = "clean", rulebook: str | None = None, seed: int = 1, noise: Noise = STATED
) -> Iterator[Case]:
    """Play scripted rounds through noisy eyes: both rulebooks in turn, `irregular` for all that a camera can see."""
    books = (rulebook,) if rulebook else ("nz", "s10")
    if scenario == "irregular":
        names = [name for name in scenario_names(visible_only=True) if name != "clean"]
        orders = [(name, book) for name in names for book in catalogue()[name].rulebooks if book in books]
    else:
        orders = [(scenario, book) for book in books]
    played, turn = 0, 0
    while played < count:
        name, book = orders[turn % len(orders)]
        number = seed + turn // len(orders)
        turn += 1
        script = script_of(name, book, number)
        if not can_be_played(script):
            if turn >= 3 * len(orders) and not played:
                return
            continue
        trial = play(script, noise, number)
        played += 1
        title = f"{script.name}/{number}"
        yield Case(title, book, bool(script.expected), trial.events, trial.round, trial.alerts)
