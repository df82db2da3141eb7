"""The newest finished matches on a person's page."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.commands import endings
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db


def finish(who: People, times: int) -> list[int]:
    numbers = []
    for _ in range(times):
        match = match_helpers.running_match(who, *match_helpers.FIRST_MOVES)
        endings.resign(match.pk, who.alice)
        numbers.append(match.pk)
    return numbers


def test_a_profile_lists_the_newest_five_with_their_boards(client: Client, who: People) -> None:
    page = who.bob.get_absolute_url()
    assert "<table" not in client.get(page).text
    first, *newest = finish(who, 6)
    html = client.get(page).text
    for number in newest:
        assert f'href="/archive/{number}/"' in html
        assert f"/match/{number}/small/" in html
    assert f'href="/archive/{first}/"' not in html
    assert 'href="/archive/?player=Bob"' in html
    assert "/archive/" + str(newest[0]) not in client.get(who.charlie.get_absolute_url()).text


def test_its_query_count_is_constant(client: Client, who: People) -> None:
    counts = []
    for times in (2, 4):
        finish(who, times)
        client.get(who.bob.get_absolute_url())
        with CaptureQueriesContext(connection) as queries:
            client.get(who.bob.get_absolute_url())
        counts.append(len(queries))
    assert counts[0] == counts[1]
