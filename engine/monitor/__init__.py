"""The monitor of one table, its remedies, and its honesty about what was not seen."""

from engine.monitor.monitor import Monitor, RoundBook

__all__ = ["Monitor", "RoundBook"]
