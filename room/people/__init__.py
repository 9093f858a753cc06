"""People: accounts with roles, sessions, API tokens, and how they prove who they are."""

from room.people.roles import Permission, Role
from room.people.store import Account, People, Visitor

__all__ = ["Account", "People", "Permission", "Role", "Visitor"]
