"""Accounts, sessions and tokens in the database; secrets are stored as fingerprints only."""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from sqlalchemy import Engine, Row, delete, func, insert, select, update

from pipeline.record.engine import reading, writing
from room.errors import BadAccount
from room.people.passwords import Passwords, fingerprint, new_secret
from room.people.roles import Permission, Role, may
from room.people.schema import ACCOUNTS, SESSIONS, TOKENS

MINUTE: Final = 60_000
LONGEST: Final = 12 * 60 * MINUTE
"""One shift: then everybody signs in again."""
IDLE: Final = 120 * MINUTE
DAY: Final = 24 * 60 * MINUTE
NAME: Final = re.compile(r"[a-z][a-z0-9._-]{1,31}")


@dataclass(frozen=True, slots=True)
class Account:
    """A person's account."""

    id: int
    name: str
    role: Role
    active: bool
    made: int


@dataclass(frozen=True, slots=True)
class Visitor:
    """Who is asking, and how: with a session (`csrf` is its token) or with an API token (`csrf` empty)."""

    account: Account
    csrf: str = ""

    @property
    def name(self) -> str:
        """The name for the audit log."""
        return self.account.name

    def may(self, permission: str) -> bool:
        """Return whether this person may do something; templates ask with plain words."""
        return may(self.account.role, Permission(permission))


@dataclass(frozen=True, slots=True)
class Token:
    """An API token, without its secret."""

    id: int
    account: str
    label: str
    made: int
    until: int


def now_ms() -> int:
    """Return Unix time in milliseconds."""
    return time.time_ns() // 1_000_000


