"""Two people, two browsers, one match: from sign-up to the archive, with JavaScript and without."""

from collections.abc import Callable

import pytest
from playwright.sync_api import Browser

from tests import tiers
from tests.browser.people import Somebody
from tests.play.match_helpers import RECKLESS, SETUPS
from tests.stack import Stack

SOUTH = SETUPS["lattaque-10x10"][0]

pytestmark = pytest.mark.servers


@pytest.fixture
def service(stack: Callable[..., Stack]) -> Stack:
    return stack(extra={"DEMO": "true"})


@pytest.mark.parametrize(
    "scripts",
    tiers.parameters((False, True), fast=(True,)),
    ids=["without scripts", "with scripts"],
)
def test_a_whole_match_from_sign_up_to_the_archive(
    browser: Browser, service: Stack, scripts: bool
) -> None:
    alice = Somebody(browser, service, "Alice", scripts)
    bob = Somebody(browser, service, "Bob", scripts)
    for person in (alice, bob):
        person.sign_up()
        person.choose_emails_at_once()

    alice.go("/lobby/new/")
    alice.page.get_by_label("Your side").select_option("0")
    alice.submit()
    bob.go("/lobby/")
    bob.page.get_by_role("link", name="Alice").first.click()
    bob.submit()
    assert "Set up your army" in bob.page.content()
    bob.set_up(RECKLESS)
    assert "Alice is still setting up" in bob.page.content()

    alice.email("match")
    alice.go("/next/")
    alice.set_up(SOUTH)
    assert "Your turn" in alice.page.content()
    if scripts:
        alice.check_access()

    if scripts:
        alice.page.locator('[data-square="b4"] .piece').click()
        alice.page.locator('[data-square="b5"]').click()
        assert alice.page.get_by_label("Move", exact=True).input_value() == "b4-b5"
        alice.press("Send move")
    else:
        alice.page.locator('[data-square="b4"] a').click()
        alice.page.locator('[data-square="b5"] button').click()
        assert "Not sent yet: b4-b5" in alice.page.locator("#draft").inner_text()
        alice.page.reload()
        alice.press("Send move")
    assert "It's Bob's turn." in alice.page.content()

    assert "Alice moved from b4 to b5." in bob.email("Alice moved")
    bob.go("/next/")
    bob.type_move("i7-i6")
    assert bob.page.get_by_role("alert").count() == 1
    bob.type_move("j7-j6")
    alice.type_move("a4xa7")
    assert "You won: flag captured." in alice.page.content()

    assert "Alice won" in bob.email("flag captured")
    bob.go("/")
    assert "New results" in bob.page.content()
    bob.go("/archive/1/?ply=0")
    bob.follow("Next")
    assert "ply=1" in bob.page.url
    if scripts:
        bob.page.keyboard.press("End")
        bob.page.wait_for_url("**ply=3**")
        bob.check_access()
    assert not alice.complaints and not bob.complaints
