"""Models of the outbox: rows to be delivered, and leases on work that one worker does at a time.

Rows hold ids and nothing of a board: whoever reads these tables, or a dump of them, learns no rank.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

PENDING = Q(sent_at__isnull=True, superseded_at__isnull=True, dead_at__isnull=True)


class Dispatch(models.Model):
    """A row of the outbox: what a handler has to do about an event, kept until it is done."""

    event = models.CharField(_("event"), max_length=40)
    handler = models.CharField(_("handler"), max_length=40)  # a key of OUTBOX_HANDLERS
    # Neither an index nor a constraint, which would both be paid for with every move. Without an
    # index, a constraint makes the database read all rows for each user who is deleted. Only those
    # who never confirmed their address are, and they have no rows; one would be superseded.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("user"),
    )
    ref = models.JSONField(_("reference"), default=dict)  # ids by name: {"match": 7, "ply": 12}
    dedupe = models.CharField(max_length=240, unique=True)
    created_at = models.DateTimeField(_("created at"))
    not_before = models.DateTimeField(_("not before"))
    lease_until = models.DateTimeField(_("being processed until"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    superseded_at = models.DateTimeField(_("no longer needed since"), null=True, blank=True)
    dead_at = models.DateTimeField(_("failed for good at"), null=True, blank=True)
    # The kind of the last failure and never its words, which may quote an address or an e-mail.
    error = models.CharField(_("last error"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("outgoing message")
        verbose_name_plural = _("outgoing messages")
        default_permissions = ("view",)
        permissions = [("resend_dispatch", "Can send messages again")]
        indexes = [
            # Claiming reads in the order of this very column, however many rows lie delivered.
            models.Index("not_before", name="dispatch_waiting", condition=PENDING),
            # Few are ever in it; the checks of the service ask every minute.
            models.Index("dead_at", name="dispatch_dead", condition=Q(dead_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.event} #{self.pk}"

    @property
    def claimed_at(self) -> datetime | None:
        """When the dispatcher that has it took it up: the present, to some seconds."""
        lease = timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
        return None if self.lease_until is None else self.lease_until - lease

    @property
    def message_id(self) -> str:
        """The Message-ID of every attempt at this e-mail: a mailbox that gets two may show one.

        A database that was restored gives numbers a second time; the instant tells these apart.
        """
        said = f"{self.pk} {self.created_at.isoformat()}"
        tag = salted_hmac("games.outbox.dispatch", said, algorithm="sha256")
        return f"<o{self.pk}.{tag.hexdigest()[:16]}@{settings.MAIL_DOMAIN}>"


class Lease(models.Model):
    """A claim on a piece of work that one worker at a time should do; see leases.py."""

    name = models.CharField(max_length=20, primary_key=True)
    until = models.DateTimeField(null=True)

    class Meta:
        # The name of the table before this model had its present app.
        db_table = "play_lease"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} until {self.until}"
