"""What the pages do, done by a program."""

from __future__ import annotations

import io
import json
import zipfile

import pytest
from starlette.testclient import TestClient

from pipeline.errors import RecordAway
from room.services import Room
from tests.room.conftest import NIGHT, Entered


@pytest.fixture
def program(client: TestClient, room: Room) -> TestClient:
    """A program with an administrator's token."""
    token = room.people.make_token(room.people.account("administrator"), "test", 1)
    client.headers["Authorization"] = f"Bearer {token}"
    return client


def test_alerts_come_worst_first_with_clause_and_proof(program: TestClient) -> None:
    alerts = program.get("/api/v1/alerts?ruling=violation").json()
    ranks = [one["rank"] for one in alerts]
    assert ranks == sorted(ranks, reverse=True)
    late = next(one for one in alerts if one["check"] == "wager.late")
    whole = program.get(f"/api/v1/alerts/{late['id']}").json()
    assert whole["clause"] == "5.10"
    assert len(whole["clause_text"]) > 20
    moment = program.get(f"/api/v1/alerts/{late['id']}/moment").json()
    assert moment["belief"]["seq"] == late["seq"]
    assert [one["seq"] for one in moment["events"]] == [
        seq for seq in late["events"] if seq in {one["seq"] for one in moment["events"]}
    ]


@pytest.mark.parametrize(
    ("query", "count"),
    [("table=CS-1", 4), ("seat=7", 2), ("clause=5.10", 1), ("severity=critical", 3), ("check=no.such", 0)],
)
def test_alerts_are_filtered(program: TestClient, query: str, count: int) -> None:
    assert len(program.get(f"/api/v1/alerts?ruling=violation&{query}").json()) == count


def test_an_alert_is_acknowledged_dismissed_and_reopened(program: TestClient) -> None:
    assert program.post("/api/v1/alerts/1/acknowledge").json()["state"] == "acknowledged"
    assert program.post("/api/v1/alerts/1/dismiss", json={}).status_code == 422
    done = program.post("/api/v1/alerts/1/dismiss", json={"reason": "handled", "note": "floor told"}).json()
    assert done["state"] == "dismissed"
    assert done["actions"][-1]["why"] == "handled: floor told"
    assert program.post("/api/v1/alerts/1/reopen").json()["state"] == "new"
    assert program.post("/api/v1/alerts/999/acknowledge").status_code == 404


def test_an_escalated_alert_becomes_a_case_with_evidence(program: TestClient) -> None:
    made = program.post(
        "/api/v1/alerts/1/escalate", json={"title": "Short hand", "note": "look again"}
    ).json()
    case = program.get(f"/api/v1/cases/{made['case']}").json()
    assert case["title"] == "Short hand"
    assert case["held"]
    assert [one["text"] for one in case["notes"]] == ["look again"]
    (round,) = case["rounds"]
    path = f"/api/v1/rounds/{round['table']}/{round['round']}/export"
    package = program.post(path).content
    with zipfile.ZipFile(io.BytesIO(package)) as file:
        assert {"events.jsonl", "alerts.jsonl", "manifest.sig", "report.html"} <= set(file.namelist())
    good = program.post("/api/v1/evidence/verify", content=package).json()
    assert good["holds"]
    assert good["ours"]
    middle = len(package) // 2
    bad = package[:middle] + bytes([package[middle] ^ 1]) + package[middle + 1 :]
    assert not program.post("/api/v1/evidence/verify", content=bad).json()["holds"]
    assert not program.post("/api/v1/evidence/verify", content=b"no zip").json()["holds"]
    again = program.post("/api/v1/alerts/2/escalate", json={"case": made["case"]}).json()
    assert again["case"] == made["case"]
    changed = program.patch(f"/api/v1/cases/{made['case']}", json={"closed": True, "held": False}).json()
    assert changed["closed"]
    assert not changed["held"]


def test_a_round_is_rebuilt_with_what_should_have_happened(program: TestClient) -> None:
    replay = program.get("/api/v1/rounds/CS-2/R300").json()
    assert len(replay["beliefs"]) == len(replay["moments"])
    six = next(one for one in replay["hands"] if one["seat"] == 6)
    assert six["outcome"] == "lose"
    assert six["due"]["bet_paid"] == 0
    assert six["done"]["bet_paid"] == 10_000
    assert six["due"]["bet_taken"] == 10_000
    rulings = {one["check"]: one["ruling"] for one in replay["checks"]}
    assert rulings["settle.wrong_outcome"] == "violation"
    assert rulings["deal.player_count"] == "ok"
    assert program.get("/api/v1/rounds/CS-2/R999").status_code == 404


