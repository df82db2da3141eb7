"""Admin of users: search, block, erase. No row is deleted, since matches refer to it."""

from typing import Any

from allauth.account import admin as account
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa
from allauth.mfa.models import Authenticator
from django.contrib import admin, messages
from django.contrib.auth.admin import UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from accounts.admin_site import ReadOnlyAdmin
from accounts.erasure import erase
from accounts.models import User

admin.site.unregister([Authenticator, EmailAddress])


class NewUserForm(AdminUserCreationForm):
    """A new user, added by staff."""

    class Meta:
        model = User
        fields = ("username", "email")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"].lower()
        if User.objects.filter(email=email, pending=False).exists():
            raise ValidationError(_("This address is already in use."))
        return email


@admin.register(User)
class AccountAdmin(UserAdmin):
    """Users: found by username or address, blocked, unblocked, erased."""

    add_form = NewUserForm
    list_display = ("username", "email", "date_joined", "last_login", "is_active", "is_staff")
    list_filter = ("is_active", "pending", "is_staff", "is_superuser")
    search_fields = ("username", "email")
    ordering = ("-date_joined",)
    actions = ("block", "unblock", "erase_accounts")
    readonly_fields = ("email", "pending", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "email", "pending")}),
        (
            _("Preferences"),
            {"fields": ("zone", "language", "theme", "match_letters", "reminder_letters")},
        ),
        (
            _("Permissions"),
            {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")},
        ),
        (_("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),
    )

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Addresses are read-only: only their owner changes one, by a code that is sent there."""
        return self.readonly_fields if obj else ()

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the user; the address of a new one counts as confirmed."""
        super().save_model(request, obj, form, change)
        if not change:
            EmailAddress.objects.create(user=obj, email=obj.email, verified=True, primary=True)

    def user_change_password(self, *args: Any, **named: Any) -> HttpResponse:
        """Forbidden: who sets a player's password could sign in and see their pieces."""
        raise PermissionDenied

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Block: they can no longer sign in"))
    def block(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = queryset.exclude(username=request.user.get_username()).update(is_active=False)
        self._report(request, count)

    @admin.action(description=_("Unblock"))
    def unblock(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        count = queryset.exclude(email="").update(is_active=True)
        self._report(request, count)

    @admin.action(description=_("Delete for good: they become a former player"))
    def erase_accounts(self, request: HttpRequest, queryset: QuerySet[User]) -> None:
        users = list(queryset.exclude(username=request.user.get_username()))
        for user in users:
            erase(user)
        self._report(request, len(users))

    def _report(self, request: HttpRequest, count: int) -> None:
        said = ngettext("Done for %(count)d person.", "Done for %(count)d people.", count)
        self.message_user(request, said % {"count": count}, messages.SUCCESS)


@admin.register(EmailAddress)
class UserEmailAdmin(ReadOnlyAdmin, account.EmailAddressAdmin):
    """Read-only e-mail addresses: staff who changed one could reset its owner's password."""

    actions = ()


@admin.register(Authenticator)
class UserAuthenticatorAdmin(ReadOnlyAdmin, mfa.AuthenticatorAdmin):
    """Second factors: staff may remove a lost one, and cannot put another in its place."""

    fields = ("user", "type", "created_at", "last_used_at")

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return admin.ModelAdmin.has_delete_permission(self, request, obj)
