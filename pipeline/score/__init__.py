"""How well an analysis agrees with the truth: events in time, rounds as a whole, alerts."""

from pipeline.score.matching import EventScore, Pair, is_scored, score_events
from pipeline.score.rounds import RoundScore, score_round

__all__ = ["EventScore", "Pair", "RoundScore", "is_scored", "score_events", "score_round"]
