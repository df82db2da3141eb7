"""The User model, with the preferences that every page or notification needs.

Preferences are columns of User, even those of games (time off, notifications), since every page
loads this row anyway. A second table would cost every page and every e-mail one more query of
0.45 ms processor time; a match page takes 8 ms.
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

from accounts.values import addresses, passwords, time_zones, usernames
from accounts.values.fields import AddressField, HandleKeyField
from lib.sealed_fields import SealedTextField

SESSIONS = "sessions"  # purpose of sealing

# How long a username is kept for a sign-up whose address is not confirmed.
PENDING_FOR = timedelta(hours=1)


class UserQuerySet(models.QuerySet["User"]):
    """Query set of users."""

    def active(self) -> UserQuerySet:
        """Users who can play: confirmed, and neither blocked nor erased."""
        return self.filter(is_active=True, pending=False)

    def abandoned(self) -> UserQuerySet:
        """Sign-ups that were not confirmed in time; their usernames are free again."""
        return self.filter(pending=True, date_joined__lt=timezone.now() - PENDING_FOR)

    def look_alikes(self, handle: str) -> UserQuerySet:
        """Users with this username or one that looks like it."""
        return self.filter(handle_key=usernames.skeleton(handle))


class ConfirmedUserManager(UserManager.from_queryset(UserQuerySet)):  # type: ignore[misc]
    """Creates users whose address needs no confirmation."""

    use_in_migrations = False

    def create_confirmed(
        self, username: str, email: str, password: str | None = None, **extra: Any
    ) -> User:
        """Create a user with a confirmed address."""
        # allauth's models import this module.
        from allauth.account.models import EmailAddress

        user: User = self.create_user(username, email, password, **extra)
        if email:
            EmailAddress.objects.create(user=user, email=user.email, verified=True, primary=True)
        return user

    def create_superuser(
        self, username: str, email: str = "", password: str | None = None, **extra: Any
    ) -> User:
        """Create a superuser with a confirmed address."""
        return self.create_confirmed(
            username, email, password, **{"is_staff": True, "is_superuser": True, **extra}
        )

    def _create_user_object(
        self, username: str, email: str | None, password: str | None, **extra: Any
    ) -> User:
        password = password and passwords.normalized(password)
        user: User = super()._create_user_object(username, email, password, **extra)
        user.clean()
        return user


class User(AbstractUser):
    """A user: sign-in, public name and preferences."""

    first_name = None  # type: ignore[assignment]
    last_name = None  # type: ignore[assignment]
    # Longer than a username may be, for the names of erased accounts.
    username = models.CharField(
        _("username"),
        max_length=40,
        unique=True,
        validators=usernames.VALIDATORS,
        help_text=_("The name other players see. It cannot be changed later."),
        error_messages={"unique": _("This username is taken. Please choose another.")},
    )
    handle_key = HandleKeyField(max_length=40, unique=True, editable=False)
    email = AddressField(_("e-mail address"))
    # Signed up, address not confirmed yet: invisible to others, deleted after a while.
    pending = models.BooleanField(_("address not confirmed yet"), default=False)

    # The level of a house opponent (games/house); blank: a person.
    house_level = models.CharField(
        _("computer opponent"), max_length=20, blank=True, editable=False
    )

    # The person to whom a bot belongs (docs/api/); null: not a bot.
    owner = models.ForeignKey(
        "self",
        models.PROTECT,
        null=True,
        blank=True,
        related_name="bots",
        db_index=False,
        editable=False,
        verbose_name=_("owner"),
    )

    zone = models.CharField(
        _("time zone"),
        max_length=64,
        default=time_zones.DEFAULT,
        validators=[time_zones.validate_zone],
    )
    language = models.CharField(_("language"), max_length=10, blank=True)  # blank: the browser's
    theme = models.CharField(_("colours"), max_length=10, blank=True)  # blank: the device's
    # The columns below belong to apps of games: `rest`, `rest_changed_at` and `away_until` to
    # games/play, `lessons`, `first_steps` and `guided` to games/guide, `no_challenges`, `no_talk`
    # and `silenced_until` to games/people, the others to games/notifications. They are here to save
    # a query on every page (see above).
    # Days off and nights in the format of games/play/clocks/rest.py, and when they last changed.
    rest = models.CharField(max_length=100, blank=True)
    rest_changed_at = models.DateTimeField(null=True, blank=True)
    # The end of the last planned or running vacation; games/play stores the vacations.
    away_until = models.DateTimeField(null=True, blank=True)
    # Finished lessons ("lattaque/moves"), and whether the front page shows the first steps: from
    # sign-up until they are done or dismissed.
    lessons = models.JSONField(default=list, blank=True, editable=False)
    first_steps = models.BooleanField(default=False, editable=False)
    guided = models.BooleanField(default=False, editable=False)  # the same for hints at a board
    no_challenges = models.BooleanField(
        _("nobody may challenge me"), default=False, db_default=False
    )
    no_talk = models.BooleanField(_("no talk in my matches"), default=False, db_default=False)
    # Until then they may write nothing to other players, by a decision of a moderator.
    silenced_until = models.DateTimeField(_("silenced until"), null=True, blank=True)
    # When they last exported their data, and when the account is closed at the latest, if it is to
    # be closed when their matches have ended (accounts/people/closing.py).
    exported_at = models.DateTimeField(null=True, blank=True, editable=False)
    closes_at = models.DateTimeField(_("closes at"), null=True, blank=True, editable=False)
    match_emails = models.BooleanField(_("e-mails about my matches"), default=True)
    reminder_emails = models.BooleanField(_("reminders before a deadline"), default=True)
    # Which notifications are sent by which channels, in the format of games/notifications.
    notification_preferences = models.JSONField(_("notifications"), default=dict, blank=True)
    # Calm notifications: the user has been notified and has not visited since.
    hushed = models.BooleanField(_("notified and not seen since"), default=False)
    # Lease: until then, one worker is sending an e-mail to them and no other may.
    in_hand_until = models.DateTimeField(null=True, blank=True)
    # Channels that fail, separated by blanks; every page shows a warning.
    unreached = models.CharField(_("cannot be reached by"), max_length=60, blank=True)

    objects: ClassVar[ConfirmedUserManager] = ConfirmedUserManager()

    class Meta:
        verbose_name = _("person")
        verbose_name_plural = _("people")
        constraints = [
            # Sign-ups may repeat an address, or they would reveal which ones have an account.
            models.UniqueConstraint(
                "email", name="user_address_once", condition=~Q(email="") & Q(pending=False)
            ),
            # House opponents, and only they, have names that begin with HOUSE.
            models.CheckConstraint(
                name="user_house_by_name",
                condition=Q(house_level="") ^ Q(username__startswith=usernames.HOUSE),
            ),
            models.CheckConstraint(
                name="user_house_powerless",
                condition=Q(house_level="") | Q(email="", is_staff=False, is_superuser=False),
            ),
            # A blocked house opponent would end its matches and accept no more challenges.
            models.CheckConstraint(
                name="user_house_active",
                condition=Q(house_level="") | Q(is_active=True, pending=False),
            ),
            # Bots, and only they, have an owner and names that begin with BOT.
            models.CheckConstraint(
                name="user_bot_by_name",
                condition=Q(owner__isnull=True) ^ Q(username__startswith=usernames.BOT),
            ),
            models.CheckConstraint(
                name="user_bot_powerless",
                condition=Q(owner__isnull=True)
                | Q(email="", is_staff=False, is_superuser=False, pending=False),
            ),
        ]
        indexes = [
            # Log-in ignores the case of usernames.
            models.Index(Upper("username"), name="user_handle_upper"),
            models.Index("email", name="user_address"),
            models.Index("date_joined", name="user_pending", condition=Q(pending=True)),
            models.Index("owner", name="user_owner", condition=Q(owner__isnull=False)),
            models.Index("closes_at", name="user_closes", condition=Q(closes_at__isnull=False)),
        ]
        permissions = [
            ("block_user", "Can block and unblock people"),
            ("sign_out_user", "Can sign people out everywhere"),
            ("erase_user", "Can erase accounts"),
        ]

    def __str__(self) -> str:
        return self.username

    def clean(self) -> None:
        """Raise ValidationError if another user has a username like this one."""
        self.username = self.normalize_username(self.username)
        self.email = addresses.canonical(self.email or "")
        if not self.username:
            return  # The form has reported an error already.
        others = User.objects.look_alikes(self.username).exclude(pk=self.pk)
        if other := others.first():
            raise ValidationError({"username": look_alike(self.username, other.username)})

    def set_password(self, raw_password: str | None) -> None:
        super().set_password(raw_password and passwords.normalized(raw_password))

    def check_password(self, raw_password: str | None) -> bool:
        """Whether it is the password, in whatever form a keyboard composes its characters."""
        return any(
            super(User, self).check_password(form) for form in passwords.forms(raw_password or "")
        )

    def get_absolute_url(self) -> str:
        return reverse("accounts:profile", args=[self.username])

    def get_full_name(self) -> str:
        return self.username

    def get_short_name(self) -> str:
        return self.username

    @property
    def is_former(self) -> bool:
        """Whether this account was erased."""
        return self.username.startswith(usernames.FORMER)

    @property
    def is_house(self) -> bool:
        """Whether this is the account of a house opponent."""
        return usernames.is_house(self.username)

    @property
    def is_bot(self) -> bool:
        """Whether this is the account of a member's bot."""
        return usernames.is_bot(self.username)

    @property
    def kind(self) -> str:
        """What plays under this name: "person", "bot", "house" or "former"."""
        if self.is_former:
            return "former"
        return "house" if self.is_house else "bot" if self.is_bot else "person"

    @property
    def zoneinfo(self) -> ZoneInfo:
        return time_zones.read(self.zone)

    @property
    def email_language(self) -> str:
        """The language of e-mails to them."""
        return self.language or settings.LANGUAGE_CODE


