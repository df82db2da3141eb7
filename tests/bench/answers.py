"""P14: the time until a player sees the computer's answer on the match page, in a browser."""

import random
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.bench.meter import Effort, percentile
from tests.bench.report import Goal, Result, show
from tests.bench.rest import clone, manage, up
from tests.browser.conftest import QUIET
from tests.servers import chromium_path, free_port

ANSWER = Goal(must=1, aim=0.5, unit="s")

MOVES = 20
LEVELS = ("recruit", "marshal")
BEGIN = """
from accounts.models import User
from django.conf import settings
from django.test import Client
from games.house.playing.new_match import play_the_house
from games.play.commands import moves
from games.rules.core.basics.pieces import Seat
from tests.play.match_helpers import SETUPS

user = User.objects.filter(username="south").first()
user = user or User.objects.create_confirmed("south", "south@example.org")
match = play_the_house(user, preset="lattaque-en", level={level!r}, seat=Seat.SOUTH)
moves.submit_move(match.pk, user, SETUPS["lattaque-10x10"][Seat.SOUTH], None)
client = Client()
client.force_login(user)
print(match.pk, client.cookies[settings.SESSION_COOKIE_NAME].value)
"""


def measure(effort: Effort) -> Iterator[Result]:
    with clone() as folder:
        port = free_port()
        with up(folder, port), _page() as page:
            for level in LEVELS:
                seconds = _seconds(folder, port, page, level, effort.times(MOVES))
                value = percentile(seconds, 95)
                half = show(percentile(seconds, 50))
                yield Result(
                    "P14",
                    f"the answer of House-{level.capitalize()} on the open page, p95",
                    f"{show(value)} s",
                    f"half of them within {half} s",
                    value,
                    ANSWER,
                )


@contextmanager
def _page() -> Iterator[Page]:
    path = chromium_path()
    if path is None:
        raise RuntimeError("There is no Chromium on this machine; Debian's package is chromium.")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=QUIET)
        yield browser.new_page()
        browser.close()


def _seconds(folder: Path, port: int, page: Page, level: str, moves: int) -> list[float]:
    """Seconds from a click on "Send move" until the page shows the answer, for each move."""
    process = manage(folder, "shell", "--no-imports", "-c", BEGIN.format(level=level))
    match, session = process.communicate()[0].decode().split()[-2:]
    base = f"http://localhost:{port}"
    page.context.clear_cookies()
    for name in ("sessionid", f"sessionid-{port}"):
        page.context.add_cookies([{"name": name, "value": session, "url": base}])
    page.goto(f"{base}/match/{match}/")
    dice, seconds = random.Random(level), []
    for _ in range(moves):
        legal = page.evaluate("JSON.parse(document.getElementById('moves').textContent)")
        quiet = [text for text in legal if "x" not in text] or legal
        page.get_by_label("Move", exact=True).fill(dice.choice(quiet))
        begun = time.perf_counter()
        with page.expect_navigation():
            page.get_by_role("button", name="Send move", exact=True).first.click()
        page.locator(".badge.turn").wait_for()
        seconds.append(time.perf_counter() - begun)
        page.wait_for_load_state()
    return seconds
