"""Refusals of talk: why a line is not sent. None shows that the reader blocks or mutes anybody."""

from __future__ import annotations

from typing import TYPE_CHECKING

from games.play.refusals import NotNow
from games.rules.core.basics.refusals import gettext_noop

if TYPE_CHECKING:
    from accounts.models import User

DAYS_AFTER_THE_END = 30


class NoTalk(NotNow):
    """The two players of a match do not talk now."""


class TooMuch(NotNow):
    """The writer has written as much as they may for now."""


def with_computer() -> NoTalk:
    return NoTalk(gettext_noop("The computer does not talk."))


def with_bot() -> NoTalk:
    return NoTalk(gettext_noop("Bots do not talk."))


def closed() -> NoTalk:
    return NoTalk(
        gettext_noop("Players can write to each other until %(days)s days after the match."),
        days=DAYS_AFTER_THE_END,
    )


def account_closed() -> NoTalk:
    return NoTalk(gettext_noop("Your opponent has closed their account."))


def turned_off_by(opponent: User) -> NoTalk:
    return NoTalk(gettext_noop("%(opponent)s wants no talk in their matches."), opponent=opponent)


def turned_off() -> NoTalk:
    return NoTalk(
        gettext_noop("You have chosen “no talk in my matches”, so you cannot write either.")
    )


def blocked(opponent: User) -> NoTalk:
    return NoTalk(
        gettext_noop("You have blocked %(opponent)s, so you cannot write to them either."),
        opponent=opponent,
    )


def too_fast(most: int) -> TooMuch:
    return TooMuch(
        gettext_noop("You can send at most %(most)s lines a minute; wait a moment."), most=most
    )


def enough_in_match(most: int) -> TooMuch:
    return TooMuch(
        gettext_noop("You can send at most %(most)s lines a day in one match."), most=most
    )


def enough_today(most: int) -> TooMuch:
    return TooMuch(gettext_noop("You can send at most %(most)s lines a day."), most=most)


def enough_before_first_match(most: int) -> TooMuch:
    return TooMuch(
        gettext_noop(
            "You can send at most %(most)s lines a day until you have finished your first match."
        ),
        most=most,
    )


def match_is_full() -> TooMuch:
    return TooMuch(gettext_noop("No more talk fits into this match."))
