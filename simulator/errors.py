"""What can go wrong when a film is made.

SimulatorError
├── ArtMissing       a package with card art or hands is not there; the text names what to install
├── DriverMissing    no EGL driver; the text names the package to install
├── SceneError       a scene that cannot be drawn (unknown art, card or chip)
└── ScriptError      a scenario that cannot be played
"""

from __future__ import annotations


class SimulatorError(Exception):
    """Base of everything that `simulator` raises; its text is one line for a person."""


class ArtMissing(SimulatorError):
    """Art is missing; the text names the package to install."""


class DriverMissing(SimulatorError):
    """OpenGL cannot start; the text names the package to install."""


class SceneError(SimulatorError):
    """A scene that asks for something that does not exist."""


class ScriptError(SimulatorError):
    """A scenario that cannot be played."""