class People:
    """Everybody who may enter the room."""

    def __init__(self, engine: Engine, passwords: Passwords, clock: Callable[[], int] = now_ms) -> None:
        self._engine = engine
        self._passwords = passwords
        self._clock = clock

    # ── accounts ─────────────────────────────────────────────────────────────────────────────────────

    def add(self, name: str, role: Role, password: str) -> Account:
        """Make an account."""
        if NAME.fullmatch(name) is None:
            raise BadAccount(f"name: {name!r} is not 2 to 32 of a-z 0-9 . _ -, beginning with a letter")
        hashed = self._passwords.hash(password, name)
        with writing(self._engine) as session:
            if session.execute(select(ACCOUNTS.c.id).where(ACCOUNTS.c.name == name)).first():
                raise BadAccount(f"name: {name} is taken")
            session.execute(
                insert(ACCOUNTS).values(
                    name=name, role=str(role), password=hashed, active=True, made=self._clock()
                )
            )
        return self.account(name)

    def account(self, name: str) -> Account:
        """Return an account by name."""
        with reading(self._engine) as session:
            row = session.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).first()
        if row is None:
            raise BadAccount(f"account {name}: there is none")
        return _account(row)

    def accounts(self) -> list[Account]:
        """Return all accounts by name."""
        with reading(self._engine) as session:
            return [_account(row) for row in session.execute(select(ACCOUNTS).order_by(ACCOUNTS.c.name))]

    def change(
        self, name: str, role: Role | None = None, active: bool | None = None, password: str | None = None
    ) -> Account:
        """Change an account. Its sessions and tokens end; the last administrator stays one."""
        account = self.account(name)
        values: dict[str, Any] = {}
        if role is not None:
            values["role"] = str(role)
        if active is not None:
            values["active"] = active
        if password is not None:
            values["password"] = self._passwords.hash(password, name)
        weaker = (role is not None and role is not Role.ADMINISTRATOR) or active is False
        with writing(self._engine) as session:
            others = select(func.count()).where(
                ACCOUNTS.c.role == str(Role.ADMINISTRATOR), ACCOUNTS.c.active, ACCOUNTS.c.id != account.id
            )
            is_last = account.role is Role.ADMINISTRATOR and session.execute(others).scalar_one() == 0
            if weaker and is_last:
                raise BadAccount(f"account {name}: the last administrator cannot be taken away")
            if values:
                session.execute(update(ACCOUNTS).where(ACCOUNTS.c.id == account.id).values(**values))
                session.execute(delete(SESSIONS).where(SESSIONS.c.account == account.id))
            if active is False:
                session.execute(delete(TOKENS).where(TOKENS.c.account == account.id))
        return self.account(name)

    # ── sessions ─────────────────────────────────────────────────────────────────────────────────────

    def check(self, name: str, password: str) -> Account | None:
        """Return the account if the password fits."""
        with reading(self._engine) as session:
            row = session.execute(select(ACCOUNTS).where(ACCOUNTS.c.name == name)).first()
        if not self._passwords.fits(password, None if row is None else row.password):
            return None
        return _account(row) if row is not None and row.active else None

    def begin(self, account: Account) -> str:
        """Begin a session and return its secret, which only the browser keeps."""
        secret, now = new_secret(), self._clock()
        with writing(self._engine) as session:
            session.execute(
                delete(SESSIONS).where((SESSIONS.c.began < now - LONGEST) | (SESSIONS.c.seen < now - IDLE))
            )
            session.execute(
                insert(SESSIONS).values(
                    secret=fingerprint(secret), account=account.id, csrf=new_secret(), began=now, seen=now
                )
            )
        return secret

    def visitor(self, secret: str) -> Visitor | None:
        """Return who holds a session, if it is still good."""
        now, key = self._clock(), fingerprint(secret)
        joined = select(ACCOUNTS, SESSIONS.c.csrf, SESSIONS.c.seen).join(
            SESSIONS, SESSIONS.c.account == ACCOUNTS.c.id
        )
        good = (
            (SESSIONS.c.secret == key)
            & (SESSIONS.c.began > now - LONGEST)
            & (SESSIONS.c.seen > now - IDLE)
            & ACCOUNTS.c.active
        )
        with reading(self._engine) as session:
            row = session.execute(joined.where(good)).first()
        if row is None:
            return None
        if row.seen < now - MINUTE:
            with writing(self._engine) as session:
                session.execute(update(SESSIONS).where(SESSIONS.c.secret == key).values(seen=now))
        return Visitor(_account(row), row.csrf)

    def end(self, secret: str) -> None:
        """End a session."""
        with writing(self._engine) as session:
            session.execute(delete(SESSIONS).where(SESSIONS.c.secret == fingerprint(secret)))

    # ── API tokens ───────────────────────────────────────────────────────────────────────────────────

    def make_token(self, account: Account, label: str, days: int) -> str:
        """Make an API token with the account's role and return its secret, which is shown once."""
        if not label.strip() or not 1 <= days <= 366:
            raise BadAccount("token: a label and 1 to 366 days are needed")
        secret, now = new_secret(), self._clock()
        with writing(self._engine) as session:
            session.execute(
                insert(TOKENS).values(
                    secret=fingerprint(secret),
                    account=account.id,
                    label=label.strip()[:80],
                    made=now,
                    until=now + days * DAY,
                )
            )
        return secret

    def tokens(self, account: Account | None = None) -> list[Token]:
        """Return the tokens of one account or of all."""
        statement = select(TOKENS, ACCOUNTS.c.name).join(ACCOUNTS, ACCOUNTS.c.id == TOKENS.c.account)
        if account is not None:
            statement = statement.where(TOKENS.c.account == account.id)
        with reading(self._engine) as session:
            rows = session.execute(statement.order_by(TOKENS.c.id))
            return [Token(row.id, row.name, row.label, row.made, row.until) for row in rows]

    def end_token(self, token: int, account: Account | None = None) -> bool:
        """End a token (of one account, or of anybody); returns whether there was one."""
        statement = delete(TOKENS).where(TOKENS.c.id == token)
        if account is not None:
            statement = statement.where(TOKENS.c.account == account.id)
        with writing(self._engine) as session:
            return bool(session.execute(statement.returning(TOKENS.c.id)).first())

    def bearer(self, secret: str) -> Visitor | None:
        """Return whose token this is, if it is still good."""
        joined = select(ACCOUNTS).join(TOKENS, TOKENS.c.account == ACCOUNTS.c.id)
        good = (TOKENS.c.secret == fingerprint(secret)) & (TOKENS.c.until > self._clock()) & ACCOUNTS.c.active
        with reading(self._engine) as session:
            row = session.execute(joined.where(good)).first()
        return None if row is None else Visitor(_account(row))


def _account(row: Row[Any]) -> Account:
    return Account(row.id, row.name, Role(row.role), bool(row.active), row.made)
