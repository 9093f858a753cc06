"""The record: every event of every table, appended before it is published, chained by hash; alerts, rounds, cases.

    record = Record.open("sqlite:///pitwatch.db")
    writer = record.claim("CS-1", "nz")
    writer.append(event, verdicts)

SQLite in WAL mode by default, PostgreSQL by URL; the same tests run against both.
"""

from pipeline.errors import ChainBroken, Fenced, RecordAway, RecordError, RecordRefused
from pipeline.record.chain import chained, first_link
from pipeline.record.store import Record
from pipeline.record.writer import Writer

__all__ = [
    "ChainBroken",
    "Fenced",
    "Record",
    "RecordAway",
    "RecordError",
    "RecordRefused",
    "Writer",
    "chained",
    "first_link",
]
