"""Leaks in changes of clocks."""

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from django.db.models import F
from pytest import MonkeyPatch

from games.notifications import catalogue
from games.outbox import handling
from games.outbox.models import Dispatch
from games.play.clocks import adjustment_log
from games.play.models import match
from games.play.models.draft import Draft
from games.play.models.match import Player
from games.play.models.time import Outage
from games.play.record import match_store, match_view
from lib.db_clock import now
from tests.secrecy.leaks.planting import before_telling, bit, change, change_emails, leak
from tests.secrecy.stories import StoryKind

OUTAGE = (StoryKind("play", between="outage"),)
VACATION = (StoryKind("play", between="vacation"),)
PAUSE = (StoryKind("play", between="pause"),)
CLAIMED = (StoryKind("play", "claimed"),)
REOPENED = (StoryKind("play", "reopened"),)
TIME = (StoryKind("play", "time"),)


@leak(kinds=OUTAGE)
def the_span_of_a_credit(monkeypatch: MonkeyPatch) -> None:
    original = adjustment_log.note_outage

    def spoilt(lost: Iterable[tuple[Player, timedelta]], outage: Outage) -> None:
        more = ((one, span + timedelta(minutes=bit(one.match_id))) for one, span in lost)
        original(more, outage)

    monkeypatch.setattr(adjustment_log, "note_outage", spoilt)


@leak(kinds=VACATION)
def a_vacation_that_is_announced_late(monkeypatch: MonkeyPatch) -> None:
    def check(dispatch: Dispatch) -> None:
        if bit(dispatch.ref["match"]):
            raise handling.Later(now() + timedelta(hours=1))

    before_telling(monkeypatch, "vacation-began", check)


@leak(kinds=PAUSE, first=1)
def that_something_was_prepared_in_a_pause(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, view: match_view.MatchView) -> None:
        email.body += "." * Draft.objects.filter(player__match=view.match).count()

    change_emails(monkeypatch, "match-resumed", spoil)


@leak(kinds=CLAIMED)
def whether_a_time_out_is_reported(monkeypatch: MonkeyPatch) -> None:
    def check(seen: match_view.MatchView, _: Any) -> bool:
        return not bit(seen.match.pk)

    spoilt = replace(catalogue.find("time-up"), still_true=check)
    monkeypatch.setitem(catalogue.NOTIFICATIONS, "time-up", spoilt)


@leak(kinds=REOPENED)
def the_clock_of_an_ending_taken_back(monkeypatch: MonkeyPatch) -> None:
    def spoil(_: None, state: match_store.MatchState, step: match_store.Step) -> None:
        if step.reopens:
            more = timedelta(seconds=bit(state.match.pk))
            Player.objects.filter(match=state.match, to_act=True).update(bank=F("bank") + more)

    change(monkeypatch, match_store, "_set_clocks", spoil)


@leak("archive:match", "archive:record", kinds=TIME)
def an_ending_that_can_be_taken_back_opens_the_match(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(match, "APPEAL_PERIOD", timedelta(0))
