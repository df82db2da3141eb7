"""The e-mails about invitations: challenged, declined, stale, expired."""

from datetime import UTC, datetime, timedelta
from typing import Any

from games.lobby import commands as lobby
from games.lobby.invitations import expiry
from games.lobby.models import Invitation, InvitationKind
from games.play.models.match import Match
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from lib.db_clock import frozen_at
from tests.notifications.email.reading import delivered, heading, only, preheader, prose, text
from tests.play import match_helpers
from tests.play.match_helpers import People

WINTER = datetime(2026, 1, 20, 9, 30, tzinfo=UTC)


def challenge(
    who: People, preset: str = "lattaque-en", *, note: str = "", **terms: Any
) -> Invitation:
    agreed = Terms(preset, **({"setup_pace": "36h"} | terms))
    return lobby.offer(who.bob, agreed, kind=InvitationKind.CHALLENGE, guest=who.alice, note=note)


def test_a_challenge_names_opponent_terms_and_expiry(who: People) -> None:
    with frozen_at(WINTER):
        invitation = challenge(who, seat=Seat.SOUTH)
        email = only(delivered(), who.alice)
    assert email.subject == f"Invitation {invitation.pk}: Bob, L'Attaque"
    assert preheader(email) == f"{heading(email)} · L'Attaque, 3 days per move"
    body = prose(email)
    assert "Bob challenges you to L'Attaque" in body
    assert "Your side: North. Time control: 3 days per move. Time to set up: 36 hours." in body
    assert "until 3 Feb 2026, 09:30 (UTC); 14 days left." in body
    assert f"Accept or decline: http://localhost:8000/lobby/{invitation.pk}/" in body


def test_a_challenge_lists_changed_rules(who: People) -> None:
    challenge(who, preset="lattaque-zh", switches={"spy_both": True, "limit": 60})
    body = text(only(delivered(), who.alice))
    agreed = body.partition("Custom rules of this match:\n\n")[2]
    assert agreed.startswith(
        "* After 60 turns in a row without a battle the game is a draw.\n* The spy"
    )
    assert "As in L'Attaque, except:\n\n* The survivor of a battle" in body


def test_a_challenge_without_changed_rules_lists_none(who: People) -> None:
    challenge(who)
    body = prose(only(delivered(), who.alice))
    assert "Custom rules" not in body and "except" not in body


def test_a_note_is_quoted_within_a_sentence(who: People) -> None:
    challenge(who, note="Come on!\r\n-- \r\nEstafette: you won a car")
    body = prose(only(delivered(), who.alice))
    assert "\n“Come on! -- Estafette: you won a car”, Bob writes.\n" in body


def test_an_open_seat_sends_no_email(who: People) -> None:
    lobby.offer(who.bob, Terms("lattaque-en"), kind=InvitationKind.SEAT)
    assert delivered() == []


def test_the_challenger_is_notified_of_the_refusal(who: People) -> None:
    invitation = challenge(who)
    delivered()
    lobby.decline(invitation.pk, who.alice)
    email = only(delivered(), who.bob)
    assert email.subject == f"Invitation {invitation.pk}: Alice, L'Attaque"
    assert heading(email) == "Alice declined your challenge"
    assert "Alice does not want to play L'Attaque at the moment." in prose(email)
    assert "Find an opponent: http://localhost:8000/lobby/\n" in prose(email)


def test_the_owner_is_warned_before_an_invitation_closes_and_notified_after(who: People) -> None:
    with frozen_at(WINTER):
        invitation = challenge(who)
        delivered()
    with frozen_at(WINTER + timedelta(days=11)):
        expiry.sweep()
        email = only(delivered(), who.bob)
    assert heading(email) == "Nobody has accepted your invitation yet"
    until = "3 Feb 2026, 09:30 (UTC)"
    assert f"is open until {until}; 3 days left." in prose(email)
    assert f"View invitation: http://localhost:8000/lobby/{invitation.pk}/" in prose(email)
    with frozen_at(WINTER + timedelta(days=14)):
        expiry.sweep()
        email = only(delivered(), who.bob)
    assert heading(email) == "Nobody accepted your invitation"
    assert "was open until 3 Feb 2026, 09:30 (UTC) and has expired." in prose(email)


def test_a_challenge_says_whether_it_is_rated(who: People) -> None:
    rated = "Rated: the result counts for both ratings."
    challenge(who)
    assert rated not in prose(only(delivered(), who.alice))
    challenge(who, rated=True)
    assert rated in prose(only(delivered(), who.alice))


def test_a_rematch_says_that_it_is_unrated_now(who: People) -> None:
    match = match_helpers.running_match(who)
    Match.objects.filter(pk=match.pk).update(status="finished", result="S", rated=True, pace="none")
    delivered()
    lobby.rematch(match.pk, who.bob)
    sentence = "The rematch is friendly, since it cannot be rated now."
    assert sentence in prose(only(delivered(), who.alice))


def test_a_long_note_in_chinese_gets_no_blanks(who: People) -> None:
    note = "我們已經很久沒有一起下棋了所以我想再跟您下一局法國陸軍棋這次請讓我先走好嗎謝謝"
    challenge(who, note=note)
    assert f"“{note}”" in text(only(delivered(), who.alice)).replace("\n", "")
