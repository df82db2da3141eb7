"""Models of time: heartbeat, outages, vacations, the clock adjustment log, the circuit breaker.

Outages, vacations and adjustments are public; the rest is for the service and administrators.
"""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from games.play.models.match import MAX_REASON_CHARACTERS, SEATS, Match, Player


class Heartbeat(models.Model):
    """Heartbeat of the service, a single row: when moves could first and last be taken."""

    started_at = models.DateTimeField()
    last_beat_at = models.DateTimeField()
    # Until when web servers still accepted connections, even without an answer.
    last_contact_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.last_beat_at}"


class WebServer(models.Model):
    """A web server of WEB_URL or proxy of PROXY_URL, with the result of its last probe."""

    url = models.CharField(max_length=200, unique=True)
    # Since when it has not been ready; null while it is.
    failing_since = models.DateTimeField(null=True)
    failure = models.CharField(max_length=80, blank=True)

    class Meta:
        default_permissions = ("view",)

    def __str__(self) -> str:
        return self.url


class Outage(models.Model):
    """An interval without a heartbeat."""

    start = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("until"))
    # The web servers accepted connections all the time, and did not answer in time.
    stalled = models.BooleanField(_("slow only"), default=False)
    # The account whose requests kept the web servers busy (clocks/load.py): only clocks that ran
    # out get time back. No index and no constraint, as with LossOnTime.
    caused_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
        verbose_name=_("caused by requests of"),
    )
    # When every clock that ran had been credited.
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


class HeavyRequest(models.Model):
    """A request of an account that took seconds of processor time; see clocks/load.py."""

    # No index and no constraint, as with LossOnTime.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    start = models.DateTimeField()
    end = models.DateTimeField()
    cpu_seconds = models.FloatField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["end"], name="heavy_request_end")]

    def __str__(self) -> str:
        return f"{self.user_id}: {self.cpu_seconds:.0f} s"


class Vacation(models.Model):
    """An interval that no deadline of a player falls into, in matches that allow vacations."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("user"),
    )
    start = models.DateTimeField(_("from"))
    end = models.DateTimeField(_("until"))
    planned = models.BooleanField(_("planned"), default=False)  # else taken at a deadline
    # Planned, and the opponents have not been notified yet that it began.
    unannounced = models.BooleanField(default=False, editable=False)

    class Meta:
        verbose_name = _("vacation")
        verbose_name_plural = _("vacations")
        default_permissions = ("view",)
        indexes = [
            models.Index(fields=["user", "start"], name="vacation_of_user"),
            models.Index(
                fields=["start"], name="vacation_unannounced", condition=Q(unannounced=True)
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="vacation_ends_after_it_begins", condition=Q(end__gt=F("start"))
            ),
        ]

    def __str__(self) -> str:
        return f"{self.start:%Y-%m-%d %H:%M} – {self.end:%Y-%m-%d %H:%M}"


class Postponement(models.Model):
    """A deadline that a planned vacation has moved, and its value before."""

    vacation = models.ForeignKey(Vacation, models.CASCADE, related_name="postponements")
    player = models.ForeignKey(Player, models.CASCADE, related_name="+", db_index=False)
    deadline = models.DateTimeField()  # before the vacation was planned
    # Of the clock after the deadline was moved; a later version has another deadline.
    clock_version = models.PositiveIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.player_id}: {self.deadline}"


class Adjustment(models.Model):
    """An entry of the clock adjustment log: a change of a clock other than by a move. Public."""

    class Kind(models.TextChoices):
        OUTAGE = "outage", _("given back for an outage of the service")
        VACATION = "vacation", _("a vacation began")
        GIFT = "gift", _("given by the opponent")
        PAUSED = "paused", _("paused by agreement")
        RESUMED = "resumed", _("resumed after a pause")
        ADMIN = "admin", _("given by an administrator")
        REOPENED = "reopened", _("reopened by an administrator")

    match = models.ForeignKey(
        Match, models.CASCADE, related_name="adjustments", db_index=False, verbose_name=_("match")
    )
    # The owner of the clock; null: both players.
    seat = models.SmallIntegerField(_("seat"), choices=SEATS, null=True, blank=True)
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    span = models.DurationField(_("time"), null=True, blank=True)
    note = models.CharField(_("message"), max_length=MAX_REASON_CHARACTERS, blank=True)
    outage = models.ForeignKey(
        Outage,
        # Entries are deleted before their outages (retention_periods.py); a constraint without an
        # index would have the database read all of them for each outage.
        models.DO_NOTHING,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        db_constraint=False,
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


class LossOnTime(models.Model):
    """A match that a player lost on time; the breaker compares their number with the usual one."""

    match = models.ForeignKey(Match, models.CASCADE, related_name="+", db_index=False)
    # No constraint: without an index, all rows would be read for each deleted user. Only users who
    # never confirmed their address are deleted, and these never play.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )
    at = models.DateTimeField()

    class Meta:
        default_permissions = ()
        indexes = [models.Index(fields=["at", "user"], name="loss_on_time_at")]

    def __str__(self) -> str:
        return f"{self.match_id}: {self.user_id}"


class Halt(models.Model):
    """An open circuit breaker: implausibly many players would have lost on time."""

    opened_at = models.DateTimeField(_("stopped at"))
    overdue = models.PositiveIntegerField(_("players held back"))
    # True while in force, else null: the unique index allows one at a time.
    in_force = models.BooleanField(
        _("in force"), null=True, default=True, unique=True, editable=False
    )
    # When to e-mail the administrators about it; null once the e-mail was sent.
    alert_at = models.DateTimeField(null=True, editable=False)
    released_at = models.DateTimeField(_("resumed at"), null=True, blank=True)
    released_by = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("resumed by"),
    )

    class Meta:
        verbose_name = _("stop of time-outs")
        verbose_name_plural = _("stops of time-outs")
        default_permissions = ("view",)
        permissions = [("release_halt", "Can resume time-outs")]
        indexes = [models.Index(fields=["-released_at"], name="halt_released")]

    def __str__(self) -> str:
        return f"{self.opened_at:%Y-%m-%d %H:%M}"


class HeldPlayer(models.Model):
    """A player who loses no match on time while the halt is in force."""

    halt = models.ForeignKey(Halt, models.CASCADE, related_name="held", db_index=False)
    # No constraint, as with LossOnTime.
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.DO_NOTHING,
        related_name="+",
        db_index=False,
        db_constraint=False,
    )

    class Meta:
        verbose_name = _("player held back")
        verbose_name_plural = _("players held back")
        default_permissions = ()
        constraints = [models.UniqueConstraint("halt", "user", name="held_player_once")]

    def __str__(self) -> str:
        return f"{self.halt_id}: {self.user_id}"
