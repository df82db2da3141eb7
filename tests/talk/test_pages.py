"""The pages: talk next to the board, with a move, on its own page, muted, in lists."""

import re
from typing import Any

from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.play.commands import endings
from games.play.models.match import Match, Player
from games.talk import commands
from games.talk.lines import reading
from games.talk.models import Line
from tests.play import match_helpers
from tests.play.forms import alert, client_of, page, send
from tests.play.match_helpers import People


def texts(match: Match, user: User) -> list[str]:
    player = Player.objects.get(match=match, user=user)
    return [line.text for line in reading.newest(player, 100)]


def unread(match: Match, user: User) -> int:
    return Player.objects.get(match=match, user=user).talk_unread


def test_a_line_is_sent_with_a_move(alice_client: Client, match: Match, who: People) -> None:
    before = match.ply
    fields = {"move": "a4-a5", "ply": before, "say": "Good luck!"}
    response = alice_client.post(f"/match/{match.pk}/move/", fields)
    assert response.status_code == 302
    match.refresh_from_db()
    assert match.ply == before + 1
    assert texts(match, who.bob) == ["Good luck!"]


def test_a_refused_move_sends_nothing_and_keeps_the_text(
    alice_client: Client, match: Match, who: People
) -> None:
    fields = {"move": "a4-a9", "ply": match.ply, "say": "Good <luck>!"}
    response = alice_client.post(f"/match/{match.pk}/move/", fields)
    assert response.status_code == 422
    assert texts(match, who.bob) == []
    assert b">Good &lt;luck&gt;!</textarea>" in response.content


def test_a_refused_line_plays_no_move_and_keeps_both(
    alice_client: Client, match: Match, who: People
) -> None:
    fields = {"move": "a4-a5", "ply": match.ply, "say": "x" * 1001}
    response: Any = alice_client.post(f"/match/{match.pk}/move/", fields)
    assert response.status_code == 422
    assert "at most 1000 characters" in alert(response)
    assert b'value="a4-a5"' in response.content
    assert b"x" * 1001 in response.content
    match.refresh_from_db()
    assert match.ply == fields["ply"]


def test_a_repeated_move_sends_its_line_once(
    alice_client: Client, match: Match, who: People
) -> None:
    fields = {"move": "a4-a5", "ply": match.ply, "say": "Good luck!"}
    for _ in range(2):
        assert alice_client.post(f"/match/{match.pk}/move/", fields).status_code == 302
    assert texts(match, who.bob) == ["Good luck!"]


