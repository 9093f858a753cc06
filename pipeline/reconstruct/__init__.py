"""Rebuild a round from its events, in words and pictures."""

from pipeline.reconstruct.report import report_html
from pipeline.reconstruct.story import Story, tell
from pipeline.reconstruct.words import card_words, seat_words, sentence

__all__ = ["Story", "card_words", "report_html", "seat_words", "sentence", "tell"]
