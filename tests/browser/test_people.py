"""A player is blocked from their profile and unblocked on the list, on a phone in the dark."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.people import FITS, Somebody
from tests.browser.test_other_systems import BOTH_WAYS, PREPARE
from tests.stack import Stack

pytestmark = pytest.mark.servers


@pytest.fixture
def alice(browser: Browser, scripts: bool) -> Iterator[Somebody]:
    with Stack(workers=0, beat=0) as service:
        cookies = json.loads(service.shell(PREPARE).splitlines()[-1])["Alice"]
        somebody = Somebody(browser, service, "Alice", scripts)
        somebody.page.context.add_cookies(
            [{"name": key, "value": value, "url": somebody.base} for key, value in cookies.items()]
        )
        somebody.page.set_viewport_size({"width": 320, "height": 640})
        somebody.page.emulate_media(color_scheme="dark")
        yield somebody
        assert not somebody.complaints
        somebody.page.context.close()


@pytest.mark.soak
@BOTH_WAYS
def test_a_player_is_blocked_and_unblocked(alice: Somebody, scripts: bool) -> None:
    page = alice.page
    alice.go("/people/profile/Bob/")
    alice.press("Block Bob")
    assert page.get_by_role("heading", name="Challenges and blocks").is_visible()
    assert "You have blocked Bob." in page.locator("body").inner_text()
    if scripts:
        assert page.evaluate(FITS)
        alice.check_access()
    page.get_by_label("Nobody").check()
    alice.press("Save")
    assert page.get_by_label("Nobody").is_checked()
    alice.press("Unblock Bob")
    assert page.get_by_role("button", name="Unblock Bob").count() == 0
    alice.go("/people/profile/Bob/")
    assert page.get_by_role("button", name="Block Bob").is_visible()
