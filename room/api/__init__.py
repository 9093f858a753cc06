"""The REST API: everything that the pages do, for programs, with the same guard and the same audit log."""

from fastapi import APIRouter

import room.api.stream as push
from room.api import accounts, alerts, calibration, cases, evidence, health, reports, rounds, tables

PREFIX = "/api/v1"

router = APIRouter(prefix=PREFIX)
for part in (tables, alerts, rounds, cases, evidence, reports, calibration, health, accounts, push):
    router.include_router(part.router)
