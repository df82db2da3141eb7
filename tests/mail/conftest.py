import asyncio
import threading
from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import NamedTuple

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import override_settings
from pytest_django import DjangoDbBlocker, Settings

from games.mail.inbound import listener, listener_address
from games.outbox.models import Dispatch
from games.play.models.match import Match
from lib.db_clock import now
from tests.mail import post
from tests.mail.listening import Start, listens
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.servers import free_port, wait_for
from tests.shared_rows import shared_rows


class Begun(NamedTuple):
    """A match in which each has moved, and the e-mail that says so to Alice."""

    who: People
    match: Match
    turn: EmailMultiAlternatives


@pytest.fixture(scope="module")
def begun_once(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Begun]:
    with shared_rows(django_db_blocker), override_settings(DEMO=True, MAIL_AUTHSERV_ID=""):
        who = match_helpers.people()
        match = match_helpers.running_match(who)
        # As if it had gone out.
        Dispatch.objects.update(sent_at=now())
        match_helpers.play(match, "a4-a5", "j7-j6")
        yield Begun(who, match, post.email(who.alice))


@pytest.fixture
def begun(begun_once: Begun, db: None) -> Begun:
    """Made once for the tests of a module, in which `who` has to be `begun.who`."""
    return deepcopy(begun_once)


@pytest.fixture(autouse=True)
def _authenticated(settings: Settings) -> None:
    """The demo, where every sender counts as authenticated."""
    settings.DEMO = True
    settings.MAIL_AUTHSERV_ID = ""


@pytest.fixture
def start(apart: None) -> Iterator[Start]:
    """`start("smtp")` runs the listener in a thread of this process."""
    ends: list[Callable[[], None]] = []

    def listen(scheme: str, path: str = "", port: int = 0) -> listener_address.ListenAddress:
        place_there = f"//127.0.0.1:{port or free_port()}"
        address = f"{scheme}:{path or place_there}"
        place, begun = listener_address.parse(address), threading.Event()
        stops: list[Callable[[], None]] = []

        async def serve() -> None:
            stop, loop = asyncio.Event(), asyncio.get_running_loop()

            def end() -> None:
                loop.call_soon_threadsafe(stop.set)

            stops.append(end)
            begun.set()
            await listener.serve_until(stop, listener_address.listen(place), is_lmtp=place.is_lmtp)

        thread = threading.Thread(target=lambda: asyncio.run(serve()))
        thread.start()
        begun.wait(10)
        ends.extend([*stops, thread.join])
        wait_for(lambda: listens(place), "It should listen.")
        return place

    yield listen
    for end in ends:
        end()
