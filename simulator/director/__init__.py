"""The director: whole legal rounds by seed, and a catalogue of irregularities; the proof of the monitor.

It reads the rulebooks for itself and shares no check with the engine: where the two disagree, one is wrong.
"""

from simulator.director.house import ANY, Want
from simulator.director.plan import RoundPlan, SeatPlan, plan
from simulator.director.play import legal, play
from simulator.director.script import Beat, Expected, RoundTruth, Script, Truth
from simulator.director.shift import Shift, shift
from simulator.director.withhold import withhold

__all__ = [
    "ANY",
    "Beat",
    "Expected",
    "RoundPlan",
    "RoundTruth",
    "Script",
    "SeatPlan",
    "Shift",
    "Truth",
    "Want",
    "legal",
    "plan",
    "play",
    "shift",
    "withhold",
]
