"""Webhooks: a POST of JSON, signed so that the receiver knows who sent it and that nothing was changed or replayed.

`X-Pitwatch-Signature: t=UNIX-SECONDS,v1=HEX` where HEX is HMAC-SHA256 over `t.BODY` with the shared secret.
`Idempotency-Key` is the same in every try of one delivery.
"""

from __future__ import annotations

import hashlib
import hmac
import http.client
import ssl
import time
from urllib.parse import urlsplit

from pipeline.errors import NotDelivered

MOST_ANSWER = 2048


def signature(secret: bytes, body: bytes, at: int) -> str:
    """Return the header's value.

    >>> signature(b"s", b"{}", 1)[:14]
    't=1,v1=b253639'
    """
    mac = hmac.new(secret, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    return f"t={at},v1={mac}"


class WebhookTarget:
    """One address. Redirects are not followed: alerts go where the house said, or nowhere."""

    def __init__(self, url: str, secret: bytes, seconds: float = 5.0) -> None:
        self.url = url
        self._secret = secret
        self._seconds = seconds

    def send(self, key: str, body: bytes) -> None:
        """Hand one delivery over, or raise `NotDelivered`."""
        parts = urlsplit(self.url)
        host, port = parts.hostname or "", parts.port
        connection: http.client.HTTPConnection
        if parts.scheme == "https":
            connection = http.client.HTTPSConnection(
                host, port, timeout=self._seconds, context=ssl.create_default_context()
            )
        else:
            connection = http.client.HTTPConnection(host, port, timeout=self._seconds)
        headers = {
            "Content-Type": "application/json",
            "User-Agent": "pitwatch",
            "Idempotency-Key": key,
            "X-Pitwatch-Signature": signature(self._secret, body, int(time.time())),
        }
        path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
        try:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read(MOST_ANSWER)
        except (OSError, http.client.HTTPException) as error:
            raise NotDelivered(f"{host}: {error or type(error).__name__}") from None
        finally:
            connection.close()
        if not 200 <= answer.status < 300:
            raise NotDelivered(f"{host}: answered {answer.status}")

    def close(self) -> None:
        """Nothing is kept open."""
