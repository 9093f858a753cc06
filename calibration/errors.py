"""What can be wrong with a table's description.

CalibrationError
├── TableFileError     a table file cannot be read, or a field in it is wrong
└── GeometryError      a point cannot be projected or a camera cannot be built
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Base of everything that `calibration` raises; its text is one line for a person."""


class TableFileError(CalibrationError):
    """A table file that cannot be used; the text names the file and the field."""


class GeometryError(CalibrationError):
    """Geometry without an answer, such as a ray that never meets the table."""
