"""Pages of the house: one click begins a match; profiles, badges and past thoughts."""

import re
from collections.abc import Callable
from html import unescape
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.bots.levels import MARSHAL, RECRUIT, SERGEANT
from games.house import house_accounts
from games.house.playing import new_match
from games.house.thinking import child_client
from games.idempotency.middleware import FIELD
from games.notifications.channels import feeds
from games.outbox.delivery import dispatcher
from games.play.commands import endings
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player, Status
from games.play.models.ply import Ply
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation
from tests.house.conftest import house_of, let_answer, move_first
from tests.play.forms import client_of

PLAY = reverse("house:play")
ONE_CLICK = {"preset": "lattaque-en", "level": "recruit"}


@pytest.fixture
def client(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def text(response: Any) -> str:
    return unescape(response.content.decode())


def test_one_click_begins_a_match_in_which_the_house_has_set_up(
    client: Client, alice: User
) -> None:
    page = text(client.get("/"))
    key = re.findall(rf'name="{FIELD}" value="(\w+)"', page)[-1]
    answers = [client.post(PLAY, {**ONE_CLICK, FIELD: key}) for _ in range(2)]
    match = Match.objects.get()
    assert [answer["Location"] for answer in answers] == [match.get_absolute_url()] * 2
    assert not Player.objects.get(match=match, user=house_of(match)).to_act
    assert "House-Recruit is ready." in text(client.get(match.get_absolute_url(), follow=True))


@pytest.mark.parametrize("page", ["/", "/lobby/"])
def test_the_house_is_one_step_away(client: Client, page: str) -> None:
    assert PLAY in text(client.get(page))


def test_level_and_edition_can_be_given_in_the_url(client: Client) -> None:
    page = text(client.get(f"{PLAY}?level=marshal&preset=assaut"))
    for value in ("marshal", "assaut"):
        assert re.search(rf'value="{value}"[^>]*checked', page)
    assert text(client.get(f"{PLAY}?level=general&preset=chess")).count("checked") == 4


def test_an_unknown_level_is_refused(client: Client) -> None:
    assert client.post(PLAY, {**ONE_CLICK, "level": "random"}).status_code == 422
    assert not Match.objects.exists()


def test_visitors_are_asked_to_sign_in_first() -> None:
    answer = Client().post(PLAY, ONE_CLICK)
    assert answer.status_code == 403 and 'href="/account/login/"' in text(answer)


@pytest.mark.parametrize("page", ["/", "/lobby/"])
def test_visitors_see_links_that_lead_to_it_after_signing_up_or_in(alice: User, page: str) -> None:
    visitor = Client()
    shown = text(visitor.get(page))
    assert "have to wait for anybody" in shown
    links = re.findall(r'href="([^"]+)">(\w+)[^<]* and play the computer<', shown)
    assert [words for _address, words in links] == ["Join", "Sign"]
    for address, _words in links:
        assert f'name="next" value="{PLAY}"' in text(visitor.get(address))
    alice.set_password("a lance and a drum")
    alice.save()
    keys = {"login": "Alice", "password": "a lance and a drum", "next": PLAY}
    assert visitor.post(links[1][0], keys)["Location"] == PLAY


def test_matches_against_the_house_are_limited(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(new_match, "MAX_LIVE_MATCHES", 2)
    for _ in range(3):
        answer = client.post(PLAY, ONE_CLICK)
    assert "You have 2 running matches against the computer" in text(answer)
    assert Match.objects.count() == 2


def test_its_name_has_a_badge_on_every_page(
    client: Client, against: Callable[..., Match], alice: User
) -> None:
    match = against()
    mark = 'title="Computer opponent">Computer</span>'
    assert mark in text(client.get("/"))
    assert text(client.get(match.get_absolute_url())).count(mark) == 1
    move_first(match, alice)
    assert text(client.get(f"{match.get_absolute_url()}moves/")).count(mark) == 1
    let_answer(match)
    endings.resign(match.pk, alice)
    assert mark in text(client.get("/archive/"))
    assert "House-Recruit" in text(client.get(f"/archive/{match.pk}/record/"))


def test_emails_and_feeds_show_its_house_name(
    against: Callable[..., Match], alice: User, mailoutbox: list[Any]
) -> None:
    match = against()
    move_first(match, alice)
    let_answer(match)
    dispatcher.drain()
    email = mailoutbox[-1]
    html, _kind = email.alternatives[0]
    for words in (email.subject, email.body, html):
        assert "House-Recruit" in words
    feeds.renew(alice)
    addresses = feeds.addresses(alice)
    assert addresses
    for address in addresses:
        body = text(Client().get(urlsplit(address).path)).replace("\r\n ", "")
        assert f"Your turn against House-Recruit in match {match.pk}" in body


STRENGTHS = {
    "recruit": "Looks one move ahead and often makes mistakes.",
    "sergeant": "Watches how your pieces move and sometimes makes mistakes.",
    "marshal": "Looks furthest ahead and rarely makes mistakes.",
}


@pytest.mark.parametrize("level", house_accounts.LEVELS)
def test_its_profile_says_how_strong_it_is(client: Client, level: str) -> None:
    page = text(client.get(house_accounts.opponent(level).get_absolute_url()))
    assert STRENGTHS[level] in page
    assert "It sees only what a human opponent would." in page
    assert f"{PLAY}?level={level}" in page
    assert "Member since" not in page


def test_the_descriptions_of_levels_are_true() -> None:
    assert RECRUIT.open_depth == 1 < SERGEANT.open_depth < MARSHAL.open_depth
    assert SERGEANT.reads_conduct and not RECRUIT.reads_conduct
    assert RECRUIT.noise > SERGEANT.noise > MARSHAL.noise


def test_every_level_is_described(client: Client) -> None:
    page = text(client.get(PLAY))
    for words in STRENGTHS.values():
        assert f'<span class="help">{words}' in page


def test_its_beliefs_are_shown_only_after_the_match_is_public(
    client: Client, against: Callable[..., Match], alice: User
) -> None:
    match = against()
    for _ in range(2):
        move_first(match, alice)
        let_answer(match)
    address = reverse("house:thought", args=[match.pk])
    assert client.get(address).status_code == 404
    endings.resign(match.pk, alice)
    assert address in text(client.get(match.get_absolute_url()))
    assert address in text(client.get(f"/archive/{match.pk}/"))
    pages = [text(client.get(f"{address}?turn={turn}")) for turn in (1, 2)]
    assert "Turn 1 of 2 of House-Recruit" in pages[0]
    assert all("What it thought the enemy pieces were" in page for page in pages)
    assert pages[0].count(" %") > 60
    moves = Ply.objects.filter(match=match, seat=Seat.NORTH, kind=PlyKind.MOVE).order_by("number")
    for page, move in zip(pages, moves, strict=True):
        assert f'<b class="notation">{move.text}</b>' in page
        done = notation.read_annotated(match.rules, move.text)
        sentence = f"moved from {done.source} to {done.target}."
        if done.attack:
            # A recruit's first move may be a scout's attack, also after a walk.
            sentence = f"attacked {done.target} from {done.via or done.source}:"
        assert f"North {sentence}" in page
    assert client.get(f"{address}?turn=999999").status_code == 200


def test_a_belief_without_a_likeliest_rank_is_a_phrase(
    client: Client, against: Callable[..., Match], alice: User
) -> None:
    match = against("domino")
    move_first(match, alice)
    let_answer(match)
    endings.resign(match.pk, alice)
    page = text(client.get(reverse("house:thought", args=[match.pk])))
    assert re.search(r"one of \d\d possibilities, none above \d %", page)
    rows = re.findall(r'<ul class="tray">(.*?)</ul>', page)
    assert len(rows) == 24
    for row in rows:
        shown = [int(each) for each in re.findall(r"</svg>.*?(\d+) %</li>", row)]
        most = re.search(r"none above (\d+) %", row)
        assert most is None or all(each > int(most[1]) for each in shown)


def test_the_page_of_past_thoughts_is_rate_limited(
    client: Client, against: Callable[..., Match], alice: User, charlie: User, settings: Any
) -> None:
    match = against("assaut")
    move_first(match, alice)
    let_answer(match)
    endings.resign(match.pk, alice)
    settings.ACCOUNT_RATE_LIMITS = settings.ACCOUNT_RATE_LIMITS | {"house_thought": "2/m/user"}
    address = reverse("house:thought", args=[match.pk])
    assert [client.get(address).status_code for _ in range(3)] == [200, 200, 429]
    client.force_login(charlie)
    assert client.get(address).status_code == 200


def test_a_third_concurrent_page_of_past_thoughts_is_refused(
    client: Client, against: Callable[..., Match], alice: User
) -> None:
    """At most two threads of a web process wait for the child, so two remain for moves."""
    match = against()
    move_first(match, alice)
    let_answer(match)
    endings.resign(match.pk, alice)
    address = reverse("house:thought", args=[match.pk])
    with child_client.child.waiting, child_client.child.waiting:
        assert client.get(address).status_code == 429
    assert client.get(address).status_code == 200


def test_a_match_between_people_has_no_page_of_thoughts(client: Client, match: Match) -> None:
    assert client.get(reverse("house:thought", args=[match.pk])).status_code == 404


def test_a_game_without_hidden_pieces_shows_no_beliefs(
    client: Client, against: Callable[..., Match], alice: User
) -> None:
    match = against("assaut")
    move_first(match, alice)
    let_answer(match)
    endings.resign(match.pk, alice)
    assert match.status == Status.RUNNING
    address = reverse("house:thought", args=[match.pk])
    page = text(client.get(address))
    assert "Nothing is hidden in this game" in page
    assert "Its move" in page
    for shown in (match.get_absolute_url(), f"/archive/{match.pk}/"):
        assert address not in text(client.get(shown))


def test_a_page_polls_while_it_waits_for_the_house_and_has_a_link_without_scripts(
    client: Client, against: Callable[..., Match], alice: User, bob: User
) -> None:
    def state_of_page(reader: Client = client) -> tuple[bool, bool]:
        page = text(reader.get(match.get_absolute_url()))
        return "data-soon" in page, "<noscript><a" in page

    match = against()
    assert state_of_page() == (False, False)
    move_first(match, alice)
    assert state_of_page() == (True, True)
    assert state_of_page(client_of(bob)) == (False, False)
    let_answer(match)
    assert state_of_page() == (False, False)
    # A player who is to move has a button to go on.
    endings.offer_draw(match.pk, alice)
    assert state_of_page() == (True, False)
