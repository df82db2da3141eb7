"""What is written down about time itself: what was done to clocks, and when the service stood.

All of it is public but the breaker's rows, which are for those who run the server.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.play.models.match import REASON, SEATS, Match


class Heartbeat(models.Model):
    """One row: the service has been alive since then, and was last seen so at that instant."""

    began = models.DateTimeField()
    beaten = models.DateTimeField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.beaten}"


class Outage(models.Model):
    """A time in which nothing beat."""

    start = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("until"))
    # Once every clock that ran has been given it back.
    credited_at = models.DateTimeField(_("given back at"), null=True, blank=True)

    class Meta:
        verbose_name = _("outage")
        verbose_name_plural = _("outages")
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["end"], name="outage_owed", condition=Q(credited_at__isnull=True)),
        ]

    def __str__(self) -> str:
        return f"{self.start:%Y-%m-%d %H:%M} – {self.end:%H:%M}"


class Vacation(models.Model):
    """A time in which no deadline of a player passes, in matches that allow vacations."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("user"),
    )
    start = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("until"))
    planned = models.BooleanField(_("entered ahead"), default=False)  # else taken at a deadline
    # Until its beginning has been told to the opponents of whoever planned it.
    awaited = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["user", "start"], name="vacation_of_user"),
            models.Index(fields=["start"], name="vacation_awaited", condition=Q(awaited=True)),
        ]
        constraints = [
            models.CheckConstraint(
                name="vacation_ends_after_it_begins", condition=Q(end__gt=F("start"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.start:%Y-%m-%d %H:%M} – {self.end:%Y-%m-%d %H:%M}"


class Adjustment(models.Model):
    """Something done to a clock that was no ply; both players and everybody else may read it."""

    class Kind(models.TextChoices):
        OUTAGE = "outage", _("given back for an outage of the service")
        VACATION = "vacation", _("a vacation began")
        GIFT = "gift", _("given by the opponent")
        PAUSED = "paused", _("paused by agreement")
        RESUMED = "resumed", _("goes on after a pause")
        OFFICE = "office", _("given by those who run this server")
        REOPENED = "reopened", _("reopened by those who run this server")

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="adjustments", db_index=False, verbose_name=_("match")
    )
    # Whose clock; none: both.
    seat = models.SmallIntegerField(_("seat"), choices=SEATS, null=True, blank=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    span = models.DurationField(_("time"), null=True, blank=True)
    note = models.CharField(_("note"), max_length=REASON, blank=True)
    outage = models.ForeignKey(
        Outage, models.PROTECT, null=True, blank=True, related_name="+", db_index=False
    )
    at = models.DateTimeField(_("at"))

    class Meta:
        verbose_name = _("adjustment")
        verbose_name_plural = _("adjustments")
        default_permissions = ("view",)
        indexes = [models.Index(fields=["match", "-id"], name="adjustment_of_match")]
        constraints = [
            models.UniqueConstraint("match", "seat", "outage", name="adjustment_outage_once"),
        ]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.kind}"


class Toll(models.Model):
    """How many matches ran out of time in an hour, so that it is known what is usual."""

    hour = models.DateTimeField(primary_key=True)
    ended = models.PositiveIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.hour}: {self.ended}"


class Halt(models.Model):
    """The breaker has stopped the sweep: implausibly many matches would have ended."""

    opened_at = models.DateTimeField(_("stopped at"))
    overdue = models.PositiveIntegerField(_("matches that would have ended"))
    # True while it lasts, so that there is one at most.
    stands = models.BooleanField(_("stands"), null=True, default=True, unique=True, editable=False)
    # When a letter about it is to be sent, or sent anew; none once it has left.
    tell_at = models.DateTimeField(null=True, editable=False)
    released_at = models.DateTimeField(_("let go on at"), null=True, blank=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("let go on by"),
    )

    class Meta:
        verbose_name = _("stop of the sweep")
        verbose_name_plural = _("stops of the sweep")
        default_permissions = ("view", "change")
        indexes = [models.Index(fields=["-released_at"], name="halt_released")]

    def __str__(self) -> str:
        return f"{self.opened_at:%Y-%m-%d %H:%M}"
