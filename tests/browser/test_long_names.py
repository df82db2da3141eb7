"""Names without a place to break fit the narrowest window."""

import json

import pytest
from playwright.sync_api import Browser, ViewportSize

from tests.browser.people import FITS
from tests.stack import Stack

NAMES = ("Donaudampfschifffahr", "W" * 20)
PREPARE = """
import json
from django.test import Client
from games.play.commands import endings
from tests.play import match_helpers
people = match_helpers.People(*map(match_helpers.person, (*NAMES, "Charlie")))
running = match_helpers.running_match(people, *match_helpers.FIRST_MOVES)
finished = match_helpers.running_match(people, *match_helpers.FIRST_MOVES)
endings.resign(finished.pk, people.alice)
client = Client()
client.force_login(people.alice)
print(json.dumps([client.cookies["sessionid"].value, running.pk, finished.pk]))
"""

pytestmark = pytest.mark.servers


def test_pages_with_long_names_fit_the_narrowest_window(browser: Browser) -> None:
    with Stack(workers=0, beat=0, extra={"DEMO": "true"}) as service:
        output = service.shell(PREPARE.replace("NAMES", repr(NAMES))).splitlines()[-1]
        session, running, finished = json.loads(output)
        base = service.url().rstrip("/")
        context = browser.new_context(
            base_url=base, viewport=ViewportSize(width=320, height=640), locale="de-DE"
        )
        context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
        page = context.new_page()
        wide = []
        for path in (
            "/",
            "/lobby/",
            *(f"/people/profile/{name}/" for name in NAMES),
            *(f"/people/profile/{name}/ratings/lattaque/" for name in NAMES),
            *(f"/match/{running}/{part}" for part in ("", "talk/", "plan/", "moves/", "practice/")),
            *(f"/archive/{finished}/{part}" for part in ("", "summary/")),
        ):
            answer = page.goto(path)
            assert answer and answer.ok, path
            # Everything that can be unfolded is.
            page.evaluate("document.querySelectorAll('details').forEach(each => each.open = true)")
            if not page.evaluate(FITS):
                wide.append(path)
        assert not wide
        context.close()
