"""`pitwatch room`: the surveillance room over a record; with `--setup` the first administrator."""

from __future__ import annotations

import argparse
import getpass
import ipaddress
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitwatch.commands.common import add_parser
from pitwatch.data import shipped
from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from room.read.tables import House
    from room.services import Room


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "room",
        "serve the surveillance room over a record",
        "pitwatch room --record sqlite:///pitwatch.db --setup\n"
        "  pitwatch room --record sqlite:///pitwatch.db --table 'Pit 1=cs-1.toml' --video video --bus run",
    )
    parser.add_argument(
        "--record",
        default=os.environ.get("PITWATCH_RECORD", "sqlite:///pitwatch.db"),
        metavar="URL",
        help="the record: sqlite:///FILE or postgresql://… (default: $PITWATCH_RECORD, or pitwatch.db here)",
    )
    parser.add_argument(
        "--home", type=Path, default=Path("room"), metavar="DIR", help="folder for the signing key"
    )
    parser.add_argument(
        "--setup",
        action="store_true",
        help="make the first administrator (asks for name and password) and end",
    )
    parser.add_argument(
        "--host", default="127.0.0.1", help="address to listen on (default: this machine only)"
    )
    parser.add_argument("--port", type=int, default=8600, help="port to listen on (default: 8600)")
    parser.add_argument("--cert", type=Path, metavar="FILE.pem", help="certificate: serve over TLS")
    parser.add_argument("--key", type=Path, metavar="FILE.pem", help="the certificate's key")
    parser.add_argument(
        "--table",
        action="append",
        default=[],
        metavar="[PIT=]TABLE.toml",
        help="a table file, for its pit, cameras and calibration; may be repeated",
    )
    parser.add_argument("--video", type=Path, metavar="DIR", help="where the pipeline records video")
    parser.add_argument(
        "--bus", type=Path, metavar="DIR", help="run folder of the pipeline, for live pictures"
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Serve until interrupted."""
    from room.services import Room, RoomConfig

    if (args.cert is None) != (args.key is None):
        raise BadInput("--cert, --key: TLS needs both")
    check_host(args.host, args.cert is not None)
    for option, path in (("--cert", args.cert), ("--key", args.key)):
        if path is not None and not path.is_file():
            raise BadInput(f"{option}: {path}: no such file")
    footage = {} if args.video is None else {"footage": _footage(args.video, args.home)}
    config = RoomConfig(
        record=args.record,
        home=args.home,
        secure=args.cert is not None,
        house=house_of(args.table),
        models=shipped("models"),
        **footage,
    )
    opened = Room(config)
    try:
        return set_up(opened) if args.setup else serve(opened, args)
    finally:
        opened.close()


def check_host(host: str, tls: bool) -> None:
    """Refuse passwords in the clear on the network: beyond this machine only with TLS."""
    try:
        local = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        local = False
    if not local and not tls:
        raise BadInput(
            f"--host: {host} is not this machine alone; give --cert and --key, or put TLS in front"
        )


def _footage(video: Path, home: Path) -> Any:
    from room.read.recorded import RecordedFootage

    return RecordedFootage(video, home / "clips")


def house_of(options: list[str]) -> House:
    """Read the tables that were given as `PIT=FILE` or `FILE`."""
    from calibration.tablefile import load_table
    from room.read.tables import House

    pits: dict[str, str] = {}
    files: dict[str, Path] = {}
    for option in options:
        pit, _, name = option.rpartition("=")
        path = Path(name)
        table = load_table(path)
        files[table.name] = path.resolve()
        if pit:
            pits[table.name] = pit
    return House(pits, files)


def set_up(opened: Room) -> int:
    """Make the first administrator; there is no password but the one that is typed."""
    from room.errors import BadAccount
    from room.people import Role

    if opened.people.accounts():
        raise BadInput(
            "--setup: there are accounts already; an administrator makes others under Settings, People"
        )
    if not sys.stdin.isatty():
        name, password = (sys.stdin.readline().rstrip("\n") for _ in range(2))
    else:
        name = input("Name of the administrator: ").strip()
        password = getpass.getpass("Password (12 characters or more): ")
        if getpass.getpass("Once more: ") != password:
            raise BadInput("--setup: the two passwords differ")
    try:
        account = opened.people.add(name, Role.ADMINISTRATOR, password)
    except BadAccount as error:
        raise BadInput(f"--setup: {error}") from None
    opened.record.audit(account.name, "set up", role=str(account.role))
    print(f"administrator {account.name} made; start the room and sign in")
    return 0


def serve(opened: Room, args: argparse.Namespace) -> int:
    """Serve the room."""
    from room.serve import make_server

    if not opened.people.accounts():
        raise BadInput("room: nobody could sign in; make the first administrator with --setup")
    server = make_server(opened, args.host, args.port, args.cert, args.key)
    scheme = "http" if args.cert is None else "https"
    shown = f"[{args.host}]" if ":" in args.host else args.host
    print(f"the room is at {scheme}://{shown}:{args.port}/ (Ctrl-C ends)", flush=True)
    listener = _listen(opened, args.bus)
    try:
        server.run()
    finally:
        if listener is not None:
            listener.stop()
    return 0 if server.started else 2


def _listen(opened: Room, folder: Path | None) -> Any:
    if folder is None:
        return None
    from pipeline.bus import Bus
    from room.read.recorded import BusListener

    listener = BusListener(Bus.at(folder), opened.live.show)
    listener.start()
    opened.status = listener.status
    return listener
