"""Everything the engine raises, as one small tree.

PitwatchEngineError
  ├── BadCard       a text that names no card, or a card where none is allowed
  ├── BadHand       not five known, different cards where a hand is ranked
  ├── BadAmount     a text or number that is no amount of money
  ├── BadEvent      an event that cannot be read, or that lacks or contradicts a field
  ├── BadRulebook   a rulebook whose data contradict themselves
  └── BadSettings   table settings that the rulebook does not know or allow

Violations of the rules of the game are results, not errors, and do not appear here. The command line
prints the message of any of these as one line and ends with exit code 2.
"""

from __future__ import annotations


class PitwatchEngineError(Exception):
    """What all errors of the engine share: a message that fits on one line.

    >>> str(PitwatchEngineError("two\\n  lines"))
    'two lines'
    """

    def __init__(self, message: str) -> None:
        self.message = " ".join(message.split())
        super().__init__(self.message)


class BadCard(PitwatchEngineError):
    """A text that names no card, or a card where none is allowed."""


class BadHand(PitwatchEngineError):
    """Not five known, different cards where a hand is to be ranked."""


class BadAmount(PitwatchEngineError):
    """A text or a number that is no amount of money, or one that cannot be paid."""


class BadEvent(PitwatchEngineError):
    """An event that cannot be read, or that lacks or contradicts a field."""


class BadRulebook(PitwatchEngineError):
    """A rulebook whose data contradict themselves."""


class BadSettings(PitwatchEngineError):
    """Settings of a table that the rulebook does not know or does not allow."""
