"""Signals at the door: who may, what may be said, and an answer that says what was wrong."""

from __future__ import annotations

import http.client
import json
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.bus import SignalNote
from pipeline.signals import Desk, HttpDoor, Refusal, SenderKey, ZmqDoor

TOKEN = "a token of the shuffler"
LOCK_OUT = {"table": "CS-1", "event": {"type": "LockOutPressed"}}


class Site:
    def __init__(self) -> None:
        self.told: list[SignalNote] = []
        self.watched = True
        senders = [SenderKey.of("shuffler", TOKEN, ["CS-1"]), SenderKey.of("pit", "a token of the pit boss")]
        self.desk = Desk(senders, ["CS-1", "CS-2"], self.told.append, lambda table: self.watched)


@pytest.fixture
def site() -> Site:
    return Site()


def refused(site: Site, body: Any, token: str = TOKEN) -> tuple[int, str]:
    with pytest.raises(Refusal) as caught:
        site.desk.take(token, body if isinstance(body, bytes) else json.dumps(body).encode())
    assert site.told == []
    return caught.value.code, caught.value.why


def test_a_signal_is_told_with_its_sender_and_once(site: Site) -> None:
    body = json.dumps({**LOCK_OUT, "id": "press-7"}).encode()
    assert site.desk.take(TOKEN, body) == {"taken": True, "repeated": False}
    assert site.desk.take(TOKEN, body) == {"taken": True, "repeated": True}
    [note] = site.told
    assert (note.table, note.sender, note.event) == ("CS-1", "shuffler", {"type": "LockOutPressed"})


@pytest.mark.parametrize(
    "body, code, why",
    [
        (b"{", 400, "not JSON"),
        (b"[" * 10_000, 400, "not JSON"),
        (b"x" * 20_000, 413, "more than"),
        ([1], 422, "not a JSON object"),
        ({**LOCK_OUT, "tabel": 1}, 422, "tabel: no such field"),
        ({**LOCK_OUT, "table": "CS-9"}, 422, "not a table of this site"),
        ({**LOCK_OUT, "table": "CS-2"}, 403, "does not speak for CS-2"),
        ({"table": "CS-1"}, 422, "event: missing"),
        ({"table": "CS-1", "event": {"type": "CardDealt", "seat": 1}}, 422, "is not a signal"),
        ({"table": "CS-1", "event": {"type": "JackpotMeterRead", "amount": "x"}}, 422, "event.amount"),
        ({"table": "CS-1", "event": {"type": "LockOutPressed", "seq": 4}}, 422, "event.seq: is given by the site"),
        ({**LOCK_OUT, "id": 5}, 422, "id:"),
    ],
)  # fmt: skip
def test_what_is_wrong_is_said(site: Site, body: Any, code: int, why: str) -> None:
    got = refused(site, body)
    assert got[0] == code
    assert why in got[1]


def test_nobody_gets_in_without_a_token_and_nothing_is_lost_in_silence(site: Site) -> None:
    assert refused(site, LOCK_OUT, "wrong")[0] == 401
    assert refused(site, LOCK_OUT, "")[0] == 401
    site.watched = False
    assert refused(site, LOCK_OUT) == (503, "table: CS-1 is not being watched now; send it again later")


@settings(max_examples=80, deadline=None)
@given(st.one_of(st.binary(max_size=200), st.recursive(
    st.none() | st.integers() | st.text(max_size=20) | st.sampled_from(["LockOutPressed", "CS-1"]),
    lambda inner: st.lists(inner, max_size=3)
    | st.dictionaries(st.sampled_from(["table", "event", "id", "type", "seat", "lit", "x"]), inner, max_size=5),
    max_leaves=10,
).map(lambda value: json.dumps(value).encode())))  # fmt: skip
def test_anything_at_all_is_taken_or_refused(data: bytes) -> None:
    with suppress(Refusal):
        Site().desk.take(TOKEN, data)


@pytest.fixture
def door(site: Site) -> Iterator[HttpDoor]:
    made = HttpDoor(site.desk, "127.0.0.1", 0)
    yield made
    made.close()


def ask(door: HttpDoor, method: str, path: str, body: bytes, **headers: str) -> tuple[int, dict[str, Any]]:
    connection = http.client.HTTPConnection("127.0.0.1", door.port, timeout=10)
    connection.request(method, path, body, headers)
    answer = connection.getresponse()
    data = answer.read()
    connection.close()
    return answer.status, json.loads(data) if data.startswith(b"{") else {}


def test_the_http_door(site: Site, door: HttpDoor) -> None:
    body = json.dumps(LOCK_OUT).encode()
    assert ask(door, "POST", "/signals", body, Authorization=f"Bearer {TOKEN}")[0] == 202
    assert len(site.told) == 1
    assert ask(door, "POST", "/signals", body)[0] == 401
    assert ask(door, "POST", "/signals", body, Authorization="Basic eDp5")[0] == 401
    assert ask(door, "POST", "/other", body, Authorization=f"Bearer {TOKEN}")[0] == 404
    code, answer = ask(door, "POST", "/signals", b"{}", Authorization=f"Bearer {TOKEN}")
    assert (code, answer) == (422, {"error": "table: 'None' is not a table of this site"})
    assert ask(door, "GET", "/signals", b"")[0] == 501
    assert len(site.told) == 1


def test_the_zmq_door(site: Site) -> None:
    door = ZmqDoor(site.desk, "127.0.0.1", 0)
    with zmq.Context() as context, context.socket(zmq.DEALER) as rude, context.socket(zmq.REQ) as polite:
        for one in (rude, polite):
            one.linger, one.rcvtimeo = 0, 10_000
            one.connect(f"tcp://127.0.0.1:{door.port}")
        rude.send_multipart([b"no", b"sense"])
        polite.send_multipart([TOKEN.encode(), json.dumps(LOCK_OUT).encode()])
        assert json.loads(polite.recv()) == {"taken": True, "repeated": False}
        polite.send_multipart([b"wrong", b"{}"])
        assert json.loads(polite.recv()) == {"error": "token: missing or not known", "code": 401}
    door.close()
    assert len(site.told) == 1
