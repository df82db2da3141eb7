"""What becomes of plans that were entered by page and by mail: the set-up, an end, an offer."""

from datetime import timedelta
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.play.commands import endings
from games.play.commands.plans import due
from games.play.models.match import Match
from games.play.models.plan import Plan
from lib.db_clock import frozen_at, now
from tests.mail import post
from tests.notifications.email.reading import sent_emails, text
from tests.play import match_helpers
from tests.play.forms import alert, client_of
from tests.play.match_helpers import People
from tests.play.plan_helpers import texts

pytestmark = pytest.mark.django_db

ENTRANCES = pytest.mark.parametrize("by_mail", [False, True], ids=["page", "mail"])


def enter(alice: User, match: Match, written: str, email: EmailMultiAlternatives | None) -> None:
    """Enter lines by mail, as a reply to an e-mail, or by page."""
    match.refresh_from_db()
    if email:
        assert post.outcome(post.answer(alice, email, written)) == "planned"
        return
    fields = {"lines": written, "ply": str(match.ply), "version": "0", "do": "save"}
    assert client_of(alice).post(f"/match/{match.pk}/plan/", fields).status_code == 302


def answer_much_later() -> None:
    """Let what came be handled, and the pause before the answer pass."""
    dispatcher.drain()
    with frozen_at(now() + timedelta(hours=3)):
        due.answer_plans()
        dispatcher.drain()


@pytest.fixture
def taken(settings: Settings) -> None:
    """Replies to e-mails are taken."""
    settings.DEMO, settings.MAIL_AUTHSERV_ID = True, ""


def test_a_plan_is_refused_while_armies_are_set_up(who: People) -> None:
    match = match_helpers.new_match(who)
    fields = {"lines": "otherwise a4-a5", "ply": str(match.ply), "version": "0", "do": "save"}
    sent: Any = client_of(who.alice).post(f"/match/{match.pk}/plan/", fields)
    assert sent.status_code == 422
    assert "A plan can be made once both armies are set up." in alert(sent)
    assert not Plan.objects.exists()


@ENTRANCES
def test_an_answer_within_a_line_may_end_the_match(who: People, taken: None, by_mail: bool) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=match_helpers.RECKLESS)
    written = "if any then a4-a5 if any then a5xa7 if any then b5-b4 if any then b4-b5"
    moved = post.answer(who.alice, post.email(who.alice), "b4-b5")
    enter(who.alice, match, written, moved if by_mail else None)
    for move in ("j7-j6", "j6-j7"):
        match_helpers.play(match, move)
        answer_much_later()
    match.refresh_from_db()
    assert texts(match)[-1] == "a5xa7[RvF]#"
    assert (match.status, match.result) == ("finished", "S")
    assert not Plan.objects.exists()


@ENTRANCES
def test_a_draw_offered_within_a_line_holds_it_until_it_is_declined(
    who: People, taken: None, by_mail: bool
) -> None:
    match = match_helpers.running_match(who)
    moved = post.answer(who.alice, post.email(who.alice), "a4-a5")
    enter(who.alice, match, "if any then b4-b5 if any then b5-b4", moved if by_mail else None)
    match_helpers.play(match, "j7-j6")
    answer_much_later()
    match_helpers.play(match, "j6-j7")
    endings.offer_draw(match.pk, who.bob)
    answer_much_later()
    assert texts(match)[-2:] == ["b4-b5", "j6-j7"]
    if by_mail:
        email = [email for email in sent_emails() if email.to == [who.alice.email]][-1]
        assert "An offer holds your plan." in " ".join(text(email).split())
        assert post.outcome(post.answer(who.alice, email, "decline")) == "declined"
    else:
        sent = client_of(who.alice).post(f"/match/{match.pk}/decline-draw/", {"ply": match.ply})
        assert sent.status_code == 302
    answer_much_later()
    assert texts(match)[-1] == "b5-b4"
