"""The public face of a match: what anybody may know of it without looking at the board.

Nothing here depends on a hidden rank, so every list, feed and admin page may be made from it.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.play import clock
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.ruleset import Ruleset

SEATS = [(Seat.SOUTH.value, _("South")), (Seat.NORTH.value, _("North"))]

NO_SHOW = "no set-up in time"
REASON = 200  # characters at most in which the office says why

# So long the clock's verdict may be taken back, and the match goes on: until then it stays closed.
APPEAL = timedelta(hours=48)


class Status(models.TextChoices):
    SETUP = "setup", _("set-up")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    # Ended without a result and unrated: aborted before the first move, or nobody set up in time.
    CANCELLED = "cancelled", _("cancelled")
    # Ended without a result by somebody who looks after the server.
    VOID = "void", _("void")

    @classmethod
    def live(cls) -> tuple[Status, Status]:
        return (cls.SETUP, cls.RUNNING)


class Match(models.Model):
    preset = models.CharField(_("rules"), max_length=40)  # a key of games.rules.registry
    switches = models.JSONField(_("switches"), default=dict, blank=True)  # what differs from it
    pace = models.CharField(_("pace"), max_length=20)  # a time control, see play/clock.py
    setup_pace = models.CharField(_("pace of the set-up"), max_length=20)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.SETUP
    )
    result = models.CharField(_("result"), max_length=4, blank=True)  # S, N, O, draw
    # Words of the game record.
    reason = models.CharField(_("reason"), max_length=REASON, blank=True)
    ply = models.PositiveIntegerField(_("newest ply"), default=0)
    # The ply with which the last set-up was in; the first move is the next one.
    opening = models.PositiveSmallIntegerField(_("opening ply"), null=True, blank=True)
    draw_offer = models.SmallIntegerField(
        _("draw offered by"), choices=SEATS, null=True, blank=True
    )
    rematch_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="rematches",
        verbose_name=_("rematch of"),
    )
    # The other match of a set of two: the same players with sides swapped, see sets.py.
    twin = models.OneToOneField(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("other match of the set"),
    )
    # At the deadline nothing ends; the opponent may claim the match, add a day, or wait.
    soft = models.BooleanField(_("soft time-out"), default=False)
    # Vacations of the players move deadlines in it.
    vacations = models.BooleanField(_("vacations count"), default=False)
    pause_offer = models.SmallIntegerField(
        _("pause offered by"), choices=SEATS, null=True, blank=True
    )
    # Its clocks stand since then, by agreement.
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    created_at = models.DateTimeField(_("opened at"))
    finished_at = models.DateTimeField(_("ended at"), null=True, blank=True)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        indexes = [
            models.Index(
                fields=["finished_at", "id"],
                name="match_finished",
                condition=models.Q(status="finished"),
            ),
            # The archive by rules: some are played once in a thousand matches.
            models.Index(
                fields=["preset", "finished_at", "id"],
                name="match_finished_by_rules",
                condition=models.Q(status="finished"),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="match_result_when_finished",
                condition=models.Q(status="finished") ^ models.Q(result=""),
            ),
        ]

    # Put there for a page: whether anything was done to its clocks that was no ply; see seating.py.
    adjusted: bool

    def __str__(self) -> str:
        return _("match %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        return reverse("play:match", args=[self.pk])

    @property
    def rules(self) -> Ruleset:
        """The rule system with this match's switches."""
        return registry.ruleset(self.preset, self.switches)

    @property
    def is_live(self) -> bool:
        return self.status in Status.live()

    @property
    def waits_for_claim(self) -> bool:
        """Whether time that is up ends it only when the opponent says so; a set-up never waits."""
        return self.soft and self.status == Status.RUNNING

    @property
    def ended_by_time(self) -> bool:
        """The clock alone ended it, so that a wrong clock is reason enough to take that back."""
        words = {Status.FINISHED: "time", Status.CANCELLED: NO_SHOW}
        return words.get(Status(self.status)) == self.reason

    @property
    def opens_at(self) -> datetime | None:
        """When both armies are everybody's to see (docs/secrecy.md); None if not, or never."""
        if self.finished_at is None or self.status != Status.FINISHED:
            return None
        return self.finished_at + APPEAL if self.ended_by_time else self.finished_at

    def is_open(self, at: datetime) -> bool:
        """Whether both armies are everybody's to see at that instant."""
        return self.opens_at is not None and self.opens_at <= at

    def budget(self) -> clock.TimeControl:
        """What the next action may take: the set-up's pace before play, the match's own after."""
        return clock.parse(self.setup_pace if self.status == Status.SETUP else self.pace)


class Player(models.Model):
    """A person in a seat, with whether the match waits for them and until when."""

    # No index of their own: the ones below begin with them, and each is paid for with every move.
    match = models.ForeignKey(
        Match, models.CASCADE, related_name="players", db_index=False, verbose_name=_("match")
    )
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("user"),
    )
    seat = models.SmallIntegerField(_("seat"), choices=SEATS)
    to_act = models.BooleanField(_("to act"), default=False)
    # The clock, written by clocks.py alone; see clock.py for what it says.
    bank = models.DurationField(_("time in the bank"), null=True, blank=True)  # when it last stood
    since = models.DateTimeField(_("clock runs since"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    check_at = models.DateTimeField(_("to be looked at"), null=True, blank=True)  # by the sweep
    wound = models.PositiveIntegerField(default=0)  # how often it was set: the guard of each write
    # Copied from the match: whoever has played for years has few that are live, and they are found.
    live = models.BooleanField(default=True, editable=False)
    # An ending stays among the things that wait for a player until they have looked at it.
    unseen = models.BooleanField(_("result not seen yet"), default=False)

    class Meta:
        verbose_name = _("player")
        verbose_name_plural = _("players")
        constraints = [
            models.UniqueConstraint("match", "seat", name="player_one_to_a_seat"),
        ]
        indexes = [
            models.Index(
                fields=["check_at"],
                name="player_check",
                condition=models.Q(check_at__isnull=False),
            ),
            models.Index(
                fields=["user", "deadline"], name="player_waiting", condition=models.Q(to_act=True)
            ),
            models.Index(fields=["user"], name="player_unseen", condition=models.Q(unseen=True)),
            models.Index(
                fields=["user", "-match"], name="player_live", condition=models.Q(live=True)
            ),
            # For whoever asks for all of them: the archive, and the office's search by handle.
            models.Index(fields=["user", "-match"], name="player_matches"),
        ]

    # Put there by lists that show both sides of a match, see overview.py.
    opponent: Player
    # Put there for the reader of a page, see seating.py.
    waiting: int  # matches in which they are to act
    drafted: bool  # they keep a draft for this one

    def __str__(self) -> str:
        return str(self.user)

    def seat_name(self) -> str:
        return self.match.rules.seat_names[self.seat]


def by_seat(match: Match) -> dict[Seat, Player]:
    """The players of a match by seat; one query, users included."""
    players: Any = match.players.select_related("user")
    return {Seat(player.seat): player for player in players}
