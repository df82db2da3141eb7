"""The pages of ladders, as a browser reads them."""

import html
import re

from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.competitions.ladders.models import Challenge, Ladder, Member
from lib.db_clock import frozen_at, now
from tests.competitions.ladders import scene
from tests.competitions.ladders.scene import add_members, people
from tests.play.forms import client_of
from tests.play.match_helpers import People
from tests.ratings.results import finished

PAGE = "/ladders/lattaque/"


def read(client: Client, path: str = PAGE) -> str:
    response = client.get(path)
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def send(client: Client, path: str, page: str = PAGE) -> str:
    """Press the button with that address, and read where it leads."""
    text = html.unescape(client.get(page).content.decode())
    form = re.search(rf'<form[^>]* action="{re.escape(path)}".*?</form>', text, re.DOTALL)
    assert form, f"There is no button for {path}."
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form.group()))
    response = client.post(path, fields, follow=True)
    assert response.status_code == 200
    return " ".join(html.unescape(response.content.decode()).split())


def test_visitors_see_the_table_without_buttons(client: Client, who: People) -> None:
    add_members(scene.open_ladder(), 2, now(), [who.bob, who.alice])
    text = read(client, "/ladders/")
    assert 'href="/ladders/lattaque/">L\'Attaque' in text and "Bob" in text
    text = read(client)
    assert "1500? ± 350" in text and "Sign in to join this ladder." in text
    assert "<form" not in text.partition("<main")[2].partition("</main")[0]
    assert client.get("/ladders/chess/").status_code == 404
    assert client.get("/ladders/tactique/").status_code == 404


def test_a_player_joins_and_leaves_by_buttons(alice_client: Client, who: People) -> None:
    scene.open_ladder()
    assert "finish one match against a person first" in read(alice_client)
    finished(who.alice, who.bob, "S", now(), rated=False)
    assert "You are on the ladder, at place 1." in send(alice_client, f"{PAGE}join/")
    first = read(alice_client)
    assert "You hold place 1." in first and "above you" not in first
    assert "You have left the ladder." in send(alice_client, f"{PAGE}leave/")
    log = read(alice_client, f"{PAGE}log/")
    assert "Alice" in log and "joined" in log and "left" in log


def test_a_member_sees_a_button_or_the_reason_why_there_is_none(
    alice_client: Client, who: People
) -> None:
    users = people(8)
    add_members(scene.open_ladder(), 9, now(), [*users, who.alice])
    text = read(alice_client)
    assert text.count('class="button small"') == 3
    assert text.count("too far above you") == 5
    assert "begun. Set up your army." in send(alice_client, f"{PAGE}challenge/m8/")
    assert "you play each other" in read(alice_client)
    send(alice_client, f"{PAGE}challenge/m7/")
    text = read(alice_client)
    assert "You have challenged 2 members of this ladder, which is the limit." in text
    assert 'class="button small"' not in text


def test_a_refusal_is_shown_on_the_page(alice_client: Client, who: People) -> None:
    add_members(scene.open_ladder(), 2, now(), [who.bob, who.alice])
    response = alice_client.post(f"{PAGE}challenge/charlie/", follow=True)
    assert "There is no member called “charlie” on this ladder." in html.unescape(
        response.content.decode()
    )
    assert not Challenge.objects.exists()


def test_a_double_click_challenges_once(alice_client: Client, who: People) -> None:
    add_members(scene.open_ladder(), 2, now(), [who.bob, who.alice])
    text = alice_client.get(PAGE).content.decode()
    key = re.search(r'challenge/Bob/.*?name="idempotency_key" value="([^"]+)"', text, re.DOTALL)
    assert key
    fields = {"idempotency_key": key.group(1)}
    first, second = (alice_client.post(f"{PAGE}challenge/Bob/", fields) for _again in range(2))
    assert first["Location"] == second["Location"] != PAGE
    assert Challenge.objects.count() == 1


def test_actions_need_post_and_a_sign_in(client: Client, alice_client: Client, who: People) -> None:
    add_members(scene.open_ladder(), 2, now(), [who.bob, who.alice])
    for action in ("join/", "leave/", "challenge/Bob/"):
        assert alice_client.get(PAGE + action)["Location"] == PAGE
        assert "/account/login/" in client.post(PAGE + action)["Location"]
        assert alice_client.post(f"/ladders/tactique/{action}").status_code == 404
    assert not Challenge.objects.exists()
    assert Member.objects.count() == 2


def test_the_query_count_of_the_table_does_not_grow_with_its_members(who: People) -> None:
    ladder = scene.open_ladder()
    at = now()
    users = people(300)
    add_members(ladder, 300, at, users)
    reader = client_of(users[60])
    few = _queries(reader, ladder, users[:4])
    many = _queries(reader, ladder, users[:60])
    assert many == few <= 24


def _queries(client: Client, ladder: Ladder, challenged: list[User]) -> int:
    Challenge.objects.all().delete()
    for number, user in enumerate(challenged):
        match = finished(user, User.objects.get(username="m300"), "S", now())
        Challenge.objects.create(
            ladder=ladder,
            match=match,
            challenger_id=User.objects.get(username=f"m{200 + number}").pk,
            challenged=user,
            opened_at=now(),
        )
    cache.clear()
    client.get(PAGE)
    with CaptureQueriesContext(connection) as queries, frozen_at(now()):
        assert client.get(PAGE).status_code == 200
    return len(queries)