class AccessToken(models.Model):
    """A personal token for the API; only a hash of it is kept."""

    user = models.ForeignKey(User, models.CASCADE, related_name="+", db_index=False)
    name = models.CharField(_("name"), max_length=60)
    digest = models.BinaryField(max_length=32, unique=True)  # SHA-256 of the token
    scopes = models.CharField(_("permissions"), max_length=40)  # such as "read play", sorted
    created_at = models.DateTimeField(_("created at"))
    expires_at = models.DateTimeField(_("expires at"))
    used_on = models.DateField(_("last used on"), null=True)
    # When its owner is to be notified that it expires soon; null afterwards.
    warn_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("token")
        verbose_name_plural = _("tokens")
        default_permissions = ("view",)
        permissions = [("revoke_accesstoken", "Can revoke tokens")]
        constraints = [models.UniqueConstraint("user", "name", name="token_one_of_a_name")]
        indexes = [
            models.Index("expires_at", name="token_expires"),
            models.Index("warn_at", name="token_warn", condition=Q(warn_at__isnull=False)),
        ]

    def __str__(self) -> str:
        return f"token #{self.pk}"


class Session(models.Model):
    """A session; only accounts/user_sessions/store.py reads and writes its data."""

    session_key = models.CharField(max_length=40, unique=True)  # a hash of the cookie's key
    session_data = SealedTextField(
        label="sessions", purpose=SESSIONS, context="{session_key}", expendable=True
    )
    expire_date = models.DateTimeField(db_index=True)
    # The user, so that their sessions can be listed and ended; null: a visitor's session.
    user = models.ForeignKey(User, models.CASCADE, null=True, related_name="+")
    # Guesses at a mailed code since the last code was created.
    guesses = models.PositiveSmallIntegerField(default=0)

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"session #{self.pk}"


class GuessCount(models.Model):
    """Recent guesses at one account or from one address (accounts/sign_in/guesses.py)."""

    key = models.CharField(max_length=64, primary_key=True)  # a hash
    until = models.DateTimeField(db_index=True)  # when the count restarts
    guesses = models.PositiveSmallIntegerField()

    class Meta:
        default_permissions = ()

    def __str__(self) -> str:
        return f"{self.guesses} until {self.until}"


def look_alike(handle: str, other: str) -> ValidationError:
    """The error for a username that looks like `other`, which is taken; both are public."""
    if handle.lower() == other.lower():
        return ValidationError(_("This username is taken. Please choose another."), code="unique")
    return ValidationError(
        _("This username looks too much like %(other)s, which is taken. Please choose another."),
        code="look_alike",
        params={"other": other},
    )
