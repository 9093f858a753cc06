"""Who may do what. Routes ask for a permission, never for a role, so that the table below is the whole policy."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Permission(StrEnum):
    """One kind of thing that a person may do in the room."""

    VIEW = "view"
    ACT = "act"
    CASES = "cases"
    EXPORT = "export"
    REPORTS = "reports"
    CALIBRATE = "calibrate"
    AUDIT = "audit"
    PEOPLE = "people"


class Role(StrEnum):
    """What a person is in the room for."""

    OPERATOR = "operator"
    SUPERVISOR = "supervisor"
    AUDITOR = "auditor"
    ADMINISTRATOR = "administrator"


P = Permission
MAY: Final[dict[Role, frozenset[Permission]]] = {
    Role.OPERATOR: frozenset({P.VIEW, P.ACT}),
    Role.SUPERVISOR: frozenset({P.VIEW, P.ACT, P.CASES, P.EXPORT, P.REPORTS, P.CALIBRATE}),
    Role.AUDITOR: frozenset({P.VIEW, P.EXPORT, P.REPORTS, P.AUDIT}),
    Role.ADMINISTRATOR: frozenset(Permission),
}
"""An auditor reads everything and changes nothing; an operator acts on alerts but takes no evidence out."""


def may(role: Role, permission: Permission) -> bool:
    """Return whether a role includes a permission.

    >>> may(Role.OPERATOR, Permission.ACT), may(Role.AUDITOR, Permission.ACT)
    (True, False)
    """
    return permission in MAY[role]
