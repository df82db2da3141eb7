import asyncio
import threading
from collections.abc import Callable, Iterator

import pytest
from pytest_django import Settings

from games.mail.inbound import listener, listener_address
from tests.mail.listening import Start, listens
from tests.servers import free_port, wait_for


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
