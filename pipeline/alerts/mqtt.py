"""MQTT: published with quality of service 1, so that the broker has confirmed what counts as delivered."""

from __future__ import annotations

import json
import ssl
from pathlib import Path

import paho.mqtt.client as paho
from paho.mqtt.enums import CallbackAPIVersion

from pipeline.errors import NotDelivered


class MqttTarget:
    """One broker. The connection is opened with the first delivery and taken up again by the client itself."""

    def __init__(
        self, host: str, port: int, topic: str, username: str = "", password: str | None = None,
        ca: Path | None = None, tls: bool = False, seconds: float = 5.0, name: str = "",
    ) -> None:  # fmt: skip
        self._where = (host, port)
        self._topic = topic
        self._seconds = seconds
        self._client = paho.Client(CallbackAPIVersion.VERSION2, client_id=name, clean_session=not name)
        self._client.reconnect_delay_set(1, 30)
        if username:
            self._client.username_pw_set(username, password)
        if tls:
            self._client.tls_set_context(ssl.create_default_context(cafile=None if ca is None else str(ca)))
        self._begun = False

    def send(self, key: str, body: bytes) -> None:
        """Publish under `topic/TABLE/CHECK` and wait for the broker's word, or raise `NotDelivered`."""
        self._begin()
        info = self._client.publish(self._topic_of(body), body, qos=1)
        try:
            info.wait_for_publish(self._seconds)
        except (RuntimeError, ValueError) as error:
            raise NotDelivered(f"{self._where[0]}: {error}") from None
        if not info.is_published():
            raise NotDelivered(f"{self._where[0]}: the broker did not confirm in {self._seconds:g} s")

    def _begin(self) -> None:
        if self._begun:
            return
        try:
            self._client.connect(*self._where, keepalive=30)
        except (OSError, ValueError) as error:
            raise NotDelivered(f"{self._where[0]}: {error}") from None
        self._client.loop_start()
        self._begun = True

    def _topic_of(self, body: bytes) -> str:
        alert = json.loads(body).get("alert", {})
        parts = [str(alert.get(name) or "none") for name in ("table", "check")]
        return "/".join([self._topic, *("".join(c for c in part if c not in "#+/\0") for part in parts)])

    def close(self) -> None:
        """Say goodbye to the broker."""
        if self._begun:
            self._client.disconnect()
            self._client.loop_stop()
