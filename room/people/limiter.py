"""Slows down guessing: failed sign-ins are counted per account and per address, and too many must wait."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable
from typing import Final

from room.errors import TooMany

WINDOW: Final = 300.0
PER_ACCOUNT: Final = 5
PER_ADDRESS: Final = 20
MOST_KEYS: Final = 10_000


class Limiter:
    """Counts failures within a sliding window; forgets them when the window has passed."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._failures: dict[str, deque[float]] = {}
        self._lock = threading.Lock()

    def check(self, account: str, address: str) -> None:
        """Raise `TooMany` if this account or this address has failed too often."""
        now = self._clock()
        with self._lock:
            for key, most in self._keys(account, address):
                times = self._failures.get(key)
                while times and times[0] <= now - WINDOW:
                    times.popleft()
                if times and len(times) >= most:
                    raise TooMany(int(times[0] + WINDOW - now) + 1)

    def failed(self, account: str, address: str) -> None:
        """Count a failure."""
        now = self._clock()
        with self._lock:
            if len(self._failures) > MOST_KEYS:
                self._failures = {
                    key: times for key, times in self._failures.items() if times and times[-1] > now - WINDOW
                }
            for key, _ in self._keys(account, address):
                self._failures.setdefault(key, deque()).append(now)

    def succeeded(self, account: str, address: str) -> None:
        """Forget the failures of an account from where it has signed in."""
        with self._lock:
            self._failures.pop(f"account {account.lower()} {address}", None)

    @staticmethod
    def _keys(account: str, address: str) -> Iterable[tuple[str, int]]:
        """Failures elsewhere must not lock an operator out of the own desk: the account counts per address."""
        return (
            (f"account {account.lower()} {address}", PER_ACCOUNT),
            (f"address {address}", PER_ADDRESS),
        )
