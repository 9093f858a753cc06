"""The real eyes as the live processes see them."""

from __future__ import annotations

from collections.abc import Sequence

from calibration.tablefile import TableModel
from engine.settings import TableSettings
from pipeline.errors import SiteError
from pipeline.live.watcher import Watcher


def make_sight(model: TableModel, settings: TableSettings, cameras: Sequence[str], first_seq: int) -> Watcher:
    """Return the eyes and the interpretation of one table."""
    raise SiteError(f"table {model.name}: give it a script: the eyes are not wired yet")
