"""Analyses against truth: cards, counts, amounts, events, rounds and alerts, with the worst cases in words.

A folder is what `pitwatch simulate` leaves: `truth.jsonl`, `expected.jsonl`, `table.toml`, `signals.jsonl` and a video
for each camera. Its analysis is made if there is none (`found/events.jsonl`), or again if asked for.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from calibration.tablefile import TableModel
from engine.errors import BadEvent
from engine.events import Event
from engine.events.codec import read_lines
from engine.monitor import Monitor
from engine.rulebook import load_rulebook
from engine.settings import TableSettings
from engine.verdicts import Ruling
from pipeline.analyze import write_analysis
from pipeline.analyze.run import Progress
from pipeline.score import AlertScore, Due, EventScore, RoundScore, score_alerts, score_events, score_round
from pipeline.table import open_watch
from pitwatch.analysis import OpenWatch, analyze_files
from pitwatch.config import load_settings
from pitwatch.errors import BadInput

FOUND: Final = "found"
VIDEOS: Final = (".mp4", ".mkv", ".mov", ".avi", ".ts")


@dataclass(frozen=True, slots=True)
class Case:
    """One scene: what differs between its analysis and the truth."""

    name: str
    rulebook: str
    irregular: bool
    events: EventScore
    round: RoundScore
    alerts: AlertScore
    rounds: int = 1

    @property
    def faults(self) -> int:
        """How much is wrong, for sorting: a false alert weighs most, then one that was missed."""
        wrong = sum(bool(pair.wrong_fields) for pair in self.events.pairs)
        return (
            50 * len(self.alerts.false)
            + 20 * len(self.alerts.missed)
            + 5 * len(self.round.errors)
            + len(self.events.missed)
            + len(self.events.extra)
            + wrong
        )


@dataclass(slots=True)
class Evaluation:
    """Many scenes together."""

    cases: list[Case] = field(default_factory=list)

    def figures(self) -> dict[str, Any]:
        """The figures, as printed and kept."""
        events, rounds, alerts = EventScore(), RoundScore(), AlertScore()
        for case in self.cases:
            events.add(case.events)
            rounds.add(case.round)
            alerts.add(case.alerts)
        clean = [case for case in self.cases if not case.irregular]
        right = sum(case.round.right for case in self.cases)
        return {
            "scenes": len(self.cases),
            "rounds_without_error": _share(right, len(self.cases)),
            "card_identities": _share(rounds.faces_right, rounds.faces),
            "card_counts": _share(rounds.counts_right, rounds.counts),
            "amounts": _share(rounds.amounts_right, rounds.amounts),
            "events_f1": round(events.f1, 4),
            "events_precision": round(events.precision, 4),
            "events_recall": round(events.recall, 4),
            "alerts_due": len(alerts.right) + len(alerts.missed),
            "alerts_recall": round(alerts.recall, 4),
            "alerts_precision": round(alerts.precision, 4),
            "alerts_cannot_tell": len(alerts.open),
            "clean_scenes": len(clean),
            "false_alerts_in_clean": sum(len(case.alerts.false) for case in clean),
            "false_alerts": len(alerts.false),
        }

    def worst(self, count: int = 5) -> list[Case]:
        """The scenes with most faults."""
        return sorted((case for case in self.cases if case.faults), key=lambda one: (-one.faults, one.name))[
            :count
        ]


def _share(part: int, whole: int) -> float:
    return round(part / whole, 4) if whole else 1.0


def words_of(case: Case, most: int = 8) -> list[str]:
    """What is wrong with a scene, in words, the worst first."""
    words = [f"false alert: {one.check}, seat {one.seat}: {one.observed}" for one in case.alerts.false]
    words += [f"not alerted: {check} ({clause}), seat {seat}" for check, clause, seat in case.alerts.missed]
    words += case.round.errors
    words += [f"missed: {_event_words(one)}" for one in case.events.missed]
    words += [f"made up: {_event_words(one)}" for one in case.events.extra]
    for pair in case.events.pairs:
        words += [f"wrong {name}: {_event_words(pair.true)}" for name in pair.wrong_fields]
    return words[:most] + ([f"and {len(words) - most} more"] if len(words) > most else [])


def _event_words(event: Event) -> str:
    seat = getattr(event, "seat", None)
    where = "" if seat is None else f" seat {seat}"
    return f"{type(event).__name__}{where} at {event.at / 1000:.2f} s"


def evaluate_folder(
    folder: Path,
    again: bool = False,
    progress: Progress | None = None,
    opener: OpenWatch = open_watch,
    found: str = FOUND,
) -> Case:
    """Compare the analysis of a folder with its truth; makes the analysis if there is none."""
    model, settings = load_settings(folder / "table.toml")
    truth = read_log(folder / "truth.jsonl", settings)
    out = folder / found
    if again or not (out / "events.jsonl").is_file():
        videos = films_in(folder, model)
        signals = folder / "signals.jsonl"
        done = analyze_files(
            videos, folder / "table.toml", model.rulebook, signals if signals.is_file() else None,
            progress=progress, opener=opener,
        )  # fmt: skip
        write_analysis(done, out)
    return compare(
        folder.name, model.rulebook, settings, truth, read_log(out / "events.jsonl", settings), due_in(folder)
    )


def films_in(folder: Path, model: TableModel) -> list[Path]:
    """The videos of a folder: those that are named after a camera."""
    names = {camera.name for camera in model.cameras}
    found = [path for path in sorted(folder.iterdir()) if path.suffix in VIDEOS and path.stem in names]
    if not found:
        raise BadInput(f"{folder}: no video is named after a camera ({', '.join(sorted(names)) or 'none'})")
    return found


def due_in(folder: Path) -> list[Due]:
    """The alerts that are due, from `expected.jsonl`."""
    path = folder / "expected.jsonl"
    try:
        lines = path.read_text(encoding="utf-8").splitlines()
        rows = [json.loads(line) for line in lines if line.strip()]
        return [(row["check"], row["clause"], row["seat"]) for row in rows if row["verdict"] == "violation"]
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except (ValueError, KeyError, TypeError):
        raise BadInput(f"{path}: not a list of expected verdicts") from None


def compare(
    name: str,
    rulebook: str,
    settings: TableSettings,
    truth: Sequence[Event],
    found: Sequence[Event],
    due: Sequence[Due],
) -> Case:
    """Compare two logs of one scene; what the monitor says of the truth itself is never a false alert."""
    book = load_rulebook(rulebook)
    ideal = Monitor(book, settings).feed_all(truth)
    also = {(one.check, one.seat) for one in ideal if one.ruling is Ruling.VIOLATION}
    verdicts = Monitor(book, settings).feed_all(found)
    return Case(
        name, rulebook, bool(due), score_events(truth, found), score_round(truth, found, settings.seats),
        score_alerts(due, verdicts, (), also),
    )  # fmt: skip


def read_log(path: Path, settings: TableSettings) -> list[Event]:
    """The events of one table in a log."""
    try:
        with path.open(encoding="utf-8") as file:
            return [event for event in read_lines(file, str(path)) if event.table == settings.table]
    except OSError as error:
        raise BadInput(f"{path}: {(error.strerror or str(error)).lower()}") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: not a text file in UTF-8") from None
    except BadEvent as error:
        raise BadInput(str(error)) from None


def folders_in(paths: Iterable[Path]) -> list[Path]:
    """The scenes under some folders: a folder with `truth.jsonl`, or those just below it."""
    found: list[Path] = []
    for path in paths:
        if (path / "truth.jsonl").is_file():
            found.append(path)
            continue
        below = sorted(one.parent for one in path.glob("*/truth.jsonl"))
        if not below:
            raise BadInput(f"{path}: neither it nor a folder in it holds truth.jsonl")
        found += below
    return found
