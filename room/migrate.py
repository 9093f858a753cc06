"""Bring the room's own tables up to date; their version is kept apart from the record's."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from alembic import command
from alembic.config import Config
from sqlalchemy import Engine

from pipeline.record.engine import mapped

SCRIPTS: Final = Path(__file__).parent / "migrations"
VERSION_TABLE: Final = "room_version"


def migrate(engine: Engine) -> None:
    """Upgrade to the newest schema."""
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    with mapped(), engine.begin() as connection:
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
