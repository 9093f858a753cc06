"""Every route is guarded, every role gets what it may, and nothing is done in somebody's name by a foreign page."""

from __future__ import annotations

import json

import pytest
from fastapi.dependencies.models import Dependant
from fastapi.routing import APIRoute
from starlette.testclient import TestClient

from pipeline.record.queries import audit_lines
from room.people import Permission, Role
from room.people.roles import MAY
from room.services import Room
from tests.room.conftest import Entered

OPEN = {"/", "/sign-in", "/sign-out", "/enter/{ticket}"}
PAGES = {
    "/live": "view",
    "/alerts": "view",
    "/search": "view",
    "/cases": "view",
    "/reports": "reports",
    "/calibration": "view",
    "/settings": "view",
    "/rounds/CS-1/R373": "view",
    "/api": "view",
}


def _routes(routes: list[object]) -> list[APIRoute]:
    """Return all routes, however routers are nested."""
    found: list[APIRoute] = []
    for one in routes:
        if isinstance(one, APIRoute):
            found.append(one)
        else:
            inner = getattr(one, "original_router", None) or one
            found += _routes(list(getattr(inner, "routes", []) or []))
    return found


def _permission(dependant: Dependant) -> Permission | None:
    for one in dependant.dependencies:
        found = getattr(one.call, "permission", None) or _permission(one)
        if found is not None:
            return found
    return None


def test_every_route_asks_for_a_permission(client: TestClient) -> None:
    routes = _routes(client.app.routes)
    assert len(routes) > 50
    unguarded = {one.path for one in routes if _permission(one.dependant) is None}
    assert unguarded == OPEN


@pytest.mark.parametrize("role", list(Role))
def test_roles_see_the_pages_they_may(entered: Entered, role: Role) -> None:
    client = entered(str(role))
    for path, permission in PAGES.items():
        wanted = 200 if Permission(permission) in MAY[role] else 403
        assert client.get(path).status_code == wanted, path


def test_what_each_role_may_change(entered: Entered) -> None:
    calls = {
        "act": ("POST", "/api/v1/alerts/1/acknowledge", None),
        "cases": ("PATCH", "/api/v1/cases/1", {"held": False}),
        "export": ("POST", "/api/v1/rounds/CS-1/R373/export", None),
        "reports": ("GET", "/api/v1/reports", None),
        "audit": ("GET", "/api/v1/audit", None),
        "people": ("GET", "/api/v1/accounts", None),
    }
    entered("operator").post("/api/v1/cases", json={"title": "a case"})
    for role in Role:
        client = entered(str(role))
        for permission, (method, path, body) in calls.items():
            allowed = client.request(method, path, json=body).status_code < 400
            assert allowed == (Permission(permission) in MAY[role]), (role, permission)


def test_who_is_not_signed_in_gets_nothing(client: TestClient) -> None:
    for path in PAGES:
        answer = client.get(path)
        assert answer.status_code == 303
        assert answer.headers["Location"].startswith("/sign-in?next=")
    for path in ("/api/v1/alerts", "/api/v1/stream", "/api/v1/openapi.json", "/api/v1/rounds/CS-1/R373"):
        assert client.get(path).status_code == 401
    assert client.get("/api/v1/alerts", headers={"Authorization": "Bearer guess"}).status_code == 401


def test_a_change_needs_the_pages_token(entered: Entered) -> None:
    client = entered("operator")
    good = client.headers.pop("X-CSRF-Token")
    path = "/api/v1/alerts/1/acknowledge"
    assert client.post(path).status_code == 403
    assert client.post(path, headers={"X-CSRF-Token": "wrong"}).status_code == 403
    foreign = {"X-CSRF-Token": good, "Origin": "http://elsewhere.test"}
    assert client.post(path, headers=foreign).status_code == 403
    own = {"X-CSRF-Token": good, "Origin": "http://room.test"}
    assert client.post(path, headers=own).status_code == 200
    assert client.post("/sign-out", data={"csrf": "wrong"}).status_code == 403


def test_a_foreign_page_cannot_sign_anybody_in(client: TestClient) -> None:
    data = {"name": "operator", "password": "correct horse battery"}
    assert client.post("/sign-in", data=data, headers={"Origin": "http://elsewhere.test"}).status_code == 403


def test_signing_out_ends_the_session(entered: Entered) -> None:
    client = entered("operator")
    kept = dict(client.cookies)
    csrf = client.headers["X-CSRF-Token"]
    assert client.post("/sign-out", data={"csrf": csrf}).status_code == 303
    client.cookies.update(kept)
    assert client.get("/live").status_code == 303


def test_the_cookie_is_for_this_room_only(client: TestClient) -> None:
    answer = client.post("/sign-in", data={"name": "operator", "password": "correct horse battery"})
    cookie = answer.headers["Set-Cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    assert "secure" not in cookie  # no TLS here; see the next test


def test_under_tls_the_cookie_is_secure(room: Room) -> None:
    from dataclasses import replace

    from room.app import create_app

    room.config = replace(room.config, secure=True)
    with TestClient(create_app(room), base_url="https://room.test", follow_redirects=False) as client:
        answer = client.post("/sign-in", data={"name": "operator", "password": "correct horse battery"})
        assert "secure" in answer.headers["Set-Cookie"].lower()
        assert "max-age" in answer.headers["Strict-Transport-Security"]


@pytest.mark.parametrize("target", ["//elsewhere.test", "https://elsewhere.test", "/\\elsewhere.test"])
def test_signing_in_leads_nowhere_else(client: TestClient, target: str) -> None:
    data = {"name": "operator", "password": "correct horse battery", "next": target}
    assert client.post("/sign-in", data=data).headers["Location"] == "/"


def test_every_answer_carries_the_policy(client: TestClient) -> None:
    for path in ("/sign-in", "/live", "/static/room.css", "/api/v1/alerts", "/nowhere"):
        answer = client.get(path)
        policy = answer.headers["Content-Security-Policy"]
        assert "default-src 'none'" in policy
        assert "unsafe" not in policy
        assert "http" not in policy
        assert answer.headers["X-Content-Type-Options"] == "nosniff"


def test_every_view_and_export_is_in_the_audit_log(entered: Entered, room: Room) -> None:
    client = entered("supervisor")
    client.get("/alerts?alert=1")
    client.get("/rounds/CS-1/R373")
    client.get("/api/v1/alerts/2")
    client.post("/api/v1/rounds/CS-1/R373/export")
    client.get("/api/v1/reports.csv")
    entered("operator").get("/reports")
    lines = [json.loads(one.body) for one in audit_lines(room.record)]
    said = {(one["who"], one["what"], one.get("path", "")) for one in lines}
    assert ("supervisor", "view alerts", "/alerts") in said
    assert ("supervisor", "view round", "/rounds/CS-1/R373") in said
    assert ("supervisor", "view alert", "/api/v1/alerts/2") in said
    assert ("supervisor", "export report", "/api/v1/reports.csv") in said
    assert ("operator", "denied", "/reports") in said
    assert any(one["what"] == "export" and one["round"] == "R373" for one in lines)
    assert room.record.verify_audit() == len(lines)
