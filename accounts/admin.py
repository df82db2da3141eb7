"""Admin of users: search, block, sign out, erase. Rows stay, since matches refer to them."""

from typing import Any

from allauth.account import admin as account
from allauth.account.models import EmailAddress
from allauth.mfa import admin as mfa
from allauth.mfa.base.internal.flows import delete_dangling_recovery_codes
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin, UserAdmin
from django.contrib.auth.forms import AdminUserCreationForm
from django.contrib.auth.models import Group
from django.core.exceptions import PermissionDenied, ValidationError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import (
    Declined,
    ReasonedActions,
    refusal_against,
    requires,
    with_reason,
)
from accounts.models import AccessToken, User
from accounts.people import blocking
from accounts.people.erasure import erase
from accounts.sign_in import security_log
from accounts.tokens import revoking
from accounts.user_sessions import listing
from accounts.values import addresses
from accounts.values.typed_fields import TypedForm
from lib.admin_base import GuardedAdmin, ReadOnlyAdmin

POWERS = ("is_staff", "is_superuser", "groups", "user_permissions")  # set by superusers only

admin.site.unregister([Authenticator, EmailAddress, Group])


class NewUserForm(TypedForm, AdminUserCreationForm):
    """A new user, added by staff."""

    class Meta:
        model = User
        fields = ("username", "email")

    def clean_email(self) -> str:
        email: str = self.cleaned_data["email"]
        if User.objects.filter(email=email, pending=False).exists():
            raise ValidationError(_("This address is already in use."))
        return email


@admin.register(User)
class AccountAdmin(ReasonedActions, UserAdmin):
    """Users: found by username or address, blocked, unblocked, signed out, erased."""

    add_form = NewUserForm
    change_form_template = "admin/accounts/user/change_form.html"
    list_display = ("username", "email", "date_joined", "last_login", "is_active", "is_staff")
    list_filter = ("is_active", "pending", "is_staff", "is_superuser")
    search_fields = ("username", "email")
    ordering = ("-pk",)  # the newest first; `date_joined` has no index
    actions = ("block", "unblock", "sign_out", "erase_accounts")
    readonly_fields = ("username", "email", "pending", "is_active", "last_login", "date_joined")
    fieldsets = (
        (None, {"fields": ("username", "email", "pending")}),
        (
            gettext_lazy("Preferences"),
            {"fields": ("zone", "language", "theme", "match_emails", "reminder_emails")},
        ),
        (gettext_lazy("Permissions"), {"fields": ("is_active", *POWERS)}),
        (gettext_lazy("Dates"), {"fields": ("last_login", "date_joined")}),
    )
    add_fieldsets = (
        (None, {"fields": ("username", "email", "usable_password", "password1", "password2")}),
    )

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[User], search_term: str
    ) -> tuple[QuerySet[User], bool]:
        """Found by an address in any spelling, since they are stored in one."""
        if "@" in search_term:
            search_term = addresses.canonical(search_term)
        return super().get_search_results(request, queryset, search_term)

    has_block_permission = requires("accounts.block_user")
    has_sign_out_permission = requires("accounts.sign_out_user")
    has_erase_permission = requires("accounts.erase_user")

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> Any:
        """Names and addresses are read-only.

        Records, e-mails and opponents know a player by the name, and only the owner may change an
        address, with a code sent there. Permissions are read-only except for superusers.
        """
        if obj is None:
            return ()
        powers = () if getattr(request.user, "is_superuser", False) else POWERS
        return (*self.readonly_fields, *powers)

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether this member of staff may change preferences; turning off e-mails can do harm."""
        if not super().has_change_permission(request, obj):
            return False
        if obj is not None and (obj.is_house or obj.is_bot):
            # House opponents and bots must keep their names and get no permissions.
            return False
        return obj is None or obj.pk == request.user.pk or not refusal_against(request, obj)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def save_model(self, request: HttpRequest, obj: User, form: Any, change: bool) -> None:
        """Save the user; the address of a new one counts as confirmed."""
        super().save_model(request, obj, form, change)
        if not change:
            EmailAddress.objects.create(user=obj, email=obj.email, verified=True, primary=True)
        if given := sorted(set(form.changed_data) & set(POWERS)):
            what = f"changed {', '.join(given)} of user {obj.pk}"
            security_log.note(what, request, request.user.pk)

    def user_change_password(self, *args: Any, **named: Any) -> HttpResponse:
        """Forbidden: staff who set a player's password could sign in and see their pieces."""
        raise PermissionDenied

    def refusal(self, request: HttpRequest, row: User) -> str:
        return refusal_against(request, row)

    @admin.action(description=gettext_lazy("Block …"), permissions=["block"])
    def block(self, request: HttpRequest, queryset: QuerySet[User]) -> TemplateResponse | None:
        def act(user: User, data: dict[str, Any]) -> list[str]:
            if not user.is_active:
                raise Declined(_("blocked already."))
            blocking.block(user)
            return with_reason(_("Blocked"), data)

        effect = _("They are signed out everywhere and can no longer sign in.")
        return self.ask(request, queryset, act, title=_("Block"), effect=effect)

    @admin.action(description=gettext_lazy("Unblock …"), permissions=["block"])
    def unblock(self, request: HttpRequest, queryset: QuerySet[User]) -> TemplateResponse | None:
        def act(user: User, data: dict[str, Any]) -> list[str]:
            if user.is_active or user.is_former:
                raise Declined(_("not blocked."))
            if user.owner is not None and not user.owner.is_active:
                raise Declined(_("the owner of this bot is blocked."))
            blocking.unblock(user)
            return with_reason(_("Unblocked"), data)

        effect = _("They can sign in again.")
        return self.ask(request, queryset, act, title=_("Unblock"), effect=effect)

    @admin.action(description=gettext_lazy("Sign out everywhere …"), permissions=["sign_out"])
    def sign_out(self, request: HttpRequest, queryset: QuerySet[User]) -> TemplateResponse | None:
        def act(user: User, data: dict[str, Any]) -> list[str]:
            listing.end_all(user)
            return with_reason(_("Signed out everywhere"), data)

        effect = _("All their sessions end; they can sign in again.")
        return self.ask(request, queryset, act, title=_("Sign out everywhere"), effect=effect)

    @admin.action(description=gettext_lazy("Delete permanently …"), permissions=["erase"])
    def erase_accounts(
        self, request: HttpRequest, queryset: QuerySet[User]
    ) -> TemplateResponse | None:
        def act(user: User, data: dict[str, Any]) -> list[str]:
            if user.is_former:
                raise Declined(_("deleted already."))
            erase(user)
            user.refresh_from_db()  # so that the history does not keep the old name
            return with_reason(_("Deleted"), data)

        effect = _(
            "They lose their running matches and become former players. This cannot be undone."
        )
        return self.ask(request, queryset, act, title=_("Delete permanently"), effect=effect)


