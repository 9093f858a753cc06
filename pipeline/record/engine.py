"""The connection: SQLite as a log that survives a pulled plug, PostgreSQL by URL, foreign errors mapped to ours."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from sqlalchemy import Engine, event
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, NoSuchModuleError, OperationalError
from sqlmodel import Session, create_engine

from pipeline.errors import RecordAway, RecordRefused

BUSY_SECONDS = 5.0


def connect(url: str) -> Engine:
    """Return an engine for a URL (`sqlite:///file.db` or `postgresql://…`)."""
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise RecordRefused(f"record: {url!r} is not a database URL such as sqlite:///pitwatch.db") from None
    kind = parsed.get_backend_name()
    if kind == "sqlite":
        if parsed.database:
            _make_folder(Path(parsed.database).parent)
        engine = create_engine(parsed, connect_args={"timeout": BUSY_SECONDS})
        _tune_sqlite(engine)
        return engine
    if kind == "postgresql":
        try:
            driver = parsed.set(drivername="postgresql+psycopg")
            return create_engine(driver, pool_pre_ping=True, connect_args={"connect_timeout": 5})
        except (NoSuchModuleError, ModuleNotFoundError):
            raise RecordRefused(
                "record: PostgreSQL needs psycopg: pip install 'pitwatch[postgres]'"
            ) from None
    raise RecordRefused(f"record: {kind} is not supported; use sqlite or postgresql")


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise RecordAway(f"record: {folder}: {error.strerror}") from None


def _tune_sqlite(engine: Engine) -> None:
    """WAL with full sync: readers never wait, and what was committed is on the disk."""

    @event.listens_for(engine, "connect")
    def _on_connect(connection: Any, _: Any) -> None:
        connection.isolation_level = None  # transactions are begun below, so that writers queue up front
        for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON"):
            connection.execute(f"PRAGMA {pragma}")

    @event.listens_for(engine, "begin")
    def _on_begin(connection: Any) -> None:
        readonly = connection.get_execution_options().get("readonly", False)
        connection.exec_driver_sql("BEGIN" if readonly else "BEGIN IMMEDIATE")


@contextmanager
def reading(engine: Engine) -> Iterator[Session]:
    """A session that only reads, at one moment of the record."""
    with mapped(), Session(engine.execution_options(readonly=True)) as session:
        yield session


@contextmanager
def writing(engine: Engine) -> Iterator[Session]:
    """A session whose changes become durable together at the end, or not at all."""
    with mapped(), Session(engine) as session, session.begin():
        yield session


@contextmanager
def mapped() -> Iterator[None]:
    """Turn the driver's errors into ours."""
    try:
        yield
    except OperationalError as error:
        raise RecordAway(f"record: {_first_line(error)}") from error
    except DBAPIError as error:
        if error.connection_invalidated:
            raise RecordAway(f"record: {_first_line(error)}") from error
        raise RecordRefused(f"record: {_first_line(error)}") from error


def _first_line(error: DBAPIError) -> str:
    text = str(error.orig or error).strip().splitlines()
    return text[0] if text else type(error).__name__
