"""The post office: from the record to deliveries, from deliveries to receivers, killed at any moment without loss."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, Protocol

from sqlmodel import Session, col, func, select

from pipeline.alerts.routes import RouteRule, Subject, targets
from pipeline.errors import NotDelivered
from pipeline.record import Record
from pipeline.record.engine import reading, writing
from pipeline.record.schema import AlertRow, DeliveryRow, PlaceRow
from pipeline.record.store import wall_clock

READER: Final = "post"
BATCH: Final = 100
LONGEST_WAIT: Final = 300_000
GIVE_UP: Final = 24 * 3600 * 1000
WAITING, SENT, GIVEN_UP = "waiting", "sent", "given up"


class Target(Protocol):
    """Somebody who gets alerts."""

    def send(self, key: str, body: bytes) -> None:
        """Hand over, or raise `NotDelivered`."""
        ...

    def close(self) -> None:
        """Let go of the connection."""
        ...


class Post:
    """Takes alerts in and hands them out. Several threads may deliver, one per target."""

    def __init__(
        self, record: Record, routes: Sequence[RouteRule], to: Mapping[str, Target], site: str,
        clock: Callable[[], int] = wall_clock,
    ) -> None:  # fmt: skip
        self.targets = dict(to)
        self._record = record
        self._routes = routes
        self._site = site
        self._clock = clock

    # ── in ───────────────────────────────────────────────────────────────────────────────────────────

    def begin(self) -> None:
        """Take a place at the end of the record, if there is none yet: nobody wants last month's alerts."""
        with writing(self._record.engine) as session:
            if session.get(PlaceRow, READER) is None:
                newest = session.exec(select(func.max(AlertRow.id))).one()
                session.add(PlaceRow(reader=READER, after=newest or 0))

    def take_in(self) -> int:
        """Make deliveries of the alerts that are new in the record; returns how many alerts were taken in."""
        with writing(self._record.engine) as session:
            place = session.get(PlaceRow, READER, with_for_update=True)
            if place is None:
                return 0
            statement = select(AlertRow).where(col(AlertRow.id) > place.after).order_by(col(AlertRow.id))
            rows = list(session.exec(statement.limit(BATCH)))
            for row in rows:
                self._route(session, row)
                place.after = row.id or place.after
            return len(rows)

    def _route(self, session: Session, alert: AlertRow) -> None:
        subject = Subject(alert.table_name, alert.check_id, alert.ruling, alert.severity)
        now = self._clock()
        for target, seconds in targets(self._routes, subject).items():
            group = f"{alert.table_name}|{alert.check_id}|{alert.seat}|{alert.ruling}"
            earlier = self._earlier(session, target, group, now - round(seconds * 1000))
            if earlier is not None:
                self._repeat(session, earlier, round(seconds * 1000))
                continue
            body = {
                "site": self._site,
                "alert_id": alert.id,
                "recorded": alert.wall,
                "alert": json.loads(alert.body),
            }
            session.add(
                DeliveryRow(
                    target=target,
                    key=f"{alert.table_name}.{alert.key}",
                    group_key=group,
                    body=json.dumps(body, ensure_ascii=False, separators=(",", ":")),
                    created=now,
                    due=now,
                )
            )
            session.flush()

    @staticmethod
    def _earlier(session: Session, target: str, group: str, since: int) -> DeliveryRow | None:
        statement = (
            select(DeliveryRow)
            .where(
                DeliveryRow.target == target,
                DeliveryRow.group_key == group,
                DeliveryRow.created > since,
                col(DeliveryRow.parent).is_(None),
            )
            .order_by(col(DeliveryRow.id).desc())
            .limit(1)
        )
        return session.exec(statement).first()

    @staticmethod
    def _repeat(session: Session, earlier: DeliveryRow, within: int) -> None:
        """Count a repeat; if the first was already sent, the count follows when the time is over."""
        earlier.repeats += 1
        follows = select(DeliveryRow.id).where(DeliveryRow.parent == earlier.id)
        if earlier.state == WAITING or session.exec(follows).first() is not None:
            return
        session.add(
            DeliveryRow(
                target=earlier.target,
                key=f"{earlier.key}.repeats",
                group_key=earlier.group_key,
                body=earlier.body,
                parent=earlier.id,
                created=earlier.created,
                due=earlier.created + within,
            )
        )

    # ── out ──────────────────────────────────────────────────────────────────────────────────────────

    def deliver(self, target: str, most: int = 20) -> int:
        """Hand over what is due for one target, oldest first; returns how many were handed over.

        The first failure ends the round: a receiver that is away is not knocked at for every delivery.
        """
        done = 0
        for row in self._due(target, most):
            assert row.id is not None
            body = json.loads(row.body) | {"id": row.key, "repeats": self._repeats(row)}
            try:
                self.targets[target].send(row.key, json.dumps(body, ensure_ascii=False).encode())
            except NotDelivered as error:
                self._failed(row.id, str(error))
                break
            self._delivered(row.id)
            done += 1
        return done

    def _due(self, target: str, most: int) -> list[DeliveryRow]:
        statement = (
            select(DeliveryRow)
            .where(
                DeliveryRow.target == target, DeliveryRow.state == WAITING, DeliveryRow.due <= self._clock()
            )
            .order_by(col(DeliveryRow.id))
        )
        with reading(self._record.engine) as session:
            return list(session.exec(statement.limit(most)))

    def _repeats(self, row: DeliveryRow) -> int:
        if row.parent is None:
            return row.repeats
        with reading(self._record.engine) as session:
            first = session.get(DeliveryRow, row.parent)
        return first.repeats if first is not None else 0

    def _delivered(self, number: int) -> None:
        with writing(self._record.engine) as session:
            row = session.get(DeliveryRow, number)
            if row is not None:
                row.state, row.sent, row.trouble, row.tries = SENT, self._clock(), "", row.tries + 1

    def _failed(self, number: int, why: str) -> None:
        now = self._clock()
        with writing(self._record.engine) as session:
            row = session.get(DeliveryRow, number)
            if row is None:
                return
            row.tries, row.trouble = row.tries + 1, why[:500]
            row.due = now + min(LONGEST_WAIT, 1000 * 2 ** min(row.tries - 1, 12))
            if now - row.created > GIVE_UP:
                row.state = GIVEN_UP

    def figures(self) -> dict[str, Any]:
        """Return how many deliveries wait and were given up, and what the last trouble was."""
        with reading(self._record.engine) as session:
            counts = session.exec(select(DeliveryRow.state, func.count()).group_by(DeliveryRow.state)).all()
            statement = select(DeliveryRow).where(DeliveryRow.state == WAITING, DeliveryRow.tries > 0)
            stuck = session.exec(statement.order_by(col(DeliveryRow.id)).limit(1)).first()
        found = dict(counts)
        return {
            "waiting": found.get(WAITING, 0),
            "sent": found.get(SENT, 0),
            "given_up": found.get(GIVEN_UP, 0),
            "trouble": f"{stuck.target}: {stuck.trouble}" if stuck is not None else "",
        }
