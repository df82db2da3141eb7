"""Tournaments by mail: listed, entered, left; leaving one that runs asks first."""

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.competitions.tournaments import making
from games.competitions.tournaments.commands import drawing
from games.competitions.tournaments.models import Entry, State, Tournament
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.people.models import Reliability
from games.play.terms import Terms
from lib.db_clock import now
from tests.mail import post
from tests.mail.reading.reader import is_command
from tests.notifications.email.reading import text
from tests.play.match_helpers import People


@pytest.fixture
def tournament(who: People) -> Tournament:
    Reliability.objects.bulk_create(Reliability(user=user, finished=9) for user in who)
    return making.make(
        {"title": "Spring", "preset": "lattaque-en", "closes_at": "2100-01-01T00:00:00Z"}
    )


@pytest.fixture
def any_email(who: People) -> EmailMultiAlternatives:
    """The lobby, to which tournaments may be answered."""
    lobby.offer(who.alice, Terms("lattaque-en"), kind=InvitationKind.CHALLENGE, guest=who.bob)
    return post.answer(who.bob, post.email(who.bob), "matches")


def start_tournament(tournament: Tournament, who: People) -> None:
    for user in (who.alice, who.charlie):
        Entry.objects.get_or_create(
            tournament=tournament, user=user, defaults={"entered_at": now()}
        )
    Tournament.objects.update(closes_at=now())
    assert drawing.close_entry(tournament.pk) == "drawn"


@pytest.mark.parametrize("word", ["tournaments", "Turniere", "tournois", "錦標賽"])
def test_tournaments_are_listed(
    tournament: Tournament, any_email: EmailMultiAlternatives, bob: User, word: str
) -> None:
    receipt = post.answer(bob, any_email, word)
    assert post.outcome(receipt) == "shown"
    assert f"Number {tournament.pk}: “Spring”, L'Attaque" in text(receipt).replace("\n", " ")
    assert f"To enter one, reply with “enter {tournament.pk}”" in text(receipt)
    assert not [line for line in text(receipt).splitlines() if is_command(line)]


@pytest.mark.parametrize(
    ("enter", "leave"),
    [("enter", "leave"), ("anmelden", "verlassen"), ("inscrire", "quitter"), ("報名", "退出")],
)
def test_enter_and_leave(
    tournament: Tournament, any_email: EmailMultiAlternatives, bob: User, enter: str, leave: str
) -> None:
    entered = post.answer(bob, any_email, f"{enter} {tournament.pk}")
    assert post.outcome(entered) == "accepted"
    assert tournament.entries.get().user == bob
    assert post.outcome(post.answer(bob, entered, f"{leave} {tournament.pk}")) == "declined"
    assert not tournament.entries.exists()


def test_a_refusal_says_why(
    tournament: Tournament, any_email: EmailMultiAlternatives, bob: User
) -> None:
    Tournament.objects.update(state=State.CANCELLED)
    receipt = post.answer(bob, any_email, f"enter {tournament.pk}")
    assert post.outcome(receipt) == "refused"
    assert "closed" in text(receipt)
    assert post.outcome(post.answer(bob, any_email, "enter 999")) == "refused"
    assert post.outcome(post.answer(bob, any_email, "leave 999")) == "refused"


def test_leaving_a_running_tournament_asks_for_confirmation(
    tournament: Tournament, any_email: EmailMultiAlternatives, who: People
) -> None:
    entered = post.answer(who.bob, any_email, f"enter {tournament.pk}")
    start_tournament(tournament, who)
    question = post.answer(who.bob, entered, f"leave {tournament.pk}")
    assert post.outcome(question) == "asked"
    entry = tournament.entries.get(user=who.bob)
    assert entry.status == Entry.Status.PLAYING
    assert post.outcome(post.answer(who.bob, question, "yes")) == "resigned"
    entry.refresh_from_db()
    assert entry.status == Entry.Status.WITHDRAWN
    assert post.outcome(post.answer(who.bob, question, "yes")) == "refused"


def test_a_late_yes_withdraws_from_no_other_tournament(
    tournament: Tournament, any_email: EmailMultiAlternatives, who: People
) -> None:
    post.answer(who.bob, any_email, f"enter {tournament.pk}")
    start_tournament(tournament, who)
    assert post.outcome(post.answer(who.bob, any_email, "yes")) in ("refused", "ambiguous")
    assert tournament.entries.get(user=who.bob).status == Entry.Status.PLAYING
