"""`site.toml`: what one site watches and whom it tells. Typed, checked at load, and nothing unknown passes.

Paths are relative to the file. Secrets are never in it: it names files that hold them.
"""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationError, model_validator

from engine.verdicts import Severity
from pipeline.capture.source import DEVICE, Mode
from pipeline.errors import SiteError
from pipeline.live.lines import line_of
from pipeline.video.segments import SAFE

Name = Annotated[str, Field(pattern=r"^[A-Za-z0-9][A-Za-z0-9._-]{0,39}$")]
Port = Annotated[int, Field(ge=0, le=65535)]
Days = Annotated[float, Field(gt=0, le=3650)]
LOOPBACK = ("127.0.0.1", "::1", "localhost")


class _Model(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class CameraSource(_Model):
    """One camera of a table: `rtsp://…`, `/dev/video0` or a file, which may be `loop`ed."""

    name: Name
    source: str = Field(min_length=1)
    loop: bool = False
    open_seconds: float = Field(default=5.0, gt=0, le=60)
    read_seconds: float = Field(default=5.0, gt=0, le=60)


class TableSite(_Model):
    """One table: its table file, its cameras, and how it is watched.

    `look_fps` is how often a second the eyes look in real time (0: as often as they can). `clock` is `wall` (time of
    day) or `film` (the film's own time, for runs that must give the same log each time). `script` plays an event log
    in the place of the eyes, for trials of everything else.
    """

    file: Path
    camera: tuple[CameraSource, ...] = Field(min_length=1)
    mode: Mode = Mode.REAL_TIME
    clock: Literal["wall", "film"] = "wall"
    look_fps: float = Field(default=12.5, ge=0, le=120)
    script: Path | None = None

    @model_validator(mode="after")
    def _cameras_differ(self) -> TableSite:
        names = [one.name for one in self.camera]
        if len(set(names)) != len(names):
            raise ValueError("two cameras have the same name")
        return self


class Video(_Model):
    """How much recorded video is kept: at least `pre_roll` seconds before a round count as part of it."""

    keep_days: Days = 7
    most_gb: float = Field(default=200, gt=0)
    segment_seconds: float = Field(default=10, ge=1, le=600)
    pre_roll: float = Field(default=15, ge=0, le=600)


class Retention(_Model):
    """Days after which rounds are forgotten, by what was found in them; rounds of held cases never are."""

    plain: Days = 7
    unsure: Days = 15
    violation: Days = 30


class Listen(_Model):
    """Where a service of the site can be reached; beyond this machine only if `beyond_this_machine` says so."""

    address: str = "127.0.0.1"
    port: Port
    beyond_this_machine: bool = False

    @model_validator(mode="after")
    def _loopback(self) -> Listen:
        if self.address not in LOOPBACK and not self.beyond_this_machine:
            raise ValueError("an address beyond this machine needs beyond_this_machine = true")
        return self


class Sender(_Model):
    """Who may send signals: a name, the file that holds its token, and the tables it speaks for (none: all)."""

    name: Name
    token_file: Path
    tables: tuple[str, ...] = ()


class SignalDoor(_Model):
    """Signals in, by HTTP and by ZMQ; nobody gets in without a token."""

    http: Listen | None = None
    zmq: Listen | None = None
    sender: tuple[Sender, ...] = ()


class RemoteBus(_Model):
    """The bus for other machines: two ports, this machine's key file, and the public keys that are let in."""

    address: str
    in_port: Port
    out_port: Port
    key_file: Path
    allowed: tuple[Annotated[str, Field(min_length=40, max_length=40)], ...] = Field(min_length=1)


class Webhook(_Model):
    """An HTTP address that gets alerts, signed with the secret in a file (HMAC-SHA256)."""

    name: Name
    url: str = Field(pattern=r"^https?://[^\s]+$")
    secret_file: Path
    seconds: float = Field(default=5, gt=0, le=60)


class Mqtt(_Model):
    """A broker that gets alerts under `topic/TABLE/CHECK`."""

    name: Name
    host: str
    port: Port = 1883
    topic: str = Field(default="pitwatch/alerts", pattern=r"^[^#+\x00]{1,200}$")
    username: str = ""
    password_file: Path | None = None
    tls: bool = False
    ca_file: Path | None = None


class Route(_Model):
    """Which alerts go where: all conditions must hold. `check` ends with `*` to match a group, such as `wager.*`.

    Alerts of the same check, table and seat within `group_seconds` are one message with a count.
    """

    to: tuple[str, ...] = Field(min_length=1)
    least: Literal["info", "low", "medium", "high", "critical"] = "low"
    rulings: tuple[Literal["violation", "handled", "cannot_tell", "health"], ...] = ("violation", "health")
    check: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    group_seconds: float = Field(default=60, ge=0, le=86_400)

    @property
    def severity(self) -> Severity:
        """The least severity as the engine counts it."""
        return Severity[self.least.upper()]


class RoomSite(_Model):
    """The surveillance room of the site."""

    listen: Listen = Listen(port=8080)
    certificate: Path | None = None
    key: Path | None = None


class Site(_Model):
    """The whole site file."""

    version: Literal[1] = 1
    name: str = Field(default="site", pattern=SAFE.pattern)
    record: str = "sqlite:///pitwatch.db"
    home: Path = Path("pitwatch-home")
    table: tuple[TableSite, ...] = Field(min_length=1)
    video: Video = Video()
    retention: Retention = Retention()
    signals: SignalDoor = SignalDoor()
    bus: RemoteBus | None = None
    metrics: Listen | None = Listen(port=9464)
    room: RoomSite | None = None
    webhook: tuple[Webhook, ...] = ()
    mqtt: tuple[Mqtt, ...] = ()
    route: tuple[Route, ...] = ()
    spool_mb: float = Field(default=64, gt=0, le=100_000)

    @model_validator(mode="after")
    def _targets_exist(self) -> Site:
        names = [f"webhook:{one.name}" for one in self.webhook] + [f"mqtt:{one.name}" for one in self.mqtt]
        if len(set(names)) != len(names):
            raise ValueError("two webhooks or brokers have the same name")
        for route in self.route:
            for target in route.to:
                if target not in names:
                    raise ValueError(
                        f"route.to: there is no {target!r} (known: {', '.join(names) or 'none'})"
                    )
        if (self.signals.http or self.signals.zmq) and not self.signals.sender:
            raise ValueError("signals: a door without a sender lets nobody in; add [[signals.sender]]")
        if self.signals.zmq is not None and self.signals.zmq.beyond_this_machine and self.bus is None:
            raise ValueError("signals.zmq: beyond this machine it needs the CURVE key of [bus]")
        return self


def parse_site(text: str, origin: str = "site.toml", base: Path = Path()) -> Site:
    """Return a site from TOML text; what is wrong is one line that names the file, the line and the field."""
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise SiteError(f"{origin}: not valid TOML: {error}") from None
    try:
        site = Site.model_validate(raw)
    except ValidationError as error:
        # A misspelt field shows as one unknown and one missing: the unknown one tells more.
        first = min(error.errors(include_url=False), key=lambda one: one["type"] != "extra_forbidden")
        where = ".".join(str(part) for part in first["loc"])
        line = line_of(text, first["loc"])
        at = f", line {line}" if line else ""
        what = "no such field" if first["type"] == "extra_forbidden" else first["msg"]
        raise SiteError(f"{origin}{at}: {where + ': ' if where else ''}{what}") from None
    return _placed(site, base)


def load_site(path: Path) -> Site:
    """Return the site of a file."""
    try:
        text = path.read_text(encoding="utf-8")
    except OSError as error:
        raise SiteError(f"{path}: {(error.strerror or 'cannot be read').lower()}") from None
    except UnicodeDecodeError:
        raise SiteError(f"{path}: not a text file in UTF-8") from None
    return parse_site(text, str(path), path.resolve().parent)


def _placed(site: Site, base: Path) -> Site:
    """Return the site with every path relative to its file made whole."""

    def at(path: Path | None) -> Path | None:
        return None if path is None else base / path

    def camera(one: CameraSource) -> CameraSource:
        local = "://" not in one.source and not one.source.startswith(DEVICE)
        return one.model_copy(update={"source": str(base / one.source)} if local else {})

    def table(one: TableSite) -> TableSite:
        cameras = tuple(camera(each) for each in one.camera)
        return one.model_copy(update={"file": at(one.file), "script": at(one.script), "camera": cameras})

    senders = tuple(one.model_copy(update={"token_file": at(one.token_file)}) for one in site.signals.sender)
    room = site.room
    if room is not None:
        room = room.model_copy(update={"certificate": at(room.certificate), "key": at(room.key)})
    bus = None if site.bus is None else site.bus.model_copy(update={"key_file": at(site.bus.key_file)})
    record = site.record
    if record.startswith("sqlite:///") and not record.startswith("sqlite:////") and base != Path():
        record = f"sqlite:///{base / record[len('sqlite:///') :]}"
    return site.model_copy(
        update={
            "home": at(site.home),
            "record": record,
            "table": tuple(table(one) for one in site.table),
            "signals": site.signals.model_copy(update={"sender": senders}),
            "webhook": tuple(
                one.model_copy(update={"secret_file": at(one.secret_file)}) for one in site.webhook
            ),
            "mqtt": tuple(
                one.model_copy(update={"password_file": at(one.password_file), "ca_file": at(one.ca_file)})
                for one in site.mqtt
            ),
            "room": room,
            "bus": bus,
        }
    )
