"""E-mails about extra time, time-outs and pauses."""

from datetime import timedelta

import pytest
from pytest_django import Settings

from accounts.models import User
from games.outbox.models import Dispatch
from games.play import time_controls
from games.play.commands import courtesies, deadlines, endings, moderation
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.notifications.email.reading import (
    delivered,
    heading,
    only,
    prose,
    text,
    words_of_html,
    words_of_text,
)
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is

DAY, TICK = timedelta(days=1), timedelta(microseconds=1)


@pytest.fixture
def soft(match: Match) -> Match:
    """Alice is to move; when her time is up, Bob decides."""
    Match.objects.filter(pk=match.pk).update(soft=True)
    return as_is(match)


def waiting_email_text(reader: User) -> str:
    """The one e-mail that is waiting, in words: its subject, then its text."""
    (email,) = delivered()
    assert email.to == [reader.email]
    assert words_of_text(email) == words_of_html(email)
    return f"{heading(email)}\n{text(email)}"


def nothing_waits() -> bool:
    """Nothing is delivered, and nothing waits any more."""
    return delivered() == [] and not Dispatch.objects.filter(sent_at=None, superseded_at=None)


def time_is_up(match: Match) -> None:
    deadline = match.players.get(to_act=True).deadline
    assert deadline
    with frozen_at(deadline + time_controls.DEADLINE_GRACE + TICK):
        assert deadlines.sweep()["claimable"] == 1


def test_extra_time_from_staff_is_reported_to_both_with_its_reason(match: Match) -> None:
    moderation.extend(match.pk, None, 2 * DAY, "The post was on strike.")
    emails = {email.to[0]: email for email in delivered()}
    assert len(emails) == 2
    sentence = "Alice got 2 days from an administrator: The post was on strike."
    for email in emails.values():
        assert words_of_text(email) == words_of_html(email)
        assert sentence in text(email)
        assert heading(email).startswith(f"More time in match {match.pk} against ")
    assert "Move by " in text(emails["alice@example.org"])


def test_extra_time_on_two_clocks_is_one_email_each(who: People) -> None:
    match = match_helpers.new_match(who)
    delivered()
    moderation.extend(match.pk, None, DAY, "An outage.")
    emails = delivered()
    assert len(emails) == 2
    for email in emails:
        for name in ("Alice", "Bob"):
            sentence = f"{name} got 1 day from an administrator: An outage."
            assert sentence in " ".join(text(email).split())


def test_an_extra_day_is_reported_to_its_player(match: Match, alice: User, bob: User) -> None:
    courtesies.give_day(match.pk, bob)
    email = waiting_email_text(alice)
    assert email.startswith(f"Bob gives you another day in match {match.pk}\n")
    assert "Move by " in email and "3 days 23 hours left." in email


def test_extra_days_within_one_turn_are_reported_once(match: Match, bob: User) -> None:
    for _ in range(3):
        courtesies.give_day(match.pk, bob)
        delivered()
    courtesies.give_day(match.pk, bob)
    assert nothing_waits()


def test_an_extra_day_is_not_reported_after_the_move(match: Match, bob: User) -> None:
    courtesies.give_day(match.pk, bob)
    match_helpers.play(match, "a4-a5")
    assert [email.to for email in delivered()] == [[bob.email]]


def test_an_extra_day_for_a_set_up_says_so(who: match_helpers.People) -> None:
    match = match_helpers.new_match(who)
    delivered()
    courtesies.give_day(match.pk, who.alice)
    assert "Set up your army by " in waiting_email_text(who.bob)


def test_the_waiting_player_is_notified_that_time_is_up(soft: Match, bob: User) -> None:
    time_is_up(soft)
    with frozen_at(now() + 4 * DAY):
        email = waiting_email_text(bob)
    assert email.startswith(f"Alice has run out of time in match {soft.pk}\n")
    assert "You may claim the win, give another day, or wait." in email
    assert "Move by" not in email


def test_time_that_is_up_again_after_an_extra_day_is_reported_again(soft: Match, bob: User) -> None:
    time_is_up(soft)
    with frozen_at(now() + 4 * DAY):
        waiting_email_text(bob)
        courtesies.give_day(soft.pk, bob)
        delivered()
    time_is_up(soft)
    with frozen_at(now() + 6 * DAY):
        assert "Alice has run out of time" in waiting_email_text(bob)


def test_the_late_player_is_offered_a_pause_without_naming_the_past_deadline(
    soft: Match, alice: User, bob: User
) -> None:
    with frozen_at(now() + 4 * DAY):
        courtesies.offer_pause(soft.pk, bob)
        assert "Move by" not in waiting_email_text(alice)


