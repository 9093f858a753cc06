"""Stories as one page of HTML that stands alone: no script, no font, no picture from anywhere else."""

from __future__ import annotations

import base64
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from jinja2 import Environment, PackageLoader, StrictUndefined

from engine.cards import Card
from engine.money import format_amount
from engine.verdicts import Ruling, Verdict
from pipeline.reconstruct.story import Story
from pipeline.reconstruct.words import card_words, seat_words

RED_SUITS = "dh"
TIME_OF_DAY = 10**11
"""From here on (ms) a time is a Unix time: no film is three years long."""
ORDER = {Ruling.VIOLATION: 0, Ruling.HANDLED: 1, Ruling.CANNOT_TELL: 2, Ruling.OK: 3}


def clock(milliseconds: int) -> str:
    """Return a time of the log: since its beginning, or (live) the time of day.

    >>> clock(3_723_240)
    '1:02:03.24'
    >>> clock(1_795_010_458_142)
    '2026-11-18 14:00:58.14 UTC'
    """
    if milliseconds >= TIME_OF_DAY:
        moment = datetime.fromtimestamp(milliseconds // 1000, UTC)
        return f"{moment:%Y-%m-%d %H:%M:%S}.{milliseconds % 1000 // 10:02d} UTC"
    minutes, rest = divmod(milliseconds, 60_000)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02d}:{rest // 1000:02d}.{rest % 1000 // 10:02d}"


def _card_class(card: Card) -> str:
    if not card.known:
        return "unread"
    return "red" if card.label[1] in RED_SUITS else "black"


def sort_verdicts(verdicts: Sequence[Verdict]) -> list[Verdict]:
    """Return verdicts as a reader wants them: the worst first."""
    return sorted(verdicts, key=lambda one: (ORDER[one.ruling], -one.severity, one.at))


def _environment() -> Environment:
    found = Environment(
        loader=PackageLoader("pipeline.reconstruct", "templates"),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    found.filters |= {
        "clock": clock,
        "money": lambda cents: "?" if cents is None else format_amount(cents),
        "card": lambda card: card_words(card) if card.known else "??",
        "card_class": _card_class,
        "seat": seat_words,
        "sorted_verdicts": sort_verdicts,
    }
    return found


def report_html(
    stories: Sequence[Story],
    title: str,
    pictures: Mapping[tuple[str, int], bytes] | None = None,
    notes: Sequence[str] = (),
) -> str:
    """Return the report of some rounds; `pictures` are JPEG stills by round and event number, `notes` come first."""
    inline = {
        key: "data:image/jpeg;base64," + base64.b64encode(data).decode()
        for key, data in (pictures or {}).items()
    }
    page = _environment().get_template("report.html.j2")
    return page.render(stories=stories, title=title, pictures=inline, notes=notes)
