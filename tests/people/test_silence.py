"""Silence: a silenced user cannot write to others, and reads until when and why."""

from datetime import timedelta

import pytest

from games.lobby import commands as lobby
from games.lobby.models import OPEN, Invitation, InvitationKind
from games.people.models import Outcome
from games.people.moderation import silence
from games.people.moderation.silence import Silenced
from games.play.terms import Terms
from games.play.words.wording import refusal_text
from games.talk.models import Line
from lib.db_clock import now
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.forms import page
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


def test_an_invitation_without_a_message_can_be_offered(alice: People) -> None:
    with pytest.raises(Silenced):
        lobby.offer(alice.alice, TERMS, kind=InvitationKind.SEAT, note="Come on, coward!")
    assert not Invitation.objects.exists()
    assert lobby.offer(alice.alice, TERMS, kind=InvitationKind.SEAT)


def test_the_form_of_an_invitation_shows_the_refusal(alice: People) -> None:
    form = {"kind": "seat", "preset": "lattaque-en", "pace": "3d", "note": "Coward!"}
    page = cases.browser(alice.alice).post("/lobby/new/", {**form, "setup_days": "5"})
    assert page.status_code == 422
    assert "you may write nothing to other players" in page.content.decode()


def test_a_standing_seat_is_offered_again_without_its_message(who: People) -> None:
    note = "Come on, coward!"
    seat = lobby.offer(who.alice, TERMS, kind=InvitationKind.SEAT, note=note, repeats=3)
    lobby.accept(seat.pk, who.bob)
    again = Invitation.objects.get(OPEN)
    assert again.note == note
    cases.decided(cases.reported(who), cases.moderator(), Outcome.SILENCED, 5)
    lobby.accept(again.pk, who.charlie)
    last = Invitation.objects.get(OPEN)
    assert (last.note, last.repeats) == ("", 1)


def test_nothing_can_be_written_in_talk_with_or_without_a_move(alice: People) -> None:
    match = match_helpers.running_match(alice)
    her = cases.browser(alice.alice)
    assert "The reason: A quarrel." in page(her, match)
    assert 'name="say"' not in page(her, match)
    for path, fields in (
        ("move/", {"move": "a4-a5", "ply": match.ply, "say": "Coward!"}),
        ("talk/", {"text": "Coward!"}),
    ):
        answer = her.post(f"/match/{match.pk}/{path}", fields)
        assert answer.status_code == 422
        assert "you may write nothing to other players" in answer.content.decode()
    assert not Line.objects.exists()
    match.refresh_from_db()
    assert (
        her.post(f"/match/{match.pk}/move/", {"move": "a4-a5", "ply": match.ply}).status_code == 302
    )


def test_a_silence_ends(alice: People) -> None:
    alice.alice.silenced_until = now() - timedelta(seconds=1)
    silence.check(alice.alice)


def test_other_users_cost_no_query(who: People, django_assert_num_queries: object) -> None:
    with django_assert_num_queries(0):  # type: ignore[operator]
        silence.check(who.bob)


def test_a_silence_without_a_decision_still_has_a_sentence(who: People) -> None:
    who.bob.silenced_until = now() + timedelta(days=1)
    with pytest.raises(Silenced, match="until"):
        silence.check(who.bob)
