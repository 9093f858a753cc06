"""The house's signing key: Ed25519, made once, kept in a file that only its owner can read."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path

from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey, Ed25519PublicKey

from pipeline.errors import BadKey


@dataclass(frozen=True, slots=True)
class SigningKey:
    """A private key; never printed and never logged."""

    _key: Ed25519PrivateKey

    def __repr__(self) -> str:
        return f"SigningKey({fingerprint(self.public_pem)})"

    @classmethod
    def make(cls) -> SigningKey:
        """Make a new key."""
        return cls(Ed25519PrivateKey.generate())

    @classmethod
    def load_or_make(cls, path: Path) -> SigningKey:
        """Load the key of a file; make it on first use, readable by its owner only."""
        try:
            data = path.read_bytes()
        except FileNotFoundError:
            return cls._create(path)
        except OSError as error:
            raise BadKey(f"{path}: {error.strerror}") from None
        try:
            key = serialization.load_pem_private_key(data, password=None)
        except (ValueError, TypeError, UnsupportedAlgorithm):
            raise BadKey(f"{path}: not a private key in PEM without a password") from None
        if not isinstance(key, Ed25519PrivateKey):
            raise BadKey(f"{path}: not an Ed25519 key")
        return cls(key)

    @classmethod
    def _create(cls, path: Path) -> SigningKey:
        made = cls.make()
        pem = made._key.private_bytes(
            serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
        )
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                file.write(pem)
        except OSError as error:
            raise BadKey(f"{path}: {error.strerror}") from None
        return made

    @property
    def public_pem(self) -> bytes:
        """The public half, to be handed out."""
        return self._key.public_key().public_bytes(
            serialization.Encoding.PEM, serialization.PublicFormat.SubjectPublicKeyInfo
        )

    def sign(self, data: bytes) -> bytes:
        """Return the signature of some bytes."""
        return self._key.sign(data)


def fingerprint(public_pem: bytes) -> str:
    """Return a short name of a public key, to be compared by voice or on paper."""
    digest = hashlib.sha256(public_pem.strip()).hexdigest()
    return ":".join(digest[n : n + 4] for n in range(0, 32, 4))


def signed_by(public_pem: bytes, signature: bytes, data: bytes) -> bool:
    """Return whether the holder of a key signed these bytes."""
    try:
        key = serialization.load_pem_public_key(public_pem)
    except (ValueError, UnsupportedAlgorithm):
        return False
    if not isinstance(key, Ed25519PublicKey):
        return False
    try:
        key.verify(signature, data)
    except InvalidSignature:
        return False
    return True
