"""An analysis as files: `events.jsonl`, `alerts.jsonl`, `rounds.json` and `report.html`, the same bytes every time."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from engine import events as ev
from engine.events import Event
from engine.events.codec import to_line
from pipeline.analyze.run import JPEG, Analysis
from pipeline.errors import AnalysisError
from pipeline.reconstruct import report_html, tell
from pipeline.reconstruct.story import Story

PICTURE_HEIGHT = 420


def write_analysis(done: Analysis, out: Path) -> None:
    """Write all files; each gets its name only when it is whole."""
    stories = told_rounds(done)
    plain = {
        "table": done.settings.table,
        "rulebook": done.rulebook,
        "length_ms": done.length,
        "unseen": done.unseen,
        "rounds": [round_mapping(story) for story in stories],
    }
    alerts = [_line(verdict.to_mapping()) for verdict in done.verdicts]
    files = {
        "events.jsonl": "".join(to_line(event) + "\n" for event in done.events),
        "alerts.jsonl": "".join(alerts),
        "rounds.json": json.dumps(plain, ensure_ascii=False, indent=1) + "\n",
        "report.html": report_html(stories, f"Table {done.settings.table}", pictures_of(done), done.unseen),
    }
    try:
        out.mkdir(parents=True, exist_ok=True)
        for name, text in files.items():
            making = out / f".{name}.{os.getpid()}"
            making.write_text(text, encoding="utf-8")
            making.replace(out / name)
    except OSError as error:
        raise AnalysisError(f"{out}: cannot be written: {error.strerror}") from None


def told_rounds(done: Analysis) -> list[Story]:
    """Every round as a story, with its verdicts; what comes before the first round belongs to it."""
    parts: list[list[Event]] = [[]]
    for event in done.events:
        if isinstance(event, ev.RoundOpened) and any(isinstance(one, ev.RoundOpened) for one in parts[-1]):
            parts.append([])
        parts[-1].append(event)
    stories = []
    for part in parts:
        if any(isinstance(one, ev.RoundOpened) for one in part):
            first, last = part[0].seq, part[-1].seq
            mine = [one for one in done.verdicts if first <= one.seq <= last]
            stories.append(tell(part, mine, done.settings.seats))
    return stories


def round_mapping(story: Story) -> dict[str, Any]:
    """A round as plain values."""
    return {
        "round": story.round,
        "start_ms": story.start,
        "end_ms": story.end,
        "void": story.void,
        "complete": story.complete,
        "seats": [
            {
                "seat": seat.seat,
                "cards": [str(card) for card in seat.cards],
                "hand": seat.hand,
                "decision": seat.decision,
                "jackpot": seat.jackpot,
                "wagers": [
                    {"area": str(one.area), "staked": one.staked, "paid": one.paid, "end": one.end}
                    for one in seat.wagers
                ],
            }
            for seat in story.seats
        ],
        "unseen": [{"zone": one.zone, "why": one.why} for one in story.unseen],
        "alerts": [
            {"check": one.check, "verdict": str(one.ruling), "seat": one.seat, "seq": one.seq}
            for one in story.verdicts
        ],
    }


def pictures_of(done: Analysis) -> Mapping[tuple[str, int], bytes]:
    """One picture for each alert: all cameras side by side."""
    found: dict[tuple[str, int], bytes] = {}
    for number, pictures in done.pictures.items():
        verdict = done.verdicts[number]
        if verdict.round is not None and pictures:
            found.setdefault((verdict.round, verdict.seq), side_by_side(list(pictures.values())))
    return found


def side_by_side(pictures: Sequence[bytes]) -> bytes:
    """Join JPEGs at one height."""
    rows = []
    for data in pictures:
        picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None, "it was encoded a moment ago"
        width = max(2, round(picture.shape[1] * PICTURE_HEIGHT / picture.shape[0]))
        rows.append(cv2.resize(picture, (width, PICTURE_HEIGHT), interpolation=cv2.INTER_AREA))
    _, joined = cv2.imencode(".jpg", np.hstack(rows), JPEG)
    return joined.tobytes()


def _line(data: dict[str, Any]) -> str:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")) + "\n"
