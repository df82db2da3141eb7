"""The board in HTML e-mails: rows of one height on a phone, whatever the signs in them."""

import pytest
from playwright.sync_api import sync_playwright

from tests.browser.conftest import QUIET
from tests.mail import post
from tests.notifications.email.reading import html
from tests.play import match_helpers

PHONE_PX, ROW_PX = 320, 26
HEIGHTS = """() => [...document.querySelector("table.board").rows].map(
    row => Math.round(row.getBoundingClientRect().height))"""
WIDTH = "() => document.documentElement.scrollWidth"


@pytest.fixture
def emails(apart: None) -> list[str]:
    """The HTML of an e-mail of each kind of board, with the longest signs that it can have."""
    who = match_helpers.people()
    bodies = []
    for moves in (("a4-a5", "j7-j6"), ("e4xe7", "d7xe7")):
        match_helpers.running_match(who, *moves)
        bodies.append(html(post.email(who.alice)))
    longest = bodies[-1].replace(">n?*x<", ">n?&#x27;*x<")
    assert longest != bodies[-1]
    return [*bodies, longest]


def test_rows_have_one_height_and_the_board_fits_a_phone(emails: list[str], chromium: str) -> None:
    # The browser starts after the last query: Django refuses queries in a thread with its loop.
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=QUIET)
        page = browser.new_page(viewport={"width": PHONE_PX, "height": 640})
        for email in emails:
            page.set_content(email)
            assert set(page.evaluate(HEIGHTS)) == {ROW_PX}
            assert page.evaluate(WIDTH) == PHONE_PX
        browser.close()
