"""Late e-mails are superseded if they are no longer true or wanted."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.invitations import expiry
from games.lobby.models import Invitation, InvitationKind
from games.outbox.models import Dispatch
from games.play.commands import deadlines, endings, moves
from games.play.models.match import Match
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.notifications.email.reading import delivered, heading
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak

DAY = timedelta(days=1)


def subjects() -> list[str]:
    """The subjects of what is delivered now; every dispatch is sent or superseded."""
    emails = [heading(email) for email in delivered()]
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()
    return emails


def test_a_turn_that_has_passed_is_not_sent(match: Match) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    assert subjects() == [f"Your turn against Bob in match {match.pk}"]


def test_only_the_newest_of_several_waiting_turns_is_sent(match: Match) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6", "b4-b5")
    assert subjects() == [f"Your turn against Alice in match {match.pk}"]


def test_a_turn_in_a_match_that_ended_is_not_sent(match: Match, bob: User) -> None:
    match_helpers.play(match, "a4-a5")
    endings.resign(match.pk, bob)
    assert subjects() == ["Alice won: the other side resigned.", "Alice won: you resigned."]


def test_a_player_who_has_set_up_gets_no_email_about_it(who: People) -> None:
    match = match_helpers.new_match(who)
    moves.submit_move(match.pk, who.alice, match_helpers.setup_text(match, Seat.SOUTH), None)
    assert subjects() == [f"Match {match.pk} against Alice begins"]


def test_a_player_who_has_moved_gets_no_reminder(match: Match) -> None:
    with frozen_at(now() + 2.5 * DAY):
        assert deadlines.sweep()["reminded"] == 1
        match_helpers.play(match, "a4-a5")
        assert not any(subject.startswith("Reminder") for subject in subjects())


def test_no_reminder_is_sent_after_the_deadline(match: Match) -> None:
    with frozen_at(now() + 2.5 * DAY):
        deadlines.sweep()
    with frozen_at(now() + 3 * DAY):
        assert subjects() == []


def test_a_reminder_to_set_up_is_sent_even_if_the_opponent_has_set_up_meanwhile(
    who: People,
) -> None:
    match = match_helpers.new_match(who, setup_pace="2d")
    delivered()
    with frozen_at(now() + 1.5 * DAY):
        deadlines.sweep()
        moves.submit_move(match.pk, who.alice, match_helpers.setup_text(match, Seat.SOUTH), None)
        assert subjects() == [f"Reminder: your turn against Alice in match {match.pk}"]


def test_an_answered_offer_is_not_sent(match: Match, alice: User, bob: User) -> None:
    endings.offer_draw(match.pk, bob)
    endings.decline_draw(match.pk, alice)
    assert subjects() == [f"Alice declines the draw in match {match.pk}"]


def test_a_declined_draw_is_not_sent_after_the_match_is_over(
    match: Match, alice: User, bob: User
) -> None:
    match_helpers.play(match, "a4-a5")
    endings.offer_draw(match.pk, bob)
    endings.decline_draw(match.pk, alice)
    endings.resign(match.pk, bob)
    assert all(subject.startswith("Alice won: ") for subject in at_least(1, subjects()))


@pytest.fixture
def challenge(who: People) -> Invitation:
    return lobby.offer(
        who.bob,
        Terms("lattaque-en", setup_pace="5d"),
        kind=InvitationKind.CHALLENGE,
        guest=who.alice,
    )


def test_a_withdrawn_invitation_is_not_sent(challenge: Invitation, bob: User) -> None:
    lobby.withdraw(challenge.pk, bob)
    assert subjects() == []


def test_an_accepted_invitation_is_sent_only_as_the_match(
    challenge: Invitation, alice: User
) -> None:
    match = lobby.accept(challenge.pk, alice)
    assert sorted(subjects()) == [
        f"Match {match.pk} against {name} begins" for name in ("Alice", "Bob")
    ]


def test_no_warning_is_sent_about_an_extended_invitation(challenge: Invitation, bob: User) -> None:
    delivered()
    with frozen_at(now() + 12 * DAY):
        expiry.sweep()
        lobby.prolong(challenge.pk, bob)
        assert subjects() == []


def test_a_user_without_emails_gets_only_reminders(
    match: Match, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, match_emails=False)
    with frozen_at(now() + 2.5 * DAY):
        match_helpers.play(match, "a4-a5", "j7-j6")
    with frozen_at(now() + 5 * DAY):
        deadlines.sweep()
        assert subjects() == [f"Reminder: your turn against Bob in match {match.pk}"]


def test_a_user_without_reminders_gets_none(
    match: Match, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, reminder_emails=False)
    with frozen_at(now() + 2.5 * DAY):
        deadlines.sweep()
        assert subjects() == []


@pytest.mark.parametrize("gone", [{"is_active": False}, {"email": ""}])
def test_a_former_user_gets_nothing(
    match: Match, bob: User, prefer: Callable[..., None], gone: dict[str, object]
) -> None:
    match_helpers.play(match, "a4-a5")
    prefer(bob, **gone)
    assert subjects() == []