def test_time_that_is_no_longer_up_is_not_reported(soft: Match, alice: User, bob: User) -> None:
    time_is_up(soft)
    with frozen_at(now() + 4 * DAY):
        courtesies.give_day(soft.pk, bob)
        assert [email.to for email in delivered()] == [[alice.email]]


def test_a_pause_is_offered_accepted_and_ended_by_email(
    match: Match, alice: User, bob: User
) -> None:
    courtesies.offer_pause(match.pk, bob)
    email = waiting_email_text(alice)
    assert email.startswith(f"Bob offers a pause in match {match.pk}\n")
    assert "both clocks stop until one of you ends it." in email
    courtesies.accept_pause(match.pk, alice)
    email = waiting_email_text(bob)
    assert email.startswith(f"Alice accepts the pause in match {match.pk}\n")
    assert "The match is paused." in email
    courtesies.resume(match.pk, bob)
    email = waiting_email_text(alice)
    assert email.startswith(f"Bob ends the pause in match {match.pk}\n")
    assert "Move by " in email


def test_a_second_pause_within_a_turn_is_reported_like_the_first(
    match: Match, alice: User, bob: User
) -> None:
    for _ in range(2):
        courtesies.offer_pause(match.pk, bob)
        assert "Bob offers a pause" in waiting_email_text(alice)
        courtesies.accept_pause(match.pk, alice)
        assert "Alice accepts the pause" in waiting_email_text(bob)
        courtesies.resume(match.pk, bob)
        assert "Bob ends the pause" in waiting_email_text(alice)


def test_the_newest_of_several_waiting_offers_is_sent_and_a_later_one_again(
    match: Match, alice: User, bob: User
) -> None:
    for _ in range(3):
        courtesies.offer_pause(match.pk, bob)
        courtesies.decline_pause(match.pk, alice)
        match_helpers.moved_enough(match)
    courtesies.offer_pause(match.pk, bob)
    assert "Bob offers a pause" in waiting_email_text(alice)
    courtesies.decline_pause(match.pk, alice)
    match_helpers.moved_enough(match)
    courtesies.offer_pause(match.pk, bob)
    assert "Bob offers a pause" in waiting_email_text(alice)
    assert nothing_waits()


def test_a_settled_pause_is_reported_by_its_result_only(
    match: Match, alice: User, bob: User
) -> None:
    courtesies.offer_pause(match.pk, bob)
    courtesies.accept_pause(match.pk, alice)
    courtesies.resume(match.pk, bob)
    assert waiting_email_text(alice).startswith("Bob ends the pause")
    courtesies.offer_pause(match.pk, bob)
    endings.abort(match.pk, alice)
    assert all(heading(email).startswith("No result: ") for email in at_least(1, delivered()))


def test_both_are_notified_that_an_ending_was_taken_back(
    match: Match, alice: User, bob: User
) -> None:
    with frozen_at(now() + 4 * DAY):
        assert deadlines.sweep()["ended"] == 1
        moderation.reopen(match.pk, "Wrong clock.")
        emails = delivered()
    title = f"Match {match.pk} against %s continues"
    assert heading(only(emails, bob)) == title % "Alice"
    assert "The result was undone. The match page says why." in text(only(emails, bob))
    hers = sorted(heading(email) for email in emails if email.to == [alice.email])
    assert hers[0] == title % "Bob"
    assert len(hers) == 2 and hers[1].startswith(f"Your turn against Bob in match {match.pk}")


def test_the_commands_about_time_are_named_while_they_work(
    match: Match, alice: User, bob: User, settings: Settings
) -> None:
    settings.MAIL_REPLIES = "true"
    endings.offer_draw(match.pk, bob)
    assert "wait 1d" not in prose(only(delivered(), alice))
    endings.decline_draw(match.pk, alice)
    hints = prose(only(delivered(), bob))
    assert "write one of “wait 1d”, “draw?”, “resign”" in hints
    Match.objects.filter(pk=match.pk).update(soft=True)
    with frozen_at(now() + 4 * DAY):
        deadlines.sweep()
        claimable = prose(only(delivered(), bob))
    assert "You may claim the win" in claimable
    assert "write one of “claim”, “wait 1d”, “draw?”" in claimable
    courtesies.give_day(match.pk, bob)
    delivered()
    courtesies.offer_pause(match.pk, alice)
    courtesies.accept_pause(match.pk, bob)
    assert "wait 1d" not in prose(only(delivered(), alice))
