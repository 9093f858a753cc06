"""`pitwatch watch`: a site around the clock: cameras and signals in, alerts out."""

from __future__ import annotations

import argparse
import signal
import threading
from pathlib import Path
from typing import Any

from pitwatch.commands.common import add_parser


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "watch",
        "watch the tables of a site, live: cameras and signals in, events recorded, alerts out",
        "pitwatch watch --site site.toml",
    )
    parser.add_argument("--site", type=Path, required=True, metavar="SITE.toml", help="the site file")
    parser.add_argument(
        "--check", action="store_true", help="only check the site file and the files that it names"
    )
    parser.add_argument("--seconds", type=float, metavar="N", help="stop after so long (for trials)")
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Watch until interrupted; 0 if the site was well in the end, 1 if something was down or degraded."""
    from pitwatch.site import SiteHere

    here = SiteHere.load(args.site)
    if args.check:
        print(f"{args.site}: {len(here.tables)} table(s), {len(here.jobs())} processes, nothing wrong")
        return 0
    stop = threading.Event()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, lambda *_: stop.set())
    if args.seconds is not None:
        threading.Timer(args.seconds, stop.set).start()
    state = watch(here, stop)
    return 0 if state == "ok" else 1


def watch(here: Any, stop: threading.Event) -> str:
    """Run the site until told to stop; returns how it was at that moment."""
    from pipeline.alerts import Post
    from pipeline.bus import Bus, BusKeys
    from pipeline.bus.hub import Hub
    from pipeline.live.metrics import serve_metrics
    from pipeline.live.supervisor import Supervisor
    from pipeline.record import Record

    here.places.make()
    record = Record.open(here.site.record)  # the schema is brought up to date once, before anybody uses it
    Post(
        record, (), {}, here.site.name
    ).begin()  # alerts count from now on, however long the post takes to start
    record.close()
    bus, far = Bus.at(here.places.run), here.site.bus
    if far is None:
        hub = Hub(bus)
    else:
        ends = (f"tcp://{far.address}:{far.in_port}", f"tcp://{far.address}:{far.out_port}")
        hub = Hub(bus, ends, BusKeys.load_or_make(far.key_file), far.allowed)
    supervisor = Supervisor(here.jobs(), here.places.run, bus, hub)
    end_metrics = None
    if here.site.metrics is not None:
        port, end_metrics = serve_metrics(
            supervisor.status, here.site.metrics.address, here.site.metrics.port
        )
        print(f"metrics: http://{here.site.metrics.address}:{port}/metrics", flush=True)
    print(
        f"watching {', '.join(here.tables)}; stop with Ctrl-C; see `pitwatch status --site {here.path}`",
        flush=True,
    )
    try:
        while not stop.is_set():
            supervisor.tend()
        return str(supervisor.status()["state"])
    finally:
        supervisor.end()
        for ring in here.places.rings.glob("*.*"):
            ring.unlink(missing_ok=True)  # shared memory is given back; a crash leaves it to the next start
        if end_metrics is not None:
            end_metrics()
