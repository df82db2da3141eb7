"""What there is to be told, the ways by which it is told, and which kind each event is of."""

from django.db.models import TextChoices
from django.utils.translation import gettext_lazy as _


class Kind(TextChoices):
    SETUP = "setup", _("A match begins: set up your army")
    TURN = "turn", _("Your turn")
    REMINDER = "reminder", _("Reminders before a deadline")
    INVITATION = "invitation", _("Somebody invites you")
    ANSWER = "answer", _("Your invitation is declined, or nobody takes it")
    DRAW = "draw", _("A draw is offered or declined")
    OVER = "over", _("A match is over")
    VACATION = "vacation", _("Your opponent is on vacation")
    TIME = "time", _("Time given, time that is up, and pauses")
    CREDIT = "credit", _("Time is given back after an outage")


class Channel(TextChoices):
    EMAIL = "email", _("E-mail")
    PUSH = "push", _("Push")
    WEBHOOK = "webhook", _("Webhook")


class Detail(TextChoices):
    """How much of a match a notice tells; each more than the one before."""

    TURN = "turn", _("Only that it is my turn")
    MOVE = "move", _("With what happened")
    BOARD = "board", _("With what happened and the board")


KIND_OF = {
    "match-began": Kind.SETUP,
    "turn-came": Kind.TURN,
    "deadline-near": Kind.REMINDER,
    "challenged": Kind.INVITATION,
    "invitation-declined": Kind.ANSWER,
    "invitation-stale": Kind.ANSWER,
    "invitation-expired": Kind.ANSWER,
    "draw-offered": Kind.DRAW,
    "draw-declined": Kind.DRAW,
    "match-over": Kind.OVER,
    "vacation-began": Kind.VACATION,
    "clock-credited": Kind.CREDIT,
    "time-given": Kind.TIME,
    "time-up": Kind.TIME,
    "pause-offered": Kind.TIME,
    "match-paused": Kind.TIME,
    "match-resumed": Kind.TIME,
    # Whoever wants to know of an end wants to know that it was none.
    "match-reopened": Kind.OVER,
}

# What waits for the reader: a calm reader is told of it late or never.
WAITING = frozenset({Kind.SETUP, Kind.TURN})
