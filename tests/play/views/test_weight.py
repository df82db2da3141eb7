"""Page weight: a match page stays small enough for a slow connection."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.contrib.staticfiles import finders
from django.test import Client

from games.play.models.match import Match
from tests import weight
from tests.play.match_helpers import People

MAX_PAGE_BYTES = 101_000  # bytes, before any compression; the link preview is one thousand


@pytest.fixture
def get(who: People) -> Callable[[str], bytes]:
    client = Client()
    client.force_login(who.alice)

    def read(address: str) -> bytes:
        if not address.startswith("/static/"):
            return client.get(address).content
        file = finders.find(address.removeprefix("/static/"))
        assert isinstance(file, str), f"{address} is not there."
        return Path(file).read_bytes()

    return read


def test_a_match_with_its_styles_scripts_and_pieces_is_light(
    get: Callable[[str], bytes], match: Match
) -> None:
    fetched = weight.parts(get, match.get_absolute_url())
    kinds = {address.rpartition(".")[2] for address in fetched[1:]}
    assert kinds == {"css", "js", "svg", "webmanifest"}
    assert sum(len(get(address)) for address in fetched) <= MAX_PAGE_BYTES
