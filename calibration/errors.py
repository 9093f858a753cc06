"""What can be wrong with a table's description.

CalibrationError
├── TableFileError     a table file cannot be read, or a field in it is wrong
├── LandmarkError      a landmarks file cannot be read, or names what the layout lacks
├── PictureError       a picture cannot be read, or has the wrong size
├── CannotSolve        the landmarks, or the picture, do not determine a camera
└── GeometryError      a point cannot be projected or a camera cannot be built
"""

from __future__ import annotations


class CalibrationError(Exception):
    """Base of everything that `calibration` raises; its text is one line for a person."""


class TableFileError(CalibrationError):
    """A table file that cannot be used; the text names the file and the field."""


class LandmarkError(CalibrationError):
    """A landmarks file that cannot be used; the text names the file and the field."""


class PictureError(CalibrationError):
    """A picture that cannot be used; the text names the file."""


class CannotSolve(CalibrationError):
    """Landmarks or a picture from which no camera follows; the text says what is missing."""


class GeometryError(CalibrationError):
    """Geometry without an answer, such as a ray that never meets the table."""
