"""Models of people: the block list, and how reliable a player is."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _


class Block(models.Model):
    """`owner` wants nothing to do with `blocked`. Only the owner reads it."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.CASCADE, related_name="+", db_index=False
    )
    blocked = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    made_at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        constraints = [
            models.UniqueConstraint("owner", "blocked", name="block_once"),
            models.CheckConstraint(name="block_somebody_else", condition=~Q(owner=F("blocked"))),
        ]

    def __str__(self) -> str:
        return f"block #{self.pk}"


class Reliability(models.Model):
    """How a player has played final matches against people; computed again when one is final."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        primary_key=True,
        related_name="+",
        verbose_name=_("player"),
    )
    finished = models.PositiveIntegerField(_("finished"), default=0)
    lost_on_time = models.PositiveIntegerField(_("lost on time"), default=0)
    not_set_up = models.PositiveIntegerField(_("not set up"), default=0)
    # Finished since the last loss on time or missing set-up.
    finished_since = models.PositiveIntegerField(_("finished since"), default=0)
    # Quartiles of the time to answer; null: too few answers.
    quickly = models.DurationField(_("a quarter of the answers within"), null=True)
    mostly = models.DurationField(_("half of the answers within"), null=True)
    slowly = models.DurationField(_("three quarters of the answers within"), null=True)

    class Meta:
        verbose_name = _("reliability")
        verbose_name_plural = _("reliability")
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.user}: {self.finished}"
