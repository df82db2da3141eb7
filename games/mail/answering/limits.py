"""Limits of receipts: two programs that answer each other must not go on for ever.

What is beyond them is done all the same, and not answered. A higher MAIL_ANSWERS_PER_HOUR lifts
those on messages without a command as well.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.mail.answering.incoming_message import Answer
from games.mail.models import IncomingMessage, MessageOutcome
from games.notifications.policy import preferences
from games.notifications.policy.localization import localized

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
USUAL_ANSWERS_AN_HOUR = 30
UNREAD_AN_HOUR = 1  # for each reply address
UNREAD_A_DAY = 5
CONFIRM_A_DAY = 1  # for each reply address, where somebody else may have written


def admit(row: IncomingMessage, user: User, answer: Answer, at: datetime) -> tuple[bool, Answer]:
    """Whether the message has a receipt, and that receipt; the last of an hour says so."""
    answered = IncomingMessage.objects.filter(user=user, answered=True, done_at__gt=at - DAY)
    if answer.outcome == MessageOutcome.CONFIRM:
        asked = answered.filter(outcome=MessageOutcome.CONFIRM, address=row.address)
        if not preferences.of(user).ask_on_site and asked.count() >= CONFIRM_A_DAY:
            return False, answer
    if answer.outcome == MessageOutcome.PLAYED and not preferences.of(user).receipts:
        return False, answer
    if answer.outcome == MessageOutcome.UNREAD and not _may_explain(row, answered, at):
        return False, answer
    lately = answered.filter(done_at__gt=at - HOUR).count()
    if lately >= settings.MAIL_ANSWERS_PER_HOUR:
        return False, answer
    if lately + 1 == settings.MAIL_ANSWERS_PER_HOUR:
        return True, replace(answer, lines=(*answer.lines, _last(user)))
    return True, answer


def _may_explain(row: IncomingMessage, answered: QuerySet[IncomingMessage], at: datetime) -> bool:
    if settings.MAIL_ANSWERS_PER_HOUR > USUAL_ANSWERS_AN_HOUR:
        return True
    unread = answered.filter(outcome=MessageOutcome.UNREAD)
    # An answer to the explanation itself comes to another address: a program's, most likely.
    same = Q(address=row.address) | Q(issued=row.address)
    here = unread.filter(same, done_at__gt=at - HOUR)
    return here.count() < UNREAD_AN_HOUR and unread.count() < UNREAD_A_DAY


def _last(user: User) -> str:
    with localized(user):
        return _(
            "This is our last reply for an hour, since there have been many: your commands are "
            "still carried out, and you can see the results on the site."
        )
