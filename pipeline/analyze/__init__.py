"""Analysis of recorded video: the same watch as live, over files; what it found, what it could not see, a report."""

from pipeline.analyze.films import Film, match_films
from pipeline.analyze.run import Analysis, analyze
from pipeline.analyze.write import write_analysis

__all__ = ["Analysis", "Film", "analyze", "match_films", "write_analysis"]
