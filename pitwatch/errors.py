"""What the command line and the configuration raise.

PitwatchError
  └── BadInput   a file, an option or a setting that cannot be used
"""

from __future__ import annotations


class PitwatchError(Exception):
    """What all errors of this package share: a message of one line."""


class BadInput(PitwatchError):
    """A file, an option or a setting that cannot be used; the message names it."""
