"""E-mails about a match other than turns: beginning, reminder, draws, end."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta

import pytest
from django.conf import settings
from pytest_django import Settings

from accounts.models import User
from games.play.commands import deadlines, endings, matches, moderation
from games.play.models.match import Match, by_seat
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import delivered, heading, html, only, preheader, prose, text
from tests.play import match_helpers
from tests.play.match_helpers import People

WINTER = datetime(2026, 1, 20, 9, 30, tzinfo=UTC)


def test_a_match_begins_with_an_email_to_both(who: People) -> None:
    with frozen_at(WINTER):
        match = match_helpers.new_match(who)
        emails = delivered()
    email = only(emails, who.alice)
    assert heading(email) == f"Match {match.pk} against Bob begins"
    assert preheader(email) == f"{heading(email)} · L'Attaque, 3 days per move"
    body = text(email)
    assert f"In match {match.pk} (L'Attaque) you play South." in body
    assert "Time control: 3 days per move." in body
    assert "Set up your army by 25 Jan 2026, 09:30 (UTC); 5 days left." in body
    assert "you play North." in text(only(emails, who.bob))


def test_the_first_email_says_whether_the_match_is_rated(who: People) -> None:
    rated = "Rated: the result counts for both ratings."
    match_helpers.new_match(who)
    assert rated not in text(only(delivered(), who.alice))
    seats = {Seat.SOUTH: who.alice, Seat.NORTH: who.bob}
    matches.open_match(Terms("lattaque-en", rated=True), seats)
    assert rated in text(only(delivered(), who.bob))


def test_a_reminder_names_the_deadline_and_the_consequence(who: People) -> None:
    with frozen_at(WINTER):
        match = match_helpers.running_match(who)
        delivered()
    with frozen_at(WINTER + timedelta(days=2, hours=1.5)):
        deadlines.sweep()
        email = only(delivered(), who.alice)
    assert heading(email) == f"Reminder: your turn against Bob in match {match.pk}"
    assert "by 23 Jan 2026, 09:30 (UTC); 22 hours 30 minutes left." in text(email)
    assert "If you do not move by then, you lose the match." in text(email)


def test_a_reminder_is_sent_once(match: Match) -> None:
    with frozen_at(now() + timedelta(days=2.5)):
        deadlines.sweep()
        deadlines.sweep()
        assert len(delivered()) == 1
        assert len(delivered()) == 0


def test_a_reminder_to_set_up_says_so(who: People) -> None:
    match_helpers.new_match(who)
    delivered()
    with frozen_at(now() + timedelta(days=4.5)):
        deadlines.sweep()
        body = text(only(delivered(), who.bob))
    assert "Set up your army by" in body
    assert "If your army is not set up by then, the match is aborted." in body


def test_a_draw_offer_is_sent_to_the_other_player_alone(
    match: Match, alice: User, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    endings.offer_draw(match.pk, alice)
    (email,) = delivered()
    assert email.to == [bob.email]
    assert heading(email) == f"Alice offers a draw in match {match.pk}"
    assert "The offer is valid until you move." in text(email)


def test_a_declined_draw_is_reported_to_the_player_who_offered(
    match: Match, alice: User, bob: User
) -> None:
    endings.offer_draw(match.pk, bob)
    delivered()
    endings.decline_draw(match.pk, alice)
    email = only(delivered(), bob)
    assert heading(email) == f"Alice declines the draw in match {match.pk}"
    assert "The match continues." in text(email)


def end_by_capture_of_the_flag(match: Match) -> None:
    match_helpers.play(match, "a4xa7")


def end_by_draw(match: Match) -> None:
    players = by_seat(match)
    endings.offer_draw(match.pk, players[Seat.SOUTH].user)
    endings.accept_draw(match.pk, players[Seat.NORTH].user)


def end_by_time(match: Match) -> None:
    with frozen_at(now() + timedelta(days=4)):
        deadlines.sweep()


def end_by_calling_off(match: Match) -> None:
    endings.abort(match.pk, by_seat(match)[Seat.NORTH].user)


def end_by_staff(match: Match) -> None:
    moderation.void(match.pk, "The server lost a disk.")


@pytest.mark.parametrize(
    ("end", "result", "action"),
    [
        (
            end_by_capture_of_the_flag,
            "Alice won: flag captured.",
            "Alice attacked a7 from a4: Scout against Flag.",
        ),
        (end_by_draw, "Draw: the players agreed.", "Bob accepted the draw."),
        (
            end_by_time,
            "Bob won: the other side ran out of time.",
            "The time for this move ran out.",
        ),
        (
            end_by_calling_off,
            "No result: the match was aborted before the first move.",
            "Bob aborted the match.",
        ),
        (
            end_by_staff,
            "No result: The server lost a disk.",
            "The match was ended without a result.",
        ),
    ],
)
def test_both_are_notified_how_a_match_ended(
    who: People, end: Callable[[Match], None], result: str, action: str
) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=match_helpers.RECKLESS)
    delivered()
    end(match)
    with frozen_at(now() + timedelta(days=5)):
        emails = delivered()
    for reader, other in ((who.alice, "Bob"), (who.bob, "Alice")):
        email = only(emails, reader)
        title = f"Match {match.pk} against {other} is over"
        assert heading(email) == result and f"\n\n{title}\n\n" in text(email)
        assert preheader(email) == f"{result} · {title}"
        assert result in text(email) and action in text(email)
        link = f"Open match: {settings.SITE_URL}/match/{match.pk}/"
        if not result.startswith("No result"):
            link = f"Replay the match: {settings.SITE_URL}/archive/{match.pk}/"
        assert link in text(email)


def test_a_second_offer_at_the_same_ply_and_its_refusal_are_both_sent(
    match: Match, alice: User, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    for _ in range(2):
        match_helpers.moved_enough(match)
        endings.offer_draw(match.pk, alice)
        assert heading(only(delivered(), bob)) == f"Alice offers a draw in match {match.pk}"
        endings.decline_draw(match.pk, bob)
        assert heading(only(delivered(), alice)) == f"Bob declines the draw in match {match.pk}"


def test_only_the_newest_of_several_waiting_offers_is_sent(match: Match, who: People) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    for _ in range(3):
        endings.offer_draw(match.pk, who.alice)
        endings.decline_draw(match.pk, who.bob)
        match_helpers.moved_enough(match)
    endings.offer_draw(match.pk, who.alice)
    (email,) = delivered()
    assert email.to == [who.bob.email]


def test_no_rematch_is_proposed_that_would_be_refused(who: People, settings: Settings) -> None:
    """A match without a result has no rematch and no replay."""
    settings.MAIL_REPLIES = "true"
    aborted = match_helpers.new_match(who)
    voided = match_helpers.running_match(who)
    delivered()
    endings.abort(aborted.pk, who.bob)
    moderation.void(voided.pk, "Both accounts belong to one person.")
    emails = [email for email in delivered() if email.to == [who.alice.email]]
    assert len(emails) == 2
    for match, email in zip((aborted, voided), emails, strict=True):
        assert f"Open match: {settings.SITE_URL}/match/{match.pk}/" in text(email)
        assert "rematch" not in text(email) + html(email)
        assert "To reply, write one of “moves”, “help” on a line of its own." in prose(email)


def test_a_list_of_pieces_is_written_as_in_its_language(who: People, settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"
    User.objects.filter(pk=who.alice.pk).update(language="zh-hant")
    match_helpers.new_match(who)
    emails = delivered()
    assert "M Marshal, G General" in prose(only(emails, who.bob))
    assert "M 總司令、G" in text(only(emails, who.alice))
