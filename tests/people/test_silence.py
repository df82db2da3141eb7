"""Silence: who is silenced may write nothing to others, and reads until when and why."""

from datetime import timedelta

import pytest

from games.lobby import commands as lobby
from games.lobby.models import Invitation, InvitationKind
from games.people.models import Outcome
from games.people.moderation import silence
from games.people.moderation.silence import Silenced
from games.play.terms import Terms
from games.play.words.wording import refusal_text
from lib.db_clock import now
from tests.people.moderation import cases
from tests.play.match_helpers import People

TERMS = Terms("lattaque-en")


@pytest.fixture
def alice(who: People) -> People:
    """Alice is silenced for five days."""
    cases.decided(cases.reported(who), cases.moderator(), Outcome.SILENCED, 5)
    who.alice.refresh_from_db()
    return who


def test_the_refusal_says_until_when_and_why(alice: People) -> None:
    with pytest.raises(Silenced) as refused:
        silence.check(alice.alice)
    sentence = refusal_text(refused.value)
    assert "A quarrel." in sentence
    assert str(alice.alice.silenced_until.year) in sentence


def test_an_invitation_without_a_message_is_still_offered(alice: People) -> None:
    with pytest.raises(Silenced):
        lobby.offer(alice.alice, TERMS, kind=InvitationKind.SEAT, note="Come on, coward!")
    assert not Invitation.objects.exists()
    assert lobby.offer(alice.alice, TERMS, kind=InvitationKind.SEAT)


def test_the_form_of_an_invitation_shows_the_refusal(alice: People) -> None:
    form = {"kind": "seat", "preset": "lattaque-en", "pace": "3d", "note": "Coward!"}
    page = cases.browser(alice.alice).post("/lobby/new/", {**form, "setup_days": "5"})
    assert page.status_code == 422
    assert "you may write nothing to other players" in page.content.decode()


def test_a_silence_ends(alice: People) -> None:
    alice.alice.silenced_until = now() - timedelta(seconds=1)
    silence.check(alice.alice)


def test_nobody_else_costs_a_query(who: People, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        silence.check(who.bob)


def test_a_silence_without_a_decision_still_has_a_sentence(who: People) -> None:
    who.bob.silenced_until = now() + timedelta(days=1)
    with pytest.raises(Silenced, match="until"):
        silence.check(who.bob)
