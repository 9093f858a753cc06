"""The bus: typed, counted and bounded; what a subscriber missed is in the record; frames are whole or not there."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import av
import numpy as np
import pytest
import zmq
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.events import PlayerFolded
from engine.events.codec import to_line
from pipeline.bus import (
    ALERTS,
    EVENTS,
    HEALTH,
    PREVIEW,
    TOPICS,
    Bus,
    BusKeys,
    EventNote,
    FrameRing,
    Health,
    Message,
    Preview,
    Publisher,
    Subscriber,
)
from pipeline.bus.feed import EventFeed
from pipeline.bus.hub import Hub
from pipeline.bus.wire import pack, unpack
from pipeline.errors import BadMessage, BusError
from pipeline.record import Record


def health(name: str = "x") -> Health:
    return Health(process=name, kind="table", pid=1, wall=5, state="ok")


@pytest.fixture
def bus(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Bus]:
    made = Bus.at(tmp_path_factory.mktemp("b"))
    hub = Hub(made)
    yield made
    hub.close()


def settled(publisher: Publisher[Health], subscriber: Subscriber) -> None:
    """Connecting takes a moment: tell until it is heard."""
    for _ in range(200):
        publisher.send(health("settle"))
        if subscriber.receive(0.02) is not None:
            break
    while subscriber.receive(0.05) is not None:
        pass


def test_what_is_told_is_heard_as_it_was(bus: Bus) -> None:
    with Subscriber(bus, [HEALTH, PREVIEW]) as subscriber:
        publisher, pictures = Publisher(bus, HEALTH, "me"), Publisher(bus, PREVIEW, "me")
        settled(publisher, subscriber)
        publisher.send(health("told"))
        heard = subscriber.receive(2)
        assert heard is not None
        assert heard.payload == health("told")
        preview = Preview(table="CS-1", camera="overview", at=1, index=2, width=640, height=360, scale=0.5)
        for _ in range(100):
            pictures.send(preview, b"jpeg")
            if (heard := subscriber.receive(0.05)) is not None:
                break
        assert heard is not None
        assert (heard.payload, heard.blob) == (preview, b"jpeg")
        assert subscriber.missed == 0
        publisher.close()
        pictures.close()


def test_holes_in_the_numbers_and_rubbish_are_counted(bus: Bus) -> None:
    with Subscriber(bus, [HEALTH]) as subscriber:
        publisher = Publisher(bus, HEALTH, "me")
        settled(publisher, subscriber)
        publisher.sent += 7
        for rubbish in ([b"health"], [b"health", b"{}", b"{}", b""], [b"healthy", b"", b"", b""]):
            publisher._socket.send_multipart(rubbish)
        publisher.send(health())
        assert subscriber.receive(2) is not None
        assert subscriber.missed == 7
        assert subscriber.refused == 3
        publisher.close()


def test_a_subscriber_that_comes_late_or_was_away_finds_everything_in_the_record(
    bus: Bus, record: Record
) -> None:
    writer = record.claim("CS-1", "nz")
    publisher = Publisher(bus, EVENTS, "table:CS-1")
    last = -1

    def play(numbers: range, told: bool) -> None:
        nonlocal last
        for seq in numbers:
            event = PlayerFolded(seq=seq, at=seq, table="CS-1", seat=1)
            writer.append(event)
            if told:
                publisher.send(EventNote(table="CS-1", seq=seq, previous=last, line=to_line(event)))
            last = seq

    play(range(1, 6), told=True)  # before anybody listened
    feed = EventFeed(bus, record, {"CS-1": -1})
    seen = [event.seq for _ in range(5) if (event := feed.next(2))]
    time.sleep(0.1)
    play(range(6, 9), told=True)
    play(range(9, 12), told=False)  # notes lost
    play(range(12, 14), told=True)
    while len(seen) < 13 and (event := feed.next(4)):
        seen.append(event.seq)
    assert seen == list(range(1, 14))
    assert feed.next(0.05) is None
    feed.close()
    publisher.close()


def test_messages_that_are_none_are_refused_with_a_reason() -> None:
    good = pack(Message(HEALTH, "me", 3, health()))
    assert unpack(good).number == 3
    for change, why in [
        ((1, b'{"v":2,"from":"me","n":1}'), "version"),
        ((1, b'{"v":1,"from":"me","n":-1}'), "from or n"),
        ((1, b"[" * 400), "not JSON"),
        ((2, good[2][:-1]), "Invalid JSON"),
        ((2, good[2].replace(b'"ok"', b'"fine"')), "state"),
        ((2, good[2].replace(b'"pid"', b'"pit"')), "pid|pit"),
        ((2, b" " * 70_000), "too large"),
        ((3, b"blob"), "too large"),
        ((0, b"nothing"), "no topic"),
    ]:
        frames = list(good)
        frames[change[0]] = change[1]
        with pytest.raises(BadMessage, match=why):
            unpack(frames)
    with pytest.raises(BadMessage, match="too many"):
        pack(Message(ALERTS, "me", 0, health(), b"x"))


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.one_of(st.binary(max_size=300), st.sampled_from([name.encode() for name in TOPICS])), max_size=6
    )
)
def test_any_bytes_are_a_message_or_are_refused(frames: list[bytes]) -> None:
    with suppress(BadMessage):
        unpack(frames)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=10), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=60, deadline=None)
@given(st.sampled_from(sorted(TOPICS)), st.data())
def test_any_json_in_a_topics_fields_is_checked(name: str, data: st.DataObject) -> None:
    topic = TOPICS[name]
    body = {key: data.draw(json_values) for key in topic.payload.model_fields}
    frames = [name.encode(), b'{"v":1,"from":"me","n":1}', json.dumps(body).encode(), b""]
    try:
        message = unpack(frames)
    except BadMessage:
        return
    assert unpack(pack(message)) == message


def test_only_listed_machines_get_in(tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("b")
    hub_keys = BusKeys.load_or_make(folder / "hub")
    friend, stranger = (
        BusKeys.load_or_make(folder / name, hub=hub_keys.public) for name in ("friend", "stranger")
    )
    assert BusKeys.load_or_make(folder / "friend", hub=hub_keys.public) == friend
    assert (folder / "friend").stat().st_mode & 0o777 == 0o600
    with pytest.raises(BusError, match="need CURVE keys"):
        Hub(Bus.at(folder), ("tcp://127.0.0.1:*", "tcp://127.0.0.1:*"))
    with zmq.Context() as context, context.socket(zmq.PUB) as a, context.socket(zmq.PUB) as b:
        ports = [one.bind_to_random_port("tcp://127.0.0.1") for one in (a, b)]
    ends = (f"tcp://127.0.0.1:{ports[0]}", f"tcp://127.0.0.1:{ports[1]}")
    hub = Hub(Bus.at(folder), ends, hub_keys, [friend.public])
    publisher = Publisher(Bus.at(folder), HEALTH, "me")
    listeners = {
        name: Subscriber(Bus(*ends, keys), [HEALTH])
        for name, keys in (("friend", friend), ("stranger", stranger), ("nobody", None))
    }
    settled(publisher, listeners["friend"])
    publisher.send(health())
    assert listeners["friend"].receive(2) is not None
    assert listeners["stranger"].receive(0.3) is None
    assert listeners["nobody"].receive(0.1) is None
    for one in (publisher, *listeners.values()):
        one.close()
    hub.close()


def picture(number: int, width: int = 64, height: int = 48) -> av.VideoFrame:
    return av.VideoFrame.from_ndarray(
        np.full((height * 3 // 2, width), number % 256, np.uint8), format="yuv420p"
    )


def test_frames_travel_whole_and_the_ring_forgets_the_oldest(tmp_path: Path) -> None:
    writer = FrameRing.create(tmp_path / "ring", 64, 48, slots=4)
    reader = FrameRing.attach(tmp_path / "ring")
    assert reader.latest() is None
    for number in range(10):
        assert writer.put(picture(number), number * 40, 1000 + number) == number
    latest = reader.latest()
    assert latest is not None
    assert (latest.index, latest.at, latest.arrived, latest.size) == (9, 360, 1009, (64, 48))
    assert (latest.i420 == 9).all()
    assert latest.bgr().shape == (48, 64, 3)
    assert reader.read(5) is None
    assert reader.read(6) is not None
    assert reader.read(10) is None


def test_a_new_size_makes_a_new_ring_and_the_numbers_go_on(tmp_path: Path) -> None:
    writer = FrameRing.create(tmp_path / "ring", 64, 48)
    reader = FrameRing.attach(tmp_path / "ring")
    writer.put(picture(1), 40, 1)
    again = FrameRing.create(tmp_path / "ring", 64, 48)  # a capture that was killed and started again
    assert again.next_index == 1
    large = FrameRing.create(tmp_path / "ring", 128, 96)
    assert reader.replaced
    assert large.put(picture(2, 128, 96), 80, 2) == 1
    latest = FrameRing.attach(tmp_path / "ring").latest()
    assert latest is not None
    assert latest.size == (128, 96)


def test_in_complete_mode_the_writer_waits_for_its_reader(tmp_path: Path) -> None:
    writer = FrameRing.create(tmp_path / "ring", 64, 48, slots=2)
    writer.put(picture(0), 0, 0)
    writer.put(picture(1), 40, 0)
    assert not writer.wait_for_room(0.01)
    threading.Timer(0.05, FrameRing.attach(tmp_path / "ring").done, [0]).start()
    assert writer.wait_for_room(5)


WRITER = """
import sys
from pathlib import Path
import av, numpy as np
from pipeline.bus import FrameRing
ring = FrameRing.create(Path(sys.argv[1]), 640, 480, slots=2)
print("ready", flush=True)
while True:
    n = ring.next_index
    ring.put(av.VideoFrame.from_ndarray(np.full((720, 640), n % 251, np.uint8), format="yuv420p"), n, n)
"""


def test_no_reader_ever_sees_a_torn_frame(tmp_path: Path) -> None:
    path = tmp_path / "ring"
    child = subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdout=subprocess.PIPE)
    assert child.stdout is not None
    assert child.stdout.readline() == b"ready\n"
    reader, whole = FrameRing.attach(path), 0
    deadline = time.monotonic() + 20
    while whole < 100 and time.monotonic() < deadline:
        frame = reader.latest()
        if frame is not None:
            assert (frame.i420 == frame.index % 251).all()
            whole += 1
    child.kill()
    child.wait()
    child.stdout.close()
    assert whole == 100


@settings(max_examples=60, deadline=None)
@given(st.binary(max_size=400))
def test_any_file_is_a_ring_or_is_refused(tmp_path_factory: pytest.TempPathFactory, data: bytes) -> None:
    path = tmp_path_factory.getbasetemp() / "any-ring"
    path.write_bytes(data)
    with pytest.raises(BusError):
        FrameRing.attach(path)
