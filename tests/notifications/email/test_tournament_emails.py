"""E-mails about tournaments: who gets which, and what it says."""

from datetime import timedelta

import pytest

from accounts.models import User
from games.competitions import sweeps
from games.competitions.tournaments.commands import organising, withdrawing
from games.competitions.tournaments.models import Lot, Tournament
from games.outbox.models import Dispatch
from lib.db_clock import frozen_at
from tests.competitions.tournaments import playing
from tests.competitions.tournaments.playing import CLOSES, after
from tests.notifications.email.reading import delivered, heading, text

pytestmark = pytest.mark.django_db


@pytest.fixture
def users() -> list[User]:
    users = playing.members(3)
    User.objects.update(notification_preferences={"frequency": "now"})
    return list(User.objects.filter(pk__in=[user.pk for user in users]).order_by("pk"))


@pytest.fixture
def tournament(users: list[User]) -> Tournament:
    tournament = playing.drawn(users)
    with frozen_at(CLOSES):
        delivered()
    return tournament


def sent(about: str) -> dict[str, str]:
    """The e-mails about a tournament by their readers, in one line each."""
    emails = [email for email in delivered() if about in heading(email)]
    return {email.to[0]: " ".join(text(email).split()) for email in emails}


def test_the_beginning_of_each_match_names_the_tournament(users: list[User]) -> None:
    playing.entered(users)
    with frozen_at(CLOSES):
        for _name, _count in sweeps.run_all():
            pass
        emails = delivered()
    began = [" ".join(text(email).split()) for email in emails if "Match" in email.subject]
    assert len(began) == 6
    assert all("This match belongs to “Spring”." in words for words in began)
    begins = [email for email in emails if email.subject.startswith("Tournament ")]
    assert len(begins) == 3
    assert all("Play begins now" in " ".join(text(email).split()) for email in begins)


def test_a_withdrawal_is_sent_to_the_player_and_the_opponents(
    tournament: Tournament, users: list[User]
) -> None:
    entry = tournament.entries.get(user=users[0])
    with frozen_at(after(1)):
        withdrawing.exclude(entry.pk, "A quarrel.")
        emails = sent("Spring")
    assert set(emails) == {user.email for user in users}
    assert "for this reason: A quarrel." in emails[users[0].email]
    for other in users[1:]:
        assert "A quarrel." not in emails[other.email]
        assert "no longer plays in the tournament “Spring”" in emails[other.email]
        assert "count as won by you, without play" in emails[other.email]


def test_the_end_names_the_place(tournament: Tournament, users: list[User]) -> None:
    playing.end_all(tournament, after(1))
    Dispatch.objects.update(sent_at=after(1))  # as if all before the end had gone out
    playing.tick(after(1))
    with frozen_at(after(1) + timedelta(minutes=1)):
        emails = sent("is over")
    for place, user in enumerate(users, 1):
        assert f"Your place is {place}. Winner: {users[0]}." in emails[user.email]


def test_a_cancellation_gives_the_reason(tournament: Tournament, users: list[User]) -> None:
    with frozen_at(after(1)):
        organising.cancel(tournament.pk, "No room.")
        emails = sent("is cancelled")
    assert len(emails) == 3
    assert all("No room." in words for words in emails.values())


def test_the_end_says_of_which_table_a_place_is() -> None:
    members = playing.members(6)
    User.objects.update(notification_preferences={"frequency": "now"})
    tournament = playing.drawn(members, stages=2, group_size=3)
    playing.end_all(tournament, after(1))
    playing.tick(after(1))
    finalists = set(
        tournament.entries.filter(lots__qualified=True).values_list("user__email", flat=True)
    )
    playing.end_all(tournament, after(2))
    Dispatch.objects.update(sent_at=after(2))  # as if all before the end had gone out
    playing.tick(after(2))
    with frozen_at(after(2) + timedelta(minutes=1)):
        emails = sent("is over")
    assert len(emails) == 6 and len(finalists) == 2
    winner = Lot.objects.get(won=True).entry.user
    assert all(f"Winner: {winner}." in words for words in emails.values())
    for address, words in emails.items():
        assert ("Your place in the final is" in words) == (address in finalists)
        assert ("Your place in your group is" in words) == (address not in finalists)
