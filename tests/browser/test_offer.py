"""The form for an invitation in a browser on a narrow sheet, with scripts and without."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Locator

from tests.browser.people import Somebody
from tests.browser.test_other_systems import BOTH_WAYS, PREPARE
from tests.stack import Stack

# Without scripts at one commit, with them at another.
pytestmark = [pytest.mark.servers, pytest.mark.rotated(2)]

GAMES = ["lattaque", "domino", "tactique", "assaut"]


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = json.loads(service.shell(PREPARE).splitlines()[-1])
    return found


@pytest.fixture
def player(
    browser: Browser, service: Stack, cookies: dict[str, dict[str, str]], scripts: bool
) -> Iterator[Somebody]:
    # The form remembers what its player chose, so each way is gone by another.
    name = "Alice" if scripts else "Bob"
    somebody = Somebody(browser, service, name, scripts)
    somebody.page.context.add_cookies(
        [
            {"name": key, "value": value, "url": somebody.base}
            for key, value in cookies[name].items()
        ]
    )
    somebody.page.set_viewport_size({"width": 320, "height": 800})
    yield somebody
    assert not somebody.complaints
    somebody.page.context.close()


def switches(person: Somebody) -> dict[str, Locator]:
    """The switches of each game that are in sight."""
    found = person.page.locator("details.switches").all()
    return {str(each.get_attribute("data-game")): each for each in found if each.is_visible()}


@BOTH_WAYS
def test_an_edition_is_changed_switch_by_switch(player: Somebody, scripts: bool) -> None:
    page = player.page
    player.go("/lobby/new/")
    page.get_by_role("radio", name="Anybody").check()
    page.get_by_role("radio", name="Tactique", exact=False).first.check()
    assert list(switches(player)) == (["tactique"] if scripts else GAMES)
    group = switches(player)["tactique"]
    group.locator("summary").click()
    if scripts:
        player.check_access()
        assert group.get_by_text("Default: Archers never hit a flag.").is_visible()
        width = page.evaluate("document.documentElement.scrollWidth")
        assert width == 320
    group.get_by_label("Archers may shoot the flag, and that wins the game.").check()
    group.get_by_label("Draw without a battle").fill("60")
    page.get_by_label("A set of two:", exact=False).check()
    player.press("Send invitation")
    seen = page.locator("main").inner_text()
    assert "Archers may shoot the flag, and that wins the game." in seen
    assert "After 60 turns in a row without a battle the game is a draw." in seen
    assert "Two matches at once with sides swapped, and one overall result." in seen


@BOTH_WAYS
def test_changes_of_a_game_that_is_not_chosen(player: Somebody, scripts: bool) -> None:
    """The script leaves them out; without it they are asked about."""
    page = player.page
    player.go("/lobby/new/")
    page.locator("input[name=preset][value=domino]").check()
    switches(player)["domino"].locator("summary").click()
    page.locator("input[name=domino-winner][value=return]").check()
    page.locator("input[name=preset][value=assaut]").check()
    player.press("Send invitation")
    asked = "You changed rules of Domino Stratego, but chose Assaut." in page.content()
    assert asked is not scripts
