"""Where shipped data lies: beside the packages in a checkout, inside `pitwatch` in an installed wheel."""

from __future__ import annotations

from pathlib import Path

from pitwatch.errors import BadInput

HERE = Path(__file__).resolve().parent


def shipped(kind: str) -> Path:
    """Return the folder of shipped `datasets` or `models`."""
    for folder in (HERE / f"_{kind}", HERE.parent / kind):
        if folder.is_dir():
            return folder
    raise BadInput(f"{kind}: the shipped {kind} are missing from this installation")
