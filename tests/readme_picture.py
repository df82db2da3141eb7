"""`python -m tests.readme_picture` takes the README's picture: a match's page, as it is today.

It starts the service, and needs Debian's Chromium. It is run by hand when the page has changed.
"""

import sys
from pathlib import Path

from playwright.sync_api import ViewportSize, sync_playwright

from tests.stack import Stack

PICTURE = Path(__file__).resolve().parent.parent / "docs" / "pictures" / "match.png"
SIZE = ViewportSize(width=1280, height=650)
PREPARE = """
from django.test import Client
from tests.play import match_helpers
who = match_helpers.people()
match = match_helpers.running_match(who, "a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7", "j5xj4")
client = Client()
client.force_login(who.alice)
print(client.cookies["sessionid"].value, match.pk)
"""


def main(chromium: str = "/usr/bin/chromium") -> None:
    with Stack(workers=0, beat=0) as service, sync_playwright() as playwright:
        session, match = service.shell(PREPARE).splitlines()[-1].split()
        base = service.url().rstrip("/").replace("127.0.0.1", "localhost")
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        context = browser.new_context(base_url=base, viewport=SIZE)
        context.add_cookies([{"name": "sessionid", "value": session, "url": base}])
        page = context.new_page()
        page.goto(f"/match/{match}/")
        page.screenshot(path=PICTURE)
        browser.close()


if __name__ == "__main__":
    main(*sys.argv[1:])
