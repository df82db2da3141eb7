"""Models of notification channels: devices, webhooks, feeds, reply addresses, mailboxes.

These addresses are secrets of their owners. No admin page shows them, and no message quotes them.
"""

import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.db.models.functions import Now
from django.utils.translation import gettext_lazy as _

from lib.sealed_fields import SealedField, SealedTextField

# Purposes of sealing.
ACCOUNT_EMAILS, PROPOSALS = "account e-mails", "proposals of set-ups"


def new_secret() -> str:
    """A new signing key for webhooks (Standard Webhooks): 256 bits in hexadecimal."""
    return secrets.token_hex(32)


class Device(models.Model):
    """A browser that is subscribed to push notifications."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("user")
    )
    # The digest is unique, since addresses may be too long for a unique index.
    endpoint = models.TextField(_("address"))
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the address
    p256dh = models.CharField(max_length=100)  # its public key, base64url
    auth = models.CharField(max_length=40)  # its shared secret, base64url
    name = models.CharField(_("name"), max_length=60)
    added_at = models.DateTimeField(_("added at"))
    # The digest of the key of ours that it was subscribed with; empty if unknown.
    server_key = models.CharField(max_length=16, blank=True, default="", db_default="")
    sent_at = models.DateTimeField(_("last notification sent at"), null=True, blank=True)
    failed_at = models.DateTimeField(_("last failed at"), null=True, blank=True)
    # Failures since the last success, at most one a day, and when the last of these was counted.
    failures = models.PositiveSmallIntegerField(default=0, db_default=0)
    counted_at = models.DateTimeField(null=True, blank=True)
    # Until when the push service has asked not to be called.
    retry_at = models.DateTimeField(null=True, blank=True)
    # A sentence in the owner's language; it quotes nothing that the remote server said.
    why = models.CharField(_("why it failed"), max_length=200, blank=True)
    stopped = models.BooleanField(_("stopped"), default=False)

    class Meta:
        verbose_name = _("device")
        verbose_name_plural = _("devices")

    def __str__(self) -> str:
        return self.name


class Style(models.TextChoices):
    DISCORD = "discord", _("Discord or compatible")
    JSON = "json", _("JSON, signed")


class Webhook(models.Model):
    """A URL of another service that receives its owner's notifications; others may read them."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("user")
    )
    url = models.CharField(_("address"), max_length=500)
    style = models.CharField(_("format"), max_length=10, choices=Style.choices)
    secret = models.CharField(_("signing key"), max_length=64, default=new_secret)
    added_at = models.DateTimeField(_("added at"))
    sent_at = models.DateTimeField(_("last notification sent at"), null=True, blank=True)
    failed_at = models.DateTimeField(_("last failed at"), null=True, blank=True)
    # Failures since the last success, at most one a day, and when the last of these was counted.
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    counted_at = models.DateTimeField(null=True, blank=True)
    # Until when the address has asked not to be called.
    retry_at = models.DateTimeField(null=True, blank=True)
    # A sentence in the owner's language; it quotes nothing that the remote server said.
    why = models.CharField(_("why it failed"), max_length=200, blank=True)
    stopped = models.BooleanField(_("stopped"), default=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return f"{self.get_style_display()} #{self.pk}"


class Feed(models.Model):
    """The secret addresses of a user's feeds; a new serial number makes the old ones invalid."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name=_("user"),
    )
    serial = models.CharField(max_length=32)
    made_at = models.DateTimeField(_("created at"))

    class Meta:
        verbose_name = _("feed")
        verbose_name_plural = _("feeds")

    def __str__(self) -> str:
        return str(self.user)


class AccountEmail(models.Model):
    """An unsent e-mail about an account, sealed since it may contain a code."""

    sealed = SealedTextField(label="account e-mails", purpose=ACCOUNT_EMAILS, expendable=True)
    lasting = models.BooleanField()  # still useful when a code in it has expired
    written_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"account e-mail #{self.pk}"


class Purpose(models.TextChoices):
    """What an e-mail with a reply address is about."""

    MATCH = "match"
    INVITATION = "invitation"
    DIGEST = "digest"  # several matches
    LOBBY = "lobby"


class Asks(models.TextChoices):
    """What a plain "yes" in answer to such an e-mail confirms."""

    NOTHING = ""
    RESIGN = "resign"
    ABORT = "abort"
    SETUP = "setup"
    CLOSED = "closed"  # the question has been answered with "no"
    LEAVE = "leave"  # a tournament that runs; the proposal is its number


class ReplyAddress(models.Model):
    """The reply address of one e-mail, and what that e-mail was about when it was written.

    Only the hash of its token is stored, so a dump of this table reveals no address. The table is
    large, a row per e-mail. It has no foreign key constraints, so that deletions in other tables
    need not search it.
    """

    token_hash = models.BinaryField(max_length=32, unique=True)  # SHA-256
    purpose = models.CharField(max_length=10, choices=Purpose.choices)
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    match_id = models.BigIntegerField(null=True)
    ply = models.PositiveIntegerField(null=True)  # the newest one of the match
    invitation_id = models.BigIntegerField(null=True)
    matches = models.JSONField(default=dict)  # of a digest: the ply of each match, by its number
    # The offers that the e-mail showed, by match: the numbers of a draw and of a pause, 0 for none.
    offers = models.JSONField(null=True)
    asks = models.CharField(max_length=10, choices=Asks.choices, blank=True)
    # The set-up that "keep" sets up, or the number of the tournament that "yes" leaves.
    proposal = SealedField(
        label="proposed set-ups",
        purpose=PROPOSALS,
        context="{token_hash}",
        default=bytes,
        expendable=True,
    )
    # A keyed hash of the reader's e-mail address and password: a change of either ends the address.
    address_of = models.BinaryField(max_length=16)
    issued_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"reply address #{self.pk}"


class Mailbox(models.Model):
    """The state of a user's mailbox: last e-mail, bounces. It holds no address."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name=_("user"),
    )
    sent_at = models.DateTimeField(_("last e-mail sent at"), null=True, blank=True)
    bounced_at = models.DateTimeField(_("last bounce at"), null=True, blank=True)
    why = models.CharField(_("reason for the bounce"), max_length=80, blank=True)
    # The start of the current count of bounces, and the count.
    counted_since = models.DateTimeField(_("counted since"), null=True, blank=True)
    bounces = models.PositiveSmallIntegerField(_("bounces"), default=0)
    # The last refusal during SMTP that concerned the mailbox, even if later blamed on us.
    refused_at = models.DateTimeField(null=True, blank=True)
    # The last bounce that was our fault, and its code, such as 5.7.26.
    reported_at = models.DateTimeField(null=True, blank=True)
    reported = models.CharField(max_length=12, blank=True, default="", db_default="")

    class Meta:
        verbose_name = _("mailbox")
        verbose_name_plural = _("mailboxes")
        indexes = [
            # The health checks query it every minute, and few rows are in it.
            models.Index(
                "reported_at", name="mailbox_reported", condition=Q(reported_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)
