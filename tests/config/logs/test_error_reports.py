"""Error reports: where something failed, without texts and secrets."""

import gzip
import json
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import brotli
import pytest

from config.environment.version import version
from tests.servers import serve, wait_for
from tests.stack import Stack

pytestmark = pytest.mark.servers

UNPACK = {"gzip": gzip.decompress, "br": brotli.decompress}
# A rank, a move, a code, a token, an address and a session, in every place.
CANARIES = (
    *("CanaryRank", "CanaryText", "CanaryCause", "CanaryCode", "CanaryToken", "CanaryHeader"),
    *("CanaryCookie", "CanaryQuery", "CanaryLogged", "CanaryTask", "alice@example.org", "Alice"),
)
BREAK = """
import logging
import sentry_sdk
from django.conf import settings
from django.test import Client
from config.celery import app
from games.outbox import tasks
from games.play.views.match import match_page
from tests.play import match_helpers

def broken(*given, **named):
    army = {"a1": "CanaryRank"}
    try:
        raise KeyError("CanaryCause")
    except KeyError as error:
        raise RuntimeError(f"CanaryText {army}") from error

who = match_helpers.people()
match = match_helpers.running_match(who)
match_page.draw = broken
client = Client(raise_request_exception=False, HTTP_HOST="localhost")
client.force_login(who.alice)
client.cookies["other"] = "CanaryCookie"
headers = {"Authorization": "CanaryHeader", "X-Request-ID": "request-7"}
page = f"/match/{match.pk}/"
assert client.get(page + "?q=CanaryQuery", headers=headers).status_code == 500
print(client.session.session_key)
# A form that is shown again, with what was typed in.
assert client.post(page + "move/", {"move": "CanaryCode", "ply": "0"}, headers=headers).status_code
logging.getLogger("games.play").error("Match %s is broken.", "CanaryLogged")
logging.getLogger("elsewhere").error("CanaryLogged of somebody else")
assert client.get("/", headers={"Host": "CanaryHeader"}).status_code == 400
logging.getLogger("django.request").error("%s: %s", "Internal Server Error", "/CanaryToken/")

@app.task
def fails(given):
    raise RuntimeError("CanaryTask")

fails.apply(args=["CanaryTask"])
sentry_sdk.flush(10)
"""


@pytest.fixture
def sink() -> Iterator[tuple[str, list[bytes]]]:
    """A service that accepts reports: its DSN, and everything that it received."""
    got: list[bytes] = []

    class Taker(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            body = self.rfile.read(int(self.headers["Content-Length"]))
            plain = UNPACK[self.headers["Content-Encoding"]](body)
            got.append(str(self.headers).encode() + b"\n" + plain)
            self.send_response(200)
            self.end_headers()

        def log_message(self, *_: Any) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Taker)
    serve(server)
    yield f"http://key@127.0.0.1:{server.server_address[1]}/7", got
    server.shutdown()
    server.server_close()


def test_a_report_says_where_it_failed_without_secrets(
    stack: Callable[..., Stack], sink: tuple[str, list[bytes]]
) -> None:
    dsn, got = sink
    service = stack(web=0, workers=0, beat=0, extra={"SENTRY_DSN": dsn})
    session = service.shell(BREAK).strip()
    wait_for(lambda: len(got) >= 4, "the reports", 20)
    everything = b"\n".join(got).decode()
    leaked = [secret for secret in (*CANARIES, session) if secret in everything]
    assert not leaked, everything
    events = [json.loads(line) for line in everything.splitlines() if '"event_id"' in line]
    raised = [
        (event.get("tags", {}), [one["type"] for one in event["exception"]["values"]])
        for event in events
        if "exception" in event
    ]
    assert ({"request_id": "request-7"}, ["KeyError", "RuntimeError"]) in raised
    assert "match_page.py" in everything, "It does not say where."
    assert "Match %s is broken." in everything
    releases = {event["release"] for event in events if "exception" in event}
    assert releases == {f"estafette@{version()}"}
    tasks = [tags for tags, types in raised if types == ["RuntimeError"]]
    assert any(tags.get("task", "").endswith("fails") for tags in tasks)
    # Visitors can cause these at will.
    assert "DisallowedHost" not in everything


@pytest.mark.soak
def test_the_library_is_loaded_only_if_it_is_used(stack: Callable[..., Stack]) -> None:
    service = stack(web=0, workers=0, beat=0)
    loaded = "import sys, config.celery; print([n for n in sys.modules if 'sentry' in n])"
    assert service.shell(loaded).strip() == "[]"


@pytest.mark.parametrize("wrong", ["nonsense", "https://host/7", "https://key@host", "key@host/7"])
def test_a_wrong_address_is_reported_without_quoting_it(
    stack: Callable[..., Stack], wrong: str
) -> None:
    with pytest.raises(RuntimeError, match="SENTRY_DSN is not an address like") as error:
        stack(web=0, workers=0, beat=0, extra={"SENTRY_DSN": wrong})
    assert wrong not in str(error.value).replace("https://key@host/7", "")
