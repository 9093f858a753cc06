"""Every page: no serious fault by axe-core, no error, and the screenshots of the documentation."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page

from pipeline.record.queries_cases import add_note, add_round, open_case
from tests.e2e.conftest import Running, enter, wait_live

PAGES = {
    "live": "/live?table=CS-2",
    "blind": "/live?table=CS-4",
    "alerts": "/alerts",
    "unsure": "/alerts?tab=unsure",
    "round": "/rounds/CS-2/R300",
    "search": "/search?outcome=violation",
    "cases": "/cases/1",
    "reports": "/reports?days=365&since=1700000000000",
    "calibration": "/calibration",
    "settings": "/settings",
}
MORE = (
    "/settings?part=rulebook",
    "/settings?part=people",
    "/settings?part=tokens",
    "/settings?part=audit",
    "/api",
)
SERIOUS = ("serious", "critical")
DOCS = Path(__file__).parents[2] / "docs" / "room"


def look(page: Page) -> list[str]:
    """Return what axe-core finds that is serious."""
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {one['help']}: {one['nodes'][0]['html'][:160]}"
        for one in found
        if one["impact"] in SERIOUS
    ]


def make_case(running: Running) -> None:
    assert running.room is not None
    record = running.room.record
    case = open_case(record, "Seat 6 paid on a losing hand", "supervisor")
    add_round(record, case, "CS-2", "R300")
    add_note(record, case, "supervisor", "Dealer misread a pair of twos. Floor informed at 04:10.")


@pytest.mark.parametrize("seen", [(1920, 1080), (1366, 768)], indirect=True, ids=["1920", "1366"])
def test_every_page_is_sound_and_pictured(
    page: Page, running: Running, request: pytest.FixtureRequest
) -> None:
    """With PITWATCH_SCREENSHOTS set, the pictures of the documentation are made anew."""
    make_case(running)
    faults: dict[str, list[str]] = {}
    page.goto(f"{running.url}/sign-in")
    faults["/sign-in"] = look(page)
    enter(page, running, "administrator")
    wide = request.node.callspec.id == "1920"
    for name, path in PAGES.items():
        page.goto(running.url + path)
        wait_live(page)
        if name in ("alerts", "round", "live", "blind"):
            page.wait_for_selector(".tsvg .seat")
        if name == "calibration":
            page.wait_for_selector("#board polyline")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{name} scrolls sideways"
        if wide:
            if os.environ.get("PITWATCH_SCREENSHOTS"):
                page.screenshot(path=DOCS / f"{name}.jpg", type="jpeg", quality=72)
            faults[path] = look(page)
    for path in MORE if wide else ():
        page.goto(running.url + path)
        faults[path] = look(page)
    assert {path: found for path, found in faults.items() if found} == {}
