"""What search engines and link previews get: robots.txt, favicon.ico, descriptions of pages."""

import re
from html import unescape
from itertools import chain
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.test import Client

from accounts.people import unsubscribe
from games.lobby import commands as lobby
from games.lobby.invitations import private_links
from games.lobby.models import InvitationKind
from games.play.commands import endings
from games.play.models.match import Match
from games.play.terms import Terms
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db
META = re.compile(r'<meta (?:name|property)="(description|robots|og:\w+)" content="([^"]*)">')


def metadata(client: Client, path: str) -> dict[str, str]:
    answer = client.get(path)
    assert answer.status_code == 200, path
    found = META.findall(answer.content.decode())
    assert len(found) == len(dict(found)), path
    return {name: unescape(text) for name, text in found}


PUBLIC = (
    "/",
    "/archive/",
    "/help/",
    "/help/lattaque/",
    "/help/lessons/",
    "/help/lessons/lattaque/moves/",
    "/lobby/",
)


def test_each_public_page_says_what_it_is(client: Client) -> None:
    described = {path: metadata(client, path) for path in PUBLIC}
    for path, shown in described.items():
        assert 30 < len(shown["description"]) < 160, path
        assert shown["og:description"] == shown["description"]
        assert shown["og:title"] and shown["og:url"] == settings.SITE_URL + path
        assert shown["og:image"] == f"{settings.SITE_URL}/static/png/icon-512.png"
    assert len({shown["description"] for shown in described.values()}) == len(PUBLIC)


def test_a_preview_of_a_running_match_tells_what_everybody_knows(
    client: Client, who: People
) -> None:
    """Two matches that differ in hidden ranks have the same preview, before and after a battle."""
    previews = []
    for south in ("RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
                  "RRR1R1RSCE/EBFLLG1ECB/KLRSKBR1BS/LMJYKJRKES"):  # fmt: skip
        match = match_helpers.set_up(match_helpers.new_match(who), south=south)
        for moves in ((), ("a4-a5", "j7xj4")):
            match_helpers.play(match, *moves)
            shown = metadata(client, f"/match/{match.pk}/")
            del shown["og:url"]
            previews.append(shown)
    assert all(shown == previews[0] for shown in previews)
    assert "Alice" in previews[0]["og:title"] and "Bob" in previews[0]["og:title"]
    words = "L'Attaque: a match by correspondence that is being played."
    assert previews[0]["description"] == words


def test_a_preview_of_a_finished_match_tells_its_result(
    client: Client, match: Match, who: People
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    endings.resign(match.pk, who.alice)
    shown = metadata(client, f"/archive/{match.pk}/")
    assert shown["description"].startswith("L'Attaque. Bob won: the other side resigned.")


def test_a_secret_address_has_no_preview_and_is_not_indexed(client: Client, who: People) -> None:
    invitation = lobby.offer(who.alice, Terms("lattaque-en"), kind=InvitationKind.LINK)
    private_link = urlsplit(private_links.address(invitation.pk)).path
    for path in (private_link, unsubscribe.stop_path(who.alice, "match")):
        assert metadata(client, path) == {"robots": "noindex, nofollow"}


def test_players_pages_are_as_short_as_before(client: Client, match: Match, who: People) -> None:
    """Only visitors get previews, since programs that read them are visitors."""
    client.force_login(who.alice)
    for path in ("/", "/archive/", f"/match/{match.pk}/"):
        assert not metadata(client, path), path


def test_browsers_find_an_icon_where_they_look_by_themselves(client: Client) -> None:
    answer = client.get("/favicon.ico")
    icon = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert answer.status_code == 200 and icon[:4] == b"\x00\x00\x01\x00"
    assert answer["Content-Type"] in ("image/x-icon", "image/vnd.microsoft.icon")


def test_robots_are_shown_what_to_leave_alone(client: Client, match: Match) -> None:
    answer = client.get("/robots.txt")
    text = b"".join(answer.streaming_content).decode()  # type: ignore[attr-defined]
    assert answer.status_code == 200 and answer["Content-Type"].startswith("text/plain")
    rules = [line.partition(": ")[2] for line in text.splitlines() if line.startswith("Disallow")]
    patterns = [re.compile(re.escape(rule).replace(r"\*", ".*")) for rule in at_least(10, rules)]

    def is_open(path: str) -> bool:
        return not any(pattern.match(path) for pattern in patterns)

    # Pages that say by themselves that they must not be indexed have to be readable.
    secret = (
        "/lobby/link/x/",
        "/archive/shared/x/",
        "/feeds/x/waiting.atom",
        "/people/unsubscribe/x/",
    )
    replay = (f"/archive/{match.pk}/", f"/match/{match.pk}/", "/archive/?page=2")
    for path in chain(PUBLIC, secret, replay):
        assert is_open(path), path
    for path in (
        "/account/login/",
        "/notifications/",
        f"/archive/{match.pk}/?ply=3",
        f"/match/{match.pk}/moves/",
        "/help/lessons/lattaque/moves/a4-a5/",
    ):
        assert not is_open(path), path
