"""The web application: routes, headers, errors as answers."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import quote

from fastapi import FastAPI, Request
from fastapi.exception_handlers import request_validation_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import JSONResponse, RedirectResponse, Response
from starlette.exceptions import HTTPException
from starlette.middleware.gzip import GZipMiddleware
from starlette.staticfiles import StaticFiles

from calibration.errors import CalibrationError
from pipeline.errors import EvidenceError, PipelineError, RecordAway, RecordRefused
from room import api, views
from room.errors import BadAccount, Denied, RoomError, TooMany
from room.guard import NotSignedIn
from room.headers import SafeHeaders
from room.services import Room
from room.views.render import page

HERE = Path(__file__).parent
DESCRIPTION = """Everything that the pages of the surveillance room do, for programs.

Send an API token as `Authorization: Bearer …`; make one under Settings. A token has the rights of its account, and
every call is in the audit log. Times ending in `wall` are Unix milliseconds, `at` is the time of the table's log in
milliseconds, amounts are cents."""


def create_app(room: Room) -> FastAPI:
    """Return the application over a room; it starts following the record when it starts."""

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        room.live.start()
        yield
        room.live.stop()

    app = FastAPI(
        title="Pitwatch, the surveillance room",
        version="1",
        description=DESCRIPTION,
        lifespan=lifespan,
        docs_url=None,
        redoc_url=None,
        openapi_url=None,
    )
    app.state.room = room
    app.include_router(api.router)
    app.include_router(views.router)
    app.mount("/static", StaticFiles(directory=HERE / "static"), name="static")
    app.add_middleware(GZipMiddleware, minimum_size=2000, compresslevel=4)
    app.add_middleware(SafeHeaders, secure=room.config.secure)
    for kind in (RoomError, PipelineError, CalibrationError, HTTPException):
        app.add_exception_handler(kind, _answer)
    app.add_exception_handler(RequestValidationError, _not_valid)
    return app


async def _not_valid(request: Request, error: Exception) -> Response:
    """Return what is wrong with a request: every field to a program, the first one to a person."""
    assert isinstance(error, RequestValidationError), "registered for nothing else"
    if request.url.path.startswith("/api/"):
        return await request_validation_exception_handler(request, error)
    first = error.errors()[0]
    text = f"{first['loc'][-1]}: {first['msg']}"
    return page(request, "problem.html", None, {"status": 400, "text": text}, 400)


def status_of(error: Exception) -> int:
    """Return the HTTP status that says what an error means."""
    if isinstance(error, HTTPException):
        return error.status_code
    if isinstance(error, RecordRefused):
        return 404 if str(error).endswith("not in the record") else 400
    for kind, status in (
        (NotSignedIn, 401),
        (Denied, 403),
        (TooMany, 429),
        (BadAccount, 400),
        (RecordAway, 503),
        (EvidenceError, 400),
        (CalibrationError, 400),
    ):
        if isinstance(error, kind):
            return status
    return 503


def _answer(request: Request, error: Exception) -> Response:
    """Return an error to a program as JSON, to a person as a page."""
    status = status_of(error)
    text = str(error.detail) if isinstance(error, HTTPException) else str(error)
    headers = {"Retry-After": str(error.seconds)} if isinstance(error, TooMany) else {}
    if request.url.path.startswith("/api/"):
        return JSONResponse({"detail": text}, status, headers)
    if isinstance(error, NotSignedIn):
        target = request.url.path + (f"?{request.url.query}" if request.url.query else "")
        return RedirectResponse(f"/sign-in?next={quote(target)}", 303)
    return page(request, "problem.html", None, {"status": status, "text": text}, status, headers)
