"""schemathesis asks the API whatever its description allows, and what it does not; nothing may be a server error."""

from __future__ import annotations

from contextlib import suppress
from typing import Any
from unittest import SkipTest

import schemathesis
from hypothesis import HealthCheck, given, settings
from hypothesis.errors import Unsatisfiable
from hypothesis.strategies import SearchStrategy
from schemathesis.core import NotSet
from schemathesis.generation import GenerationMode
from starlette.testclient import TestClient

from room.services import Room

APART = {"/api/v1/stream", "/api/v1/me/password", "/api/v1/accounts/{name}"}
"""An endless answer, and what takes the asking account's rights away: they have tests of their own."""
EXAMPLES = 4


def _asked(client: TestClient, case: schemathesis.Case) -> int:
    """Send a case and return the status; what no HTTP client could send counts as not sent."""
    body: dict[str, Any] = {}
    if not isinstance(case.body, NotSet):
        body = {"content": case.body} if isinstance(case.body, bytes) else {"json": case.body}
    try:
        answer = client.request(case.method, case.formatted_path, params=dict(case.query or {}), **body)
    except (UnicodeEncodeError, ValueError, TypeError):
        return 0
    return answer.status_code


def _fuzz(client: TestClient, cases: SearchStrategy[schemathesis.Case], said: set[int]) -> None:
    """Send cases of one operation and keep the statuses."""

    @settings(
        max_examples=EXAMPLES, deadline=None, database=None, derandomize=True,
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(cases)
    def ask(case: schemathesis.Case) -> None:
        said.add(_asked(client, case))

    with suppress(Unsatisfiable, SkipTest):  # an operation without parameters cannot be asked wrongly
        ask()


def test_no_request_makes_the_server_fail(client: TestClient, room: Room) -> None:
    token = room.people.make_token(room.people.account("administrator"), "fuzz", 1)
    client.headers["Authorization"] = f"Bearer {token}"
    schema = schemathesis.openapi.from_dict(client.get("/api/v1/openapi.json").json())
    statuses: dict[str, set[int]] = {}
    for result in schema.get_all_operations():
        operation = result.ok()
        if operation.path in APART:
            continue
        for mode in GenerationMode:
            said = statuses.setdefault(operation.label, set())
            _fuzz(client, operation.as_strategy(mode), said)
    assert len(statuses) >= 40
    assert {name: codes for name, codes in statuses.items() if any(code >= 500 for code in codes)} == {}
    assert any(200 in codes for codes in statuses.values())
