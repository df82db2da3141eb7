"""An offer of a draw or a pause and the turn that came with it are one e-mail."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest

from accounts.models import User
from games.notifications.policy import preferences
from games.outbox.models import PENDING, Dispatch
from games.play.commands import courtesies, endings
from games.play.models.match import Match
from lib.db_clock import frozen_at, now
from tests.notifications.email.reading import delivered, heading, text
from tests.play import match_helpers
from tests.play.staff_looks import looked

SOON = timedelta(minutes=11)

Act = Callable[[], Any]


def emails_sent_together(*acts: Act, wait: timedelta = timedelta()) -> list[str]:
    """The e-mails of these acts, in words, sent together after a while."""
    for act in acts:
        act()
    with frozen_at(now() + wait):
        emails = delivered()
    return [f"{heading(email)} {' '.join(text(email).split())}" for email in emails]


@pytest.mark.parametrize("offer_first", [True, False])
def test_a_move_with_a_draw_offer_is_one_email(
    match: Match, alice: User, bob: User, offer_first: bool
) -> None:
    acts: list[Act] = [
        lambda: match_helpers.play(match, "a4-a5"),
        lambda: endings.offer_draw(match.pk, alice),
    ]
    delivered()
    (email,) = emails_sent_together(*(reversed(acts) if offer_first else acts))
    assert email.startswith(f"Your turn against Alice in match {match.pk}")
    assert "Alice offers you a draw." in email
    assert emails_sent_together(wait=SOON) == []
    assert not Dispatch.objects.filter(PENDING).exists()


def test_a_look_between_the_offer_and_the_move_causes_no_second_email(
    match: Match, alice: User
) -> None:
    delivered()
    acts: list[Act] = [
        lambda: endings.offer_draw(match.pk, alice),
        lambda: looked(match),
        lambda: match_helpers.play(match, "a4-a5"),
    ]
    offer_emails = [email for email in emails_sent_together(*acts) if "offers you a draw" in email]
    assert "Your turn against Alice" in offer_emails[-1]
    assert [email for email in emails_sent_together(wait=SOON) if "draw" in email] == []


def test_a_move_with_a_pause_offer_is_one_email(match: Match, alice: User) -> None:
    delivered()
    (email,) = emails_sent_together(
        lambda: match_helpers.play(match, "a4-a5"),
        lambda: courtesies.offer_pause(match.pk, alice),
    )
    assert email.startswith(f"Your turn against Alice in match {match.pk}")
    assert "Alice offers you a pause: both clocks stop until one of you ends it." in email
    assert emails_sent_together(wait=SOON) == []


def test_an_offer_waits_ten_minutes_for_the_move(match: Match, alice: User) -> None:
    delivered()
    assert emails_sent_together(lambda: endings.offer_draw(match.pk, alice)) == []
    assert emails_sent_together(wait=timedelta(minutes=9)) == []
    (email,) = emails_sent_together(wait=SOON)
    assert email.startswith(f"Alice offers a draw in match {match.pk}")


def test_a_move_within_ten_minutes_carries_the_offer(match: Match, alice: User) -> None:
    delivered()
    assert emails_sent_together(lambda: endings.offer_draw(match.pk, alice)) == []
    (email,) = emails_sent_together(lambda: match_helpers.play(match, "a4-a5"))
    assert "Alice offers you a draw." in email
    assert emails_sent_together(wait=SOON) == []


def test_an_offer_after_the_email_about_the_turn_is_its_own_email(
    match: Match, alice: User
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()
    (email,) = emails_sent_together(lambda: endings.offer_draw(match.pk, alice))
    assert email.startswith(f"Alice offers a draw in match {match.pk}")


def test_readers_without_emails_about_turns_get_the_offer_by_itself(
    match: Match, alice: User, bob: User
) -> None:
    preferences.change(bob, unwanted=("email turn",))
    delivered()
    (email,) = emails_sent_together(
        lambda: match_helpers.play(match, "a4-a5"), lambda: endings.offer_draw(match.pk, alice)
    )
    assert email.startswith(f"Alice offers a draw in match {match.pk}")
