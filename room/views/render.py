"""Pages from templates: one environment, strict about what is missing, escaping everything."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any

from fastapi import Request
from fastapi.responses import HTMLResponse
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from markupsafe import Markup

from engine.money import format_amount
from engine.verdicts import Severity
from pipeline.reconstruct.report import clock
from pipeline.record.queries import heads, open_violations
from room.people import Visitor
from room.services import Room

TEMPLATES = Path(__file__).parents[1] / "templates"
SUITS = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}


def wall(milliseconds: int | None, form: str = "%H:%M:%S") -> str:
    """Return a Unix time as the wall says it (UTC; the page's script turns it into local time)."""
    if milliseconds is None:
        return "–"
    return datetime.fromtimestamp(milliseconds / 1000, UTC).strftime(form)


def money(cents: int | None) -> str:
    """Return an amount, or that it was not seen."""
    if cents is None:
        return "?"
    text = format_amount(cents)
    return text.removesuffix(".00")


def card(label: str) -> str:
    """Return a card as people write it.

    >>> card("Td"), card("??")
    ('10♦', '?')
    """
    if label[1:] not in SUITS:
        return "?"
    return ("10" if label[0] == "T" else label[0]) + SUITS[label[1]]


def when(milliseconds: int | None, form: str = "time") -> Markup:
    """Return a time that the page's script shows in the house's time zone."""
    if milliseconds is None:
        return Markup("–")
    moment = datetime.fromtimestamp(milliseconds / 1000, UTC)
    text = moment.strftime("%d %b %H:%M:%S" if form == "full" else "%H:%M:%S")
    iso = moment.strftime("%Y-%m-%dT%H:%M:%S.000Z")
    return Markup('<time datetime="{}" data-form="{}">{}</time>').format(iso, form, text)


def seat_name(seat: int | None) -> str:
    """Return a seat as a label."""
    if seat is None:
        return "Table"
    return "Dealer" if seat == 0 else f"Seat {seat}"


def upfirst(text: str) -> str:
    """Return a text that begins with a capital, the rest as it is.

    >>> upfirst("seat 6 loses under nz 5.9")
    'Seat 6 loses under nz 5.9'
    """
    return text[:1].upper() + text[1:]


def span(milliseconds: int) -> str:
    """Return how long something took, for people.

    >>> span(900), span(83_000), span(7_500_000)
    ('0.9 s', '1 min 23 s', '2 h 5 min')
    >>> span(300_000_000)
    '3 days'
    """
    seconds = milliseconds / 1000
    if seconds < 60:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s"
    return f"{minutes // 60} h {minutes % 60} min" if minutes < 2880 else f"{minutes // 1440} days"


def size(count: float) -> str:
    """Return a number of bytes for people.

    >>> size(1536), size(5_000_000_000)
    ('1.5 KB', '4.7 GB')
    """
    for unit in ("B", "KB", "MB", "GB"):
        if count < 1024:
            return f"{count:.0f} {unit}" if unit == "B" else f"{count:.1f} {unit}"
        count /= 1024
    return f"{count:.1f} TB"


def island(data: Any) -> Markup:
    """Return data for a script block of type application/json; nothing in it can end the block."""
    text = json.dumps(data, ensure_ascii=False, separators=(",", ":"))
    safe = text.replace("&", "\\u0026").replace("<", "\\u003c").replace(">", "\\u003e")
    return Markup(safe)  # noqa: S704  # the only characters that matter to HTML are written as escapes


@lru_cache(maxsize=1)
def environment() -> Environment:
    """Return the one environment of templates."""
    found = Environment(
        loader=FileSystemLoader(TEMPLATES),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "wall": wall,
        "when": when,
        "money": money,
        "card": card,
        "clock": clock,
        "seat": seat_name,
        "upfirst": upfirst,
        "size": size,
        "span": span,
        "island": island,
    }
    return found


def page(
    request: Request,
    template: str,
    visitor: Visitor | None,
    data: Mapping[str, Any],
    status: int = 200,
    headers: Mapping[str, str] | None = None,
) -> HTMLResponse:
    """Return a page with the frame around it: who is here, how many alerts are open, where the push takes up."""
    room: Room = request.app.state.room
    frame: dict[str, Any] = {"me": visitor, "path": request.url.path, "demo": room.config.demo}
    if visitor is not None:
        alert, action = heads(room.record)
        numbers = open_violations(room.record)
        frame |= {
            "cursor": f"{alert}.{action}",
            "open_counts": {one.word: numbers.get(int(one), 0) for one in reversed(Severity)},
            "open_total": sum(numbers.values()),
        }
    text = environment().get_template(template).render(**frame, **data)
    return HTMLResponse(text, status, dict(headers or {}))
