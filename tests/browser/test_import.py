"""A record in two browsers, with and without JavaScript: imported, viewed, shared."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from games.rules.core.text.game_record import write_record
from tests import tiers
from tests.browser.people import FITS, Somebody
from tests.rules.shortcuts import recorded, rules_of
from tests.stack import Stack

TEXT = write_record(recorded(rules_of("domino"), seed=1, plies=40)[0])

# Units test its forms, and test_every_page.py how its pages look.
pytestmark = [pytest.mark.servers, pytest.mark.soak]


@pytest.fixture
def service(stack: Callable[..., Stack]) -> Stack:
    return stack(extra={"DEMO": "true"})


@pytest.mark.parametrize(
    "scripts",
    tiers.parameters((False, True), fast=(False,)),
    ids=["without scripts", "with scripts"],
)
def test_a_record_is_imported_viewed_and_shared(
    browser: Browser, service: Stack, scripts: bool
) -> None:
    alice = Somebody(browser, service, "Alice", scripts)
    alice.sign_up()
    page = alice.page
    page.set_viewport_size({"width": 320, "height": 640})
    alice.go("/archive/")
    alice.follow("My imported records")
    alice.follow("Import a record")

    page.get_by_label("Game record").fill(TEXT.replace("2. ", "2. a1-h8 ", 1))
    alice.press("Check and save")
    refusal = page.get_by_role("alert").inner_text()
    assert ", move 2, a1-h8, cannot be played: " in refusal
    page.get_by_label("Game record").fill(TEXT)
    alice.press("Check and save")
    assert "move 20 of 20" in page.content()

    alice.follow("First")
    if scripts:
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
        with page.expect_navigation():
            page.keyboard.press("ArrowRight")
    else:
        alice.follow("Next")
        alice.follow("Next")
    assert "move 1 of 20" in page.content()
    page.get_by_label("Go to move").fill("9")
    alice.press("Show")
    alice.follow("Bert \\ Ben (North)")
    assert "move 9 (South) of 20" in page.content() and "eyes=north" in page.url
    if scripts:
        assert page.evaluate(FITS)

    alice.press("Share by link")
    link = page.get_by_label("Anyone with this link").input_value()
    charlie = Somebody(browser, service, "Charlie", scripts)
    charlie.go(link[link.index("/archive/") :] + "?ply=17")
    assert "move 9 (South) of 20" in charlie.page.content()
    alice.press("Stop sharing")
    again = charlie.page.reload()
    assert again is not None and again.status == 404
    assert alice.complaints == []
