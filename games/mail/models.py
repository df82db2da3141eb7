"""Models of play by mail: incoming messages, sealed, with their outcomes."""

from datetime import timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from accounts.models import User
from lib.sealed_fields import SealedField

PURPOSE = "mail"  # of sealing
UNPROCESSED = Q(done_at__isnull=True)  # messages that no worker has answered yet
LEASE = timedelta(seconds=60)  # for which a worker has a message that it claimed


class RecipientKind(models.TextChoices):
    """The kind of address that a message was sent to."""

    REPLY = "reply"  # the Reply-To of one e-mail
    SERVICE = "post", "Post"  # the From address of all e-mails
    BOUNCE = "bounce"  # the envelope sender of our e-mails (VERP)


class WayIn(models.TextChoices):
    """How a message reached this service."""

    LISTENER = "listener"  # LMTP or SMTP at MAIL_LISTEN
    PIPE = "pipe"  # manage.py receive_mail
    WEBHOOK = "webhook"  # of a mail provider
    IMAP = "imap"  # a polled mailbox
    FORM = "form"  # below an e-mail of the demo


# By these ways our own mail server hands messages over. It has removed header fields with its name
# that others had written, so the fields with its name are its own.
FROM_OUR_SERVER = frozenset((WayIn.LISTENER, WayIn.PIPE))


class MessageOutcome(models.TextChoices):
    """The outcome of a message: the value of X-Estafette-Outcome in its receipt, or NONE."""

    PLAYED = "played"
    PLANNED = "planned"
    SET_UP = "set-up"
    ASKED = "asked"
    RESIGNED = "resigned"
    OFFERED = "offered"
    ACCEPTED = "accepted"
    DECLINED = "declined"
    GIVEN = "given"
    NOTED = "noted"
    SAID = "said"
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
    """A message as received; sealed, since it may contain a set-up; deleted when old.

    `key` is a digest, so a message that a mail server delivers twice is one row.
    """

    key = models.CharField(max_length=64, unique=True)
    door = models.CharField(max_length=10, choices=RecipientKind.choices)
    # Empty in a row of an earlier version; then its header fields are believed as little as those
    # from a webhook.
    way_in = models.CharField(
        max_length=10, choices=WayIn.choices, blank=True, default="", db_default=""
    )
    # The user whose e-mail it answers, by the address; who wrote it is checked separately. No
    # constraint: messages are deleted before their user.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    address = models.BigIntegerField(null=True)  # the ReplyAddress it was sent to
    issued = models.BigIntegerField(null=True)  # the ReplyAddress of its receipt
    # Recipient, sender, Message-ID.
    envelope = SealedField(label="envelopes", purpose=PURPOSE, context="envelope/{key}")
    sealed = SealedField(label="incoming messages", purpose=PURPOSE, context="message/{key}")
    arrived_at = models.DateTimeField(_("arrived at"))  # at the first of our own servers
    taken_at = models.DateTimeField(_("taken at"))
    lease_until = models.DateTimeField(null=True)
    attempts = models.PositiveSmallIntegerField(default=0)
    done_at = models.DateTimeField(null=True)
    outcome = models.CharField(max_length=12, choices=MessageOutcome.choices, blank=True)
    why = models.CharField(max_length=80, blank=True)  # the reason; never text of the message
    answered = models.BooleanField(default=False)  # whether a receipt is sent
    # Arrived in time, but its match ended on time before it was read.
    overtaken = models.BooleanField(default=False)
    # The contents of the receipt, for a while.
    receipt = SealedField(label="receipts", purpose=PURPOSE, context="receipt/{key}", default=b"")

    class Meta:
        verbose_name = _("incoming message")
        verbose_name_plural = _("incoming messages")
        default_permissions = ()
        indexes = [
            # Of each kind of address the oldest one is claimed.
            models.Index(fields=["door", "id"], name="incoming_by_kind", condition=UNPROCESSED),
            # No player loses on time while a message of theirs waits.
            models.Index(
                fields=["user", "arrived_at"], name="incoming_unread", condition=UNPROCESSED
            ),
            models.Index(
                fields=["done_at"], name="incoming_done", condition=Q(done_at__isnull=False)
            ),
            # What came in from one person, for staff.
            models.Index(fields=["user", "-id"], name="incoming_of_user"),
            # Recent receipts of a user, for the limits.
            models.Index(
                fields=["user", "done_at"],
                name="incoming_answered",
                condition=Q(answered=True),
            ),
        ]

    def __str__(self) -> str:
        return f"incoming message #{self.pk}"

    @property
    def cause(self) -> str:
        """What logs and rows of the outbox name as the request if this message led to them."""
        return f"mail-{self.pk}"


class Correspondent(User):
    """A user, as shown to staff who look for an e-mail: what was sent to and came from them."""

    class Meta:
        proxy = True
        verbose_name = _("e-mails of a person")
        verbose_name_plural = _("e-mails of people")
        default_permissions = ("view",)
