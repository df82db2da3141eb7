"""Kinds of notifications, channels, and levels of detail."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class NotificationKind(TextChoices):
    SETUP = "setup", _("A match begins: set up your army")
    TURN = "turn", _("Your turn")
    REMINDER = "reminder", _("Reminders before a deadline")
    INVITATION = "invitation", _("Somebody challenges you")
    ANSWER = "answer", _("Your invitation is declined or expires")
    DRAW = "draw", _("A draw is offered or declined")
    OVER = "over", _("A match is over")
    TALK = "talk", _("Your opponent writes to you")
    VACATION = "vacation", _("Your opponent is on vacation")
    TIME = "time", _("Extra time, time-outs and pauses")
    EVENT = "event", _("Ladders and tournaments")
    CREDIT = "credit", _("Time is given back after an outage")
    MODERATION = "moderation", _("Messages from the moderators")


class Channel(TextChoices):
    EMAIL = "email", _("E-mail")
    PUSH = "push", _("Push")
    WEBHOOK = "webhook", _("Webhook")


class Detail(TextChoices):
    """How much a notification says about a match, in ascending order."""

    TURN = "turn", _("Only that it is my turn")
    MOVE = "move", _("Also what happened")
    BOARD = "board", _("Also what happened, and the board")


# A match waits for the reader. Calm readers get one e-mail about these until their next visit.
WAITING = frozenset({NotificationKind.SETUP, NotificationKind.TURN})
# They are sent when they are due, by themselves: neither a schedule nor a digest delays them.
UNSCHEDULED = frozenset({NotificationKind.REMINDER, NotificationKind.MODERATION})
# Their e-mails cannot be turned off.
ALWAYS_BY_EMAIL = frozenset({NotificationKind.MODERATION})
# These ask the reader to act, and say how many matches wait for them.
ACTING = WAITING | {NotificationKind.REMINDER}
