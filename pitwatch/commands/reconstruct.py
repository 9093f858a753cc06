"""`pitwatch reconstruct`: one round from the record, every card, wager and irregularity on a timeline."""

from __future__ import annotations

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pitwatch.commands.common import add_parser
from pitwatch.commands.record_options import add_record, add_round, find_round
from pitwatch.errors import BadInput

if TYPE_CHECKING:
    from collections.abc import Sequence

    from engine.events import Event
    from pipeline.evidence.footage import Footage
    from pipeline.reconstruct import Story
    from pipeline.record import Record

MOST_SEATS = 9


def add(subparsers: Any) -> None:
    """Declare the subcommand."""
    parser = add_parser(
        subparsers,
        "reconstruct",
        "rebuild one round from the record: cards, wagers, payments, irregularities, what was not seen",
        "pitwatch reconstruct CS-1/R373 --record sqlite:///pitwatch.db --out round",
    )
    add_round(parser)
    add_record(parser)
    parser.add_argument(
        "--out", type=Path, required=True, metavar="DIR", help="folder for the report and logs"
    )
    add_video(parser)
    parser.add_argument(
        "--rack",
        metavar="CARDS",
        help='the discard rack as read, top card first ("7h Ks ?? …"): hands are rebuilt from its order',
    )
    parser.set_defaults(run=run)


def run(args: argparse.Namespace) -> int:
    """Write `report.html`, `report.pdf`, `events.jsonl` and `alerts.jsonl` of the round; 1 if it had a violation."""
    from pipeline.reconstruct import report_html, report_pdf
    from pipeline.record import Record

    record = Record.open(args.record)
    try:
        table, round_id = find_round(record, args.round)
        story = story_of(record, table, round_id)
        footage = footage_for(record, args.video, story, table, round_id)
        events = record.events_of_round(table, round_id)
        lines = [row.body for row in record.lines(table) if row.round == round_id]
        record.audit(args.who, "reconstruct", table=table, round=round_id)
    finally:
        record.close()
    verdicts = [json.dumps(one.to_mapping(), ensure_ascii=False) for one in story.verdicts]
    try:
        args.out.mkdir(parents=True, exist_ok=True)
        (args.out / "events.jsonl").write_text("".join(line + "\n" for line in lines), encoding="utf-8")
        (args.out / "alerts.jsonl").write_text("".join(line + "\n" for line in verdicts), encoding="utf-8")
        title = f"Table {table}, round {round_id}"
        page = report_html([story], title, footage.pictures)
        (args.out / "report.html").write_text(page, encoding="utf-8")
        (args.out / "report.pdf").write_bytes(report_pdf([story], title, footage.pictures))
        for one in footage.attachments:
            (args.out / one.name).parent.mkdir(exist_ok=True)
            (args.out / one.name).write_bytes(one.data)
        if args.rack is not None:
            _write_rack(args.out / "rack.json", events, args.rack)
    except OSError as error:
        raise BadInput(f"{args.out}: {(error.strerror or str(error)).lower()}") from None
    found = sum(one.ruling == "violation" for one in story.verdicts)
    print(f"{args.out}: round {round_id} of table {table}, {len(lines)} events, {found} violation(s)")
    return 1 if found else 0


def add_video(parser: argparse.ArgumentParser) -> None:
    """Add the option that says where recorded video lies."""
    parser.add_argument(
        "--video",
        type=Path,
        metavar="DIR",
        help="recorded video (HOME/video of the site): clips and stills go along",
    )


def footage_for(record: Record, video: Path | None, story: Story, table: str, round_id: str) -> Footage:
    """Return the pictures of a round, as far as video is kept."""
    from pipeline.evidence.footage import Footage, footage_of

    if video is None:
        return Footage()
    return footage_of(video, record.round(table, round_id), story.verdicts, story.end, story.round)


def _write_rack(path: Path, events: Sequence[Event], text: str) -> None:
    """Write the hands that the rack's order gives back, beside what the log had read."""
    from engine.cards import Card
    from pipeline.reconstruct import rebuild

    hands = rebuild(events, [Card.parse(word) for word in text.replace(",", " ").split()])
    rows = [
        {
            "seat": one.seat,
            "rack": [card.label for card in one.cards],
            "log": [card.label for card in one.read],
            "on_top": one.on_top,
            "why": one.why,
        }
        for one in hands
    ]
    path.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def story_of(record: Record, table: str, round_id: str) -> Story:
    """Rebuild a round from the record."""
    from pipeline.reconstruct import tell
    from pipeline.record.verdict_text import verdict_of

    alerts = record.alerts(table_name=table, round=round_id)
    verdicts = [verdict_of(json.loads(row.body)) for row in alerts]
    return tell(record.events_of_round(table, round_id), verdicts, MOST_SEATS)
