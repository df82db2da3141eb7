"""E-mails about turns that a plan answers: none at once, and the next one says what was played."""

import re
from datetime import timedelta
from html import unescape
from typing import Any

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.notifications.models import Device, Webhook
from games.outbox.models import Dispatch, Reason
from games.play.commands import deadlines, endings
from games.play.commands.plans import answering, due
from games.play.models.match import Match
from games.play.models.plan import Wait
from games.play.record.sealed import plans
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.mail.reading.reader import is_command
from tests.notifications.email import fed_back
from tests.notifications.email.reading import delivered, heading, html, text
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.plan_helpers import plan_of, save, texts

pytestmark = pytest.mark.postgresql_soak

HOUR = timedelta(hours=1)
LINE = "if j7-j6 then b4-b5"


@pytest.fixture
def match(who: People) -> Match:
    """Bob is to move, and has got the e-mail about it."""
    match = match_helpers.running_match(who, "a4-a5")
    delivered()
    return match


def newest_email_lines(who: User) -> list[str]:
    """What the newest e-mail to a reader says, line by line."""
    emails = [email for email in delivered() if email.to == [who.email]]
    assert len(emails) == 1
    body = text(emails[0])
    for line in unescape(re.sub("<[^>]+>", "", html(emails[0]))).splitlines():
        assert "answers" not in line or line.strip() in body.replace("\n", " ")
    return body.splitlines()


def test_a_turn_that_a_plan_answers_at_once_is_sent_over_no_channel(
    who: People, match: Match
) -> None:
    User.objects.filter(pk=who.alice.pk).update(
        notification_preferences={"frequency": "now", "ways": ["push", "webhook"]}
    )
    added = {"user": who.alice, "added_at": now()}
    Device.objects.create(
        **added, endpoint="https://push/", digest="1", p256dh="", auth="", name="1"
    )
    Webhook.objects.create(**added, url="https://hook/", style="json", secret="00")
    save(match, who.alice, LINE)
    match_helpers.play(match, "j7-j6")
    turn = Dispatch.objects.filter(event="turn-came", user=who.alice).latest("pk")
    # Only Bob is notified, about the answer.
    assert [email.to for email in delivered()] == [[who.bob.email]]
    assert texts(match)[-1] == "b4-b5"
    turn.refresh_from_db()
    # As of a turn that was answered by hand, so that no row shows that there was a plan.
    assert turn.reason == Reason.OUTDATED
    others = Dispatch.objects.filter(user=who.alice, handler__in=["push", "webhook"])
    assert {row.reason for row in others if row.ref["ply"] == turn.ref["ply"]} == {Reason.OUTDATED}
    assert not others.exclude(sent_at=None).exists()


def test_the_next_email_lists_the_plies_since_the_last_move_by_hand(
    who: People, match: Match
) -> None:
    save(match, who.alice, f"{LINE} if j6-j7 then b5-b4")
    match_helpers.play(match, "j7-j6")
    delivered()
    match_helpers.play(match, "j6-j7")
    delivered()
    match_helpers.play(match, "j7-j6")
    lines = newest_email_lines(who.alice)
    begin = lines.index("* Alice moved from a4 to a5.")
    assert lines[begin : begin + 6] == [
        "* Alice moved from a4 to a5.",
        "* Bob moved from j7 to j6.",
        "* By your plan: Alice moved from b4 to b5.",
        "* Bob moved from j6 to j7.",
        "* By your plan: Alice moved from b5 to b4.",
        "* Bob moved from j7 to j6.",
    ]
    assert "Your plan has played its last answer, and has ended." in lines


def test_a_long_run_of_answers_is_listed_from_its_beginning(who: People, match: Match) -> None:
    moves = ["if j7-j6 then b4-b5", "if j6-j7 then b5-b4"] * 4
    save(match, who.alice, " ".join(moves))
    for number in range(8):
        match_helpers.play(match, ("j7-j6", "j6-j7")[number % 2])
        delivered()
    match_helpers.play(match, "j7-j6")
    lines = newest_email_lines(who.alice)
    assert "* Alice moved from a4 to a5." in lines
    assert sum("By your plan" in line for line in lines) == 8


def test_an_email_about_a_dropped_plan_gives_the_reason_and_repeats_no_line(
    who: People, match: Match
) -> None:
    save(match, who.alice, "if b7-b6 then b4-b5")
    match_helpers.play(match, "j7-j6")
    lines = newest_email_lines(who.alice)
    assert "No line of your plan fits this turn, so the plan was dropped." in lines
    assert "b7-b6" not in "".join(lines) and "b4-b5" not in "".join(lines)


def test_an_answer_that_waits_is_reported_with_its_time(
    who: People, match: Match, settings: Any
) -> None:
    settings.MAIL_REPLIES = "true"
    save(match, who.alice, LINE, wait=Wait.WHILE)
    match_helpers.play(match, "j7-j6")
    lines = newest_email_lines(who.alice)
    text = " ".join(lines)
    assert re.search(r"Your plan answers b4-b5 at about .+ \(UTC\)\.", text)
    assert "To stop it, reply “forget”; a move by hand ends the plan, too." in text
    # When it is played, only Bob is notified.
    with frozen_at(now() + 3 * HOUR):
        assert due.answer_plans() == 1
        assert [email.to for email in delivered()] == [[who.bob.email]]


