"""Models of ladders: the ladder of a game, its members and their places, challenges, the log."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from django.conf import settings
from django.db import models
from django.db.models import F, Max, Q
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from games.play.models.match import Match
from games.play.models.terms_columns import TermsColumns
from games.play.terms import Terms
from games.rules import registry

if TYPE_CHECKING:
    from accounts.models import User


class Going(models.TextChoices):
    """Why a member is to leave a ladder once their running challenges are final."""

    LEFT = "left", _("left")
    MISSED = "missed", _("missed two matches")
    IDLE = "idle", _("did not play for long")
    CLOSED = "closed", _("account closed")


class Why(models.TextChoices):
    """Why a place changed."""

    JOINED = "joined", _("joined")
    WON = "won", _("won a challenge")
    LEFT = "left", _("left")
    MISSED = "missed", _("missed two matches")
    IDLE = "idle", _("did not play for long")
    CLOSED = "closed", _("account closed")


class Ladder(TermsColumns):
    """The ladder of a game, with the terms of its matches."""

    family = models.CharField(_("game"), max_length=20, unique=True, editable=False)
    opened_at = models.DateTimeField(_("opened at"), editable=False)

    class Meta:
        verbose_name = _("ladder")
        verbose_name_plural = _("ladders")
        default_permissions = ("view", "add", "change")

    def __str__(self) -> str:
        return gettext("ladder of %(game)s") % {"game": self.title}

    def get_absolute_url(self) -> str:
        return reverse("ladders:ladder", args=[self.family])

    @property
    def event_key(self) -> str:
        """Match.event of its matches."""
        return f"ladder/{self.family}"

    @property
    def title(self) -> str:
        """The name of the game, translated."""
        return gettext(registry.title(self.family))

    @property
    def terms(self) -> Terms:
        """The terms of its matches; games that are usually played in sets of two are so here."""
        return replace(super().terms, as_set=self.rules.sets)


class Member(models.Model):
    """A player on a ladder. Places are 1 to the number of members, 1 the best.

    No constraint makes places unique, since one statement moves many of them by one; they change
    under the lock on the ladder's row alone.
    """

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="members", db_index=False)
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.PROTECT, related_name="+")
    place = models.PositiveIntegerField()
    joined_at = models.DateTimeField()
    # Blank: they stay. Else they take no new challenges, and leave when the running ones are final.
    going = models.CharField(max_length=10, choices=Going.choices, blank=True)
    # When to look next whether they still play; see departures.py.
    check_at = models.DateTimeField()
    # How often they were warned, and since when they had not played at the last warning.
    warnings = models.PositiveSmallIntegerField(default=0)
    warned_since = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        constraints = [models.UniqueConstraint("ladder", "user", name="ladder_member_once")]
        indexes = [
            models.Index(fields=["ladder", "place"], name="ladder_places"),
            models.Index(fields=["check_at"], name="ladder_check", condition=Q(going="")),
            models.Index(fields=["ladder"], name="ladder_going", condition=~Q(going="")),
        ]

    if TYPE_CHECKING:
        user: models.ForeignKey[User, User]  # type: ignore[no-redef]

    def __str__(self) -> str:
        return f"{self.ladder.family} {self.place}"

    @classmethod
    def last_place(cls, ladder: Ladder) -> int:
        """The number of members of a ladder, read from the index instead of counted."""
        return cls.objects.filter(ladder=ladder).aggregate(last=Max("place"))["last"] or 0


class Challenge(models.Model):
    """A challenge on a ladder with its match, of a set the one with the lower number.

    It is running until its result has been applied to the places (`settled_at`).
    """

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="+", db_index=False)
    match = models.OneToOneField(Match, models.CASCADE, related_name="+")
    challenger = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    challenged = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    opened_at = models.DateTimeField()
    # When the last of its matches became final; null until then.
    final_at = models.DateTimeField(null=True)
    settled_at = models.DateTimeField(null=True)
    # Who lost a match of it on time, or did not set up.
    challenger_missed = models.BooleanField(default=False)
    challenged_missed = models.BooleanField(default=False)

    class Meta:
        default_permissions = ()
        constraints = [
            models.CheckConstraint(
                name="ladder_challenge_somebody_else", condition=~Q(challenger=F("challenged"))
            ),
        ]
        indexes = [
            models.Index(fields=["challenger", "ladder", "-final_at"], name="ladder_challenger"),
            models.Index(fields=["challenged", "ladder", "-final_at"], name="ladder_challenged"),
            models.Index(
                fields=["challenger"], name="ladder_out", condition=Q(settled_at__isnull=True)
            ),
            models.Index(
                fields=["challenged"], name="ladder_in", condition=Q(settled_at__isnull=True)
            ),
            models.Index(
                fields=["ladder", "final_at", "match"],
                name="ladder_to_settle",
                condition=Q(settled_at__isnull=True, final_at__isnull=False),
            ),
        ]

    if TYPE_CHECKING:
        challenger: models.ForeignKey[User, User]  # type: ignore[no-redef]
        challenged: models.ForeignKey[User, User]  # type: ignore[no-redef]

    def __str__(self) -> str:
        return f"challenge in match {self.match_id}"


class Change(models.Model):
    """An entry of a ladder's log. All others follow from it: who stands between moves by one."""

    ladder = models.ForeignKey(Ladder, models.CASCADE, related_name="+", db_index=False)
    at = models.DateTimeField()
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, models.PROTECT, related_name="+", db_index=False
    )
    from_place = models.PositiveIntegerField(null=True)  # null: was not on the ladder
    to_place = models.PositiveIntegerField(null=True)  # null: is not on it any more
    why = models.CharField(max_length=10, choices=Why.choices)
    # The match of the challenge that was won.
    match = models.ForeignKey(Match, models.SET_NULL, null=True, related_name="+")

    class Meta:
        default_permissions = ()
        indexes = [
            models.Index(fields=["ladder", "-id"], name="ladder_log"),
            models.Index(fields=["user", "ladder", "-id"], name="ladder_log_of_player"),
        ]

    if TYPE_CHECKING:
        user: models.ForeignKey[User, User]  # type: ignore[no-redef]

    def __str__(self) -> str:
        return f"{self.why} #{self.pk}"
