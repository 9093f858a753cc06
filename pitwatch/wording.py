"""Verdicts for people: one block each, worst first, in the terminal."""

from __future__ import annotations

from collections.abc import Iterable

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from engine.events import DEALER
from engine.verdicts import Ruling, Severity, Verdict

STYLES = {
    Severity.CRITICAL: "bold white on red",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}
WORDS = {
    Ruling.VIOLATION: "VIOLATION",
    Ruling.HANDLED: "handled",
    Ruling.CANNOT_TELL: "cannot tell",
    Ruling.OK: "ok",
}


def clock(milliseconds: int) -> str:
    """Return a time of a log as minutes and seconds.

    >>> clock(83_240)
    '1:23.2'
    """
    minutes, rest = divmod(milliseconds, 60_000)
    return f"{minutes}:{rest // 1000:02d}.{rest % 1000 // 100}"


def place(verdict: Verdict) -> str:
    """Return where on the table a verdict lies, in words."""
    if verdict.seat is None:
        return "table"
    where = "dealer" if verdict.seat == DEALER else f"seat {verdict.seat}"
    return where if verdict.area is None else f"{where}, {verdict.area}"


def print_verdicts(verdicts: Iterable[Verdict], console: Console | None = None) -> None:
    """Print verdicts, violations first and worst first; those that cannot be told are one line each."""
    console = console or Console(width=None, highlight=False)
    listed = list(verdicts)
    violations = [one for one in listed if one.ruling is Ruling.VIOLATION]
    for verdict in sorted(violations, key=lambda one: (-one.severity, one.at)):
        _print_violation(console, verdict)
    rest = [one for one in listed if one.ruling in (Ruling.HANDLED, Ruling.CANNOT_TELL)]
    if rest:
        table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
        for heading in ("", "at", "where", "check", "why"):
            table.add_column(heading)
        for verdict in rest:
            table.add_row(
                WORDS[verdict.ruling],
                clock(verdict.at),
                place(verdict),
                verdict.check,
                escape(verdict.reason),
            )
        console.print(table)
    counts = {ruling: sum(one.ruling is ruling for one in listed) for ruling in WORDS}
    console.print(
        f"{counts[Ruling.VIOLATION]} violation(s), {counts[Ruling.HANDLED]} handled, "
        f"{counts[Ruling.CANNOT_TELL]} cannot be told"
    )


def _print_violation(console: Console, verdict: Verdict) -> None:
    style = STYLES[verdict.severity]
    console.print(
        f"[{style}] {verdict.severity.word.upper()} [/] [bold]{escape(verdict.title)}[/]  "
        f"{clock(verdict.at)}  {escape(verdict.table)}  {place(verdict)}"
    )
    rows = (
        ("clause", f"{verdict.rulebook} {verdict.clause}   ({verdict.check})"),
        ("expected", verdict.expected),
        ("observed", verdict.observed),
        ("why", verdict.reason),
        ("rulebook", verdict.consequence),
        ("proof", "events " + ", ".join(str(seq) for seq in verdict.events)),
    )
    for label, text in rows:
        if text:
            console.print(f"    [dim]{label:<9}[/] {escape(text)}")
    console.print()
