"""The hash chain: each line's link covers the line and every line before it.

A changed byte, a missing line or two lines in another order break every later link; who keeps one link (a signed
export, a printed report) can prove all that came before it.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator


def first_link(name: str) -> str:
    """Return the link before the first line of a chain: chains of different tables never fit each other.

    >>> first_link("CS-1")[:16]
    '9f96522c2e359166'
    """
    return hashlib.sha256(f"pitwatch chain {name}".encode()).hexdigest()


def chained(link: str, line: str) -> str:
    """Return the link after a line."""
    return hashlib.sha256(f"{link}\n{line}".encode()).hexdigest()


def links(start: str, lines: Iterable[str]) -> Iterator[str]:
    """Yield the link after each line."""
    link = start
    for line in lines:
        link = chained(link, line)
        yield link
