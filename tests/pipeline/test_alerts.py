"""Alerts out: routed, grouped, signed, kept until delivered; handed over again only with the same key."""

from __future__ import annotations

import hashlib
import hmac
import json
import shutil
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import paho.mqtt.client as paho
import pytest
from paho.mqtt.enums import CallbackAPIVersion

from engine.events import PlayerFolded
from engine.verdicts import Ruling, Severity, Verdict
from pipeline.alerts import MqttTarget, Post, WebhookTarget
from pipeline.alerts.routes import Subject, targets
from pipeline.errors import NotDelivered
from pipeline.live.site import Route
from pipeline.record import Record, Writer

SECRET = b"a secret of the house"


class Receiver:
    """A web server that keeps what it gets and answers as told."""

    def __init__(self) -> None:
        self.got: list[tuple[dict[str, str], bytes]] = []
        self.code = 204
        outer = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                outer.got.append((dict(self.headers), body))
                self.send_response(outer.code)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *args: object) -> None:
                pass

        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self.server.server_address[1]}/hook?x=1"
        threading.Thread(target=self.server.serve_forever, args=(0.05,), daemon=True).start()

    def keys(self) -> list[str]:
        return [headers["Idempotency-Key"] for headers, _ in self.got]


@pytest.fixture
def receiver() -> Iterator[Receiver]:
    made = Receiver()
    yield made
    made.server.shutdown()
    made.server.server_close()


class Now:
    """A clock that is set by the test."""

    def __init__(self) -> None:
        self.ms = 1_000_000

    def __call__(self) -> int:
        return self.ms


def alert(
    writer: Writer, seq: int, seat: int = 2, check: str = "wager.late", severity: Severity = Severity.HIGH
) -> None:
    verdict = Verdict(
        Ruling.VIOLATION, check, "nz", "5.10", severity, "CS-1", None, seq, seq * 40, "Late wager", seat=seat
    )
    writer.append(PlayerFolded(seq=seq, at=seq * 40, table="CS-1", seat=seat), [verdict])


def office(record: Record, receiver: Receiver, now: Now, seconds: float = 60) -> Post:
    route = Route(to=("webhook:desk",), least="medium", group_seconds=seconds)
    post = Post(record, [route], {"webhook:desk": WebhookTarget(receiver.url, SECRET, 2)}, "Harbour", now)
    post.begin()  # the first start passes the past over
    return post


def test_a_webhook_is_signed_and_bears_its_key(record: Record, receiver: Receiver) -> None:
    writer, now = record.claim("CS-1", "nz"), Now()
    alert(writer, 1)
    post = office(record, receiver, now)
    assert post.deliver("webhook:desk") == 0  # last month's alerts are not sent
    alert(writer, 2)
    assert post.take_in() == 1
    assert post.deliver("webhook:desk") == 1
    [(headers, body)] = receiver.got
    told = json.loads(body)
    assert told["alert"]["check"] == "wager.late"
    assert told["id"] == headers["Idempotency-Key"] == "CS-1.2.0"
    at, mac = (part.split("=")[1] for part in headers["X-Pitwatch-Signature"].split(","))
    assert mac == hmac.new(SECRET, f"{at}.".encode() + body, hashlib.sha256).hexdigest()
    assert abs(int(at) - time.time()) < 60
    assert post.deliver("webhook:desk") == 0


def test_a_receiver_that_is_away_gets_everything_later_in_order(record: Record, receiver: Receiver) -> None:
    writer, now = record.claim("CS-1", "nz"), Now()
    post = office(record, receiver, now)
    for seat in (1, 2, 3):
        alert(writer, seat, seat)
    post.take_in()
    receiver.code = 503
    assert post.deliver("webhook:desk") == 0
    assert len(receiver.got) == 1  # not knocked at for every delivery
    figures = post.figures()
    assert figures["waiting"] == 3
    assert "answered 503" in figures["trouble"]
    receiver.code = 200
    now.ms += 500
    assert post.deliver("webhook:desk") == 2  # the one that failed waits longer
    now.ms += 600
    assert post.deliver("webhook:desk") == 1
    assert sorted(set(receiver.keys())) == ["CS-1.1.0", "CS-1.2.0", "CS-1.3.0"]
    assert post.figures() == {"waiting": 0, "sent": 3, "given_up": 0, "trouble": ""}


def test_repeats_are_one_message_and_a_count(record: Record, receiver: Receiver) -> None:
    writer, now = record.claim("CS-1", "nz"), Now()
    post = office(record, receiver, now)
    for seq in (1, 2):
        alert(writer, seq)
    post.take_in()
    post.deliver("webhook:desk")
    alert(writer, 3)
    alert(writer, 4)
    alert(writer, 5, seat=6)
    post.take_in()
    assert post.deliver("webhook:desk") == 1  # another seat is another matter
    now.ms += 61_000
    assert post.deliver("webhook:desk") == 1
    told = [json.loads(body) for _, body in receiver.got]
    assert [(one["id"], one["repeats"]) for one in told] == [
        ("CS-1.1.0", 1), ("CS-1.5.0", 0), ("CS-1.1.0.repeats", 3),
    ]  # fmt: skip
    alert(writer, 6)
    post.take_in()
    assert post.deliver("webhook:desk") == 1  # the time is over: a new message


