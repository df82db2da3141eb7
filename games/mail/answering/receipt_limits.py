"""Rate limits of receipts, against mail loops between two programs.

Messages beyond the limit are still processed; only the receipt is dropped. A higher
MAIL_ANSWERS_PER_HOUR also lifts the limits on messages without a command.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Q, QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from games.mail.answering.answer import Answer
from games.mail.models import IncomingMessage, MessageOutcome
from games.notifications.policy import preferences
from games.notifications.policy.localization import localized

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
DEFAULT_ANSWERS_PER_HOUR = 30
UNREAD_PER_HOUR = 1  # per reply address
UNREAD_PER_DAY = 5
CONFIRM_PER_DAY = 1  # per reply address; somebody else may have written


def apply_limits(
    row: IncomingMessage, user: User, answer: Answer, at: datetime
) -> tuple[bool, Answer]:
    """Whether to send a receipt, and its answer; the last one of an hour says so."""
    with_receipt = IncomingMessage.objects.filter(user=user, answered=True, done_at__gt=at - DAY)
    if answer.outcome == MessageOutcome.CONFIRM:
        requests = with_receipt.filter(outcome=MessageOutcome.CONFIRM, address=row.address)
        if not preferences.read(user).ask_on_site and requests.count() >= CONFIRM_PER_DAY:
            return False, answer
    if _is_of_played_moves(answer) and not preferences.read(user).receipts:
        return False, answer
    if answer.outcome == MessageOutcome.UNREAD and not _may_explain(row, with_receipt, at):
        return False, answer
    last_hour = with_receipt.filter(done_at__gt=at - HOUR).count()
    if last_hour >= settings.MAIL_ANSWERS_PER_HOUR:
        return False, answer
    if last_hour + 1 == settings.MAIL_ANSWERS_PER_HOUR:
        return True, replace(answer, lines=(*answer.lines, _last_receipt(user)))
    return True, answer


def _is_of_played_moves(answer: Answer) -> bool:
    """Whether a receipt says only that moves were played, and what was done next to them."""
    return answer.outcome == MessageOutcome.PLAYED and not answer.has_more


def _may_explain(
    row: IncomingMessage, with_receipt: QuerySet[IncomingMessage], at: datetime
) -> bool:
    """Whether a message without a command may have a receipt that explains the commands."""
    if settings.MAIL_ANSWERS_PER_HOUR > DEFAULT_ANSWERS_PER_HOUR:
        return True
    unread = with_receipt.filter(outcome=MessageOutcome.UNREAD)
    # A reply to the explanation itself goes to another address; most likely a program wrote it.
    same_address = Q(address=row.address) | Q(issued=row.address)
    recent = unread.filter(same_address, done_at__gt=at - HOUR)
    return recent.count() < UNREAD_PER_HOUR and unread.count() < UNREAD_PER_DAY


def _last_receipt(user: User) -> str:
    with localized(user):
        return _(
            "This is our last reply for an hour, since there have been many: your commands "
            "are still carried out, and you can see the results on the site."
        )
