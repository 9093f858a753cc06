"""The room as a process of a site: over the site's record, video and bus, beating like every other process."""

from __future__ import annotations

import threading

from pipeline.bus import Bus
from pipeline.live.health import Heart
from pitwatch.data import shipped
from pitwatch.errors import BadInput
from pitwatch.site import SiteHere
from room.read.recorded import BusListener, RecordedFootage
from room.read.tables import House
from room.serve import make_server
from room.services import Room, RoomConfig


def room_of(here: SiteHere, demo: bool = False) -> Room:
    """Open the room of a site."""
    assert here.site.room is not None, "a site without a room starts none"
    return Room(
        RoomConfig(
            record=here.site.record,
            home=here.places.home / "room",
            secure=here.site.room.certificate is not None,
            house=House(files={name: table.site.file for name, table in here.tables.items()}),
            models=shipped("models"),
            footage=RecordedFootage(here.places.video, here.places.home / "room" / "clips"),
            demo=demo,
        )
    )


def serve_room(here: SiteHere, bus: Bus, stop: threading.Event) -> None:
    """Serve until told to stop; a room that cannot listen ends, and is started again."""
    site = here.site.room
    assert site is not None, "a site without a room starts none"
    opened = room_of(here)
    listener = BusListener(bus, opened.live.show)
    heart = Heart(bus, "room", "room")
    server = make_server(opened, site.listen.address, site.listen.port, site.certificate, site.key)
    serving = threading.Thread(target=server.run, name="room-serve", daemon=True)
    opened.status = listener.status
    listener.start()
    serving.start()
    try:
        while not stop.wait(0.5):
            if not serving.is_alive():
                raise BadInput(f"room: cannot listen on {site.listen.address}, port {site.listen.port}")
            trouble = opened.live.health.problem
            heart.beat("degraded" if trouble else "ok", trouble)
    finally:
        opened.live.leave()
        server.should_exit = True
        serving.join(timeout=5)
        listener.stop()
        heart.close()
        opened.close()
