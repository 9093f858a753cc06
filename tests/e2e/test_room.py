"""The surveillance room as an operator meets it, in a real browser."""

from __future__ import annotations

import re

from playwright.sync_api import BrowserContext, Page, expect

from calibration.landmarks import landmarks_of
from calibration.layout import standard_layout
from calibration.tablefile import load_table
from tests.e2e.conftest import PATIENCE, Running, Seen, enter, wait_live

expect.set_options(timeout=PATIENCE)


def test_signing_in_and_what_roles_see(
    page: Page, running: Running, seen: tuple[BrowserContext, Seen]
) -> None:
    seen[1].quiet = True  # a refused password is a 401, which the browser's console calls an error
    page.goto(running.url)
    expect(page).to_have_url(re.compile(r"/sign-in\?next="))
    page.get_by_label("Name").fill("operator")
    page.get_by_label("Password").fill("not the password")
    page.get_by_role("button", name="Sign in").click()
    expect(page.get_by_role("alert")).to_contain_text("not right")
    seen[1].quiet = False
    enter(page, running, "operator")
    rail = page.get_by_role("navigation", name="Pages")
    expect(rail.get_by_role("link", name="Reports")).to_have_count(0)
    page.goto(f"{running.url}/settings")
    expect(page.get_by_role("link", name="Audit log")).to_have_count(0)
    page.get_by_role("button", name="Sign out").click()
    expect(page).to_have_url(re.compile("/sign-in"))
    enter(page, running, "auditor", "/alerts")
    expect(page.get_by_text("Auditors read alerts")).to_be_visible()
    expect(page.get_by_role("button", name="Acknowledge")).to_have_count(0)


