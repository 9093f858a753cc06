"""The fixture that the package offers to tests, used here as anybody would."""

from pitwatch.testing import analyze_clip

__all__ = ["analyze_clip"]
