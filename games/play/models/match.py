"""Match and Player models: the public state of a match, without its board.

Nothing here depends on a hidden rank, so every list, feed and admin page may be built from it.
"""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.db import models
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.play import time_controls
from games.play.models.terms_columns import TermsColumns
from games.play.terms import Terms
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.termination import OffBoardTermination, Termination
from lib.database.compared_booleans import ComparedBooleanField

SEATS = [(Seat.SOUTH.value, _("South")), (Seat.NORTH.value, _("North"))]

MAX_REASON_CHARACTERS = 200  # characters of the reason that an administrator gives

# How long an ending on time can be undone. The armies stay hidden until then, since the match may
# go on.
APPEAL_PERIOD = timedelta(hours=48)


class ServiceTermination(Termination):
    """Endings before the first move, without a result, which game records do not list."""

    ABORTED = "aborted"
    NO_SHOW = "no set-up in time"


class Status(models.TextChoices):
    """The state of a match."""

    SETUP = "setup", _("set-up")
    RUNNING = "running", _("running")
    FINISHED = "finished", _("finished")
    # Ended without a result and unrated: aborted before the first move, or a player did not set up.
    CANCELLED = "cancelled", _("aborted")
    # Ended without a result by an administrator.
    VOID = "void", _("no result")

    @classmethod
    def live(cls) -> tuple[Status, Status]:
        """The states of matches that are not over."""
        return (cls.SETUP, cls.RUNNING)


ENDED_BY_TIME = (
    (Status.FINISHED, OffBoardTermination.TIME),
    (Status.CANCELLED, ServiceTermination.NO_SHOW),
)


