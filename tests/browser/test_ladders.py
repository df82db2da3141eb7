"""A ladder in a browser on a narrow screen, with and without scripts."""

import json
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from tests.browser.people import FITS, Somebody
from tests.browser.test_other_systems import BOTH_WAYS, PREPARE
from tests.stack import Stack

# Units test its forms, and test_every_page.py how its pages look.
pytestmark = [pytest.mark.servers, pytest.mark.soak]

LADDER = """
from accounts.models import User
from lib.db_clock import now
from tests.competitions.ladders import scene
names = ("Alice", "Bob")
users = scene.people(6)
users[4:4] = [User.objects.get(username=name) for name in names]
scene.add_members(scene.open_ladder(), 8, now(), users)
"""


@pytest.fixture(scope="module")
def service() -> Iterator[Stack]:
    with Stack(workers=0, beat=0) as running:
        yield running


@pytest.fixture(scope="module")
def cookies(service: Stack) -> dict[str, dict[str, str]]:
    cookies_by_user: dict[str, dict[str, str]] = json.loads(service.shell(PREPARE).splitlines()[-1])
    service.shell(LADDER)
    return cookies_by_user


@BOTH_WAYS
def test_a_member_challenges_from_a_narrow_screen(
    browser: Browser, service: Stack, cookies: dict[str, dict[str, str]], scripts: bool
) -> None:
    player = Somebody(browser, service, "Alice" if scripts else "Bob", scripts)
    page = player.page
    page.context.add_cookies(
        [
            {"name": key, "value": value, "url": player.base}
            for key, value in cookies[player.handle].items()
        ]
    )
    page.set_viewport_size({"width": 320, "height": 800})
    for path in ("/ladders/", "/ladders/lattaque/", "/ladders/lattaque/log/"):
        for scheme in ("dark", "light"):
            page.emulate_media(color_scheme=scheme)
            player.go(path)
            if scripts:
                player.check_access()
                assert page.evaluate(FITS)
    player.go("/ladders/lattaque/")
    page.get_by_role("button", name="Challenge m4").press("Enter")
    page.get_by_text("The challenge has begun. Set up your army.").wait_for()
    player.go("/ladders/lattaque/")
    assert page.get_by_text("you play each other").is_visible()
    assert not player.complaints
    page.context.close()
