"""People: who am I, accounts, API tokens."""

from __future__ import annotations

from dataclasses import asdict
from typing import Annotated

from fastapi import APIRouter, Depends
from pydantic import Field

from pipeline.errors import RecordRefused
from room.api.kinds import Body, Done, Id, Name, Plain
from room.guard import Services, needs
from room.people import Account, Permission, Role, Visitor

router = APIRouter(tags=["people"])


class NewAccount(Body):
    """A new account; the password is to be changed by whoever gets it."""

    name: str = Field(min_length=2, max_length=32)
    role: Role
    password: str = Field(min_length=1, max_length=1000)


class AccountChange(Body):
    """What changes about an account; what is left out stays."""

    role: Role | None = None
    active: bool | None = None
    password: str | None = Field(default=None, max_length=1000)


class NewPassword(Body):
    """One's own new password, with the old one."""

    old: str = Field(max_length=1000)
    new: str = Field(max_length=1000)


class NewToken(Body):
    """A token for a program, with the rights of the account that makes it."""

    label: str = Field(min_length=1, max_length=80)
    days: int = Field(default=90, ge=1, le=366)


def plain_account(account: Account) -> Plain:
    """Return an account as plain values."""
    return {"name": account.name, "role": str(account.role), "active": account.active, "made": account.made}


@router.get("/me", summary="Who is asking, and what they may do")
def me(visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, None))]) -> Plain:
    """Return the own account."""
    return {**plain_account(visitor.account), "may": [str(p) for p in Permission if visitor.may(p)]}


@router.post("/me/password", summary="Change the own password; all sessions end")
def change_password(
    change: NewPassword,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "change password"))],
) -> Done:
    """Change the own password."""
    if room.people.check(visitor.name, change.old) is None:
        raise RecordRefused("old: this is not the password")
    room.people.change(visitor.name, password=change.new)
    return Done()


@router.get("/accounts", summary="All accounts")
def accounts(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.PEOPLE, "list accounts"))]
) -> list[Plain]:
    """Return all accounts."""
    return [plain_account(one) for one in room.people.accounts()]


@router.post("/accounts", summary="Make an account", status_code=201)
def new_account(
    account: NewAccount,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.PEOPLE, None))],
) -> Plain:
    """Make an account."""
    made = room.people.add(account.name, account.role, account.password)
    room.record.audit(visitor.name, "make account", account=made.name, role=str(made.role))
    return plain_account(made)


@router.patch("/accounts/{name}", summary="Change an account: role, active, password; its sessions end")
def change_account(
    name: Name,
    change: AccountChange,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.PEOPLE, None))],
) -> Plain:
    """Change an account."""
    changed = room.people.change(name, change.role, change.active, change.password)
    said = change.model_dump(exclude_none=True, exclude={"password"}, mode="json")
    room.record.audit(
        visitor.name, "change account", account=name, password=change.password is not None, **said
    )
    return plain_account(changed)


@router.get("/tokens", summary="The own API tokens")
def tokens(
    room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "list tokens"))]
) -> list[Plain]:
    """Return tokens without their secrets."""
    return [asdict(one) for one in room.people.tokens(visitor.account)]


@router.post("/tokens", summary="Make an API token; its secret is shown once", status_code=201)
def new_token(
    token: NewToken,
    room: Services,
    visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "make token"))],
) -> Plain:
    """Make a token with the rights of the own account."""
    return {"secret": room.people.make_token(visitor.account, token.label, token.days)}


@router.delete("/tokens/{token}", summary="End an API token")
def end_token(
    token: Id, room: Services, visitor: Annotated[Visitor, Depends(needs(Permission.VIEW, "end token"))]
) -> Done:
    """End one of the own tokens (an administrator: anybody's)."""
    owner = None if visitor.may(Permission.PEOPLE) else visitor.account
    if not room.people.end_token(token, owner):
        raise RecordRefused(f"token {token}: not in the record")
    return Done()