class Match(TermsColumns):
    """A match of two players: its terms, status, result and offers."""

    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.SETUP
    )
    result = models.CharField(_("result"), max_length=4, blank=True)  # S, N, O, draw
    # The value of a Termination; for a void match the administrator's sentence.
    reason = models.CharField(_("reason"), max_length=MAX_REASON_CHARACTERS, blank=True)
    ply = models.PositiveIntegerField(_("newest ply"), default=0)
    # The ply that completed the set-ups; the first move is the next one.
    opening = models.PositiveSmallIntegerField(_("opening ply"), null=True, blank=True)
    # The number of plies since then that were not turns: resignations, endings on time, reversals.
    off_board = models.PositiveSmallIntegerField(default=0, editable=False)
    # How often staff have looked at both armies, and how many of the newest plies are such looks.
    looks = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    newest_looks = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    draw_offer = models.SmallIntegerField(
        _("draw offered by"), choices=SEATS, null=True, blank=True
    )
    # Number of offers: a ply may have several, of draws and pauses, each with its notification.
    draws_offered = models.PositiveSmallIntegerField(default=0, editable=False)
    pauses_offered = models.PositiveSmallIntegerField(default=0, editable=False)
    rematch_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="rematches",
        verbose_name=_("rematch of"),
    )
    # The other match of a set of two: the same players with sides swapped, see words/sets.py.
    twin = models.OneToOneField(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("other match of the set"),
    )
    pause_offer = models.SmallIntegerField(
        _("pause offered by"), choices=SEATS, null=True, blank=True
    )
    # When its clocks were stopped by agreement.
    paused_at = models.DateTimeField(_("paused since"), null=True, blank=True)
    created_at = models.DateTimeField(_("opened at"))
    finished_at = models.DateTimeField(_("ended at"), null=True, blank=True)
    # The seats that aborted it or did not set up in time, each as its digit.
    forfeited_by = models.CharField(
        max_length=2, blank=True, default="", db_default="", editable=False
    )
    # The ladder or tournament that opened it, such as "tournament/7"; "" for none.
    event = models.CharField(max_length=40, blank=True, default="", db_default="", editable=False)
    # The version of its hash chain: 1 without proofs, 2 with them. The database's default is that
    # of an older version of the service, which may still run during an upgrade.
    chain = models.PositiveSmallIntegerField(default=2, db_default=1, editable=False)
    # Its result can no longer be taken back by a moderator's reversal, see commands/finality.py.
    is_final = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        verbose_name = _("match")
        verbose_name_plural = _("matches")
        permissions = [("moderate_match", "Can extend, end and reopen matches of others")]
        indexes = [
            models.Index(
                fields=["finished_at", "id"],
                name="match_finished",
                condition=models.Q(status="finished"),
            ),
            models.Index(
                fields=["finished_at", "id"],
                name="match_not_final",
                condition=models.Q(is_final=False, finished_at__isnull=False),
            ),
            # For the list of those that may be watched: most matches are over.
            models.Index(
                fields=["-id"],
                name="match_listed",
                condition=models.Q(status="running", listed=True),
            ),
            # For counting: most matches are over.
            models.Index(
                fields=["id"],
                name="match_live",
                condition=models.Q(finished_at__isnull=True),
            ),
            # For the archive filtered by rules: some are played once in a thousand matches.
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

    # Set by match_queries.py for a page: whether the adjustment log has entries.
    adjusted: bool

    def __str__(self) -> str:
        return _("match %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        return reverse("play:match", args=[self.pk])

    @property
    def terms(self) -> Terms:
        """The terms on which it was opened; without a seat, since each player may offer them."""
        return replace(super().terms, as_set=self.twin_id is not None)

    @property
    def turn_ply(self) -> int:
        """The newest ply that is no look: that with which the turn began."""
        return self.ply - self.newest_looks

    def is_at(self, ply: int | None) -> bool:
        """Whether an action that was meant for this ply still counts: since it only looks came."""
        return ply is not None and self.turn_ply <= ply <= self.ply

    @property
    def unplayed(self) -> bool:
        """Whether the first move has not been played yet."""
        return self.opening is None or self.ply - self.off_board == self.opening

    @property
    def has_pauses(self) -> bool:
        """Whether its players may agree on pauses; in a tournament others wait for the result."""
        return not self.event.startswith("tournament/")

    @property
    def is_live(self) -> bool:
        """Whether the match is not over."""
        return self.status in Status.live()

    @property
    def version(self) -> str:
        """An ETag of the public state that pages show; changes whenever they have something new."""
        values = (
            self.ply,
            self.status,
            self.draw_offer,
            self.draws_offered,
            self.pause_offer,
            self.pauses_offered,
            self.paused_at,
        )
        return sha256(repr(values).encode()).hexdigest()[:16]

    def version_for(self, player: Player | None) -> str:
        """As `version`; for a player of the match it changes with their talk too."""
        if player is None or not player.talk_lines:
            return self.version
        return sha256(f"{self.version} {player.talk_lines}".encode()).hexdigest()[:16]

    @property
    def waits_for_claim(self) -> bool:
        """Whether a time-out ends it only when the opponent claims the win; never during set-up."""
        return self.soft and self.status == Status.RUNNING

    @property
    def may_have_rematch(self) -> bool:
        """Whether it has a result, and the other match of its set, if there is one, is over."""
        return self.status == Status.FINISHED and not (self.twin and self.twin.is_live)

    @property
    def ended_by_time(self) -> bool:
        """Whether the clock alone ended it, so that an administrator may undo that."""
        return (self.status, self.reason) in ENDED_BY_TIME

    @property
    def opens_at(self) -> datetime | None:
        """When both armies become public (docs/secrecy.md); None if the match is not finished."""
        if self.finished_at is None or self.status != Status.FINISHED:
            return None
        return self.finished_at + APPEAL_PERIOD if self.ended_by_time else self.finished_at

    @property
    def final_at(self) -> datetime | None:
        """When its result is final; None while it is live."""
        if self.finished_at is None:
            return None
        return self.finished_at + APPEAL_PERIOD if self.ended_by_time else self.finished_at

    @property
    def forfeiters(self) -> frozenset[Seat]:
        """The seats that aborted it or did not set up in time."""
        return frozenset(Seat(int(digit)) for digit in self.forfeited_by)

    @property
    def half_points(self) -> BySeat[int]:
        """What each seat has scored in half points: a win 2, a draw 1; nothing while it is live.

        Of a set, a match that was aborted or not set up is lost by the seat that did that; by both
        seats, it is drawn. A match that staff ended without a result scores nothing.
        """
        if self.status == Status.CANCELLED:
            south, north = (seat in self.forfeiters for seat in (Seat.SOUTH, Seat.NORTH))
            return BySeat(1, 1) if south == north else BySeat(2 * north, 2 * south)
        if self.status != Status.FINISHED:
            return BySeat(0, 0)
        if self.result == "draw":
            return BySeat(1, 1)
        winner = Seat(self.rules.seat_letters.index(self.result))
        return BySeat(0, 0).put(winner, 2)

    def is_open(self, at: datetime) -> bool:
        """Whether both armies are public at that instant."""
        return self.opens_at is not None and self.opens_at <= at

    def budget(self) -> time_controls.TimeControl:
        """The time control of the next action: that of the set-up, or that of the match."""
        return time_controls.parse(self.setup_pace if self.status == Status.SETUP else self.pace)


class Player(models.Model):
    """A user in a seat of a match: whether it is their turn, and their clock."""

    # No indexes for the foreign keys: the indexes below begin with them, and each index costs every
    # move.
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
    to_act = ComparedBooleanField(_("to act"), default=False)
    # The clock, written by clocks/running.py only; time_controls.py explains it.
    bank = models.DurationField(
        _("time bank"), null=True, blank=True
    )  # the time left when it last stopped or started
    since = models.DateTimeField(_("clock runs since"), null=True, blank=True)
    deadline = models.DateTimeField(_("deadline"), null=True, blank=True)
    check_at = models.DateTimeField(_("next check"), null=True, blank=True)  # by the sweep
    # The number of times the clock was set. Each write names the version read (optimistic lock).
    clock_version = models.PositiveIntegerField(default=0)
    # The newest ply when this player last offered a draw, and a pause that was not accepted; null:
    # never. Another offer has to wait for some moves (commands/offers.py).
    draw_offered_at = models.PositiveIntegerField(null=True, editable=False)
    pause_offered_at = models.PositiveIntegerField(null=True, editable=False)
    # Copied from the match, for an index: of thousands of a player's matches, few are live
    # (games/people/standing/limits.py).
    live = ComparedBooleanField(default=True, editable=False)
    # Moves that the player made; set-ups and offers are none.
    turns = models.PositiveIntegerField(_("moves made"), default=0, db_default=0, editable=False)
    moved_at = models.DateTimeField(_("last move"), null=True, blank=True, editable=False)
    # When the player lost the match on time, or it ended since they did not set up; resigning
    # before MIN_TURNS turns counts as not setting up. Null otherwise.
    missed_at = models.DateTimeField(_("missed"), null=True, blank=True, editable=False)
    # The deadline that this player missed by that; the clock above is cleared when a match ends.
    # What arrived before it was in time, however late it was read.
    missed_deadline = models.DateTimeField(null=True, editable=False)
    # Lines of talk that this player wrote or was notified of, and how many of the newest by the
    # opponent they have not read. Lines that a block hides count in neither, nor do those that come
    # while they have muted the match; `talk_lines` counts these once they have not.
    talk_lines = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    talk_unread = models.PositiveSmallIntegerField(default=0, db_default=0, editable=False)
    talk_muted = models.BooleanField(default=False, db_default=False, editable=False)
    # Whether an e-mail has brought the receipt of their set-up (docs/proofs.md).
    receipt_sent = models.BooleanField(default=False, db_default=False, editable=False)
    # The match is over and the player has not opened its page since, or since talk came.
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
            models.Index(fields=["user"], name="player_unseen", condition=models.Q(unseen=True)),
            models.Index(
                fields=["user", "missed_at"],
                name="player_missed",
                condition=models.Q(missed_at__isnull=False),
            ),
            models.Index(
                fields=["user"], name="player_talk", condition=models.Q(talk_unread__gt=0)
            ),
            # One index for all lists of a user's matches (on turn, not on turn, over), since each
            # index costs every move twice. Only in live matches is anybody on turn.
            models.Index(fields=["user", "live", "to_act", "-match"], name="player_lists"),
        ]

    # Set by lists that show both sides of a match, see lists/overview.py.
    opponent: Player
    # Set by match_queries.py for the reader of a page.
    waiting: int  # matches in which it is their turn
    challenges: int  # that they have to answer
    drafted: bool  # whether they have a draft in this match
    notebook_row: tuple[Any, ...]  # their notebook as stored, see record/sealed/notebooks.py
    plan_row: tuple[Any, ...]  # the columns of their plan in clear, see record/sealed/plans.py

    def __str__(self) -> str:
        return str(self.user)

    def mark_talk_read(self) -> None:
        """Store that the player has read all talk, unless a line came since this row was read."""
        if self.talk_unread:
            unchanged = Player.objects.filter(pk=self.pk, talk_unread=self.talk_unread)
            unchanged.update(talk_unread=0)

    def seat_name(self) -> str:
        """The name of the seat in this game, untranslated."""
        return self.match.rules.seat_names[self.seat]


def by_seat(match: Match) -> dict[Seat, Player]:
    """The players of a match by seat; one query, users included."""
    players: Any = match.players.select_related("user")
    return {Seat(player.seat): player for player in players}
