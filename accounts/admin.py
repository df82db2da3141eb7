"""People, as the office sees them: to find, to turn away, to forget. Nobody is deleted."""

from typing import Any

from allauth.account import admin as account
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions import admin as usersessions
from allauth.usersessions.models import UserSession
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.leaving import forget
from accounts.models import User
from accounts.staff import LookedAtOnly

admin.site.unregister([Authenticator, EmailAddress, UserSession])


class NewPersonForm(AdminUserCreationForm):
    class Meta:
        model = User
        fields = ("username", "email")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if User.objects.filter(email=email, pending=False).exists():
            raise ValidationError(_("Somebody else has this address."))
        return email


@admin.register(User)
class PersonAdmin(UserAdmin):
    add_form = NewPersonForm
    list_display = ("username", "email", "date_joined", "last_login", "is_active", "is_staff")
    list_filter = ("is_active", "pending", "is_staff", "is_superuser")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    actions = ("turn_away", "let_in", "anonymise")
    readonly_fields = ("email", "pending", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "email", "pending")}),
        (
            _("Preferences"),
            {"fields": ("zone", "language", "theme", "match_letters", "reminder_letters")},
        ),
        (
            _("Powers"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """An address changes by its owner's hand alone, by a code that is sent there."""
        return self.readonly_fields if obj else ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """The office vouches for the address of whom it adds."""
        super().save_model(request, obj, form, change)
        if not change:
            EmailAddress.objects.create(user=obj, email=obj.email, verified=True, primary=True)

    def user_change_password(self, *args: Any, **named: Any) -> HttpResponse:
        """Whoever sets a player's password sees what they see; a lost one is reset by letter."""
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Turn away: they can no longer sign in"))
    def turn_away(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = queryset.exclude(username=request.user.get_username()).update(is_active=False)
        self._say(request, count)

    @admin.action(description=_("Let in again"))
    def let_in(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = queryset.exclude(email="").update(is_active=True)
        self._say(request, count)

    @admin.action(description=_("Forget for good: they become a former player"))
    def anonymise(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        people = list(queryset.exclude(username=request.user.get_username()))
        for person in people:
            forget(person)
        self._say(request, len(people))

    def _say(self, request: HttpRequest, count: int) -> None:
        said = ngettext("Done for %(count)d person.", "Done for %(count)d people.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)


@admin.register(EmailAddress)
class AddressAdmin(LookedAtOnly, account.EmailAddressAdmin):
    """An address that the office could change would be a way into a match."""

    actions = ()


@admin.register(Authenticator)
class FactorAdmin(LookedAtOnly, mfa.AuthenticatorAdmin):
    """A second factor; the office may take a lost one away, but not put another in its place."""

    fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)


@admin.register(UserSession)
class SessionAdmin(LookedAtOnly, usersessions.UserSessionAdmin):
    fields = ("user", "created_at", "last_seen_at", "ip", "user_agent")
