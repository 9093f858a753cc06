"""Stories as a PDF: the report for paper and for a court's file system, made without a browser or a network.

The fonts are those that every PDF reader has, so suits are written as letters (10h, Ks) and never as symbols.
"""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from typing import Final

from fpdf import FPDF
from fpdf.enums import XPos, YPos

from engine.cards import Card
from engine.money import format_amount
from engine.verdicts import Verdict
from pipeline.reconstruct.report import clock, sort_verdicts
from pipeline.reconstruct.story import SeatStory, Story
from pipeline.reconstruct.words import seat_words

SUITS: Final = {"♣": "c", "♦": "d", "♥": "h", "♠": "s"}
PLAIN: Final = str.maketrans({**SUITS, "“": '"', "”": '"', "’": "'", "–": "-", "…": "..."})
FONT: Final = "Helvetica"
HEADINGS: Final = {"violation": "", "handled": "Handled: ", "cannot_tell": "Cannot tell: ", "ok": "OK: "}


def plain(text: str) -> str:
    """Return text that the standard fonts can show; what they cannot is a question mark, never an error.

    >>> plain("10♦ was read")
    '10d was read'
    """
    return text.translate(PLAIN).encode("latin-1", "replace").decode("latin-1")


class _Paper(FPDF):
    """A page with its number at the foot."""

    def footer(self) -> None:
        """Write the page's number."""
        self.set_y(-12)
        self.set_font(FONT, size=8)
        self.cell(0, 6, f"page {self.page_no()} of {{nb}}", align="C")

    def line_of(self, text: str, size: float = 9, bold: bool = False, indent: float = 0) -> None:
        """Write one paragraph."""
        self.set_font(FONT, "B" if bold else "", size)
        self.set_x(self.l_margin + indent)
        self.multi_cell(0, size * 0.5, plain(text), new_x=XPos.LMARGIN, new_y=YPos.NEXT)


def report_pdf(
    stories: Sequence[Story], title: str, pictures: Mapping[tuple[str, int], bytes] | None = None
) -> bytes:
    """Return the report of some rounds; `pictures` are JPEG stills by round and event number."""
    paper = _Paper()
    paper.set_title(plain(title))
    paper.set_creator("pitwatch")
    paper.set_auto_page_break(True, 16)
    paper.add_page()
    paper.line_of(title, 16, bold=True)
    for story in stories:
        _story(paper, story, pictures or {})
    return bytes(paper.output())


def _story(paper: _Paper, story: Story, pictures: Mapping[tuple[str, int], bytes]) -> None:
    paper.ln(3)
    paper.line_of(f"Table {story.table}, round {story.round}", 13, bold=True)
    state = (", void" if story.void else "") + ("" if story.complete else ", its end was not seen")
    paper.line_of(f"{clock(story.start)} to {clock(story.end)}{state}")
    _heading(paper, "What was found")
    for verdict in sort_verdicts(story.verdicts):
        _verdict(paper, verdict, pictures.get((story.round, verdict.seq)))
    if not story.verdicts:
        paper.line_of("Nothing: every check that applies was passed.")
    _heading(paper, "Hands and money")
    for seat in story.seats:
        paper.line_of(_seat(seat))
    if story.unseen:
        _heading(paper, "What could not be seen")
        for one in story.unseen:
            paper.line_of(f"{one.zone}: {one.why}")
    _heading(paper, "Timeline")
    for moment in story.timeline:
        sure = "" if moment.confidence >= 0.995 else f", {moment.confidence:.0%}"
        paper.line_of(f"{clock(moment.at)}  #{moment.seq}  {moment.text}  ({moment.witness}{sure})", 8)


def _heading(paper: _Paper, text: str) -> None:
    paper.ln(2)
    paper.line_of(text, 11, bold=True)


def _verdict(paper: _Paper, one: Verdict, picture: bytes | None) -> None:
    ruling = str(one.ruling)
    head = f"{one.severity.word.upper()}: " if ruling == "violation" else HEADINGS[ruling]
    paper.line_of(f"{head}{one.title}", 10, bold=True)
    where = seat_words(one.seat) if one.seat is not None else "the table"
    rows = [
        ("where", f"{where}{f', {one.area}' if one.area else ''}, at {clock(one.at)}"),
        ("clause", f"{one.rulebook} {one.clause} ({one.check})"),
        ("expected", one.expected),
        ("observed", one.observed),
        ("why", one.reason),
        ("the rulebook", one.consequence),
    ]
    for name, text in rows:
        if text:
            paper.line_of(f"{name}: {text}", indent=4)
    if picture is not None:
        if paper.get_y() > paper.h - 110:
            paper.add_page()
        paper.image(io.BytesIO(picture), w=150)
    paper.ln(1)


def _card(card: Card) -> str:
    return card.label.replace("T", "10") if card.known else "??"


def _seat(seat: SeatStory) -> str:
    cards = " ".join(_card(card) for card in seat.cards)
    wagers = "; ".join(
        f"{one.area} {'?' if one.staked is None else format_amount(one.staked)}: {one.end}"
        for one in seat.wagers
    )
    return " | ".join(
        part for part in (seat_words(seat.seat), cards, seat.hand, seat.decision, wagers) if part
    )
