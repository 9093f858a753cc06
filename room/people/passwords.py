"""Passwords: Argon2id, never stored, never logged, and none that everybody would try first."""

from __future__ import annotations

import hashlib
import secrets
from typing import Final

from argon2 import PasswordHasher
from argon2.exceptions import InvalidHashError, VerificationError

from room.errors import BadAccount

LEAST_LENGTH: Final = 12
MOST_LENGTH: Final = 256
"""Longer ones are refused before they are hashed: hashing a megabyte is an attack, not a password."""


class Passwords:
    """Hashes and checks passwords; `quick` is for tests, which sign in a hundred times."""

    def __init__(self, quick: bool = False) -> None:
        self._hasher = PasswordHasher(time_cost=1, memory_cost=1024) if quick else PasswordHasher()
        self._nobody = self._hasher.hash(secrets.token_hex())

    def hash(self, password: str, name: str) -> str:
        """Return the hash to be stored; refuse what is too short or says the name."""
        if not LEAST_LENGTH <= len(password) <= MOST_LENGTH:
            raise BadAccount(f"password: {LEAST_LENGTH} to {MOST_LENGTH} characters are needed")
        if name.lower() in password.lower() or len(set(password)) < 5:
            raise BadAccount("password: too easy to guess")
        return self._hasher.hash(password)

    def fits(self, password: str, stored: str | None) -> bool:
        """Return whether a password is the right one; an unknown account takes as long as a known one."""
        try:
            self._hasher.verify(stored or self._nobody, password[: MOST_LENGTH + 1])
        except (VerificationError, InvalidHashError):
            return False
        return stored is not None


def new_secret() -> str:
    """Return a secret that cannot be guessed, for sessions, tokens and links."""
    return secrets.token_urlsafe(32)


def fingerprint(secret: str) -> str:
    """Return what is stored of a secret: who reads the database cannot use it."""
    return hashlib.sha256(secret.encode()).hexdigest()
