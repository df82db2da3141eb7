"""Leaks in what is done about clocks."""

from datetime import timedelta
from typing import Any

from django.db.models import F
from pytest import MonkeyPatch

from games.mail import handlers, letters
from games.notices import occasions
from games.play import adjustments, ledger, sight
from games.play.models import match
from games.play.models.draft import Draft
from games.play.models.match import Player
from games.relay import outbox
from games.relay.models import Dispatch
from games.relay.moment import now
from tests.secrecy.leaks.planting import before, bit, change, leak
from tests.secrecy.stories import Kind

OUTAGE = (Kind("play", between="outage"),)
VACATION = (Kind("play", between="vacation"),)
PAUSE = (Kind("play", between="pause"),)
CLAIMED = (Kind("play", "claimed"),)
REOPENED = (Kind("play", "reopened"),)
TIME = (Kind("play", "time"),)


@leak(kinds=OUTAGE)
def the_span_of_a_credit(monkeypatch: MonkeyPatch) -> None:
    original = adjustments.note

    def spoilt(player: Player, *facts: Any, span: timedelta, **more: Any) -> None:
        original(player, *facts, span=span + timedelta(minutes=bit(player.match_id)), **more)

    monkeypatch.setattr(adjustments, "note", spoilt)


@leak(kinds=VACATION)
def a_vacation_that_is_told_late(monkeypatch: MonkeyPatch) -> None:
    def check(dispatch: Dispatch, _: Any) -> None:
        if bit(dispatch.ref["match"]):
            raise outbox.Later(now() + timedelta(hours=1))

    before(monkeypatch, handlers, "on_vacation_began", check)


@leak(kinds=PAUSE)
def that_something_was_prepared_in_a_pause(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        letter.body += "." * Draft.objects.filter(player__match=look.match).count()
        return letter

    change(monkeypatch, letters, "match_resumed", spoil)


@leak(kinds=CLAIMED)
def whether_it_is_told_that_time_is_up(monkeypatch: MonkeyPatch) -> None:
    def check(seen: sight.Look, _: Any) -> bool:
        return not bit(seen.match.pk)

    monkeypatch.setitem(occasions.MATCH_CHECKS, "time-up", check)


@leak(kinds=REOPENED)
def the_clock_of_an_ending_taken_back(monkeypatch: MonkeyPatch) -> None:
    def spoil(_: None, opened: ledger.Table, *__: Any) -> None:
        more = timedelta(seconds=bit(opened.match.pk))
        Player.objects.filter(match=opened.match, to_act=True).update(bank=F("bank") + more)

    change(monkeypatch, ledger, "_reopen", spoil)


@leak("archive:match", "archive:record", kinds=TIME)
def an_ending_that_can_be_taken_back_opens_the_match(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(match, "APPEAL", timedelta(0))
