"""The tables as the room knows them: rulebook, settings, pit and cameras.

Settings come with the record (whoever writes a table's log says under which settings), a table file adds what only a
file knows: the layout and the cameras. A table without either still shows, with the defaults.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from functools import lru_cache
from pathlib import Path

from calibration.tablefile import TableModel, load_table
from engine.errors import BadSettings
from engine.rulebook import SHIPPED, Rulebook, load_rulebook
from engine.settings import TableSettings
from pipeline.record import Record
from pipeline.record.queries import table_row
from pipeline.record.schema import TableRow


@dataclass(frozen=True, slots=True)
class TableInfo:
    """One table: where it stands and under which rules it plays."""

    name: str
    pit: str
    rulebook: str
    settings: TableSettings
    currency: str = "$"
    cameras: tuple[str, ...] = ()
    file: Path | None = None


@dataclass(frozen=True, slots=True)
class House:
    """What the room is told about the house: which pit a table stands in, and where its file lies."""

    pits: Mapping[str, str] = field(default_factory=dict)
    files: Mapping[str, Path] = field(default_factory=dict)
    rulebooks: Mapping[str, str] = field(default_factory=dict)

    def tables(self, record: Record) -> list[TableInfo]:
        """Return all tables of the record, by pit and name."""
        return sorted((self._info(row) for row in record.tables()), key=lambda one: (one.pit, one.name))

    def table(self, record: Record, name: str) -> TableInfo:
        """Return one table."""
        return self._info(table_row(record, name))

    def book(self, rulebook: str) -> Rulebook:
        """Return a rulebook by its id; one of the house's own by its file."""
        return _book(self.rulebooks.get(rulebook, rulebook if rulebook in SHIPPED else SHIPPED[0]))

    def _info(self, row: TableRow) -> TableInfo:
        path = self.files.get(row.name)
        model = None if path is None else _file(path, _changed(path))
        settings = _settings(row)
        return TableInfo(
            name=row.name,
            pit=self.pits.get(row.name, "Floor"),
            rulebook=row.rulebook,
            settings=settings,
            currency="$" if model is None else model.currency,
            cameras=() if model is None else tuple(camera.name for camera in model.cameras),
            file=path,
        )


def _settings(row: TableRow) -> TableSettings:
    """Return the settings that were recorded; whoever wrote none played by the defaults."""
    try:
        data = json.loads(row.settings) if row.settings else {}
        settings = TableSettings.from_mapping(data)
    except (ValueError, TypeError, AttributeError, BadSettings):
        settings = TableSettings()
    return replace(settings, table=row.name)


@lru_cache(maxsize=16)
def _book(name: str) -> Rulebook:
    return load_rulebook(name)


def _changed(path: Path) -> int:
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return 0


@lru_cache(maxsize=64)
def _file(path: Path, changed: int) -> TableModel:
    """Load a table file; `changed` makes an edited file load anew."""
    del changed
    return load_table(path)
