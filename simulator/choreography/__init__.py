"""Choreography: turns a script into motion over time, and gives every event the moment at which it shows."""

from simulator.choreography.perform import MOTIONS, Performance, choreograph
from simulator.choreography.tracks import Timeline

__all__ = ["MOTIONS", "Performance", "Timeline", "choreograph"]
