"""The coverage page: every clause of the rulebooks, first to last, with the checks that guard it or why none does."""

from __future__ import annotations

from collections.abc import Iterable

from engine.checks import CHECKS
from engine.rulebook import Rulebook


def coverage_page(books: Iterable[Rulebook]) -> str:
    """Return the page in Markdown; `docs/coverage.md` is its output and a test keeps it so."""
    parts = [
        "# What the monitor checks, clause by clause",
        "Made by `pitwatch rules --markdown`. Each rulebook from its first clause to its last, in our words, with the "
        "checks that guard it or the reason why none does; then every check; then how unclear passages are read. A "
        "reading is a setting of the rulebook: a file that extends it sets `[readings.NAME] value`.",
    ]
    for book in books:
        parts += [f"## {book.id}: {book.title}", _clauses(book), f"### Checks under {book.id}", _checks(book)]
        if book.readings:
            parts += [f"### How {book.id} is read where it is unclear", _readings(book)]
    return "\n\n".join(parts) + "\n"


def _cell(text: str) -> str:
    return " ".join(text.split()).replace("|", "\\|")


def _table(headings: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = ["| " + " | ".join(headings) + " |", "|" + "---|" * len(headings)]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _clauses(book: Rulebook) -> str:
    rows = (
        (clause.id, clause.says, ", ".join(f"`{id}`" for id in clause.checks) or f"none: {clause.why_none}")
        for clause in book.clauses
    )
    return _table(("clause", "it says", "checks"), rows)


def _checks(book: Rulebook) -> str:
    rows = (
        (
            f"`{id}`",
            CHECKS[id].title,
            rule.clause,
            rule.severity.word,
            ", ".join(CHECKS[id].needs),
            rule.consequence or "nothing ordered",
        )
        for id, rule in book.rules.items()
    )
    return _table(
        ("check", "what it finds", "clause", "severity", "needs to see", "the rulebook orders"), rows
    )


def _readings(book: Rulebook) -> str:
    readings = (book.readings or {}).values()
    rows = (
        (
            f"`{one.id}`",
            one.clause,
            one.text,
            _plain(one.value),
            ", ".join(_plain(value) for value in one.values if value != one.value) or "none",
            ", ".join(f"`{id}`" for id in one.checks) or "none by itself",
        )
        for one in readings
    )
    headings = ("setting", "clause", "reading taken", "default", "other values", "shown with alerts of")
    return _table(headings, rows)


def _plain(value: object) -> str:
    return f"`{str(value).lower() if isinstance(value, bool) else value}`"
