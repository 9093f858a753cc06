"""Rebuild a round from its events, in words and pictures."""

from pipeline.reconstruct.pdf import report_pdf
from pipeline.reconstruct.rack import RebuiltHand, expected_rack, rebuild
from pipeline.reconstruct.report import report_html
from pipeline.reconstruct.story import Story, tell
from pipeline.reconstruct.words import card_words, seat_words, sentence

__all__ = [
    "RebuiltHand",
    "Story",
    "card_words",
    "expected_rack",
    "rebuild",
    "report_html",
    "report_pdf",
    "seat_words",
    "sentence",
    "tell",
]
