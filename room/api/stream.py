"""The push: alerts, actions, tables and pictures as they come, by server-sent events.

Each message that must not be missed carries the cursor "alert.action" as its id. A browser that was away sends the last
one back (Last-Event-ID), and gets everything since from the record.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncIterator
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Header, Query
from fastapi.concurrency import run_in_threadpool
from fastapi.responses import StreamingResponse

from pipeline.record.queries import heads
from room.api.kinds import Text
from room.guard import Services, needs
from room.people import Permission, Visitor
from room.read.live import Push, Subscriber, catch_up
from room.services import Room

router = APIRouter(tags=["push"])
HEARTBEAT: Final = 10.0
CURSOR: Final = r"^\d{1,9}\.\d{1,9}$"


def _line(message: Push) -> bytes:
    id = "" if message.cursor is None else f"id: {message.cursor[0]}.{message.cursor[1]}\n"
    data = json.dumps(message.data, ensure_ascii=False, separators=(",", ":"))
    return f"{id}event: {message.name}\ndata: {data}\n\n".encode()


def _wanted(message: Push, table: str | None) -> bool:
    """Pictures and beliefs go only to who looks at that table."""
    return message.name not in ("belief", "preview") or message.data["table"] == table


async def _messages(room: Room, cursor: tuple[int, int], table: str | None) -> AsyncIterator[bytes]:
    loop = asyncio.get_running_loop()
    woken = asyncio.Event()

    def wake() -> None:
        with contextlib.suppress(RuntimeError):  # the loop has ended: nobody is left to be woken
            loop.call_soon_threadsafe(woken.set)

    subscriber = room.live.subscribe(wake)
    try:
        yield b"retry: 1000\n\n"
        sent: set[int] = set()
        for message in await run_in_threadpool(catch_up, room.record, cursor):
            _note(sent, message)
            yield _line(message)
        yield _line(Push("hello", {"problem": room.live.health.problem}))
        while not room.live.stopped:
            for message in _drain(subscriber):
                if _wanted(message, table) and _note(sent, message):
                    yield _line(message)
            if subscriber.overflowed:
                return  # too slow a reader: it comes back with its cursor and catches up
            try:
                await asyncio.wait_for(woken.wait(), HEARTBEAT)
            except TimeoutError:
                yield b": still here\n\n"
            woken.clear()
    finally:
        room.live.unsubscribe(subscriber)


def _note(sent: set[int], message: Push) -> bool:
    """Remember an alert; returns whether it was not sent before."""
    if message.name != "alert":
        return True
    new = message.data["id"] not in sent
    sent.add(message.data["id"])
    return new


def _drain(subscriber: Subscriber) -> list[Push]:
    messages = []
    while subscriber.waiting:
        messages.append(subscriber.waiting.popleft())
    return messages


@router.get(
    "/stream",
    summary="Server-sent events: alert, action, table, belief, preview, health",
    response_class=StreamingResponse,
    responses={200: {"content": {"text/event-stream": {}}}},
)
async def stream(
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "watch"))],
    table: Text = None,
    cursor: Annotated[str | None, Query(pattern=CURSOR, description="where to take up: alert.action")] = None,
    last_event_id: Annotated[str | None, Header(pattern=CURSOR)] = None,
) -> StreamingResponse:
    """Push until the reader goes away. `table` chooses whose beliefs and pictures come along."""
    text = last_event_id or cursor
    if text is None:
        start = await run_in_threadpool(heads, room.record)
    else:
        alert, action = text.split(".")
        start = (int(alert), int(action))
    return StreamingResponse(
        _messages(room, start, table),
        media_type="text/event-stream",
        headers={"Cache-Control": "no-store", "X-Accel-Buffering": "no"},
    )
