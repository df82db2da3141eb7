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
from games.rules.core.basics.pieces import Seat
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db
META = re.compile(
    r'<meta (?:name|property)="(description|robots|og:[\w:]+|twitter:card)" content="([^"]*)">'
)


def metadata(client: Client, path: str) -> dict[str, str]:
    answer = client.get(path)
    assert answer.status_code == 200, path
    pairs = META.findall(answer.content.decode())
    assert len(pairs) == len(dict(pairs)), path
    return {name: unescape(text) for name, text in pairs}


PUBLIC = (
    "/",
    "/archive/",
    "/help/",
    "/help/lattaque/",
    "/help/lessons/",
    "/help/lessons/lattaque/moves/",
    "/lobby/",
)


def test_each_public_page_has_a_description(client: Client) -> None:
    described = {path: metadata(client, path) for path in PUBLIC}
    for path, shown in described.items():
        assert 30 < len(shown["description"]) < 160, path
        assert shown["og:description"] == shown["description"]
        assert shown["og:title"] and shown["og:url"] == settings.SITE_URL + path
        assert shown["og:image"] == f"{settings.SITE_URL}/static/png/icon-512.png"
        assert (shown["og:type"], shown["twitter:card"]) == ("website", "summary")
    assert len({shown["description"] for shown in described.values()}) == len(PUBLIC)


def test_a_preview_of_a_running_match_shows_public_knowledge(client: Client, who: People) -> None:
    """Two matches that differ in hidden ranks have the same preview, before and after a battle."""
    previews = []
    pictures: dict[int, set[bytes]] = {}
    for south in ("RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
                  "RRR1R1RSCE/EBFLLG1ECB/KLRSKBR1BS/LMJYKJRKES"):  # fmt: skip
        match = match_helpers.set_up(match_helpers.new_match(who), south=south)
        for moves in ((), ("a4-a5", "j7xj4")):
            match_helpers.play(match, *moves)
            shown = metadata(client, f"/match/{match.pk}/")
            assert shown.pop("og:url") == f"{settings.SITE_URL}/match/{match.pk}/"
            image = urlsplit(shown.pop("og:image")).path
            assert image == f"/match/{match.pk}/picture/{len(moves)}.png"
            pictures.setdefault(len(moves), set()).add(client.get(image).content)
            previews.append(shown)
    assert [len(drawn) for drawn in pictures.values()] == [1, 1]
    assert all(shown == previews[0] for shown in previews)
    assert "Alice" in previews[0]["og:title"] and "Bob" in previews[0]["og:title"]
    words = "L'Attaque: a match by correspondence that is being played."
    assert previews[0]["description"] == words
    size = (previews[0]["og:image:width"], previews[0]["og:image:height"])
    assert size == ("1200", "630")
    assert previews[0]["og:image:alt"]
    assert previews[0]["twitter:card"] == "summary_large_image"


def test_a_preview_of_a_finished_match_shows_its_result(
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


@pytest.mark.parametrize("query", ["", "?ply=1"])
def test_a_preview_is_the_same_on_every_readers_page(
    client: Client, alice_client: Client, bob_client: Client, match: Match, query: str
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    path = f"/match/{match.pk}/{query}"
    shown = metadata(client, path)
    assert metadata(alice_client, path) == metadata(bob_client, path) == shown
    assert shown["og:url"] == settings.SITE_URL + path
    ply = 1 if query else 2
    assert shown["og:image"] == f"{settings.SITE_URL}/match/{match.pk}/picture/{ply}.png"
    match_helpers.resign(match, Seat.NORTH)
    for page in (path, f"/archive/{match.pk}/{query}"):
        assert metadata(alice_client, page) == metadata(bob_client, page) == metadata(client, page)


def test_a_match_without_set_ups_has_a_preview_without_a_board(who: People, client: Client) -> None:
    match = match_helpers.new_match(who)
    shown = metadata(client, f"/match/{match.pk}/")
    assert shown["og:image"] == f"{settings.SITE_URL}/static/png/icon-512.png"


def test_browsers_find_an_icon_at_the_default_path(client: Client) -> None:
    answer = client.get("/favicon.ico")
    icon = b"".join(answer.streaming_content)  # type: ignore[attr-defined]
    assert answer.status_code == 200 and icon[:4] == b"\x00\x00\x01\x00"
    assert answer["Content-Type"] in ("image/x-icon", "image/vnd.microsoft.icon")


def test_robots_may_fetch_the_pictures_of_previews(client: Client) -> None:
    """A longer rule counts more; programs that take the first that fits find it first."""
    text = b"".join(client.get("/robots.txt").streaming_content).decode()  # type: ignore[attr-defined]
    allowed, refused = "Allow: /match/*/picture/", "Disallow: /match/*/*/"
    assert -1 < text.find(allowed) < text.find(refused)
    assert len(allowed.split()[1]) > len(refused.split()[1])


def test_robots_are_excluded_from_private_pages(client: Client, match: Match) -> None:
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
