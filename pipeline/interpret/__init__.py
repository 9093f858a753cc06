"""Interpretation: tracks and table signals in, the engine's events out."""

from pipeline.interpret.interpreter import Interpreter

__all__ = ["Interpreter"]
