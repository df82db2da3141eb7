"""Admin pages of invitations: read-only, with an action that withdraws them."""

from typing import TYPE_CHECKING, Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.lobby import commands
from games.lobby.models import Invitation
from games.rules.core.errors import Refusal

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Invitation]
else:
    _ModelAdmin = admin.ModelAdmin  # no generic class at run time


@admin.register(Invitation)
class InvitationAdmin(_ModelAdmin):
    """Read-only invitations, with the action `withdraw`."""

    list_display = ("id", "status", "kind", "owner", "guest", "preset", "pace", "expires_at")
    list_filter = ("status", "kind", "preset")
    list_select_related = ("owner", "guest")
    search_fields = ("owner__username", "guest__username")
    search_help_text = _("Username of the player who invites or is invited")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    view_on_site = False  # Only the two players concerned may open its page.
    actions = ("withdraw",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.opts.fields]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Withdraw for the owner"), permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        done = 0
        for invitation in queryset.select_related("owner"):
            try:
                commands.withdraw(invitation.pk, invitation.owner)
            except Refusal:
                continue
            self.log_change(request, invitation, "withdrawn")
            done += 1
        message = ngettext(
            "%(count)d invitation withdrawn.", "%(count)d invitations withdrawn.", done
        )
        self.message_user(request, message % {"count": done}, messages.SUCCESS)
