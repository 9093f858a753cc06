"""Verdicts for people: one block each, worst first, in the terminal."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from engine.events import DEALER
from engine.verdicts import READ, Ruling, Severity, Verdict

STYLES = {
    Severity.CRITICAL: "bold white on red",
    Severity.HIGH: "bold red",
    Severity.MEDIUM: "yellow",
    Severity.LOW: "cyan",
    Severity.INFO: "dim",
}
NAMED = 4
"""How many checks are named of all that one gap in view leaves open."""


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
    """Print verdicts: violations, worst first; then what was put right; then what could not be told, and why."""
    console = console or Console(width=None, highlight=False)
    listed = list(verdicts)
    violations = [one for one in listed if one.ruling is Ruling.VIOLATION]
    handled = [one for one in listed if one.ruling is Ruling.HANDLED]
    untold = [one for one in listed if one.ruling is Ruling.CANNOT_TELL]
    for verdict in sorted(violations, key=lambda one: (-one.severity, one.at)):
        _print_violation(console, verdict)
    if handled:
        _print_rows(console, ("handled", "at", "where", "what"), [_handled_row(one) for one in handled])
    if untold:
        _print_rows(console, ("cannot tell, because", "at", "where", "checks"), _untold_rows(untold))
    console.print(
        f"{counted(len(violations), 'violation')}, {len(handled)} handled, {len(untold)} that cannot be told"
    )


def counted(number: int, noun: str) -> str:
    """Return a number of things in words.

    >>> counted(1, "violation"), counted(2, "violation")
    ('1 violation', '2 violations')
    """
    return f"{number} {noun}{'' if number == 1 else 's'}"


def _handled_row(verdict: Verdict) -> tuple[str, ...]:
    what = f"{verdict.observed}; {verdict.reason}" if verdict.observed else verdict.reason
    return f"{verdict.rulebook} {verdict.clause}", clock(verdict.at), place(verdict), what


def _untold_rows(verdicts: Sequence[Verdict]) -> list[tuple[str, ...]]:
    """Return one row for each reason: what was not seen there concerns many checks alike."""
    groups: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        groups.setdefault(verdict.reason, []).append(verdict)
    rows: list[tuple[str, ...]] = []
    for reason, group in groups.items():
        names = list(dict.fromkeys(one.check for one in group))
        more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
        where = " ".join(dict.fromkeys(place(one) for one in group if one.seat is not None)) or "table"
        rows.append((reason, clock(group[0].at), where, ", ".join(names[:NAMED]) + more))
    return rows


def _print_rows(console: Console, headings: Sequence[str], rows: Iterable[Sequence[str]]) -> None:
    table = Table(box=None, padding=(0, 2, 0, 0), header_style="dim")
    for heading in headings:
        table.add_column(heading, overflow="fold", no_wrap=heading == "at")
    for row in rows:
        table.add_row(*(escape(cell) for cell in row))
    console.print(table)
    console.print()


def _print_violation(console: Console, verdict: Verdict) -> None:
    style = STYLES[verdict.severity]
    console.print(
        f"[{style}] {verdict.severity.word.upper()} [/] [bold]{escape(verdict.title)}[/]  "
        f"{clock(verdict.at)}  {escape(verdict.table)}  {place(verdict)}"
    )
    orders, *readings = verdict.consequence.split(READ)
    rows = (
        ("clause", f"{verdict.rulebook} {verdict.clause}   ({verdict.check})"),
        ("expected", verdict.expected),
        ("observed", verdict.observed),
        ("why", verdict.reason),
        ("rulebook", orders),
        *(("reading", reading) for reading in readings),
        ("proof", f"event {verdict.events[0]}" if len(verdict.events) == 1 else _events(verdict)),
    )
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=12, justify="right", style="dim")
    grid.add_column(overflow="fold")
    for label, text in rows:
        if text:
            grid.add_row(label, escape(text))
    console.print(grid)
    console.print()


def _events(verdict: Verdict) -> str:
    return "events " + ", ".join(str(seq) for seq in verdict.events)
