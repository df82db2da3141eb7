"""A NUL character in any field of any form, or in any query, is refused with a sentence."""

from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver
from pytest_django import Settings

from accounts.models import User
from games.play.models.match import Match
from tests import tiers
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People

# Programs send there, and each checks what it reads.
EXEMPT = ("mail/in/", "unsubscribe/", "api/v1/")

RENEWAL = "/notifications/devices/renew/"


@pytest.fixture
def match(who: People) -> Match:
    return match_helpers.new_match(who)


def addresses(match: Match) -> list[str]:
    """An address for every URL pattern whose parameters can be filled in."""
    return sorted(_filled(get_resolver().url_patterns, "", match))


def _filled(patterns: list[URLPattern | URLResolver], before: str, match: Match) -> set[str]:
    paths = set()
    for each in patterns:
        route = before + str(each.pattern).lstrip("^").rstrip("$")
        if isinstance(each, URLResolver):
            paths |= _filled(each.url_patterns, route, match)
            continue
        for name, value in (
            ("<int:object_id>", "1"),
            ("<path:object_id>", "1"),
            ("<number:match_id>", str(match.pk)),
            ("<slug:preset>", "lattaque-en"),
        ):
            route = route.replace(name, value)
        if "<" not in route and "(" not in route and not route.startswith(EXEMPT):
            paths.add(f"/{route}")
    return paths


# Where a request may have the character.
WAYS: dict[str, Callable[[Client, str], Any]] = {
    "query": lambda client, address: client.get(address, {"q": "a\0b"}),
    "field": lambda client, address: client.post(address, {"name": "a\0b"}),
    "name of a field": lambda client, address: client.post(address, {"na\0me": "b"}),
    "query of a form": lambda client, address: client.post(f"{address}?page=%00", {"name": "b"}),
}


@pytest.mark.parametrize("way", WAYS)
def test_each_way_is_refused(alice_client: Client, way: str) -> None:
    assert WAYS[way](alice_client, "/people/preferences/").status_code == 422


@pytest.mark.parametrize("way", tiers.parameters(WAYS, fast=("field",)))
def test_no_page_accepts_a_zero_byte(
    who: People, match: Match, settings: Settings, way: str
) -> None:
    settings.STAFF_NEEDS_MFA = False
    User.objects.filter(pk=who.alice.pk).update(is_staff=True, is_superuser=True)
    client = Client()
    client.force_login(who.alice)
    for address in at_least(60, addresses(match)):
        answer = WAYS[way](client, address)
        assert answer.status_code == 422, address
        # A service worker reads no sentence.
        assert "NUL" in answer.content.decode() or address == RENEWAL


def test_the_values_are_offered_again_without_it(client: Client, who: People) -> None:
    client.force_login(who.alice)
    answer = client.post("/people/preferences/", {"message": "good\0 luck"})
    page = answer.content.decode()
    assert answer.status_code == 422 and "good luck" in page and "\0" not in page


@pytest.mark.parametrize("path", ["/people/profile/a%00b/", "/%00", "/match/1%00/", "/admin/%00/"])
def test_a_url_with_one_is_not_found(client: Client, path: str) -> None:
    assert client.get(path).status_code == 404
