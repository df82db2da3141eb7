"""Passkeys in a real browser with a virtual authenticator."""

import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import sync_playwright

from accounts.models import User
from tests.accounts.conftest import PASSWORD

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")

pytestmark = [
    pytest.mark.servers,
    pytest.mark.skipif(
        not CHROMIUM and "REQUIRE_SERVERS" not in os.environ, reason="There is no Chromium here."
    ),
]


@pytest.fixture
def page(monkeypatch: pytest.MonkeyPatch, ann: User) -> Iterator[Any]:
    # Playwright runs an event loop in this thread, in which Django refuses queries. Ann is created
    # before: a connection opened inside the loop would stay open after the test.
    monkeypatch.setenv("DJANGO_ALLOW_ASYNC_UNSAFE", "true")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        page = browser.new_page()
        complaints = []
        page.on("console", lambda word: complaints.append(word.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        devtools = page.context.new_cdp_session(page)
        devtools.send("WebAuthn.enable")
        options = {
            "protocol": "ctap2",
            "transport": "internal",
            "hasResidentKey": True,
            "hasUserVerification": True,
            "isUserVerified": True,
            "automaticPresenceSimulation": True,
        }
        devtools.send("WebAuthn.addVirtualAuthenticator", {"options": options})
        yield page
        browser.close()
    assert [word for word in complaints if "Content Security Policy" in word] == []


def test_a_passkey_is_added_and_then_signs_in_alone(live_server: Any, page: Any) -> None:
    page.goto(f"{live_server.url}/account/login/?next=/people/preferences/")
    page.get_by_label("Username or e-mail address").fill("Annabel")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_role("heading", name="Preferences").wait_for()

    page.goto(f"{live_server.url}/account/2fa/webauthn/add/")
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Confirm").click()
    assert page.get_by_label("Passwordless").is_checked()
    page.get_by_role("button", name="Add", exact=True).click()
    page.get_by_text("Security key added.").wait_for()

    page.context.clear_cookies()
    page.goto(f"{live_server.url}/account/login/?next=/people/preferences/")
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("heading", name="Preferences").wait_for()
    assert "Annabel" in page.content()


@pytest.mark.soak
def test_a_failing_passkey_is_reported(live_server: Any, page: Any) -> None:
    page.goto(f"{live_server.url}/account/login/")
    # All failures of the browser end in the same way; here, the server does not answer.
    page.route("**/webauthn/**", lambda route: route.abort())
    assert page.locator("#passkey-failed").is_hidden()
    page.get_by_role("button", name="Sign in with a passkey").click()
    page.get_by_role("alert").get_by_text("No passkey was used").wait_for()
