"""Tokens and bots in a browser: on a narrow telephone in the dark."""

import re

import pytest
from playwright.sync_api import Browser

from tests.browser.people import FITS, Somebody
from tests.stack import Stack

pytestmark = pytest.mark.servers


def check_on_a_phone(somebody: Somebody) -> None:
    assert somebody.page.evaluate(FITS)
    somebody.check_access()


@pytest.mark.soak
def test_a_bot_gets_a_token_that_is_shown_once(browser: Browser) -> None:
    with Stack() as service:
        alice = Somebody(browser, service, "Alice", scripts=True)
        alice.sign_up()
        alice.page.set_viewport_size({"width": 320, "height": 640})
        alice.page.emulate_media(color_scheme="dark")
        alice.go("/people/bots/")
        alice.page.locator("input[name=password]").fill("a lance and a drum")
        alice.press("Confirm")
        check_on_a_phone(alice)
        alice.page.get_by_label("Name, after").fill("Alina")
        alice.press("Add bot")
        assert alice.page.get_by_role("heading", name="Bot-Alina").is_visible()
        alice.page.get_by_text("Close Bot-Alina").first.click()
        check_on_a_phone(alice)
        alice.go("/notifications/bots/Bot-Alina/")
        check_on_a_phone(alice)
        alice.go("/people/tokens/")
        check_on_a_phone(alice)
        alice.page.get_by_label("Name").fill("laptop")
        alice.page.get_by_label("For").select_option("Bot-Alina")
        alice.page.get_by_label("Play: set up").check()
        alice.press("Make token")
        text = alice.page.get_by_label("Token", exact=True).input_value()
        assert re.fullmatch(r"estafette_[0-9A-Za-z]{38}", text)
        check_on_a_phone(alice)
        assert text not in alice.email("A token for the API was made")
        alice.go("/people/tokens/")
        assert text not in alice.page.content()
        alice.go("/people/sessions/")
        assert alice.page.get_by_text("laptop (Bot-Alina)").is_visible()
        check_on_a_phone(alice)
        alice.go("/people/tokens/")
        alice.press("Revoke laptop")
        assert alice.page.get_by_text("You have no tokens.").is_visible()
        assert alice.complaints == []
