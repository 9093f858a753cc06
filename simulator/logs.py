"""A script as files: `truth.jsonl`, `signals.jsonl`, `expected.jsonl`, `table.toml`; same seed, same bytes.

`truth.jsonl` is written in the engine's vocabulary, so `pitwatch judge` reads it as it reads a log from a camera.
"""

from __future__ import annotations

import json
from pathlib import Path

from calibration.tablefile import ChipModel, ChipSetModel, LayoutModel, TableModel, save_table
from engine.events.codec import to_line
from engine.settings import TableSettings
from simulator.director import Expected, Script
from simulator.errors import SimulatorError

MESSAGES = ("signal:", "operator:")
"""Witnesses whose events reach the monitor as messages: machines report, operators enter what was said."""
SAID_ELSEWHERE = ("table", "seats", "chip_values")
"""Settings that the table file says in other sections."""

COLOURS = (
    "#f2efe6",
    "#b3202c",
    "#1d7a45",
    "#1a1a1e",
    "#5b2a86",
    "#d9a514",
    "#2b5fa8",
    "#c45a1b",
    "#7a4a2b",
    "#8f9aa3",
)
SPOTS = (
    "#2b4fa8",
    "#f2efe6",
    "#f2efe6",
    "#f2efe6",
    "#e3c94a",
    "#1a1a1e",
    "#f2efe6",
    "#f2efe6",
    "#f2efe6",
    "#1a1a1e",
)


def chip_set(values: tuple[int, ...], name: str = "plain") -> ChipSetModel:
    """Return a chip set for some denominations, for logs that no camera ever filmed."""
    chips = tuple(
        ChipModel(
            value=value,
            label=str(value // 100) if value >= 100 else f".{value:02d}",
            colour=COLOURS[number % len(COLOURS)],
            spots=SPOTS[number % len(SPOTS)],
        )
        for number, value in enumerate(sorted(values))
    )
    return ChipSetModel(name=name, chip=chips)


def carried_settings(settings: TableSettings) -> dict[str, object]:
    """Return the settings that go into the `settings` section of a table file."""
    return {key: value for key, value in settings.to_mapping().items() if key not in SAID_ELSEWHERE}


def table_of(script: Script) -> TableModel:
    """Return the table file of a script that was not filmed: settings and chips, no cameras."""
    return TableModel(
        name=script.settings.table,
        rulebook=script.rulebook,
        layout=LayoutModel(seats=script.settings.seats),
        chips=chip_set(script.settings.chip_values),
        settings=carried_settings(script.settings),  # type: ignore[arg-type]  # checked by the model
    )


def write_script_logs(script: Script, out: Path) -> None:
    """Write the events, the signals among them, and the verdicts that are proper."""
    events = script.events
    _write(out / "truth.jsonl", [to_line(event) for event in events])
    _write(out / "signals.jsonl", [to_line(one) for one in events if one.witness.startswith(MESSAGES)])
    expected = [_plain("violation", one) for one in script.expected]
    handled = [_plain("handled", one) for one in script.handled]
    _write(out / "expected.jsonl", [json.dumps(one, separators=(",", ":")) for one in (*expected, *handled)])


def write_events_only(script: Script, out: Path) -> None:
    """Write a script's logs and its table file, without film."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        write_script_logs(script, out)
        save_table(table_of(script), out / "table.toml")
    except OSError as error:
        raise SimulatorError(f"{out}: cannot be written: {error.strerror}") from None


def _plain(verdict: str, one: Expected) -> dict[str, object]:
    area = None if one.area is None else str(one.area)
    return {"verdict": verdict, "check": one.check, "clause": one.clause, "seat": one.seat, "area": area}


def _write(path: Path, lines: list[str]) -> None:
    path.write_text("".join(line + "\n" for line in lines), encoding="utf-8")
