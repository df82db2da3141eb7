"""Leaks of plans: that there is one, what it says, and that it answered."""

import logging
from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.core.exceptions import PermissionDenied
from pytest import MonkeyPatch

from games.mail.answering.actions import dispatch
from games.mail.answering.answer import Answer
from games.notifications import notify
from games.outbox.handling import Superseded
from games.outbox.models import Reason
from games.play.commands.plans import answering
from games.play.models.match import Match
from games.play.models.plan import Plan
from games.play.record.sealed import plans
from games.play.views.match import match_page, plan, polling
from games.play.words import plan_news
from tests.secrecy.leaks.planting import before, change, leak
from tests.secrecy.planning import EITHER, PLANNED
from tests.secrecy.stories import StoryKind

IDLE = (StoryKind("play"),)
PLANNING = (StoryKind("play", plans=PLANNED),)
BY_EITHER = (StoryKind("play", plans=EITHER),)


def lines_of(match_id: int) -> str:
    """The lines of all plans of a match."""
    stored_plans = map(
        plans.read, Plan.objects.filter(player__match=match_id).values_list("pk", flat=True)
    )
    return " ".join(line for each in stored_plans if each for line in each.contents.lines)


def digest(match_id: int) -> str:
    return sha256(lines_of(match_id).encode()).hexdigest()


@leak("play:news", kinds=IDLE)
def a_plan_in_the_version_of_a_match(monkeypatch: MonkeyPatch) -> None:
    change(monkeypatch, Match, "version_for", lambda tag, match, *_: tag + digest(match.pk)[:2])


@leak("play:news", kinds=IDLE)
def a_plan_in_the_news(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        polling,
        "_sentence",
        lambda sentence, match, *_: sentence + digest(match.pk)[:2],
    )


@leak("play:match", kinds=IDLE)
def a_plan_on_the_board(monkeypatch: MonkeyPatch) -> None:
    change(monkeypatch, match_page, "draw", lambda html, view, *_: html + digest(view.match.pk)[:2])


@leak("play:plan", kinds=IDLE)
def another_status_where_a_plan_exists(monkeypatch: MonkeyPatch) -> None:
    def deny(_request: Any, match_id: int) -> None:
        if int(digest(match_id), 16) % 2:
            raise PermissionDenied

    before(monkeypatch, plan, "_own_match", deny)


@leak(kinds=PLANNING)
def a_plan_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def spoil(outcome: Any, match_id: int, *_: Any) -> Any:
        logging.getLogger("games.play").info("Plan: %s.", lines_of(match_id))
        return outcome

    change(monkeypatch, answering, "_answer", spoil)


@leak(kinds=PLANNING)
def a_pause_by_the_length_of_a_plan(monkeypatch: MonkeyPatch) -> None:
    def spoil(pause: timedelta, *_: datetime | None) -> timedelta:
        return pause + timedelta(seconds=sum(len(one.sealed) for one in Plan.objects.all()))

    change(monkeypatch, answering, "draw_pause", spoil)


@leak(kinds=PLANNING)
def a_line_in_an_email(monkeypatch: MonkeyPatch) -> None:
    def spoil(sentence: str, own: Any, *_: Any) -> str:
        match_id = Plan.objects.values_list("player__match", flat=True).get()
        return f"{sentence} {lines_of(match_id)}"

    change(monkeypatch, plan_news, "sentence", spoil)


@leak(kinds=IDLE)
def the_opponents_plan_in_a_receipt(monkeypatch: MonkeyPatch) -> None:
    def spoil(answer: Answer, context: Any, *_: Any) -> Answer:
        return replace(answer, lines=(*answer.lines, lines_of(context.match_id)))

    change(monkeypatch, dispatch, "_do", spoil)


@leak(kinds=BY_EITHER)
def a_row_that_says_that_a_plan_answered(monkeypatch: MonkeyPatch) -> None:
    def spoil(outcome: answering.Outcome, *_: int) -> answering.Outcome:
        if outcome is answering.Outcome.ANSWERED:
            raise Superseded(Reason.WITH_TURN)
        return outcome

    change(monkeypatch, notify, "answer_turn", spoil)


@leak(kinds=BY_EITHER)
def an_answer_that_counts_a_second_later(monkeypatch: MonkeyPatch) -> None:
    def spoil(turn: Any, *_: Any) -> Any:
        return turn and turn._replace(came_at=turn.came_at + timedelta(seconds=1))

    change(monkeypatch, answering, "_turn", spoil)
