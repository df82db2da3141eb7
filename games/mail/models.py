"""Models of play by mail: messages that came in, sealed, with what became of each."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from lib.sealed_fields import SealedField

PURPOSE = "mail"  # of sealing
UNPROCESSED = Q(done_at__isnull=True)  # messages that no worker has answered yet
LEASE = timedelta(seconds=60)  # for which a worker has a message that it claimed


class Door(models.TextChoices):
    """What an address of ours is for."""

    REPLY = "reply"  # an answer to an e-mail
    POST = "post"  # the sender of all e-mails
    BOUNCE = "bounce"  # e-mails that come back


class MessageOutcome(models.TextChoices):
    """What became of a message: the word in X-Estafette-MessageOutcome of its receipt, or NONE."""

    PLAYED = "played"
    SET_UP = "set-up"
    ASKED = "asked"
    RESIGNED = "resigned"
    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    GIVEN = "given"
    NOTED = "noted"
    SHOWN = "shown"
    REPEATED = "repeated"
    REFUSED = "refused"
    AMBIGUOUS = "ambiguous"
    UNREAD = "unread"
    STALE = "stale"
    LATE = "late"
    OVER = "over"
    CLOSED = "closed"
    CONFIRM = "confirm"
    UNREADABLE = "unreadable"
    NONE = "none"


class IncomingMessage(models.Model):
    """A message as it came in: sealed, since it may hold a set-up, and kept until it is old.

    The key is a digest, by which a message that a mail server sends again is the same row.
    """

    key = models.CharField(max_length=64, unique=True)
    door = models.CharField(max_length=10, choices=Door.choices)
    # Whose e-mail it answers, by the address; who wrote it is another question. No constraint and
    # no index for it: whoever is deleted has no matches, and so no messages.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    address = models.BigIntegerField(null=True)  # the ReplyAddress that it came to
    issued = models.BigIntegerField(null=True)  # the ReplyAddress that its receipt carries
    # Recipient, sender, Message-ID.
    envelope = SealedField(label="envelopes", purpose=PURPOSE, context="envelope/{key}")
    sealed = SealedField(label="incoming messages", purpose=PURPOSE, context="message/{key}")
    arrived_at = models.DateTimeField(_("arrived at"))  # at the first of our own machines
    taken_at = models.DateTimeField(_("taken at"))
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=12, choices=MessageOutcome.choices, blank=True)
    why = models.CharField(max_length=80, blank=True)  # a few words of ours, none of the message's
    answered = models.BooleanField(default=False)  # whether it has a receipt
    # Arrived in time, and the match had ended on time before it was read: for administrators.
    overtaken = models.BooleanField(default=False)
    # What the receipt says, until it is old.
    receipt = SealedField(label="receipts", purpose=PURPOSE, context="receipt/{key}", default=b"")

    class Meta:
        verbose_name = _("incoming message")
        verbose_name_plural = _("incoming messages")
        default_permissions = ()
        indexes = [
            models.Index(fields=["id"], name="incoming_waiting", condition=UNPROCESSED),
            # Nobody loses on time while a message of theirs waits.
            models.Index(
                fields=["user", "arrived_at"], name="incoming_unread", condition=UNPROCESSED
            ),
            models.Index(
                fields=["done_at"], name="incoming_done", condition=Q(done_at__isnull=False)
            ),
            # How many receipts somebody had lately.
            models.Index(
                fields=["user", "done_at"],
                name="incoming_answered",
                condition=Q(answered=True),
            ),
        ]

    def __str__(self) -> str:
        return f"incoming message #{self.pk}"
