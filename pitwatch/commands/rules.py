"""`pitwatch rules`: every check with clause, severity, witnesses and consequence; or the coverage page."""

from __future__ import annotations

import argparse
import json
from typing import Any

from rich import box
from rich.console import Console
from rich.markup import escape
from rich.table import Table

from engine.checks import CHECKS
from engine.rulebook import SHIPPED, Rulebook, load_rulebook
from pitwatch.commands.common import add_parser, add_rulebook
from pitwatch.coverage import coverage_page


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "rules",
        "list every check with its clause, severity, witnesses and consequence",
        "pitwatch rules --rulebook nz\n  pitwatch rules --markdown > docs/coverage.md",
    )
    add_rulebook(parser, required=False)
    parser.add_argument("--json", action="store_true", help="write one JSON document")
    parser.add_argument(
        "--markdown", action="store_true", help="write the coverage page: every clause and what guards it"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """List the checks."""
    books = [load_rulebook(name) for name in ([args.rulebook] if args.rulebook else SHIPPED)]
    if args.markdown:
        print(coverage_page(books), end="")
    elif args.json:
        print(json.dumps({book.id: _plain(book) for book in books}, ensure_ascii=False, indent=1))
    else:
        for book in books:
            _print(book)
    return 0


def _plain(book: Rulebook) -> dict[str, Any]:
    return {
        id: {
            "title": CHECKS[id].title,
            "clause": rule.clause,
            "severity": rule.severity.word,
            "needs": list(CHECKS[id].needs),
            "remedy": rule.remedy,
            "consequence": rule.consequence,
        }
        for id, rule in book.rules.items()
    }


def _print(book: Rulebook) -> None:
    """Print the checks by moment of the round, then how unclear passages are read."""
    console = Console(highlight=False)
    title = f"{book.id}: {book.title}, {len(book.rules)} checks"
    table = Table(title=title, title_justify="left", title_style="bold", box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("check", "clause", "severity", "what it finds", "needs to see", "the rulebook orders"):
        table.add_column(heading, overflow="fold")
    moment = ""
    for id, rule in book.rules.items():
        if moment and not id.startswith(moment):
            table.add_section()
        moment = id.split(".")[0]
        needs = ", ".join(need.replace("signal:", "signal ") for need in CHECKS[id].needs)
        cells = (id, rule.clause, rule.severity.word, CHECKS[id].title, needs, rule.consequence)
        table.add_row(*map(escape, cells))
    console.print(table)
    if book.readings:
        console.print(f"[bold]How {book.id} is read where it is unclear[/]")
        for one in book.readings.values():
            console.print(
                f"  [bold]{escape(one.clause)}[/]  {escape(one.text)} [dim]({one.id} = {one.value})[/]"
            )
        console.print()