def test_an_alert_comes_from_the_event_to_the_page(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/alerts")
    wait_live(page)
    expect(page).to_have_title(re.compile(r"^\(8\)"))
    running.play("nz-wager-late", "CS-3")
    fresh = page.locator(".alert-item.fresh")
    expect(fresh).to_contain_text("Wager made or raised too late")
    expect(fresh).to_contain_text("CS-3")
    expect(page).to_have_title(re.compile(r"^\(9\)"))
    expect(page.locator('[data-count="high"] b')).to_have_text("5")
    ranks = page.locator(".alert-item").evaluate_all("nodes => nodes.map(n => Number(n.dataset.rank))")
    assert ranks == sorted(ranks, reverse=True)
    page.locator(".toast").first.click()
    expect(page.get_by_role("heading", name="Wager made or raised too late", level=1)).to_be_visible()
    expect(page.locator(".clause")).to_contain_text("5.10")
    expect(page.locator(".expected")).not_to_be_empty()
    expect(page.locator("#moment .hot")).to_be_visible()


def test_keys_acknowledge_dismiss_and_escalate(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/alerts")
    wait_live(page)
    first = page.locator("#alert-title").inner_text()
    page.keyboard.press("a")
    expect(page.locator(".alert-item")).to_have_count(7)
    expect(page.locator('[data-count="critical"] b')).to_have_text("2")
    wait_live(page)
    page.keyboard.press("d")
    page.get_by_label("False alert").check()
    page.get_by_label("Note for whoever").fill("the dealer was right")
    page.get_by_role("button", name="Dismiss", exact=True).click()
    expect(page.locator(".alert-item")).to_have_count(6)
    wait_live(page)
    page.keyboard.press("e")
    page.get_by_label("Title of the new case").fill("Jackpot at CS-1")
    page.get_by_role("button", name="Escalate", exact=True).click()
    expect(page.get_by_role("heading", name="Jackpot at CS-1", level=1)).to_be_visible()
    expect(page.get_by_text("evidence held")).to_be_visible()
    page.goto(f"{running.url}/alerts?tab=working")
    expect(page.locator(".alert-item")).to_have_count(2)
    expect(page.locator("#list")).to_contain_text(first)
    page.goto(f"{running.url}/alerts?tab=done")
    expect(page.locator(".detail")).to_contain_text("the dealer was right")


def test_a_case_gets_notes_and_its_package_verifies(page: Page, running: Running) -> None:
    enter(page, running, "supervisor", "/rounds/CS-2/R300")
    page.get_by_role("button", name="Add to case").click()
    page.get_by_role("button", name="Add", exact=True).click()
    expect(page.get_by_role("heading", name="CS-2, round R300", level=1)).to_be_visible()
    page.get_by_label("New note").fill("Seat 6 was paid on a losing hand.")
    page.get_by_role("button", name="Add note").click()
    expect(page.locator(".note")).to_contain_text("losing hand")
    with page.expect_download() as download:
        page.get_by_role("button", name="Export package").click()
    path = download.value.path()
    assert download.value.suggested_filename == "CS-2-R300.zip"
    page.get_by_label("Evidence package").set_input_files(path)
    expect(page.locator("#verified")).to_contain_text("signed by this house")
    data = path.read_bytes()
    broken = {"name": "x.zip", "mimeType": "application/zip", "buffer": data[:900] + b"!" + data[901:]}
    page.get_by_label("Evidence package").set_input_files([broken])
    expect(page.locator("#verified")).to_contain_text("Does not hold")


def test_a_round_is_scrubbed_stepped_and_linked(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/rounds/CS-2/R300")
    current = page.locator(".moment[aria-current]")
    expect(current).to_contain_text("paid on the ante of seat 6")  # opens at the first proof
    page.keyboard.press("ArrowRight")
    expect(current).to_contain_text("paid on the bet of seat 6")
    expect(page.locator("#table .hot")).to_be_visible()
    page.keyboard.press("Home")
    expect(current).to_contain_text("Round R300 was opened")
    box = page.locator("#timeline").bounding_box()
    assert box is not None
    page.mouse.move(box["x"] + box["width"] * 0.3, box["y"] + 30)
    page.mouse.down()
    page.mouse.move(box["x"] + box["width"] * 0.4, box["y"] + 30, steps=4)
    page.mouse.up()
    expect(current).to_contain_text("dealt")
    before = page.locator("#now").inner_text()
    for _ in range(5):
        page.keyboard.press(".")
    assert page.locator("#now").inner_text() != before
    page.keyboard.press("y")
    expect(page).to_have_url(re.compile(r"\?t=\d+"))
    said = page.locator("#now").inner_text()
    page.reload()
    expect(page.locator("#now")).to_have_text(said)
    page.locator("#speed").select_option("8")
    page.get_by_role("button", name="Play").click()
    expect(page.locator("#now")).not_to_have_text(said)
    page.get_by_role("button", name="Pause").click()
    expect(page.get_by_role("region", name="Hands and money")).to_contain_text("100, due 0")


def test_search_finds_by_card_and_outcome(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/search")
    expect(page.locator("#results tbody tr")).to_have_count(10)
    page.locator("[name=outcome]").select_option("violation")
    page.locator("[name=table]").select_option("CS-2")
    page.get_by_role("button", name="Search").click()
    expect(page.locator("#results tbody tr")).to_have_count(3)
    page.locator("[name=amount]").fill("4,000.00")
    page.keyboard.press("Enter")
    expect(page.locator("#results tbody tr")).to_have_count(1)
    page.get_by_role("link", name="R300").click()
    expect(page).to_have_url(re.compile("/rounds/CS-2/R300"))


def test_a_camera_is_calibrated_by_clicks(page: Page, running: Running) -> None:
    enter(page, running, "supervisor", "/calibration")
    page.locator(".markb").first.wait_for()
    page.wait_for_function("document.querySelector('#board image') !== null")
    names = [f"seat{n}:{area}:outer_left" for n in (1, 3, 5, 7) for area in ("ante", "bet")]
    assert all(name in landmarks_of(standard_layout()) for name in names)
    for name in names:
        page.locator(f'[data-mark="{name}"]').click()
        # The table file's camera is right: its guide is where the picture shows the landmark.
        guide = page.locator("#board circle[stroke-dasharray]")
        box = guide.bounding_box()
        assert box is not None
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(f'#board circle[data-point="{name}"]')).to_have_count(1)
    expect(page.locator("#result")).to_contain_text("mean error over 8 landmarks")
    expect(page.locator("#board polyline").first).to_be_visible()
    page.get_by_role("button", name="Save").click()
    expect(page.locator(".toast")).to_contain_text("Saved")
    saved = load_table(running.folder / "cs-1.toml").build_cameras()["overview"]
    assert abs(saved.position[2] - 2080) < 60
    page.get_by_role("button", name="Check drift").click()
    expect(page.locator("#result")).to_contain_text("has not moved")


def test_after_a_restart_the_page_takes_up_and_misses_nothing(
    page: Page, running: Running, seen: tuple[BrowserContext, Seen]
) -> None:
    enter(page, running, "operator", "/alerts")
    wait_live(page)
    seen[1].quiet = True  # the refused connections in between are what is tested
    running.stop()
    expect(page.locator("#link-state")).to_contain_text("No connection")
    running.play("s10-settle-wrong-outcome", "CS-3")
    running.start()
    wait_live(page)
    expect(page.locator("#link-state")).to_have_text("Live")
    fresh = page.locator(".alert-item.fresh")
    expect(fresh).to_have_count(2)
    expect(fresh.first).to_contain_text("CS-3")
    expect(page).to_have_title(re.compile(r"^\(10\)"))


def test_the_live_page_follows_a_round(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/live?table=CS-2")
    wait_live(page)
    expect(page.locator("#table")).to_have_attribute("aria-label", re.compile("Round R81, closed"))
    running.play("nz-jackpot-amount", "CS-3")
    tile = page.locator('.tile[data-table="CS-3"]')
    expect(tile).to_contain_text("Jackpot of the wrong amount")
    tile.click()
    expect(page.get_by_role("heading", name="CS-3", level=1)).to_be_visible()
    expect(page.locator("#steps .now")).to_have_text("Closed")
    page.keyboard.press("?")
    expect(page.get_by_role("dialog")).to_contain_text("next table")


def test_what_cannot_be_seen_has_a_language_of_its_own(page: Page, running: Running) -> None:
    enter(page, running, "operator", "/live?table=CS-4")
    expect(page.locator("#unseen")).to_contain_text("a drinks tray stands in front of it")
    expect(page.locator("#unseen")).to_contain_text("Camera bets")
    expect(page.locator("#table .blindzone")).to_have_count(1)
    expect(page.locator('.tile[data-table="CS-4"] .cam.lost')).to_contain_text("bets lost")
    page.goto(f"{running.url}/alerts?tab=unsure")
    expect(page.locator(".detail")).to_contain_text("Pitwatch could not tell")
    expect(page.locator(".detail")).to_contain_text("not a finding against anybody")
    expect(page.locator('[data-count="critical"] b')).to_have_text("3")
