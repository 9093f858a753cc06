"""How well an analysis agrees with the truth: events in time, rounds as a whole, alerts."""

from pipeline.score.alerts import AlertScore, Due, score_alerts
from pipeline.score.matching import EventScore, Pair, is_scored, score_events
from pipeline.score.rounds import RoundScore, score_round

__all__ = [
    "AlertScore",
    "Due",
    "EventScore",
    "Pair",
    "RoundScore",
    "is_scored",
    "score_alerts",
    "score_events",
    "score_round",
]