def test_a_plan_paused_by_an_offer_is_reported_with_the_offer(who: People, match: Match) -> None:
    save(match, who.alice, LINE)
    endings.offer_draw(match.pk, who.bob)
    match_helpers.play(match, "j7-j6")
    body = " ".join(newest_email_lines(who.alice))
    assert "Bob offers you a draw." in body
    assert "An offer holds your plan." in body


def test_a_reminder_mentions_the_offer_and_the_plan_that_it_holds(
    who: People, match: Match
) -> None:
    save(match, who.alice, LINE)
    endings.offer_draw(match.pk, who.bob)
    match_helpers.play(match, "j7-j6")
    delivered()
    with frozen_at(now() + timedelta(days=2.5)):
        deadlines.sweep()
        body = " ".join(newest_email_lines(who.alice))
    assert "Reminder: your turn" in body
    assert "Bob offers you a draw." in body and "An offer holds your plan." in body


def test_a_digest_does_not_cover_a_turn_that_a_plan_answers(who: People, match: Match) -> None:
    other = match_helpers.running_match(who, "a4-a5")
    delivered()
    preferred = {"frequency": "twice", "hours": [0, 12]}
    User.objects.filter(pk=who.alice.pk).update(notification_preferences=preferred)
    match_helpers.play(other, "j7-j6")
    delivered()
    save(match, who.alice, LINE)
    # Due with the digest, and claimed after its row.
    with frozen_at(now() + timedelta(days=1)):
        match_helpers.play(match, "j7-j6")
        emails = [email for email in delivered() if email.to == [who.alice.email]]
    assert texts(match)[-1] == "b4-b5"
    assert len(emails) == 1
    assert f"Match {other.pk}" in text(emails[0])
    assert f"Match {match.pk}" not in text(emails[0])


@pytest.mark.parametrize("language", tiers.parameters(("en", "de", "fr", "zh-hant"), fast=("fr",)))
def test_no_line_of_an_email_about_a_plan_is_a_command(
    who: People, match: Match, language: str
) -> None:
    User.objects.filter(pk=who.alice.pk).update(language=language)
    save(match, who.alice, f"{LINE} if j6-j7 then b5-b4", wait=Wait.NOW)
    match_helpers.play(match, "j7-j6")
    delivered()
    plan = plan_of(match, who.alice)
    contents = plan.contents._replace(wait=Wait.WHILE)
    assert plans.store(plan.player_id, plan.row, contents, plan.row.version)
    match_helpers.play(match, "j6-j7")
    (email,) = (email for email in delivered() if email.to == [who.alice.email])
    body = text(email)
    # Its waiting answer, and the ply that the plan has played.
    assert "b5-b4" in body and "b4" in body
    for lines in fed_back.texts(email):
        assert not [line for line in lines if is_command(line)]


def test_the_email_is_sent_as_usual_if_a_plan_fails(
    who: People, match: Match, monkeypatch: pytest.MonkeyPatch
) -> None:
    save(match, who.alice, LINE)
    match_helpers.play(match, "j7-j6")

    def fail(*_: object) -> None:
        raise RuntimeError

    monkeypatch.setattr(answering, "_turn", fail)
    (email,) = delivered()
    assert heading(email) == f"Your turn against Bob in match {match.pk}"


def test_a_plan_for_another_turn_costs_an_email_no_query(who: People, match: Match) -> None:
    match_helpers.play(match, "j7-j6")
    delivered()  # with her receipt, which takes queries of its own
    match_helpers.play(match, "b4-b5", "j6-j7", "b5-b4")
    delivered()
    counts = []
    for lines in ((), (LINE,)):
        if lines:
            save(match, who.bob, "otherwise j6-j7", move="j7-j6")
        else:
            match_helpers.play(match, "j7-j6")
        with CaptureQueriesContext(connection) as queries:
            assert len(delivered()) == 1
        counts.append(len(queries))
        match_helpers.play(match, "b4-b5", "j6-j7", "b5-b4")
        delivered()
    assert counts[0] == counts[1]


def test_two_plans_answer_each_other_through_the_outbox(who: People, match: Match) -> None:
    save(match, who.alice, "if j7-j6 then b4-b5 if j6-j7 then b5-b4")
    save(match, who.bob, "if b4-b5 then j6-j7", move="j7-j6")
    emails = delivered()
    # Bob's plan answered b4-b5, Alice's that; the e-mail says to Bob that his has ended.
    assert texts(match)[-4:] == ["j7-j6", "b4-b5", "j6-j7", "b5-b4"]
    assert [email.to for email in emails] == [[who.bob.email]]
    assert "has ended" in text(emails[0])
    assert plan_of(match, who.bob).row.played == [match.ply + 3]
