"""From files to the engine's values: where a table file meets the game.

The table file is calibration's (where things are) and carries the house's settings for the game; calibration does not
know the game, so they are joined here.
"""

from __future__ import annotations

from pathlib import Path

from calibration.tablefile import TableModel, load_table
from engine.errors import BadSettings
from engine.settings import TableSettings
from pitwatch.errors import BadInput


def settings_of(table: TableModel, origin: str) -> TableSettings:
    """Return the engine's settings of a table; `origin` names the file in errors.

    The table's name, seats and chip values are those of the file's other sections, so that they are said once.
    """
    for key in ("table", "seats", "chip_values"):
        if key in table.settings:
            raise BadInput(f"{origin}: settings.{key}: belongs to another section of the file")
    data = dict(table.settings) | {
        "table": table.name,
        "seats": table.layout.seats,
        "chip_values": sorted(chip.value for chip in table.chips.chip),
    }
    try:
        return TableSettings.from_mapping(data)
    except BadSettings as error:
        raise BadInput(f"{origin}: settings.{error}") from None


def load_settings(path: Path) -> tuple[TableModel, TableSettings]:
    """Load a table file and the game's settings in it."""
    table = load_table(path)
    return table, settings_of(table, str(path))