@pytest.mark.parametrize(
    ("query", "rounds"),
    [
        ("table=CS-2&outcome=violation", {"R140", "R300", "R81"}),
        ("outcome=clean", {"R373", "R33"}),
        ("check=wager.late", {"R166"}),
        ("check=wager.late&seat=2", {"R166"}),
        ("check=wager.late&seat=3", set()),
        ("clause=5.9", {"R168"}),
        ("round=R373", {"R373"}),
        (f"until={NIGHT}", set()),
    ],
)
def test_rounds_are_found(program: TestClient, query: str, rounds: set[str]) -> None:
    found = program.get(f"/api/v1/rounds?{query}").json()
    assert {one["round"] for one in found} == rounds


def test_rounds_are_found_by_card_and_amount(program: TestClient) -> None:
    by_card = program.get("/api/v1/rounds?card=ad").json()
    assert "R300" in {one["round"] for one in by_card}
    by_amount = program.get("/api/v1/rounds?amount=4,000.00").json()
    assert {one["round"] for one in by_amount} == {"R300"}
    assert program.get("/api/v1/rounds?card=1x").status_code == 400
    assert program.get("/api/v1/rounds?amount=much").status_code == 400


def test_reports_count_by_table_and_shift(program: TestClient) -> None:
    report = program.get(f"/api/v1/reports?since={NIGHT - 1}&until={NIGHT + 86_400_000}").json()
    assert sum(one["rounds"] for one in report["rates"]) == 9
    assert sum(one["violations"] for one in report["rates"]) == 8
    text = program.get(f"/api/v1/reports.csv?since={NIGHT - 1}&until={NIGHT + 86_400_000}").text
    assert text.splitlines()[0].startswith("table,shift,rounds")
    assert {line.split(",")[0] for line in text.splitlines()[1:]} == {"CS-1", "CS-2"}


def test_health_knows_models_disk_and_record(program: TestClient) -> None:
    health = program.get("/api/v1/health").json()
    assert health["record"]["rounds"] == 9
    assert all(one["whole"] for one in health["models"])
    assert health["disk"][0]["free"] > 0
    chains = program.post("/api/v1/audit/verify").json()
    assert {one["chain"] for one in chains} == {"audit", "CS-1", "CS-2"}
    assert all(one["holds"] for one in chains)


def test_tokens_have_the_rights_of_their_account(client: TestClient, room: Room) -> None:
    token = room.people.make_token(room.people.account("operator"), "test", 1)
    headers = {"Authorization": f"Bearer {token}"}
    assert client.get("/api/v1/me", headers=headers).json()["may"] == ["view", "act"]
    assert client.get("/api/v1/audit", headers=headers).status_code == 403


def test_people_are_made_and_changed_by_an_administrator(program: TestClient) -> None:
    new = {"name": "vera", "role": "operator", "password": "a very long secret"}
    assert program.post("/api/v1/accounts", json=new).status_code == 201
    assert program.post("/api/v1/accounts", json=new).status_code == 400
    assert program.patch("/api/v1/accounts/vera", json={"role": "auditor"}).json()["role"] == "auditor"
    last = program.patch("/api/v1/accounts/administrator", json={"role": "operator"})
    assert last.status_code == 400
    assert "last administrator" in last.json()["detail"]


def test_a_person_changes_the_own_password(entered: Entered) -> None:
    client = entered("operator")
    body = {"old": "not it at all", "new": "another long secret"}
    assert client.post("/api/v1/me/password", json=body).status_code == 400
    body["old"] = "correct horse battery"
    assert client.post("/api/v1/me/password", json=body).status_code == 200
    assert client.get("/live").status_code == 303


def test_a_record_that_is_away_is_said_not_hidden(
    entered: Entered, room: Room, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = entered("operator")

    def away(*_: object, **__: object) -> None:
        raise RecordAway("record: database is locked")

    monkeypatch.setattr(room.record, "audit", away)
    assert client.get("/api/v1/alerts").status_code == 503
    assert "database is locked" in client.get("/alerts").text


def test_the_pages_carry_data_that_cannot_break_out(entered: Entered, room: Room) -> None:
    client = entered("supervisor")
    title = "</script><script>alert(1)</script>"
    made = client.post("/api/v1/cases", json={"title": title}).json()
    for path in (f"/cases/{made['id']}", "/alerts"):
        text = client.get(path).text
        assert "<script>alert(1)" not in text
        assert "&lt;script&gt;" in text


def test_the_api_describes_itself(program: TestClient) -> None:
    schema = json.loads(program.get("/api/v1/openapi.json").text)
    assert len(schema["paths"]) >= 40
    for path, methods in schema["paths"].items():
        assert path.startswith("/api/v1/")
        assert all(entry["summary"] for entry in methods.values())
