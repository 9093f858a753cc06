"""The guard at every route: who asks, may they, did they mean it (CSRF), and the line in the audit log."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Annotated, Any, Final
from urllib.parse import urlsplit

from fastapi import Depends, Request
from fastapi.security import APIKeyCookie, HTTPBearer

from room.errors import Denied, RoomError
from room.people import Permission, Visitor
from room.services import Room

COOKIE: Final = "pitwatch_session"
CSRF_HEADER: Final = "X-CSRF-Token"
SAFE: Final = ("GET", "HEAD", "OPTIONS")
BEARER = HTTPBearer(auto_error=False, description="An API token, made under Settings.")
SESSION = APIKeyCookie(name=COOKIE, auto_error=False, description="The session of a browser.")


class NotSignedIn(RoomError):
    """Nobody knows who is asking."""


def room_of(request: Request) -> Room:
    """Return the services of the running room."""
    room: Room = request.app.state.room
    return room


Services = Annotated[Room, Depends(room_of)]


def address_of(request: Request) -> str:
    """Return where a request comes from."""
    return request.client.host if request.client is not None else "unknown"


def who_asks(room: Room, request: Request) -> Visitor | None:
    """Return the visitor by API token or by session."""
    kind, _, secret = request.headers.get("Authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return room.people.bearer(secret.strip())
    cookie = request.cookies.get(COOKIE)
    return room.people.visitor(cookie) if cookie else None


def same_origin(request: Request) -> bool:
    """Return whether a request that changes something comes from one of our own pages."""
    origin = request.headers.get("Origin")
    if origin is None:
        return request.headers.get("Sec-Fetch-Site", "same-origin") in ("same-origin", "none")
    return urlsplit(origin).netloc == request.headers.get("Host")


def check_meant(request: Request, visitor: Visitor) -> None:
    """Refuse a change that a foreign page makes in somebody's name; an API token cannot be borrowed like that."""
    if request.method in SAFE or not visitor.csrf:
        return
    given = request.headers.get(CSRF_HEADER, "")
    if not same_origin(request) or not secrets.compare_digest(given.encode(), visitor.csrf.encode()):
        raise Denied("the request does not come from a page of this room")


def needs(permission: Permission, what: str | None) -> Callable[..., Visitor]:
    """Return the guard of a route; `what` is its line in the audit log (None: the page that asks has its own)."""

    def guard(
        request: Request,
        room: Services,
        _token: Annotated[Any, Depends(BEARER)] = None,
        _cookie: Annotated[Any, Depends(SESSION)] = None,
    ) -> Visitor:
        visitor = who_asks(room, request)
        if visitor is None:
            raise NotSignedIn("sign in first")
        if not visitor.may(permission):
            room.record.audit(visitor.name, "denied", path=request.url.path, needs=str(permission))
            raise Denied(f"{visitor.account.role}s may not do this")
        check_meant(request, visitor)
        if what is not None:
            details = {"path": request.url.path} | ({"query": request.url.query} if request.url.query else {})
            room.record.audit(visitor.name, what, **details)
        return visitor

    guard.permission = permission  # type: ignore[attr-defined]
    return guard