def test_routes_look_at_severity_ruling_check_and_table() -> None:
    routes = [
        Route(to=("webhook:a",), least="critical"),
        Route(to=("webhook:b",), check=("jackpot.*",), group_seconds=5),
        Route(to=("webhook:c", "webhook:b"), table=("CS-2",), rulings=("cannot_tell",)),
    ]
    high = int(Severity.HIGH)
    assert targets(routes, Subject("CS-1", "jackpot.amount", "violation", 4)) == {
        "webhook:a": 60,
        "webhook:b": 5,
    }
    assert targets(routes, Subject("CS-1", "wager.late", "violation", high)) == {}
    assert set(targets(routes, Subject("CS-2", "wager.late", "cannot_tell", high))) == {
        "webhook:c",
        "webhook:b",
    }


CHILD = """
import sys
from pipeline.alerts import Post, WebhookTarget
from pipeline.live.site import Route
from pipeline.record import Record
url, hook = sys.argv[1:]
post = Post(Record.open(url), [Route(to=("webhook:desk",), group_seconds=0)],
    {"webhook:desk": WebhookTarget(hook, b"a secret of the house", 2)}, "Harbour")
print("ready", flush=True)
while True:
    post.take_in()
    post.deliver("webhook:desk", 3)
"""


def test_a_post_killed_again_and_again_loses_nothing(url: str, receiver: Receiver) -> None:
    record = Record.open(url)
    writer = record.claim("CS-1", "nz")
    office(record, receiver, Now(), 0)
    for seq in range(1, 25):
        alert(writer, seq)
    for kill in range(3):
        child = subprocess.Popen([sys.executable, "-c", CHILD, url, receiver.url], stdout=subprocess.PIPE)
        assert child.stdout is not None
        assert child.stdout.readline() == b"ready\n"
        deadline = time.monotonic() + 30
        while len(set(receiver.keys())) < (kill + 1) * 8 and time.monotonic() < deadline:
            time.sleep(0.002)
        child.kill()
        child.wait()
        child.stdout.close()
    record.close()
    keys = receiver.keys()
    assert set(keys) == {f"CS-1.{seq}.0" for seq in range(1, 25)}
    assert len(keys) - len(set(keys)) <= 3  # at least once: at most one repeat a kill, with the same key


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


class Broker:
    """A real Mosquitto on loopback that can be taken away and brought back."""

    def __init__(self, folder: Path) -> None:
        found = shutil.which("mosquitto") or "/usr/sbin/mosquitto"
        self.port = free_port()
        self.config = folder / "mosquitto.conf"
        self.config.write_text(f"listener {self.port} 127.0.0.1\nallow_anonymous true\npersistence false\n")
        self.command = [found, "-c", str(self.config)]
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen(self.command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while time.monotonic() < deadline:
            with socket.socket() as probe:
                if probe.connect_ex(("127.0.0.1", self.port)) == 0:
                    return
            time.sleep(0.02)
        raise AssertionError("mosquitto did not start: apt-get install mosquitto")

    def stop(self) -> None:
        self.process.kill()
        self.process.wait()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Broker]:
    made = Broker(tmp_path)
    yield made
    made.stop()


def test_alerts_reach_a_real_broker_that_goes_away_and_returns(broker: Broker) -> None:
    heard: list[tuple[str, bytes]] = []

    def listener() -> paho.Client:
        client = paho.Client(CallbackAPIVersion.VERSION2)
        ready = threading.Event()
        client.on_message = lambda _c, _u, message: heard.append((message.topic, message.payload))
        client.on_subscribe = lambda *_: ready.set()
        client.connect("127.0.0.1", broker.port)
        client.subscribe("house/#", qos=1)
        client.loop_start()
        assert ready.wait(10)
        return client

    ears = listener()
    target = MqttTarget("127.0.0.1", broker.port, "house/alerts", seconds=1)
    body = json.dumps({"alert": {"table": "CS-1", "check": "wager.late"}}).encode()
    target.send("k1", body)
    broker.stop()
    ears.loop_stop()
    with pytest.raises(NotDelivered):
        target.send("k2", body)
    broker.start()
    ears = listener()
    deadline = time.monotonic() + 20
    while time.monotonic() < deadline:
        try:
            target.send("k3", body)
            break
        except NotDelivered:
            continue
    while len(heard) < 2 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert heard[0] == ("house/alerts/CS-1/wager.late", body)
    assert len(heard) >= 2
    ears.disconnect()
    ears.loop_stop()
    target.close()
    with pytest.raises(NotDelivered):
        MqttTarget("127.0.0.1", free_port(), "x").send("k", body)
