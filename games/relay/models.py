"""The outbox: a row for each thing that a handler has to do about an event, kept until it is done.

A row holds ids and nothing else: whoever reads this table, or a dump of it, learns no rank.
"""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.crypto import salted_hmac
from django.utils.translation import gettext_lazy as _

WAITING = Q(sent_at__isnull=True, superseded_at__isnull=True, dead_at__isnull=True)


class Dispatch(models.Model):
    event = models.CharField(_("event"), max_length=40)
    handler = models.CharField(_("handler"), max_length=120)  # a dotted name
    # Finding a person's rows is rare, and an index would be paid for with every move.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("user"),
    )
    ref = models.JSONField(_("reference"), default=dict)  # ids by name: {"match": 7, "ply": 12}
    dedupe = models.CharField(max_length=240, unique=True)
    created_at = models.DateTimeField(_("posted at"))
    not_before = models.DateTimeField(_("not before"))
    lease_until = models.DateTimeField(_("being delivered until"), null=True, blank=True)
    attempts = models.PositiveSmallIntegerField(_("failed attempts"), default=0)
    sent_at = models.DateTimeField(_("sent at"), null=True, blank=True)
    superseded_at = models.DateTimeField(_("overtaken by events at"), null=True, blank=True)
    dead_at = models.DateTimeField(_("given up at"), null=True, blank=True)
    # The kind of the last failure and never its words, which may quote an address or a letter.
    error = models.CharField(_("last error"), max_length=80, blank=True)

    class Meta:
        verbose_name = _("dispatch")
        verbose_name_plural = _("dispatches")
        default_permissions = ("view", "change")
        indexes = [
            # Claiming reads in the order of this very column, however many rows lie delivered.
            models.Index("not_before", name="dispatch_waiting", condition=WAITING),
        ]

    def __str__(self) -> str:
        return f"{self.event} #{self.pk}"

    @property
    def message_id(self) -> str:
        """The Message-ID of every attempt at this letter: a mailbox that gets two may show one."""
        tag = salted_hmac("games.relay.dispatch", str(self.pk), algorithm="sha256")
        return f"<o{self.pk}.{tag.hexdigest()[:16]}@{settings.MAIL_DOMAIN}>"
