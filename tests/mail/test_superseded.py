"""A letter that comes late says nothing that is no longer so, and nothing that is not wanted."""

from collections.abc import Callable
from datetime import timedelta

import pytest

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import Invitation, Kind
from games.play import commands, timekeeper
from games.play.models.match import Match
from games.relay.models import Dispatch
from games.relay.moment import now, standing_at
from tests.mail.reading import delivered
from tests.play import tables
from tests.play.tables import People

DAY = timedelta(days=1)


def subjects() -> list[str]:
    """The subjects of what is delivered now; every dispatch is settled one way or the other."""
    letters = [letter.subject for letter in delivered()]
    assert not Dispatch.objects.filter(sent_at=None, superseded_at=None).exists()
    return letters


def test_a_turn_that_has_passed_is_not_announced(match: Match) -> None:
    tables.play(match, "a4-a5", "j7-j6")
    assert subjects() == [f"Your turn against Bob in match {match.pk} (move 2)"]


def test_of_several_turns_that_waited_the_newest_is_announced(match: Match) -> None:
    tables.play(match, "a4-a5", "j7-j6", "b4-b5")
    assert subjects() == [f"Your turn against Alice in match {match.pk} (move 2)"]


def test_a_turn_in_a_match_that_ended_is_not_announced(match: Match, bob: User) -> None:
    tables.play(match, "a4-a5")
    commands.resign(match.pk, bob)
    assert subjects() == [f"Match {match.pk} against {name} is over" for name in ("Bob", "Alice")]


def test_whoever_has_set_up_is_not_asked_to(who: People) -> None:
    match = tables.open_table(who)
    commands.submit_move(match.pk, who.alice, tables.setup_text(match, 0), None)
    assert subjects() == [f"Match {match.pk} against Alice begins"]


def test_whoever_moved_meanwhile_is_not_reminded(match: Match) -> None:
    with standing_at(now() + 2.5 * DAY):
        assert timekeeper.sweep()["reminded"] == 1
        tables.play(match, "a4-a5")
        assert not any(subject.startswith("Reminder") for subject in subjects())


def test_nobody_is_reminded_once_the_time_is_over(match: Match) -> None:
    with standing_at(now() + 2.5 * DAY):
        timekeeper.sweep()
    with standing_at(now() + 3 * DAY):
        assert subjects() == []


def test_a_reminder_to_set_up_comes_even_if_the_other_has_set_up_meanwhile(who: People) -> None:
    match = tables.open_table(who, setup_pace="2d")
    delivered()
    with standing_at(now() + 1.5 * DAY):
        timekeeper.sweep()
        commands.submit_move(match.pk, who.alice, tables.setup_text(match, 0), None)
        assert subjects() == [f"Reminder: your turn against Alice in match {match.pk}"]


def test_an_offer_that_was_answered_is_not_announced(match: Match, alice: User, bob: User) -> None:
    commands.offer_draw(match.pk, bob)
    commands.decline_draw(match.pk, alice)
    assert subjects() == [f"Alice declines the draw in match {match.pk}"]


def test_a_declined_draw_is_no_news_once_the_match_is_over(
    match: Match, alice: User, bob: User
) -> None:
    tables.play(match, "a4-a5")
    commands.offer_draw(match.pk, bob)
    commands.decline_draw(match.pk, alice)
    commands.resign(match.pk, bob)
    assert all("is over" in subject for subject in subjects())


@pytest.fixture
def challenge(who: People) -> Invitation:
    return lobby.offer(
        who.bob,
        kind=Kind.CHALLENGE,
        guest=who.alice,
        preset="lattaque-en",
        pace="3d",
        setup_pace="5d",
    )


def test_an_invitation_that_was_withdrawn_is_not_announced(
    challenge: Invitation, bob: User
) -> None:
    lobby.withdraw(challenge.pk, bob)
    assert subjects() == []


def test_an_invitation_that_was_taken_is_followed_by_the_match_alone(
    challenge: Invitation, alice: User
) -> None:
    match = lobby.accept(challenge.pk, alice)
    assert sorted(subjects()) == [
        f"Match {match.pk} against {name} begins" for name in ("Alice", "Bob")
    ]


def test_nobody_is_warned_of_an_invitation_they_have_kept_open(
    challenge: Invitation, bob: User
) -> None:
    delivered()
    with standing_at(now() + 12 * DAY):
        lobby.sweep()
        lobby.prolong(challenge.pk, bob)
        assert subjects() == []


def test_whoever_wants_no_letters_gets_none_but_reminders(
    match: Match, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, match_letters=False)
    with standing_at(now() + 2.5 * DAY):
        tables.play(match, "a4-a5", "j7-j6")
    with standing_at(now() + 5 * DAY):
        timekeeper.sweep()
        assert subjects() == [f"Reminder: your turn against Bob in match {match.pk}"]


def test_whoever_wants_no_reminders_gets_none(
    match: Match, alice: User, prefer: Callable[..., None]
) -> None:
    prefer(alice, reminder_letters=False)
    with standing_at(now() + 2.5 * DAY):
        timekeeper.sweep()
        assert subjects() == []


@pytest.mark.parametrize("gone", [{"is_active": False}, {"email": ""}])
def test_whoever_is_gone_gets_nothing(
    match: Match, bob: User, prefer: Callable[..., None], gone: dict[str, object]
) -> None:
    tables.play(match, "a4-a5")
    prefer(bob, **gone)
    assert subjects() == []
