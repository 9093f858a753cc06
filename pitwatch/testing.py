"""For tests: analyse this clip, expect these events and these alerts.

    def test_a_late_bet_is_alerted(analyze_clip):
        found = analyze_clip("clips/late-bet")
        found.expect_events(("WagerPlaced", {"seat": 3, "area": "bet"}))
        found.expect_alerts(("wager.late", 3))

The fixture `analyze_clip` comes with the package as a pytest plugin (`-p pitwatch.testing`, or `pytest_plugins =
["pitwatch.testing"]` in a conftest). A clip is a folder as `pitwatch simulate` leaves it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from calibration.tablefile import load_table
from engine.events import Event
from pipeline.analyze import Analysis
from pipeline.table import open_watch
from pitwatch.analysis import OpenWatch, analyze_files
from pitwatch.evaluation import Case, compare, due_in, films_in, read_log

Wanted = tuple[str, Mapping[str, Any]]


@dataclass(frozen=True, slots=True)
class Found:
    """An analysis with questions to ask of it."""

    analysis: Analysis
    folder: Path

    def events(self, kind: str, **fields: Any) -> list[Event]:
        """The events of a kind whose fields have these values."""
        named = [one for one in self.analysis.events if type(one).__name__ == kind]
        return [
            one
            for one in named
            if all(_text(getattr(one, key)) == _text(value) for key, value in fields.items())
        ]

    def expect_events(self, *wanted: Wanted) -> None:
        """Fail unless these events are in the log, in this order."""
        last = -1
        for kind, fields in wanted:
            later = [one for one in self.events(kind, **fields) if one.seq > last]
            assert later, f"no {kind} with {dict(fields)} after event {last}"
            last = later[0].seq

    def expect_alerts(self, *wanted: tuple[str, int | None]) -> None:
        """Fail unless exactly these checks are alerted at these seats."""
        given = sorted({(one.check, one.seat) for one in self.analysis.violations}, key=str)
        assert given == sorted(set(wanted), key=str), f"alerted: {given}"

    def case(self) -> Case:
        """The analysis against the clip's own truth."""
        settings = self.analysis.settings
        truth = read_log(self.folder / "truth.jsonl", settings)
        return compare(
            self.folder.name,
            self.analysis.rulebook,
            settings,
            truth,
            self.analysis.events,
            due_in(self.folder),
        )


def _text(value: Any) -> str:
    return str(value)


def analyze_folder(folder: Path | str, opener: OpenWatch = open_watch) -> Found:
    """Analyse the clip in a folder."""
    folder = Path(folder)
    table = folder / "table.toml"
    model = load_table(table)
    signals = folder / "signals.jsonl"
    heard = signals if signals.is_file() else None
    done = analyze_files(films_in(folder, model), table, model.rulebook, heard, opener=opener)
    return Found(done, folder)


with suppress(ModuleNotFoundError):  # the package works without pytest; its plugin does not
    import pytest

    @pytest.fixture(scope="session")
    def analyze_clip() -> Callable[..., Found]:
        """Analyse a folder with clip, once in a test run."""
        kept: dict[Path, Found] = {}

        def analysed(folder: Path | str, opener: OpenWatch = open_watch) -> Found:
            path = Path(folder).resolve()
            if path not in kept:
                kept[path] = analyze_folder(path, opener)
            return kept[path]

        return analysed