@admin.register(AccessToken)
class TokenAdmin(ReasonedActions, ReadOnlyAdmin):
    """Tokens for the API, without their digests: staff may revoke one but not make one."""

    list_display = ("__str__", "user", "name", "scopes", "created_at", "expires_at", "used_on")
    fields = ("user", "name", "scopes", "created_at", "expires_at", "used_on")
    search_fields = ("user__username",)
    ordering = ("-pk",)
    list_select_related = ("user",)
    actions = ("revoke",)

    has_revoke_permission = requires("accounts.revoke_accesstoken")

    def refusal(self, request: HttpRequest, row: AccessToken) -> str:
        return refusal_against(request, row.user)

    def describe(self, row: AccessToken) -> str:
        return f"{row.user}: {row.name}"

    @admin.action(description=gettext_lazy("Revoke …"), permissions=["revoke"])
    def revoke(
        self, request: HttpRequest, queryset: QuerySet[AccessToken]
    ) -> TemplateResponse | None:
        def act(token: AccessToken, data: dict[str, Any]) -> list[str]:
            if not revoking.revoke(token):
                raise Declined(_("revoked already."))
            return with_reason(_("Revoked"), data)

        effect = _("Programs that use them can do nothing any more.")
        return self.ask(request, queryset, act, title=_("Revoke"), effect=effect)


@admin.register(Group)
class RoleAdmin(GuardedAdmin, GroupAdmin):
    """Groups, for superusers only: anybody else could give themselves every permission."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return bool(getattr(request.user, "is_superuser", False))

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_add_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return self.has_add_permission(request)


@admin.register(EmailAddress)
class UserEmailAdmin(ReadOnlyAdmin, account.EmailAddressAdmin):
    """Read-only e-mail addresses: staff who could change one could reset its owner's password."""

    actions = ()


@admin.register(Authenticator)
class UserAuthenticatorAdmin(ReasonedActions, ReadOnlyAdmin, mfa.AuthenticatorAdmin):
    """Second factors: staff may remove a lost one but not add one."""

    fields = ("user", "type", "created_at", "last_used_at")
    list_select_related = ("user",)
    actions = ("remove",)

    has_remove_permission = requires("mfa.delete_authenticator")

    def refusal(self, request: HttpRequest, row: Authenticator) -> str:
        return refusal_against(request, row.user)

    def describe(self, row: Authenticator) -> str:
        return f"{row.user}: {row.get_type_display()}"

    name_of = describe

    @admin.action(description=gettext_lazy("Remove …"), permissions=["remove"])
    def remove(
        self, request: HttpRequest, queryset: QuerySet[Authenticator]
    ) -> TemplateResponse | None:
        def act(factor: Authenticator, data: dict[str, Any]) -> list[str]:
            # Deletion clears the primary key, which the history needs.
            number = factor.pk
            factor.delete()
            delete_dangling_recovery_codes(factor.user)
            factor.pk = number
            return with_reason(_("Removed"), data)

        effect = _("Their owners can then sign in without them.")
        return self.ask(request, queryset, act, title=_("Remove"), effect=effect)
