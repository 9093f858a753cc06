"""Amounts of money: whole numbers of the smallest unit, read and written the way a layout shows them.

An amount in the engine is an `int` of cents, so that no payout is ever a rounding error. Only people see
the decimal point.

>>> parse_amount("1,250.00")
125000
>>> format_amount(125000)
'1,250.00'
"""

from __future__ import annotations

import re
from typing import Final

from engine.errors import BadAmount

UNIT: Final = 100
"""Cents in one unit of the currency."""

_AMOUNT: Final = re.compile(r"(\d+|\d{1,3}(?:,\d{3})+)(?:\.(\d\d))?", re.ASCII)


def parse_amount(text: str) -> int:
    """Read an amount that is not negative: whole, or with two decimals; thousands may be set off by commas.

    >>> parse_amount("5"), parse_amount("0.50"), parse_amount("12,000")
    (500, 50, 1200000)
    >>> parse_amount("12.5")
    Traceback (most recent call last):
    engine.errors.BadAmount: '12.5' is not an amount; write it like 5, 12.50 or 1,250.00
    """
    found = _AMOUNT.fullmatch(text.strip())
    if found is None:
        raise BadAmount(f"{text!r} is not an amount; write it like 5, 12.50 or 1,250.00")
    return int(found[1].replace(",", "")) * UNIT + int(found[2] or 0)


def format_amount(cents: int) -> str:
    """Write an amount with two decimals and commas between thousands; a difference may be negative.

    >>> format_amount(5), format_amount(-123456)
    ('0.05', '-1,234.56')
    """
    whole, rest = divmod(abs(cents), UNIT)
    return f"{'-' if cents < 0 else ''}{whole:,}.{rest:02d}"


def amount_or_unseen(cents: int | None) -> str:
    """Write an amount that may not have been seen.

    >>> amount_or_unseen(None), amount_or_unseen(1000)
    ('an amount not seen', '10.00')
    """
    return "an amount not seen" if cents is None else format_amount(cents)
