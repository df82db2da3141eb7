"""Following a match: the button, the limits, the notification at the end, who can see it."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import Client
from pytest_django import Settings

from accounts.models import User
from accounts.people import erasure
from games.notifications import catalogue
from games.notifications.policy import summaries
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.commands import deadlines, endings, moderation
from games.play.models.match import Match
from games.rules.core.basics.pieces import Seat
from games.watch import following
from games.watch.following import FollowRefusal
from games.watch.models import Follow
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import delivered, preheader, text
from tests.play import match_helpers
from tests.play.forms import alert, client_of
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql


@pytest.fixture
def onlooker(charlie: User) -> Client:
    return client_of(charlie)


def press(client: Client, match: Match, do: str, **fields: str) -> int:
    status: int = client.post(f"/match/{match.pk}/follow/", {"do": do, **fields}).status_code
    return status


def follows(user: User, match: Match) -> bool:
    return following.follows(match.pk, user.pk)


def end(match: Match) -> None:
    if not match.off_board and match.ply == match.opening:
        match_helpers.play(match, *match_helpers.FIRST_MOVES)
    match_helpers.resign(match, Seat.NORTH)


def subjects_sent_to(user: User) -> list[EmailMultiAlternatives]:
    return [email for email in delivered() if email.to == [user.email]]


# --- The button


def test_an_onlooker_starts_and_stops_following(
    match: Match, charlie: User, onlooker: Client
) -> None:
    assert "Follow this match" in onlooker.get(match.get_absolute_url()).content.decode()
    assert press(onlooker, match, "follow") == press(onlooker, match, "follow") == 302
    assert follows(charlie, match) and Follow.objects.count() == 1
    assert "Stop following" in onlooker.get(match.get_absolute_url()).content.decode()
    assert press(onlooker, match, "leave") == press(onlooker, match, "leave") == 302
    assert not follows(charlie, match)


def test_players_cannot_follow_and_have_no_button(
    match: Match, alice: User, alice_client: Client
) -> None:
    assert press(alice_client, match, "follow") == press(alice_client, match, "leave") == 404
    assert "/follow/" not in alice_client.get(match.get_absolute_url()).content.decode()


def test_visitors_are_asked_to_sign_in(match: Match) -> None:
    visitor = Client()
    answer = visitor.post(f"/match/{match.pk}/follow/", {"do": "follow"})
    assert answer.status_code == 403 and "/account/login/" in answer.content.decode()
    assert "/follow/" not in visitor.get(match.get_absolute_url()).content.decode()


def test_an_unknown_match_cannot_be_followed(onlooker: Client) -> None:
    for do in ("follow", "leave", "dance"):
        assert onlooker.post("/match/99999/follow/", {"do": do}).status_code == 404


def test_an_unknown_action_is_refused_with_a_sentence(match: Match, onlooker: Client) -> None:
    answer: Any = onlooker.post(f"/match/{match.pk}/follow/", {"do": "dance"})
    assert answer.status_code == 422
    assert alert(answer) == "Choose whether to follow this match or not."


def test_a_finished_match_cannot_be_followed(who: People, onlooker: Client) -> None:
    over = match_helpers.finished_match(who)
    answer: Any = onlooker.post(f"/match/{over.pk}/follow/", {"do": "follow"})
    assert answer.status_code == 422 and "is over" in alert(answer)
    assert not Follow.objects.exists()


def test_fifty_running_matches_are_the_limit(
    who: People, onlooker: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "MAX_FOLLOWED", 2)
    one, other, third = (match_helpers.new_match(who) for _ in range(3))
    assert press(onlooker, one, "follow") == press(onlooker, other, "follow") == 302
    answer: Any = onlooker.post(f"/match/{third.pk}/follow/", {"do": "follow"})
    assert answer.status_code == 422
    assert "You follow 2 running matches, which is the limit." in alert(answer)
    # One that is over takes no place.
    endings.abort(one.pk, who.alice)
    dispatcher.drain()
    assert press(onlooker, third, "follow") == 302
    with pytest.raises(FollowRefusal):
        following.follow(match_helpers.new_match(who).pk, who.charlie)


def test_the_list_shows_what_its_reader_follows(
    who: People, match: Match, onlooker: Client
) -> None:
    over = match_helpers.running_match(who, "a4-a5", "j7-j6")
    for one in (match, over):
        press(onlooker, one, "follow")
    match_helpers.resign(over, Seat.NORTH)
    dispatcher.drain()
    page = onlooker.get("/watch/")
    assert [row.match.pk for row in page.context["live"]] == [match.pk]
    assert [each.pk for each in page.context["over"]] == [over.pk]
    assert "Matches that you follow" in page.content.decode()
    assert (
        onlooker.post(f"/match/{match.pk}/follow/", {"do": "leave", "from": "list"}).headers[
            "Location"
        ]
        == "/watch/"
    )
    assert "Matches that you follow<" not in Client().get("/watch/").content.decode()


# --- The end


def test_a_follower_is_notified_once_of_the_end(match: Match, who: People) -> None:
    following.follow(match.pk, who.charlie)
    end(match)
    (email,) = subjects_sent_to(who.charlie)
    assert email.subject == f"Match {match.pk} is over: Alice – Bob"
    assert "Alice won: the other side resigned." in text(email)
    assert f"/archive/{match.pk}/" in text(email)
    assert "Reply-To" not in email.extra_headers
    assert preheader(email).startswith(f"Match {match.pk} is over: Alice – Bob · Alice won")
    row = Dispatch.objects.get(handler="followers", ref__match=match.pk)
    following.on_match(row, Batch([row]))
    assert subjects_sent_to(who.charlie) == []


def test_other_users_are_not_notified(match: Match, who: People) -> None:
    end(match)
    assert subjects_sent_to(who.charlie) == []
    assert not Dispatch.objects.filter(event="followed-over").exists()


def test_a_user_who_has_stopped_following_is_not_notified(match: Match, who: People) -> None:
    following.follow(match.pk, who.charlie)
    end(match)
    for row in Dispatch.objects.filter(handler="followers"):
        following.on_match(row, Batch([row]))
    following.leave(match.pk, who.charlie)
    assert subjects_sent_to(who.charlie) == []


def test_a_user_who_does_not_want_endings_is_not_notified(match: Match, who: People) -> None:
    following.follow(match.pk, who.charlie)
    User.objects.filter(pk=who.charlie.pk).update(match_emails=False)
    end(match)
    assert subjects_sent_to(who.charlie) == []


def test_a_reopened_match_ends_again_and_its_follower_is_notified_again(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    following.follow(match.pk, who.charlie)
    late = now() + timedelta(days=4)
    with frozen_at(late):
        deadlines.sweep()
        (email,) = subjects_sent_to(who.charlie)
        assert "This match was lost on time." in text(email)
        moderation.reopen(match.pk, "The clock was wrong.")
        assert subjects_sent_to(who.charlie) == []
        assert Follow.objects.get().ended_at is None
    with frozen_at(late + timedelta(hours=1)):
        end(match)
        assert len(subjects_sent_to(who.charlie)) == 1
        assert Follow.objects.get().ended_at == late + timedelta(hours=1)


def test_an_ending_reverted_before_its_row_is_handled_causes_no_notification(who: People) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    following.follow(match.pk, who.charlie)
    with frozen_at(now() + timedelta(days=4)):
        deadlines.sweep()
        moderation.reopen(match.pk, "The clock was wrong.")
        assert subjects_sent_to(who.charlie) == []
    assert Follow.objects.get().ended_at is None


def test_many_followers_are_notified_in_batches(
    match: Match, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(following, "FOLLOWERS_A_BATCH", 2)
    others = [match_helpers.person(f"Fan{number}") for number in range(5)]
    for other in others:
        following.follow(match.pk, other)
    end(match)
    recipients = sorted(email.to[0] for email in delivered())
    assert [other.email for other in others] == [one for one in recipients if one.startswith("fan")]


def test_other_channels_contain_public_facts(match: Match, who: People) -> None:
    following.follow(match.pk, who.charlie)
    end(match)
    for row in Dispatch.objects.filter(handler="followers"):
        following.on_match(row, Batch([row]))
    row = Dispatch.objects.get(event="followed-over")
    assert row.ref == {"followed": match.pk, "ply": Match.objects.get(pk=match.pk).ply}
    notification = catalogue.find(row.event)
    summary = summaries.about(notification, notification.require_view(row))
    assert summary.title == f"Match {match.pk} is over: Alice – Bob"
    assert summary.text == "Alice won: the other side resigned."
    assert summary.link.endswith(f"/archive/{match.pk}/")


# --- Who knows of it


def test_the_admin_does_not_list_rows_of_a_follower(
    match: Match, who: People, admin_client: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    following.follow(match.pk, who.charlie)
    end(match)
    dispatcher.drain()
    assert Dispatch.objects.filter(event="followed-over").exists()
    page = admin_client.get("/admin/outbox/dispatch/").content.decode()
    assert "match-over" in page and "followed-over" not in page


def test_pages_of_other_users_do_not_change(
    match: Match, who: People, alice_client: Client, admin_client: Client, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    others = (alice_client, client_of(match_helpers.person("Dora")), Client(), admin_client)
    paths = [
        *(match.get_absolute_url(), f"{match.get_absolute_url()}news/", "/watch/"),
        *("/people/profile/Charlie/", f"/admin/accounts/user/{who.charlie.pk}/change/"),
        f"/admin/play/match/{match.pk}/change/",
    ]

    def pages() -> list[bytes]:
        changing = rb'(value|nonce)="[^"]*"'
        contents = [client.get(path).content for client in others for path in paths]
        return [re.sub(changing, b"", page) for page in contents]

    pages()
    before = pages()
    following.follow(match.pk, who.charlie)
    assert pages() == before
    following.leave(match.pk, who.charlie)
    assert pages() == before


def test_closing_an_account_deletes_what_it_follows(match: Match, who: People) -> None:
    following.follow(match.pk, who.charlie)
    erasure.erase(who.charlie)
    assert not Follow.objects.exists()
