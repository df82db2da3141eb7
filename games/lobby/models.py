"""Invitation model: an open seat, a challenge or a private link, and its state."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import Count, Exists, F, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce, Now
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.people.blocking import blocks
from games.people.standing import limits
from games.play.models.match import SEATS, Match
from games.play.models.sealed import PURPOSE
from games.play.models.terms_columns import TermsColumns
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now_expression
from lib.sealed_fields import SealedField

if TYPE_CHECKING:
    from accounts.models import User

INVITATION_LIFETIME = timedelta(days=14)
EXPIRY_WARNING = timedelta(days=3)  # how long before expiry the owner is notified

Reader = AbstractBaseUser | AnonymousUser


class InvitationKind(models.TextChoices):
    """Who may accept: anyone, one player, or anyone with the link."""

    SEAT = "seat", _("open seat")
    CHALLENGE = "challenge", _("challenge")
    LINK = "link", _("private link")


class InvitationStatus(models.TextChoices):
    """The state of an invitation."""

    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


OPEN = Q(status=InvitationStatus.OPEN)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    """Lists of invitations for one reader."""

    def live(self) -> InvitationQuerySet:
        """Invitations that can be accepted now, newest first; excludes deactivated owners."""
        return self.filter(OPEN, expires_at__gt=now_expression(), owner__is_active=True).order_by(
            "-pk"
        )

    def seats_for(self, reader: Reader) -> InvitationQuerySet:
        """Open seats that others offer.

        Without those of players who are kept apart by a block, and the rated ones of owners who are
        barred.
        """
        listed = self.live().filter(kind=InvitationKind.SEAT)
        seats: InvitationQuerySet = limits.without_barred(listed, "owner", Q(rated=True))
        if not reader.pk:
            return seats
        return seats.exclude(owner=reader.pk).filter(blocks.not_apart(reader.pk, "owner"))

    def of_game(self, family: str) -> InvitationQuerySet:
        """Invitations to any edition of one system."""
        return self.filter(preset__in=[rules.key for rules in registry.games[family]])

    def offered_by(self, reader: Reader) -> InvitationQuerySet:
        """The reader's own invitations, at most commands.MAX_OPEN_INVITATIONS."""
        return self.live().filter(owner=reader.pk) if reader.pk else self.none()

    def ended_at_the_limit(self, reader: Reader) -> InvitationQuerySet:
        """The reader's standing seats that were not offered again lately, newest first.

        Since the reader played as many matches as they may.
        """
        if not reader.pk:
            return self.none()
        first = Coalesce(OuterRef("repeat_of"), OuterRef("pk"))
        again = Invitation.objects.filter(repeat_of=first, pk__gt=OuterRef("pk"))
        since = now_expression() - INVITATION_LIFETIME
        ended = self.filter(~Exists(again), owner=reader.pk, status=InvitationStatus.ACCEPTED)
        return ended.filter(repeats__gt=0, closed_at__gt=since).order_by("-pk")

    def challenges_to(self, reader: Reader) -> InvitationQuerySet:
        """The challenges to the reader."""
        return self.live().filter(guest=reader.pk) if reader.pk else self.none()


