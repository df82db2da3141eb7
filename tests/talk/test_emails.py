"""Talk in e-mails: after two minutes, with a turn, in a digest, and what counts as read."""

from datetime import timedelta

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.notifications.policy import preferences
from games.notifications.policy.preferences import Frequency
from games.people.models import Block
from games.play.models.match import Match, Player
from games.talk import commands
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import delivered, html, text
from tests.play import match_helpers
from tests.play.match_helpers import People

MINUTE = timedelta(minutes=1)
TITLE = "has written to you in match"


@pytest.fixture(autouse=True)
def _answerable(settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"


def emails_to(user: User, after: timedelta) -> list[EmailMultiAlternatives]:
    """The e-mails to a user that are sent up to this long from now."""
    with frozen_at(now() + after):
        return [email for email in delivered() if email.to == [user.email]]


def unread(match: Match, user: User) -> int:
    return Player.objects.get(match=match, user=user).talk_unread


def rows(email: EmailMultiAlternatives) -> list[str]:
    return [line for line in text(email).splitlines() if line.startswith(">")]


def test_an_email_with_all_lines_is_sent_after_two_minutes(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello Bob")
    assert emails_to(who.bob, MINUTE) == []
    commands.say(match.pk, who.alice, "How are you?")
    (email,) = emails_to(who.bob, 3 * MINUTE)
    assert f"Alice {TITLE} {match.pk}" in text(email)
    assert rows(email) == ["> Hello Bob", ">", "> How are you?"]
    assert "<blockquote" in html(email)
    assert "Hello" not in str(email.subject)
    assert f"/match/{match.pk}/talk/" in text(email)
    assert unread(match, who.bob) == 2
    commands.say(match.pk, who.alice, "Bob?")
    assert emails_to(who.bob, 9 * MINUTE) == []


def test_no_email_is_sent_if_the_page_was_opened(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Hello Bob")
    Player.objects.get(match=match, user=who.bob).mark_talk_read()
    assert emails_to(who.bob, 3 * MINUTE) == []


def test_no_email_is_sent_if_an_email_about_a_turn_had_the_lines(match: Match, who: People) -> None:
    commands.say(match.pk, who.alice, "Good luck")
    match_helpers.play(match, "a4-a5")
    (email,) = emails_to(who.bob, timedelta(0))
    assert "Your turn" in text(email)
    assert rows(email) == ["> Good luck"]
    assert emails_to(who.bob, 3 * MINUTE) == []
    assert unread(match, who.bob) == 1


def test_an_email_about_a_turn_has_five_lines_and_says_how_many_more(
    match: Match, who: People
) -> None:
    for number in range(8):
        commands.say(match.pk, who.alice, f"line {number}")
    match_helpers.play(match, "a4-a5")
    (email,) = emails_to(who.bob, timedelta(0))
    assert [row for row in rows(email) if row != ">"] == [f"> line {n}" for n in range(5)]
    assert "And 3 more." in text(email)
    assert emails_to(who.bob, 3 * MINUTE) == []


def test_lines_in_an_email_to_a_player_by_mail_count_as_read(match: Match, who: People) -> None:
    preferences.change(who.bob, by_mail=True)
    for number in range(8):
        commands.say(match.pk, who.alice, f"line {number}")
    match_helpers.play(match, "a4-a5")
    assert len(emails_to(who.bob, timedelta(0))) == 1
    assert unread(match, who.bob) == 3
    (rest,) = emails_to(who.bob, 3 * MINUTE)
    assert [row for row in rows(rest) if row != ">"] == [f"> line {n}" for n in (5, 6, 7)]
    assert unread(match, who.bob) == 0


def test_a_player_by_mail_gets_at_most_one_email_in_ten_minutes(match: Match, who: People) -> None:
    preferences.change(who.bob, by_mail=True)
    begin = now()
    sent = 0
    for minute in range(30):
        with frozen_at(begin + minute * MINUTE):
            if minute % 3 == 0:
                commands.say(match.pk, who.alice, f"minute {minute}")
            sent += len(delivered())
    assert sent == 3


def test_at_most_six_emails_about_talk_are_sent_per_match_and_day(
    match: Match, who: People
) -> None:
    begin, sent = now(), []
    for hour in range(20):
        with frozen_at(begin + hour * 60 * MINUTE):
            commands.say(match.pk, who.alice, f"hour {hour}")
        with frozen_at(begin + (hour * 60 + 3) * MINUTE):
            sent += delivered()
        Player.objects.get(match=match, user=who.bob).mark_talk_read()
    assert len(sent) == 6


def test_a_digest_contains_talk(match: Match, who: People) -> None:
    preferences.change(who.bob, frequency=Frequency.DAILY, by_mail=True)
    commands.say(match.pk, who.alice, "Hello Bob")
    (email,) = emails_to(who.bob, timedelta(days=1))
    assert f"Alice {TITLE} {match.pk}" in text(email)
    assert rows(email) == ["> Hello Bob"]
    assert f"“{match.pk}: say”" in text(email)
    assert unread(match, who.bob) == 0


@pytest.mark.parametrize("how", ["block", "mute"])
def test_lines_of_a_player_blocked_or_muted_meanwhile_are_not_sent(
    match: Match, who: People, how: str
) -> None:
    commands.say(match.pk, who.alice, "Hello Bob")
    if how == "block":
        Block.objects.create(owner=who.bob, blocked=who.alice, made_at=now())
    else:
        commands.mute(match.pk, who.bob, muted=True)
    commands.say(match.pk, who.alice, "Bob?")
    assert emails_to(who.bob, 3 * MINUTE) == []
    match_helpers.play(match, "a4-a5")
    (email,) = emails_to(who.bob, 4 * MINUTE)
    assert "Your turn" in text(email)
    assert rows(email) == []


def test_no_email_of_an_unwanted_kind_is_sent(match: Match, who: People) -> None:
    preferences.change(who.bob, unwanted=("email talk",))
    commands.say(match.pk, who.alice, "Hello Bob")
    assert emails_to(who.bob, 3 * MINUTE) == []
