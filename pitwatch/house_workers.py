"""The processes of the house, put together: the post, the keeper, the door and the room."""

from __future__ import annotations

import shutil
import threading
import time
from pathlib import Path

from pipeline.alerts import MqttTarget, Post, Target, WebhookTarget
from pipeline.alerts.office import Office
from pipeline.bus import HEALTH, SIGNALS, Bus, BusKeys, Publisher, Subscriber
from pipeline.errors import RecordAway, SiteError, VideoError
from pipeline.live.health import Heart
from pipeline.record import Record
from pipeline.record.retention import Days, expire, held_spans
from pipeline.record.store import wall_clock
from pipeline.signals import Desk, HttpDoor, SenderKey, ZmqDoor
from pipeline.video import prune
from pitwatch.site import SiteHere

DAY_MS = 24 * 3600 * 1000
LEAST_FREE = 0.05
"""Share of the disk below which the keeper calls for help."""
EXPIRE_EVERY = 3600.0
PRUNE_EVERY = 60.0


def secret(path: Path) -> str:
    """Return what a secret's file holds; one that others may read is refused."""
    try:
        if path.stat().st_mode & 0o077:
            raise SiteError(f"{path}: others may read it; chmod 600")
        text = path.read_text(encoding="utf-8").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise SiteError(f"{path}: {getattr(error, 'strerror', None) or 'cannot be read'}") from None
    if len(text) < 16:
        raise SiteError(f"{path}: a secret has at least 16 characters")
    return text


def targets_of(here: SiteHere) -> dict[str, Target]:
    """Return everybody who gets alerts, by the name that routes use."""
    found: dict[str, Target] = {}
    for hook in here.site.webhook:
        key = secret(hook.secret_file).encode()
        found[f"webhook:{hook.name}"] = WebhookTarget(hook.url, key, hook.seconds)
    for one in here.site.mqtt:
        password = secret(one.password_file) if one.password_file else None
        found[f"mqtt:{one.name}"] = MqttTarget(
            one.host, one.port, one.topic, one.username, password, one.ca_file, one.tls,
            name=f"pitwatch-{here.site.name}-{one.name}",
        )  # fmt: skip
    return found


def run_post(here: SiteHere, bus: Bus, stop: threading.Event) -> None:
    """Hand alerts out, and tell when a process of the site is not well."""
    record = Record.open(here.site.record)
    post = Post(record, here.site.route, targets_of(here), here.site.name)
    post.begin()
    office = Office(post, here.site.route, bus, here.site.name)
    try:
        office.run(stop)
    finally:
        office.close()
        record.close()


def run_keeper(here: SiteHere, bus: Bus, stop: threading.Event) -> None:
    """Forget what may be forgotten, keep the disk from filling, and say so when that fails."""
    heart = Heart(bus, "keeper", "keeper")
    record = Record.open(here.site.record)
    rule = here.site.retention
    days = Days(rule.plain, rule.unsure, rule.violation)
    expired = pruned = float("-inf")
    trouble, kept = "", 0
    while not stop.wait(0.5):
        now = time.monotonic()
        try:
            if now - expired > EXPIRE_EVERY:
                expired = now
                expire(record, days, wall_clock())
            if now - pruned > PRUNE_EVERY:
                pruned = now
                kept = _prune(here, record)
            trouble = ""
        except (RecordAway, VideoError) as error:
            trouble = str(error)
        usage = shutil.disk_usage(here.places.home)
        free = usage.free / usage.total
        if free < LEAST_FREE:
            trouble = f"{here.places.home}: only {usage.free / 1e9:.1f} GB are free"
        heart.beat("degraded" if trouble else "ok", trouble, disk_free=free, video_bytes=float(kept))
    record.close()
    heart.close()


def _prune(here: SiteHere, record: Record) -> int:
    """Remove old video; what belongs to rounds that something was found in stays as long as they do."""
    video = here.site.video
    roll = round(video.pre_roll * 1000)
    held = {
        table: [(start - roll, end + roll) for start, end in spans]
        for table, spans in held_spans(record).items()
    }
    before = wall_clock() - round(video.keep_days * DAY_MS)
    return prune(here.places.video, before, round(video.most_gb * 1e9), held).kept_bytes


def run_door(here: SiteHere, bus: Bus, stop: threading.Event) -> None:
    """Let signals in by HTTP and ZMQ."""
    heart, publisher = Heart(bus, "door", "door"), Publisher(bus, SIGNALS, "door")
    ears = Subscriber(bus, [HEALTH])
    heard: dict[str, float] = {}
    lock = threading.Lock()

    def tell(note: object) -> None:
        with lock:
            publisher.send(note)  # type: ignore[arg-type]

    def watched(table: str) -> bool:
        return time.monotonic() - heard.get(f"table:{table}", float("-inf")) < 5.0

    door = here.site.signals
    senders = [SenderKey.of(one.name, secret(one.token_file), one.tables) for one in door.sender]
    desk = Desk(senders, here.tables, tell, watched)
    doors: list[HttpDoor | ZmqDoor] = []
    if door.http is not None:
        doors.append(HttpDoor(desk, door.http.address, door.http.port))
    if door.zmq is not None:
        keys = (
            BusKeys.load_or_make(here.site.bus.key_file)
            if door.zmq.beyond_this_machine and here.site.bus
            else None
        )
        doors.append(ZmqDoor(desk, door.zmq.address, door.zmq.port, keys))
    while not stop.is_set():
        message = ears.receive(0.5)
        if message is not None:
            heard[message.payload.process] = time.monotonic()
        heart.beat("ok", "", taken=float(desk.taken), refused=float(desk.refused))
    for one in doors:
        one.close()
    for each in (heart, publisher, ears):
        each.close()


def run_room(here: SiteHere, bus: Bus, stop: threading.Event) -> None:
    """Serve the surveillance room."""
    from pitwatch.room_worker import serve_room

    serve_room(here, bus, stop)
