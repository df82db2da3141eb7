"""Models of the outbox: rows to be delivered, and leases on jobs that one worker does at a time.

Rows hold ids only, so these tables, or a dump of them, reveal no rank and no board.
"""

from datetime import datetime, timedelta

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

from lib.log_context import MAX_CAUSE_CHARACTERS

PENDING = Q(sent_at__isnull=True, superseded_at__isnull=True, dead_at__isnull=True)


class Reason(models.TextChoices):
    """Why a row was dropped. The values are stored, so they must not change."""

    OUTDATED = "outdated", _("no longer true when it was due")
    UNWANTED = "unwanted", _("the person does not want such e-mails")
    UNREACHABLE = "unreachable", _("e-mails do not reach the person")
    NOTIFIED = "notified", _("the person was notified before and has not visited since")
    IN_DIGEST = "digest", _("part of a digest")
    WITH_TURN = "with turn", _("reported in the e-mail about the turn")
    NO_READER = "no reader", _("the account is closed or blocked, or has no address")
    NO_CHANNEL = "no channel", _("the device or webhook was stopped or removed")
    EXPIRED = "expired", _("the code in it had expired")
    RESTORED = "restored", _("older than the restored backup")


class Dispatch(models.Model):
    """A row of the outbox: an event to be handled by one handler, for one user if any."""

    event = models.CharField(_("event"), max_length=40)
    handler = models.CharField(_("handler"), max_length=40)  # a key; see registry.py
    # A constraint would slow down every move. Only users who never confirmed their address are
    # deleted; what is left of their rows is codes that have expired.
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
    dedupe = models.CharField(max_length=240)
    created_at = models.DateTimeField(_("created at"))
    not_before = models.DateTimeField(_("not before"))
    lease_until = models.DateTimeField(_("being processed until"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    superseded_at = models.DateTimeField(_("no longer needed since"), null=True, blank=True)
    dead_at = models.DateTimeField(_("failed for good at"), null=True, blank=True)
    # Why it was no longer needed: a Reason.
    reason = models.CharField(
        _("why it was not sent"), max_length=20, blank=True, default="", db_default=""
    )
    # The id of the request or task that led to it, as in the logs.
    cause = models.CharField(
        _("request"), max_length=MAX_CAUSE_CHARACTERS, blank=True, default="", db_default=""
    )
    # The kind of the last failure, never its message, which may quote an address or an e-mail.
    error = models.CharField(_("last error"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("outgoing message")
        verbose_name_plural = _("outgoing messages")
        default_permissions = ("view",)
        permissions = [("resend_dispatch", "Can send messages again")]
        constraints = [
            # Not `unique=True`, with which Django adds an index for LIKE.
            models.UniqueConstraint(fields=["dedupe"], name="dispatch_once"),
        ]
        indexes = [
            # Claiming reads pending rows in this order; delivered rows are not in the index.
            models.Index("not_before", name="dispatch_waiting", condition=PENDING),
            # What was sent to one person, for staff. Read backwards; PostgreSQL splits fewer pages
            # if each person's rows are added at their end.
            models.Index(
                fields=["user", "id"], name="dispatch_of_user", condition=Q(user__isnull=False)
            ),
            # Few rows are ever in it; the health checks query it every minute.
            models.Index("dead_at", name="dispatch_dead", condition=Q(dead_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"{self.event} #{self.pk}"

    @property
    def why_dropped(self) -> str:
        """The reason for which it was no longer needed, in words; "" if it has none."""
        if self.reason in Reason.values:
            return str(Reason(self.reason).label)
        return self.reason  # of another version of the program

    @property
    def claimed_at(self) -> datetime | None:
        """When the current dispatcher claimed the row: the present, within some seconds."""
        lease = timedelta(seconds=settings.OUTBOX_LEASE_SECONDS)
        return None if self.lease_until is None else self.lease_until - lease

    @property
    def message_id(self) -> str:
        """The Message-ID of this e-mail, the same for every attempt, so that mailboxes drop copies.

        A restored database assigns ids again; `created_at` distinguishes such rows.
        """
        content = f"{self.pk} {self.created_at.isoformat()}"
        tag = salted_hmac("games.outbox.dispatch", content, algorithm="sha256")
        return f"<o{self.pk}.{tag.hexdigest()[:16]}@{settings.MAIL_DOMAIN}>"


class Lease(models.Model):
    """A claim on a job that one worker at a time should do; see leases.py."""

    name = models.CharField(max_length=20, primary_key=True)
    until = models.DateTimeField(null=True)

    class Meta:
        # The table was created by another app.
        db_table = "play_lease"
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.name} until {self.until}"
