"""Invitations: matches that are still looking for their second player, and what became of them."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, ClassVar

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.db import models
from django.db.models import F, Q
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from games.play.models.match import SEATS, Match
from games.relay.moment import present
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.ruleset import Ruleset

if TYPE_CHECKING:
    from accounts.models import User

LIFE = timedelta(days=14)
WARNING = timedelta(days=3)  # so long before the end its owner is told

Reader = AbstractBaseUser | AnonymousUser


class Kind(models.TextChoices):
    SEAT = "seat", _("open seat")
    CHALLENGE = "challenge", _("challenge")
    LINK = "link", _("private link")


class Status(models.TextChoices):
    OPEN = "open", _("open")
    ACCEPTED = "accepted", _("accepted")
    DECLINED = "declined", _("declined")
    WITHDRAWN = "withdrawn", _("withdrawn")
    EXPIRED = "expired", _("expired")


OPEN = Q(status=Status.OPEN)


class InvitationQuerySet(models.QuerySet["Invitation"]):
    def live(self) -> InvitationQuerySet:
        """Those that can be accepted now, newest first; nobody waits for who cannot play."""
        return self.filter(OPEN, expires_at__gt=present(), owner__is_active=True).order_by("-pk")

    def seats_for(self, reader: Reader) -> InvitationQuerySet:
        """The open seats that others offer."""
        seats = self.live().filter(kind=Kind.SEAT)
        return seats.exclude(owner=reader.pk) if reader.pk else seats

    def of_game(self, family: str) -> InvitationQuerySet:
        """Those to a match by any edition of one game."""
        return self.filter(preset__in=[rules.key for rules in registry.systems[family]])

    def offered_by(self, reader: Reader) -> InvitationQuerySet:
        """The reader's own offers; as many as commands.LIMIT at most."""
        return self.live().filter(owner=reader.pk) if reader.pk else self.none()

    def challenges_to(self, reader: Reader) -> InvitationQuerySet:
        """The challenges that wait for the reader's answer."""
        return self.live().filter(guest=reader.pk) if reader.pk else self.none()


class Invitation(models.Model):
    owner = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        related_name="+",
        db_index=False,
        verbose_name=_("from"),
    )
    # Whom a challenge is for; of the other kinds, who has accepted.
    guest = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        models.CASCADE,
        null=True,
        blank=True,
        related_name="+",
        db_index=False,
        verbose_name=_("to"),
    )
    kind = models.CharField(_("kind"), max_length=10, choices=Kind.choices)
    status = models.CharField(
        _("status"), max_length=10, choices=Status.choices, default=Status.OPEN
    )
    preset = models.CharField(_("rules"), max_length=40)  # a key of games.rules.registry
    switches = models.JSONField(_("switches"), default=dict, blank=True)
    # Where the owner sits; none: by lot.
    seat = models.SmallIntegerField(_("seat"), choices=SEATS, null=True, blank=True)
    # Two matches at once with sides swapped, see games/play/sets.py; `seat` is then of the first.
    as_set = models.BooleanField(_("a set of two"), default=False)
    pace = models.CharField(_("pace"), max_length=20)  # see games/play/clock.py
    setup_pace = models.CharField(_("pace of the set-up"), max_length=20)
    soft = models.BooleanField(_("soft time-out"), default=False)  # see play's Match
    vacations = models.BooleanField(_("vacations count"), default=False)
    note = models.CharField(_("note"), max_length=200, blank=True)
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
    created_at = models.DateTimeField(_("offered at"))
    expires_at = models.DateTimeField(_("open until"))
    # The instant at which the warning is due; cleared when it is posted.
    warn_at = models.DateTimeField(_("warning due"), null=True, blank=True)
    # How often it was kept open for longer. Each time has a warning of its own.
    prolonged = models.PositiveSmallIntegerField(_("prolonged"), default=0)
    settled_at = models.DateTimeField(_("settled at"), null=True, blank=True)

    objects: ClassVar[Any] = InvitationQuerySet.as_manager()

    class Meta:
        verbose_name = _("invitation")
        verbose_name_plural = _("invitations")
        indexes = [
            models.Index(
                fields=["-id"], name="invitation_seats", condition=OPEN & Q(kind=Kind.SEAT)
            ),
            models.Index(fields=["owner", "-created_at"], name="invitation_from"),
            models.Index(fields=["guest"], name="invitation_to", condition=OPEN),
            models.Index(fields=["expires_at"], name="invitation_due", condition=OPEN),
            models.Index(
                fields=["warn_at"],
                name="invitation_warn",
                condition=OPEN & Q(warn_at__isnull=False),
            ),
        ]
        constraints = [
            models.CheckConstraint(
                name="invitation_challenge_has_guest",
                condition=~Q(kind=Kind.CHALLENGE) | Q(guest__isnull=False),
            ),
            models.CheckConstraint(
                name="invitation_for_somebody_else",
                condition=Q(guest__isnull=True) | ~Q(guest=F("owner")),
            ),
            models.UniqueConstraint(
                fields=["rematch_of"],
                name="invitation_one_rematch",
                condition=Q(status__in=[Status.OPEN, Status.ACCEPTED]),
            ),
        ]

    if TYPE_CHECKING:
        owner: models.ForeignKey[User, User]  # type: ignore[no-redef]
        guest: models.ForeignKey[User | None, User | None]  # type: ignore[no-redef]

    def __str__(self) -> str:
        return _("invitation %(number)s") % {"number": self.pk}

    def get_absolute_url(self) -> str:
        return reverse("lobby:detail", args=[self.pk])

    @property
    def rules(self) -> Ruleset:
        """The rule system with this invitation's switches."""
        return registry.ruleset(self.preset, self.switches)

    def is_live(self, at: datetime) -> bool:
        """Whether it can be accepted at that instant."""
        return self.status == Status.OPEN and self.expires_at > at and self.owner.is_active

    def is_readable_by(self, reader: Reader, *, by_link: bool = False) -> bool:
        """Whether this reader may know of it; `by_link`: they hold the private link."""
        if self.kind == Kind.SEAT:
            return True
        if reader.pk is not None and reader.pk in (self.owner_id, self.guest_id):
            return True
        return self.kind == Kind.LINK and by_link

    @property
    def guest_seat(self) -> Seat | None:
        """Where whoever accepts will sit; none: by lot."""
        return None if self.seat is None else Seat(self.seat).other

    def owner_sits(self) -> str:
        """The owner's seat in words."""
        return self._seat_name(None if self.seat is None else Seat(self.seat))

    def guest_sits(self) -> str:
        """The other seat in words."""
        return self._seat_name(self.guest_seat)

    def _seat_name(self, seat: Seat | None) -> str:
        if self.as_set:
            return str(_("each side once"))
        return str(_("by lot") if seat is None else _(self.rules.seat_names[seat]))
