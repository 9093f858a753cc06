"""Accounts, passwords, sessions, tokens, and guessing slowed down."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import text
from starlette.testclient import TestClient

from pipeline.record import Record
from room.errors import BadAccount, TooMany
from room.migrate import migrate
from room.people import People, Role
from room.people.limiter import PER_ACCOUNT, WINDOW, Limiter
from room.people.passwords import Passwords
from room.people.store import IDLE, LONGEST
from room.services import Room
from tests.room.conftest import PASSWORD


class Clock:
    now = 1_000_000_000

    def __call__(self) -> int:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def people(tmp_path: Path, clock: Clock) -> People:
    record = Record.open(f"sqlite:///{tmp_path / 'record.db'}")
    migrate(record.engine)
    return People(record.engine, Passwords(quick=True), clock)


@pytest.mark.parametrize("password", ["short", "aaaaaaaaaaaaaaaaaa", "operator-operator-1", "x" * 300, ""])
def test_easy_passwords_are_refused(people: People, password: str) -> None:
    with pytest.raises(BadAccount, match="password"):
        people.add("operator", Role.OPERATOR, password)


@pytest.mark.parametrize("name", ["", "A", "has space", "../etc", "x" * 40, "0zero"])
def test_odd_names_are_refused(people: People, name: str) -> None:
    with pytest.raises(BadAccount, match="name"):
        people.add(name, Role.OPERATOR, PASSWORD)


def test_a_name_is_taken_once(people: People) -> None:
    people.add("vera", Role.OPERATOR, PASSWORD)
    with pytest.raises(BadAccount, match="taken"):
        people.add("vera", Role.AUDITOR, PASSWORD)


def test_passwords_are_argon2_and_never_in_the_database(people: People, tmp_path: Path) -> None:
    people.add("vera", Role.OPERATOR, PASSWORD)
    assert people.check("vera", PASSWORD) is not None
    assert people.check("vera", PASSWORD + "!") is None
    assert people.check("nobody", PASSWORD) is None
    data = b"".join(one.read_bytes() for one in tmp_path.glob("record.db*"))
    assert b"$argon2id$" in data
    assert PASSWORD.encode() not in data


def test_a_session_ends_when_idle_when_old_and_when_told(people: People, clock: Clock) -> None:
    account = people.add("vera", Role.OPERATOR, PASSWORD)
    secret = people.begin(account)
    assert people.visitor(secret) is not None
    assert people.visitor(secret + "x") is None
    clock.now += IDLE - 1
    assert people.visitor(secret) is not None
    clock.now += IDLE + 1
    assert people.visitor(secret) is None
    secret = people.begin(account)
    began = clock.now
    while clock.now < began + LONGEST:
        assert people.visitor(secret) is not None
        clock.now += IDLE // 2
    assert people.visitor(secret) is None
    secret = people.begin(account)
    people.end(secret)
    assert people.visitor(secret) is None


def test_a_changed_account_is_out_at_once(people: People) -> None:
    people.add("root", Role.ADMINISTRATOR, PASSWORD)
    account = people.add("vera", Role.SUPERVISOR, PASSWORD)
    secret, token = people.begin(account), people.make_token(account, "script", 1)
    people.change("vera", role=Role.OPERATOR)
    assert people.visitor(secret) is None
    bearer = people.bearer(token)
    assert bearer is not None
    assert bearer.account.role is Role.OPERATOR
    people.change("vera", active=False)
    assert people.bearer(token) is None
    assert people.check("vera", PASSWORD) is None


def test_the_last_administrator_stays(people: People) -> None:
    people.add("root", Role.ADMINISTRATOR, PASSWORD)
    for change in ({"role": Role.OPERATOR}, {"active": False}):
        with pytest.raises(BadAccount, match="last administrator"):
            people.change("root", **change)
    people.add("other", Role.ADMINISTRATOR, PASSWORD)
    people.change("root", role=Role.OPERATOR)


def test_tokens_expire_and_end(people: People, clock: Clock) -> None:
    account = people.add("vera", Role.OPERATOR, PASSWORD)
    token = people.make_token(account, "script", 1)
    assert people.bearer(token) is not None
    (listed,) = people.tokens(account)
    assert people.end_token(listed.id)
    assert people.bearer(token) is None
    token = people.make_token(account, "script", 1)
    clock.now += 25 * 3_600_000
    assert people.bearer(token) is None


def test_guessing_is_slowed_down_and_forgotten_in_time() -> None:
    now = [0.0]
    limiter = Limiter(lambda: now[0])
    for _ in range(PER_ACCOUNT):
        limiter.check("vera", "10.0.0.1")
        limiter.failed("vera", "10.0.0.1")
    with pytest.raises(TooMany):
        limiter.check("vera", "10.0.0.1")
    limiter.check("vera", "10.0.0.2")  # her own desk still works
    now[0] += WINDOW + 1
    limiter.check("vera", "10.0.0.1")


def test_one_address_cannot_try_many_names() -> None:
    limiter = Limiter(lambda: 0.0)
    for number in range(20):
        limiter.failed(f"name{number}", "10.0.0.1")
    with pytest.raises(TooMany):
        limiter.check("another", "10.0.0.1")


def test_sign_in_says_the_same_of_wrong_names_and_wrong_passwords(client: TestClient, room: Room) -> None:
    wrong = [
        client.post("/sign-in", data={"name": name, "password": "not the password"})
        for name in ("operator", "nobody")
    ]
    assert [one.status_code for one in wrong] == [401, 401]
    assert wrong[0].text.replace("operator", "") == wrong[1].text.replace("nobody", "")
    for _ in range(PER_ACCOUNT):
        answer = client.post("/sign-in", data={"name": "operator", "password": "not the password"})
    assert answer.status_code == 429
    assert int(answer.headers["Retry-After"]) > 0
    assert client.post("/sign-in", data={"name": "operator", "password": PASSWORD}).status_code == 429


def test_a_one_time_link_works_once(client: TestClient, room: Room) -> None:
    ticket = room.tickets.make("operator")
    assert client.get(f"/enter/{ticket}").status_code == 303
    client.cookies.clear()
    assert client.get(f"/enter/{ticket}").status_code == 401
    assert client.get("/enter/guess").status_code == 401


def test_the_rooms_tables_have_a_version_of_their_own(room: Room) -> None:
    with room.record.engine.connect() as connection:
        assert connection.execute(text("select version_num from room_version")).scalar() == "room0001"
        assert connection.execute(text("select version_num from alembic_version")).scalar() != "room0001"
    migrate(room.record.engine)
