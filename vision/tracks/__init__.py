"""Tracks: the same thing recognised from frame to frame, over all cameras, in table millimetres."""

from vision.tracks.cards import CardTrack
from vision.tracks.hands import HandTrack
from vision.tracks.stacks import StackTrack
from vision.tracks.tracker import Tracker, Tracks

__all__ = ["CardTrack", "HandTrack", "StackTrack", "Tracker", "Tracks"]