def test_a_line_is_sent_by_itself_once(bob_client: Client, match: Match, who: People) -> None:
    form = re.search(
        r'<form method="post" action="[^"]*/talk/".*?</form>', page(bob_client, match), re.S
    )
    assert form
    fields = dict(re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', form.group()))
    for _ in range(2):
        response = bob_client.post(f"/match/{match.pk}/talk/", {**fields, "text": "Hello"})
        assert response["Location"] == f"/match/{match.pk}/#talk"
    assert texts(match, who.alice) == ["Hello"]


def test_the_field_of_the_move_form_may_be_sent_without_a_move(
    alice_client: Client, match: Match, who: People
) -> None:
    assert 'form="move-form" formaction="/match/' in page(alice_client, match)
    alice_client.post(f"/match/{match.pk}/talk/", {"move": "", "ply": match.ply, "say": "Hi"})
    match.refresh_from_db()
    assert texts(match, who.bob) == ["Hi"]


def test_only_the_two_players_read_it(
    alice_client: Client, bob_client: Client, match: Match, who: People
) -> None:
    commands.say(match.pk, who.alice, "Between <us>")
    for client in (alice_client, bob_client):
        assert "Between <us>" in page(client, match)
        assert b"Between &lt;us&gt;" in client.get(f"/match/{match.pk}/talk/").content
    for client in (client_of(who.charlie), Client()):
        assert "Between" not in page(client, match)
        assert 'id="talk"' not in page(client, match)
    stranger = client_of(who.charlie)
    for path in ("talk/", "talk/mute/"):
        there = stranger.post(f"/match/{match.pk}/{path}", {"text": "x"})
        nowhere = stranger.post(f"/match/{match.pk + 99}/{path}", {"text": "x"})
        assert (there.status_code, nowhere.status_code) == (404, 404)
    assert stranger.get(f"/match/{match.pk}/talk/").status_code == 404


def test_opening_the_page_marks_lines_as_read(
    alice_client: Client, match: Match, who: People
) -> None:
    commands.say(match.pk, who.bob, "Hello")
    assert unread(match, who.alice) == 1
    assert "Unread talk" in alice_client.get("/").content.decode()
    assert ">New<" in page(alice_client, match)
    assert unread(match, who.alice) == 0
    assert ">New<" not in page(alice_client, match)
    assert "Unread talk" not in alice_client.get("/").content.decode()
    commands.say(match.pk, who.bob, "Hello again")
    alice_client.get(f"/match/{match.pk}/talk/")
    assert unread(match, who.alice) == 0


def test_the_match_page_shows_the_newest_twenty_lines_and_the_other_page_all(
    alice_client: Client, match: Match, who: People
) -> None:
    Line.objects.bulk_create(
        Line(match=match, number=number, writer=who.bob, at=match.created_at)
        for number in range(1, 131)
    )
    Player.objects.filter(match=match).update(talk_lines=130)
    shown = re.findall(r'id="line-(\d+)"', page(alice_client, match))
    assert shown == [str(number) for number in range(111, 131)]
    first, second = (
        re.findall(
            r'id="line-(\d+)"', alice_client.get(f"/match/{match.pk}/talk/{query}").content.decode()
        )
        for query in ("", "?page=2")
    )
    assert [*second, *first] == [str(number) for number in range(1, 131)]


def test_a_match_with_unread_talk_counts_as_the_next_match(
    alice_client: Client, bob_client: Client, who: People
) -> None:
    match = match_helpers.running_match(who)
    commands.say(match.pk, who.alice, "Your turn soon")
    assert bob_client.get("/next/")["Location"] == f"/match/{match.pk}/"
    page(bob_client, match)
    assert bob_client.get("/next/")["Location"] == "/"


def test_a_finished_match_with_new_talk_is_listed_again(
    bob_client: Client, match: Match, who: People
) -> None:
    endings.abort(match.pk, who.alice)
    page(bob_client, match)
    assert "Unread talk" not in bob_client.get("/").content.decode()
    commands.say(match.pk, who.alice, "Sorry!")
    assert "Unread talk" in bob_client.get("/").content.decode()
    page(bob_client, match)
    assert "Unread talk" not in bob_client.get("/").content.decode()


def test_polling_reports_talk_only_to_the_two_players(
    alice_client: Client, bob_client: Client, match: Match, who: People
) -> None:
    clients = {
        "alice": alice_client,
        "bob": bob_client,
        "charlie": client_of(who.charlie),
        "visitor": Client(),
    }
    address = f"/match/{match.pk}/news/?ply=0"
    before = {name: client.get(address)["ETag"] for name, client in clients.items()}
    commands.say(match.pk, who.alice, "Hello")
    after = {name: client.get(address)["ETag"] for name, client in clients.items()}
    assert {name for name in clients if before[name] != after[name]} == {"alice", "bob"}
    assert bob_client.get(address).json()["sentence"] == "Alice has written to you."
    assert f"data-version={after['bob']}" in page(bob_client, match)


def test_a_muted_match_is_collapsed(alice_client: Client, match: Match, who: People) -> None:
    commands.say(match.pk, who.bob, "Hello")
    alice_client.post(f"/match/{match.pk}/talk/mute/", {"muted": "1", "from": "match"})
    assert unread(match, who.alice) == 0
    folded = page(alice_client, match)
    assert "You have muted this match." in folded
    assert "Hello" in folded
    alice_client.post(f"/match/{match.pk}/talk/mute/", {"muted": ""})
    assert "You have muted this match." not in page(alice_client, match)


def test_lines_sent_while_a_match_was_muted_are_on_its_page_afterwards(
    alice_client: Client, match: Match, who: People
) -> None:
    alice_client.post(f"/match/{match.pk}/talk/mute/", {"muted": "1"})
    commands.say(match.pk, who.bob, "Hello")
    alice_client.post(f"/match/{match.pk}/talk/mute/", {"muted": ""})
    assert "Hello" in page(alice_client, match)
    assert unread(match, who.alice) == 0


def test_a_player_who_wants_no_talk_is_named_instead_of_the_field(
    alice_client: Client, match: Match, who: People
) -> None:
    User.objects.filter(pk=who.bob.pk).update(no_talk=True)
    shown = page(alice_client, match)
    assert "Bob wants no talk in their matches." in shown
    assert 'name="say"' not in shown
    response = alice_client.post(f"/match/{match.pk}/talk/", {"text": "But I do"})
    assert response.status_code == 422
    assert "But I do" not in texts(match, who.bob)


def test_a_set_up_page_has_talk_too(alice_client: Client, who: People) -> None:
    match = match_helpers.new_match(who)
    commands.say(match.pk, who.bob, "Hello")
    assert "Hello" in page(alice_client, match)
    assert unread(match, who.alice) == 0


def queries(client: Client, match: Match) -> int:
    with CaptureQueriesContext(connection) as captured:
        page(client, match)
    return len(captured)


def test_talk_costs_one_query_and_none_where_there_is_none(
    alice_client: Client, match: Match, who: People
) -> None:
    page(alice_client, match)
    without = queries(alice_client, match)
    Player.objects.filter(match=match).update(talk_lines=1)
    assert queries(alice_client, match) == without + 1
    for number in range(9):
        commands.say(match.pk, who.alice, f"{number}")
    assert queries(alice_client, match) == without + 1
    spectator = client_of(who.charlie)
    with_talk = queries(spectator, match)
    Line.objects.all().delete()
    Player.objects.filter(match=match).update(talk_lines=0, talk_unread=0)
    assert queries(spectator, match) == with_talk


def test_a_match_with_the_house_has_no_talk(
    alice_client: Client, match: Match, who: People
) -> None:
    User.objects.filter(pk=who.bob.pk).update(
        username="House-test", house_level="beginner", email=""
    )
    assert 'id="talk"' not in page(alice_client, match)
    assert alice_client.get(f"/match/{match.pk}/talk/").status_code == 404
    assert send(alice_client, match, "a4-a5").status_code == 302
