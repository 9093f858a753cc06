"""Table files: what is wrong is named in one line, and areas of both sides of the table can lie elsewhere."""

from __future__ import annotations

from pathlib import Path

import pytest

from calibration.errors import TableFileError
from calibration.tablefile import dump_table, load_table, parse_table

CHIPS = (
    '[chips]\nname = "x"\n[[chips.chip]]\nvalue = 100\nlabel = "1"\ncolour = "#ffffff"\nspots = "#000000"\n'
)
TRAY = (
    '[[layout.overrides]]\nseat = 0\narea = "tray"\ncentre = [10.0, 70.0]\nwidth = 480.0\n'
    "depth = 90.0\ndirection = 90.0\n"
)


def test_the_dealers_areas_can_lie_elsewhere() -> None:
    table = parse_table(CHIPS + TRAY)
    layout = table.build_layout()
    assert layout.tray.centre == (10.0, 70.0)
    assert layout.tray.width == 480.0
    assert layout.rack.centre == (560.0, 62.0)
    assert parse_table(dump_table(table)) == table


@pytest.mark.parametrize(
    "text, said",
    [
        (CHIPS + TRAY.replace("seat = 0", "seat = 2"), "tray belongs to the dealer's side"),
        (CHIPS + TRAY.replace('"tray"', '"ante"'), "ante belongs to a seat"),
        (
            CHIPS + "[layout]\nseats = 3\n" + TRAY.replace("seat = 0", "seat = 4").replace("tray", "bet"),
            "no seat 4",
        ),
        ("naem = 1\n" + CHIPS, "t.toml: naem: no such field"),
    ],
)
def test_what_is_wrong_is_named(text: str, said: str) -> None:
    with pytest.raises(TableFileError, match=said) as caught:
        parse_table(text, "t.toml")
    assert "\n" not in str(caught.value)


def test_a_missing_or_binary_file_is_one_line(tmp_path: Path) -> None:
    with pytest.raises(TableFileError, match="no such file or directory"):
        load_table(tmp_path / "none.toml")
    (tmp_path / "t.toml").write_bytes(b"\xec\x00")
    with pytest.raises(TableFileError, match="not a text file in UTF-8"):
        load_table(tmp_path / "t.toml")
