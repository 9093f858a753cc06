"""Bring a record's schema up to date with Alembic, whose scripts ship inside the package."""

from __future__ import annotations

from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Engine

from pipeline.errors import RecordRefused

SCRIPTS = Path(__file__).parent / "migrations"


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(SCRIPTS))
    return config


def migrate(engine: Engine) -> None:
    """Upgrade to the newest schema; a record of a newer version is refused, not guessed at."""
    config = _config()
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    with engine.begin() as connection:
        current = MigrationContext.configure(connection).get_current_revision()
        if current is not None and current not in known:
            raise RecordRefused(f"record: its schema {current} is newer than this version of Pitwatch")
        config.attributes["connection"] = connection
        command.upgrade(config, "head")
