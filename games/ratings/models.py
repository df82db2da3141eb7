"""Models of ratings: the units of each family in their order, and the ratings that follow."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils.translation import gettext_lazy as _

from games.play.models.match import Match
from games.ratings.glicko.formula import MAX_DEVIATION, START, START_VOLATILITY, State


class HowEnded(models.TextChoices):
    """How a unit ended."""

    BOARD = "board", _("on the board")
    RESIGN = "resign", _("by resignation")
    DRAW = "draw", _("by agreement")
    TIME = "time", _("on time")


class WhyNot(models.TextChoices):
    """Why a unit does not count, in the order in which the reasons are tried."""

    STAFF = "staff", _("taken out by a moderator")
    VOID = "void", _("without a result")
    SHORT = "short", _("too short")
    ABSENCE = "absence", _("one of many losses on time of somebody who was away")
    PAIR = "pair", _("more than three of the same two players within 30 days")


class Unit(models.Model):
    """A rated match or set of two that is final, with its number in the order of its family.

    Ratings are a function of these rows. A unit that goes on again loses its row, and gets a new
    number at its next end.
    """

    family = models.CharField(_("game"), max_length=20)
    number = models.PositiveIntegerField(_("number"))
    match = models.OneToOneField(
        Match, models.CASCADE, related_name="+", verbose_name=_("match")
    )  # of a set the one with the lower number
    south = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("South of the first match"),
    )
    north = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.PROTECT,
        related_name="+",
        db_index=False,
        verbose_name=_("North of the first match"),
    )
    finished_at = models.DateTimeField(_("ended at"))
    final_at = models.DateTimeField(_("final since"))
    # South's score in quarters, 0 to 4; null: without a result.
    quarters = models.PositiveSmallIntegerField(_("South's score, in quarters"), null=True)
    least_turns = models.PositiveIntegerField(_("turns of the side with fewer"))
    how = models.CharField(_("how it ended"), max_length=10, choices=HowEnded.choices, blank=True)
    loser_last_ply_at = models.DateTimeField(_("the loser's last move before"), null=True)
    taken_out = models.BooleanField(_("taken out"), default=False)
    taken_out_reason = models.CharField(_("reason"), max_length=200, blank=True)
    why = models.CharField(_("does not count"), max_length=10, choices=WhyNot.choices, blank=True)
    # The states around it, those before aged to its final instant; null if it does not count.
    south_before = models.FloatField(null=True)
    south_before_deviation = models.FloatField(null=True)
    south_before_volatility = models.FloatField(null=True)
    south_after = models.FloatField(null=True)
    south_after_deviation = models.FloatField(null=True)
    south_after_volatility = models.FloatField(null=True)
    north_before = models.FloatField(null=True)
    north_before_deviation = models.FloatField(null=True)
    north_before_volatility = models.FloatField(null=True)
    north_after = models.FloatField(null=True)
    north_after_deviation = models.FloatField(null=True)
    north_after_volatility = models.FloatField(null=True)

    class Meta:
        verbose_name = _("rated result")
        verbose_name_plural = _("rated results")
        permissions = [("rate_unit", "Can take units out of the ratings and put them back")]
        constraints = [
            models.UniqueConstraint("family", "number", name="unit_number"),
        ]
        indexes = [
            models.Index(fields=["south", "family", "-number"], name="unit_of_south"),
            models.Index(fields=["north", "family", "-number"], name="unit_of_north"),
        ]

    def __str__(self) -> str:
        return f"{self.family} {self.number}"

    @property
    def counted(self) -> bool:
        """Whether it counts for ratings."""
        return not self.why


class FinalUnit(models.Model):
    """A rated unit that is final and waits for its number."""

    match = models.OneToOneField(Match, models.CASCADE, primary_key=True, related_name="+")
    final_at = models.DateTimeField(db_index=True)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"match {self.match_id}"


class Family(models.Model):
    """How far the units of a family are numbered, and what of it is to be rated again."""

    family = models.CharField(_("game"), max_length=20, unique=True)
    # Of the newest unit, even if it lost its number since.
    last_number = models.PositiveIntegerField(_("newest number"), default=0)
    last_final_at = models.DateTimeField(_("final since"), null=True)
    # The ratings are to be computed again from this number on; null: nothing was corrected.
    replay_from = models.PositiveIntegerField(_("to be computed again from"), null=True)

    class Meta:
        verbose_name = _("game's ratings")
        verbose_name_plural = _("ratings by game")
        default_permissions = ("view",)
        permissions = [("recompute_family", "Can compute the ratings of a game again")]

    def __str__(self) -> str:
        return f"{self.family}: {self.last_number}"


class Rating(models.Model):
    """A player's rating in one family, after their last counted unit."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("player"),
    )
    family = models.CharField(_("game"), max_length=20)
    rating = models.FloatField(_("rating"), default=START)
    deviation = models.FloatField(_("deviation"), default=MAX_DEVIATION)
    volatility = models.FloatField(_("volatility"), default=START_VOLATILITY)
    last_at = models.DateTimeField(_("last counted"))
    counted = models.PositiveIntegerField(_("counted"), default=0)
    # Until when the leader table lists it, if nothing more counts; null: not at all.
    leads_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        verbose_name = _("rating")
        verbose_name_plural = _("ratings")
        constraints = [
            models.UniqueConstraint("user", "family", name="rating_one_in_a_family"),
        ]
        indexes = [
            # The leader table reads from the best downwards.
            models.Index(
                fields=["family", "-rating", "user"],
                name="rating_leaders",
                condition=models.Q(leads_until__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.family}: {self.rating:.0f}"

    @property
    def state(self) -> State:
        """The state after the last counted unit."""
        return State(self.rating, self.deviation, self.volatility)
