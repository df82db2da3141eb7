"""People.

Everything that a page must know of its reader stands in the one row that Django fetches anyway: a
page costs one query for the session and one for the user, whatever the preferences.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any, ClassVar
from zoneinfo import ZoneInfo

from django.conf import settings
from django.contrib.auth.models import AbstractUser, UserManager
from django.core.exceptions import ValidationError
from django.db import models
from django.db.models import Q
from django.db.models.functions import Upper
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from accounts import handles, zones
from accounts.fields import AddressField, HandleKeyField

# For this long, a handle is kept for somebody who has not confirmed an address yet.
PENDING_FOR = timedelta(hours=1)


class PeopleQuerySet(models.QuerySet["User"]):
    def people(self) -> PeopleQuerySet:
        """Those with whom one can play: confirmed and not gone."""
        return self.filter(is_active=True, pending=False)

    def abandoned(self) -> PeopleQuerySet:
        """Sign-ups whose address was never confirmed and whose handle anybody may have now."""
        return self.filter(pending=True, date_joined__lt=timezone.now() - PENDING_FOR)

    def look_alikes(self, handle: str) -> PeopleQuerySet:
        """Whoever holds this handle or one that is taken for it."""
        return self.filter(handle_key=handles.skeleton(handle))


class PeopleManager(UserManager.from_queryset(PeopleQuerySet)):  # type: ignore[misc]
    use_in_migrations = False

    def create_confirmed(
        self, username: str, email: str, password: str | None = None, **extra: Any
    ) -> User:
        """Somebody whose address needs no letter to be believed."""
        # It waits for this module to be read.
        from allauth.account.models import EmailAddress

        user: User = self.create_user(username, email, password, **extra)
        if email:
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **extra: Any
    ) -> User:
        """Whoever may run commands on the machine may also say whose address it is."""
        return self.create_confirmed(
            username, email, password, **{"is_staff": True, "is_superuser": True, **extra}
        )

    def _create_user_object(
        self, username: str, email: str | None, password: str | None, **extra: Any
    ) -> User:
        user: User = super()._create_user_object(username, email, password, **extra)
        user.clean()
        return user


class User(AbstractUser):
    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    # Wider than a handle may be, for the names of those who left.
    username = models.CharField(
        _("handle"),
        max_length=40,
        unique=True,
        validators=handles.VALIDATORS,
        help_text=_("The name under which others see you. It cannot be changed later."),
        error_messages={"unique": _("This handle is taken. Choose another.")},
    )
    handle_key = HandleKeyField(max_length=40, unique=True, editable=False)
    email = AddressField(_("e-mail address"))
    # Signed up, but no address confirmed yet: invisible to others, and gone after a while.
    pending = models.BooleanField(_("address not confirmed yet"), default=False)

    zone = models.CharField(
        _("time zone"), max_length=64, default=zones.DEFAULT, validators=[zones.validate_zone]
    )
    language = models.CharField(_("language"), max_length=10, blank=True)  # blank: the browser's
    theme = models.CharField(_("colours"), max_length=10, blank=True)  # blank: the device's
    # Days off and nights, as games/play/rest.py writes them, and when they were last changed.
    rest = models.CharField(max_length=100, blank=True)
    rest_changed_at = models.DateTimeField(null=True, blank=True)
    # The end of the last vacation that is planned or taken; the vacations are games/play's.
    away_until = models.DateTimeField(null=True, blank=True)
    match_letters = models.BooleanField(_("letters about my matches"), default=True)
    reminder_letters = models.BooleanField(_("reminders before a deadline"), default=True)
    # What they wish to be told, and how: the room that tells them writes and reads it.
    notices = models.JSONField(_("notices"), default=dict, blank=True)
    # A calm reader has had a letter and has not been here since.
    hushed = models.BooleanField(_("told and not seen since"), default=False)
    # Until then, a letter to them is being sent that no other may leave beside.
    in_hand_until = models.DateTimeField(null=True, blank=True)
    # The ways by which nothing reaches them any more, with blanks between; every page says so.
    unreached = models.CharField(_("not reached by"), max_length=60, blank=True)

    objects: ClassVar[PeopleManager] = PeopleManager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            # Sign-ups may repeat an address, else they would tell which are known here.
            models.UniqueConstraint(
                "email", name="user_address_once", condition=~Q(email="") & Q(pending=False)
            ),
        ]
        indexes = [
            # Log-in looks handles up without regard to case.
            models.Index(Upper("username"), name="user_handle_upper"),
            models.Index("email", name="user_address"),
            models.Index("date_joined", name="user_pending", condition=Q(pending=True)),
        ]

    def __str__(self) -> str:
        return self.username

    def clean(self) -> None:
        """Raises ValidationError if somebody else holds a handle like this one."""
        self.username = self.normalize_username(self.username)
        self.email = (self.email or "").lower()
        if not self.username:
            return  # A form has found something wrong with it already.
        others = User.objects.look_alikes(self.username).exclude(pk=self.pk)
        if other := others.first():
            raise ValidationError({"username": look_alike(self.username, other.username)})

    def get_absolute_url(self) -> str:
        return reverse("accounts:profile", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def is_former(self) -> bool:
        """Whether this person has left for good."""
        return self.username.startswith(handles.FORMER)

    @property
    def zoneinfo(self) -> ZoneInfo:
        return zones.read(self.zone)

    @property
    def letter_language(self) -> str:
        """The language to write to them in, where no browser tells."""
        return self.language or settings.LANGUAGE_CODE


def look_alike(handle: str, other: str) -> ValidationError:
    """Why `handle` cannot be had while somebody holds `other`; both are public."""
    if handle.lower() == other.lower():
        return ValidationError(_("This handle is taken. Choose another."), code="unique")
    return ValidationError(
        _("This handle looks like %(other)s, which is taken. Choose one nobody can mistake."),
        code="look_alike",
        params={"other": other},
    )
