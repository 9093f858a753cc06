"""Databases for the record's tests: a file each time, and one throw-away PostgreSQL server on a Unix socket."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from pipeline.record import Record

collect_ignore = ["rtsp_server.py"]
"""A program for the system's Python, which has GStreamer's bindings; it is started, never imported."""


def _program(name: str) -> str:
    """Return a PostgreSQL program; Debian keeps them off the path."""
    found = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
    if found:
        return str(found[-1])
    program = shutil.which(name)
    assert program is not None, "PostgreSQL is missing: apt-get install postgresql"
    return program


@pytest.fixture(scope="session")
def postgres() -> Iterator[str]:
    """Start a server that only this run can reach; yields the socket's folder."""
    user = "postgres" if os.geteuid() == 0 else None  # the server refuses to run as root
    folder = Path(tempfile.mkdtemp(prefix="pw-pg-"))
    if user:
        shutil.chown(folder, user, user)
    data = folder / "data"
    run = {
        "user": user,
        "cwd": folder,
        "check": True,
        "capture_output": True,
        "env": {"LC_ALL": "C", "PATH": ""},
    }
    subprocess.run(
        [_program("initdb"), "-D", str(data), "-A", "trust", "-U", "pitwatch", "-E", "UTF8"], **run
    )
    options = f"-k {folder} -c listen_addresses= -c fsync=off"
    control = _program("pg_ctl")
    log = str(folder / "log")
    subprocess.run([control, "-D", str(data), "-l", log, "-w", "-o", options, "start"], **run)
    try:
        yield str(folder)
    finally:
        subprocess.run([control, "-D", str(data), "-m", "immediate", "stop"], **run)
        shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres: str, request: pytest.FixtureRequest) -> str:
    """A new, empty database on the server."""
    name = f"t{abs(hash(request.node.nodeid)):x}"
    with psycopg.connect(host=postgres, user="pitwatch", dbname="postgres", autocommit=True) as connection:
        connection.execute(f'CREATE DATABASE "{name}"')
    return f"postgresql://pitwatch@/{name}?host={postgres}"


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The same tests for both databases."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'record.db'}"
    found: str = request.getfixturevalue("postgres_url")
    return found


@pytest.fixture
def record(url: str) -> Iterator[Record]:
    opened = Record.open(url)
    yield opened
    opened.close()
