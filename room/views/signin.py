"""Signing in and out, and the one-time link."""

from __future__ import annotations

from typing import Annotated

from fastapi import APIRouter, Form, Request
from fastapi.responses import RedirectResponse, Response

from room.errors import Denied, TooMany
from room.guard import COOKIE, Services, address_of, same_origin, who_asks
from room.people import Account
from room.people.store import LONGEST
from room.services import Room
from room.views.render import page

router = APIRouter()


def _inside(target: str) -> str:
    """Return where to go after signing in: a page of this room, never elsewhere."""
    return target if target.startswith("/") and not target.startswith(("//", "/\\")) else "/"


def _enter(room: Room, account: Account, target: str) -> Response:
    """Begin a session and go to a page."""
    answer = RedirectResponse(_inside(target), 303)
    answer.set_cookie(
        COOKIE,
        room.people.begin(account),
        max_age=LONGEST // 1000,
        httponly=True,
        secure=room.config.secure,
        samesite="lax",
        path="/",
    )
    return answer


@router.get("/sign-in")
def form(request: Request, room: Services, next: str = "/") -> Response:
    """Show the form; who is signed in already goes on."""
    if who_asks(room, request) is not None:
        return RedirectResponse(_inside(next), 303)
    return page(request, "signin.html", None, {"next": _inside(next), "problem": "", "name": ""})


@router.post("/sign-in")
def sign_in(
    request: Request,
    room: Services,
    name: Annotated[str, Form(max_length=100)] = "",
    password: Annotated[str, Form(max_length=1000)] = "",
    next: Annotated[str, Form(max_length=2000)] = "/",
) -> Response:
    """Check the password; a wrong one and an unknown name look alike."""
    if not same_origin(request):
        raise Denied("sign in from the room's own page")
    name, address = name.strip().lower(), address_of(request)
    data = {"next": _inside(next), "name": name}
    try:
        room.limiter.check(name, address)
    except TooMany as error:
        room.record.audit(name, "sign-in blocked", address=address)
        said = {**data, "problem": f"Too many failed sign-ins. Try again in {error.seconds} seconds."}
        return page(request, "signin.html", None, said, 429, {"Retry-After": str(error.seconds)})
    account = room.people.check(name, password)
    if account is None:
        room.limiter.failed(name, address)
        room.record.audit(name, "sign-in failed", address=address)
        said = {**data, "problem": "Name or password is not right."}
        return page(request, "signin.html", None, said, 401)
    room.limiter.succeeded(name, address)
    room.record.audit(account.name, "sign-in", address=address)
    return _enter(room, account, next)


@router.get("/enter/{ticket}")
def enter(request: Request, ticket: str, room: Services) -> Response:
    """Take a one-time link."""
    name = room.tickets.take(ticket)
    if name is None:
        said = {
            "next": "/",
            "name": "",
            "problem": "This link was used before or is too old. Sign in instead.",
        }
        return page(request, "signin.html", None, said, 401)
    room.record.audit(name, "sign-in by link", address=address_of(request))
    return _enter(room, room.people.account(name), "/")


@router.post("/sign-out")
def sign_out(request: Request, room: Services, csrf: Annotated[str, Form(max_length=100)] = "") -> Response:
    """End the session."""
    visitor = who_asks(room, request)
    secret = request.cookies.get(COOKIE)
    if visitor is not None and secret:
        if not same_origin(request) or csrf != visitor.csrf:
            raise Denied("the request does not come from a page of this room")
        room.people.end(secret)
        room.record.audit(visitor.name, "sign-out")
    answer = RedirectResponse("/sign-in", 303)
    answer.delete_cookie(COOKIE, path="/")
    return answer
