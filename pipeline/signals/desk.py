"""The desk behind both doors: who are you, what do you say, may you say it here, and is anybody listening."""

from __future__ import annotations

import hashlib
import hmac
import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from engine.errors import BadEvent
from engine.events.codec import decode
from pipeline.bus import SignalNote
from pipeline.record.store import wall_clock

MOST_BYTES: Final = 16 * 1024
REMEMBERED: Final = 2000
SIGNALS: Final = frozenset(
    (
        "NoMoreBetsCalled", "LockOutPressed", "AcceptorLightChanged", "CouponRedeemed", "JackpotMeterRead",
        "JackpotChipsCounted", "JackpotVerified", "JackpotPaid", "SupervisorConfirmed", "PapersCompleted",
        "ShufflerReported", "ShufflerJammed", "ShoeJammed", "InformationPassed", "OralWagerAccepted", "HandVoided",
        "RoundVoided", "DealerChanged", "DeckInspected", "TableOpened", "TableClosed", "DeviceInstalled",
        "DeviceRemoved", "PlayerSat", "PlayerLeft", "SignalLost", "SignalRestored",
    )
)  # fmt: skip
"""Events that a machine or a person may report; what only eyes can see is not among them."""
GIVEN: Final = ("seq", "at", "table", "witness", "frames")


@dataclass(frozen=True, slots=True)
class SenderKey:
    """A sender: only the hash of its token is kept; no tables means all."""

    name: str
    token_hash: bytes
    tables: frozenset[str] = frozenset()

    @classmethod
    def of(cls, name: str, token: str, tables: Iterable[str] = ()) -> SenderKey:
        """Return the key for a token."""
        return cls(name, hashlib.sha256(token.strip().encode()).digest(), frozenset(tables))


@dataclass(frozen=True, slots=True)
class Refusal(Exception):
    """Why a signal was not taken, with HTTP's number for it."""

    code: int
    why: str


class Desk:
    """Takes signals and tells them on. `watched` says whether a table is being watched now."""

    def __init__(
        self, senders: Iterable[SenderKey], tables: Iterable[str], tell: Callable[[SignalNote], None],
        watched: Callable[[str], bool],
    ) -> None:  # fmt: skip
        self._senders = list(senders)
        self._tables = frozenset(tables)
        self._tell = tell
        self._watched = watched
        self._lock = threading.Lock()
        self._seen: OrderedDict[tuple[str, str], None] = OrderedDict()
        self.taken = 0
        self.refused = 0

    def take(self, token: str, data: bytes) -> dict[str, Any]:
        """Take one signal and return the answer; raises `Refusal` with a reason that helps."""
        try:
            return self._take(token, data)
        except Refusal:
            self.refused += 1
            raise

    def _take(self, token: str, data: bytes) -> dict[str, Any]:
        sender = self._who(token)
        body = self._read(data)
        table = self._table(body, sender)
        event = self._event(body, table)
        if not self._watched(table):
            raise Refusal(503, f"table: {table} is not being watched now; send it again later")
        number = body.get("id")
        if number is not None:
            if not isinstance(number, str) or not 0 < len(number) <= 100:
                raise Refusal(422, "id: not a text of 1 to 100 characters")
            if not self._first(sender.name, number):
                return {"taken": True, "repeated": True}
        self._tell(SignalNote(table=table, sender=sender.name, came=wall_clock(), event=event))
        self.taken += 1
        return {"taken": True, "repeated": False}

    def _first(self, sender: str, number: str) -> bool:
        """Whether a signal comes for the first time; doors ask from several threads."""
        with self._lock:
            if (sender, number) in self._seen:
                return False
            self._seen[sender, number] = None
            if len(self._seen) > REMEMBERED:
                self._seen.popitem(last=False)
            return True

    def _who(self, token: str) -> SenderKey:
        """Return who sent it; every key is compared, in constant time."""
        found = None
        given = hashlib.sha256(token.strip().encode()).digest()
        for sender in self._senders:
            if hmac.compare_digest(sender.token_hash, given):
                found = sender
        if found is None:
            raise Refusal(401, "token: missing or not known")
        return found

    @staticmethod
    def _read(data: bytes) -> Mapping[str, Any]:
        if len(data) > MOST_BYTES:
            raise Refusal(413, f"body: {len(data)} bytes are more than {MOST_BYTES}")
        try:
            body = json.loads(data)
        except (ValueError, RecursionError):
            raise Refusal(400, "body: not JSON") from None
        if not isinstance(body, dict):
            raise Refusal(422, "body: not a JSON object")
        unknown = sorted(set(body) - {"table", "event", "id"})
        if unknown:
            raise Refusal(422, f"{unknown[0][:40]}: no such field (table, event, id)")
        return body

    def _table(self, body: Mapping[str, Any], sender: SenderKey) -> str:
        table = body.get("table")
        if not isinstance(table, str) or table not in self._tables:
            raise Refusal(422, f"table: {str(table)[:40]!r} is not a table of this site")
        if sender.tables and table not in sender.tables:
            raise Refusal(403, f"table: {sender.name} does not speak for {table}")
        return table

    @staticmethod
    def _event(body: Mapping[str, Any], table: str) -> dict[str, Any]:
        event = body.get("event")
        if not isinstance(event, dict):
            raise Refusal(422, "event: missing or not a JSON object")
        if event.get("type") not in SIGNALS:
            raise Refusal(422, f"event.type: {str(event.get('type'))[:40]!r} is not a signal")
        for name in GIVEN:
            if name in event:
                raise Refusal(422, f"event.{name}: is given by the site, not by the sender")
        try:
            decode({**event, "seq": 0, "at": 0, "table": table})
        except BadEvent as error:
            raise Refusal(422, f"event.{error.message}") from None
        return event