class Invitation(TermsColumns):
    """An invitation to a match, or to a set of two, with its terms."""

    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("from"),
    )
    # The challenged player; for other kinds, the player who accepted.
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("to"),
    )
    kind = models.CharField(_("kind"), max_length=10, choices=InvitationKind.choices)
    status = models.CharField(
        _("status"), max_length=10, choices=InvitationStatus.choices, default=InvitationStatus.OPEN
    )
    # These two terms have no column in Match.
    seat = models.SmallIntegerField(_("seat"), choices=SEATS, null=True, blank=True)
    as_set = models.BooleanField(_("a set of two"), default=False)
    note = models.CharField(_("message"), max_length=200, blank=True)
    # Of a game with a deal: a seed for each match, sealed until its match is over; what shows
    # that they were not changed, parted by blanks; and the owner's words, see docs/proofs.md.
    seeds = SealedField(
        label="seeds of deals",
        purpose=PURPOSE,
        context="seeds/{commitments}",
        null=True,
        editable=False,
    )
    commitments = models.CharField(
        max_length=129, blank=True, default="", db_default="", editable=False
    )
    words = models.CharField(
        _("words for the deal"), max_length=100, blank=True, default="", db_default=""
    )
    # Conditions of an open seat or a private link (games/lobby/invitations/conditions.py); null, 0
    # or false: none.
    rating_from = models.PositiveSmallIntegerField(_("rating from"), null=True, blank=True)
    rating_to = models.PositiveSmallIntegerField(_("rating to"), null=True, blank=True)
    established = models.BooleanField(_("established rating"), default=False, db_default=False)
    min_finished = models.PositiveSmallIntegerField(
        _("finished matches, at least"), default=0, db_default=0
    )
    reliable = models.BooleanField(_("nothing missed in 90 days"), default=False, db_default=False)
    # A standing seat: how often it is offered again after it was accepted.
    repeats = models.PositiveSmallIntegerField(_("offered again"), default=0, db_default=0)
    # The first of the standing seats that this one continues.
    repeat_of = models.ForeignKey(
        "self",
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("offered again from"),
    )
    rematch_of = models.ForeignKey(
        Match,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("rematch of"),
    )
    match = models.OneToOneField(
        Match,
        models.SET_NULL,
        null=True,
        blank=True,
        related_name="+",
        verbose_name=_("match"),
    )
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("open until"))
    # When the warning before expiry is due; null after it was published.
    warn_at = models.DateTimeField(_("reminder due"), null=True, blank=True)
    # How often it was prolonged. Part of the warning's key, so that there is a warning each time.
    prolonged = models.PositiveSmallIntegerField(_("extended"), default=0)
    closed_at = models.DateTimeField(_("closed at"), null=True, blank=True)

    objects: ClassVar[Any] = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        permissions = [("withdraw_invitation", "Can withdraw invitations of others")]
        indexes = [
            models.Index(
                fields=["-id"],
                name="invitation_seats",
                condition=OPEN & Q(kind=InvitationKind.SEAT),
            ),
            # Someone of my strength: one edition and time control, the oldest seats first.
            models.Index(
                fields=["preset", "pace", "id"],
                name="invitation_seats_alike",
                condition=OPEN & Q(kind=InvitationKind.SEAT),
            ),
            models.Index(fields=["owner", "-created_at"], name="invitation_from"),
            # Not only open invitations: deleting a user has to find the others as well.
            models.Index(
                fields=["guest", "status"],
                name="invitation_to",
                condition=Q(guest__isnull=False),
            ),
            # The limits of challenges to one player.
            models.Index(
                fields=["guest", "-created_at"],
                name="invitation_to_lately",
                condition=Q(guest__isnull=False),
            ),
            models.Index(fields=["expires_at"], name="invitation_due", condition=OPEN),
            models.Index(
                fields=["repeat_of"],
                name="invitation_repeats",
                condition=Q(repeat_of__isnull=False),
            ),
            models.Index(
                fields=["warn_at"],
                name="invitation_warn",
                condition=OPEN & Q(warn_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="invitation_challenge_has_guest",
                condition=~Q(kind=InvitationKind.CHALLENGE) | Q(guest__isnull=False),
            ),
            models.CheckConstraint(
                name="invitation_for_somebody_else",
                condition=Q(guest__isnull=True) | ~Q(guest=F("owner")),
            ),
            models.UniqueConstraint(
                fields=["rematch_of"],
                name="invitation_one_rematch",
                condition=Q(status__in=[InvitationStatus.OPEN, InvitationStatus.ACCEPTED]),
            ),
        ]

    if TYPE_CHECKING:
        owner: models.ForeignKey[User, User]  # type: ignore[no-redef]
        guest: models.ForeignKey[User | None, User | None]  # type: ignore[no-redef]

    def __str__(self) -> str:
        return _("invitation %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        return reverse("lobby:detail", args=[self.pk])

    def is_live(self, at: datetime) -> bool:
        """Whether it can be accepted at an instant."""
        return (
            self.status == InvitationStatus.OPEN and self.expires_at > at and self.owner.is_active
        )

    def is_readable_by(self, reader: Reader, *, by_link: bool = False) -> bool:
        """Whether this reader may see it; `by_link`: they have opened the private link.

        For a reader whom a block keeps apart from its owner, it does not exist.
        """
        if reader.pk is not None and reader.pk in (self.owner_id, self.guest_id):
            return True
        if self.kind != InvitationKind.SEAT and not (self.kind == InvitationKind.LINK and by_link):
            return False
        return reader.pk is None or not blocks.is_blocked(reader.pk, self.owner_id)

    @property
    def became_friendly(self) -> bool:
        """Whether it is the rematch of a rated match and could not be rated as well."""
        of = self.rematch_of
        return of is not None and of.rated and not self.rated

    @property
    def guest_seat(self) -> Seat | None:
        """The seat of the player who accepts; None: drawn by lot."""
        return None if self.seat is None else Seat(self.seat).other

    def owner_sits(self) -> str:
        """The owner's seat, translated."""
        return self._seat_name(None if self.seat is None else Seat(self.seat))

    def guest_sits(self) -> str:
        """The guest's seat, translated."""
        return self._seat_name(self.guest_seat)

    def _seat_name(self, seat: Seat | None) -> str:
        if self.as_set:
            return str(_("each side once"))
        return str(_("random") if seat is None else _(self.rules.seat_names[seat]))


def challenges_column(user: str) -> models.Expression:
    """The number of open challenges to a user, as a column; `user` is the query's user id."""
    # By the database's clock even in tests that freeze time: the query is compiled once.
    live = Invitation.objects.filter(
        OPEN, guest=OuterRef(user), expires_at__gt=Now(), owner__is_active=True
    )
    count = live.order_by().values("guest").values(count=Count("pk"))
    return Coalesce(Subquery(count), 0)
