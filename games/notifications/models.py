"""Models of notification channels: devices, webhooks, feeds, reply addresses, mailboxes.

These addresses are secrets of their owners. No admin shows them, and no message quotes them.
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
    """A key of 256 bits, as webhooks are signed with (Standard Webhooks)."""
    return secrets.token_hex(32)


class Device(models.Model):
    """A browser that shows notifications even when no page of ours is open."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("user")
    )
    # Known by a digest: an address may be longer than what a database can keep unique.
    endpoint = models.TextField(_("address"))
    digest = models.CharField(max_length=64, unique=True)  # SHA-256 of the address
    p256dh = models.CharField(max_length=100)  # its public key, base64url
    auth = models.CharField(max_length=40)  # its shared secret, base64url
    name = models.CharField(_("name"), max_length=60)
    added_at = models.DateTimeField(_("added at"))
    sent_at = models.DateTimeField(_("last notification sent at"), null=True, blank=True)
    failed_at = models.DateTimeField(_("last failed at"), null=True, blank=True)
    # A sentence for its owner, in their language; it quotes nothing of what the far side said.
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
    """An address elsewhere that takes notifications for its owner, perhaps in front of others."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", verbose_name=_("user")
    )
    url = models.CharField(_("address"), max_length=500)
    style = models.CharField(_("format"), max_length=10, choices=Style.choices)
    secret = models.CharField(_("signing key"), max_length=64, default=new_secret)
    added_at = models.DateTimeField(_("added at"))
    sent_at = models.DateTimeField(_("last notification sent at"), null=True, blank=True)
    failed_at = models.DateTimeField(_("last failed at"), null=True, blank=True)
    failures = models.PositiveSmallIntegerField(_("failures in a row"), default=0)
    # A sentence for its owner, in their language; it quotes nothing of what the far side said.
    why = models.CharField(_("why it failed"), max_length=200, blank=True)
    stopped = models.BooleanField(_("stopped"), default=False)

    class Meta:
        verbose_name = _("webhook")
        verbose_name_plural = _("webhooks")

    def __str__(self) -> str:
        return f"{self.get_style_display()} #{self.pk}"


class Feed(models.Model):
    """The secret addresses of somebody's feeds; with another serial number, these are void."""

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
    """An e-mail about an account until it is sent: sealed, since it may hold a code."""

    sealed = SealedTextField(label="account e-mails", purpose=ACCOUNT_EMAILS, expendable=True)
    lasting = models.BooleanField()  # still worth reading when the codes in it have expired
    written_at = models.DateTimeField(db_default=Now(), db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"account e-mail #{self.pk}"


class Purpose(models.TextChoices):
    """What the e-mail that carries a reply address is about."""

    MATCH = "match"
    INVITATION = "invitation"
    DIGEST = "digest"  # several matches
    LOBBY = "lobby"


class Asks(models.TextChoices):
    """What a bare "yes" answers to such an e-mail."""

    NOTHING = ""
    RESIGN = "resign"
    ABORT = "abort"
    SETUP = "setup"


class ReplyAddress(models.Model):
    """An address to answer one e-mail to, and what that e-mail was about when it was written.

    Only the hash of its token is kept: a dump of this table yields no address. There is a row for
    each e-mail, so no other table may have to look for its own here: there are no constraints.
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
    asks = models.CharField(max_length=10, choices=Asks.choices, blank=True)
    # The set-up that "keep" sets up.
    proposal = SealedField(
        label="proposed set-ups",
        purpose=PROPOSALS,
        context="{token_hash}",
        default=bytes,
        expendable=True,
    )
    # A keyed hash of the reader's e-mail address and password: with either it ends.
    address_of = models.BinaryField(max_length=16)
    issued_at = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"reply address #{self.pk}"


class Mailbox(models.Model):
    """What is known of the mailbox that somebody's e-mails go to; no address stands here."""

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
    # Since when the e-mails that came back are counted, and how many did.
    counted_since = models.DateTimeField(_("counted since"), null=True, blank=True)
    bounces = models.PositiveSmallIntegerField(_("bounces"), default=0)
    # When the mail server last refused the mailbox itself, be it for a fault of the mailbox or not.
    refused_at = models.DateTimeField(null=True, blank=True)
    # The last report that an e-mail came back for a reason that lies with us, and its code: 5.7.26.
    reported_at = models.DateTimeField(null=True, blank=True)
    reported = models.CharField(max_length=12, blank=True, db_default="")

    class Meta:
        verbose_name = _("mailbox")
        verbose_name_plural = _("mailboxes")
        indexes = [
            # The checks of the service ask every minute, and few are ever in it.
            models.Index(
                "reported_at", name="mailbox_reported", condition=Q(reported_at__isnull=False)
            ),
        ]

    def __str__(self) -> str:
        return str(self.user)
