"""Invitations, as the office sees them: to look at and to withdraw, never to write."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.lobby import commands
from games.lobby.models import Invitation
from games.rules.core.errors import Refusal


@admin.register(Invitation)
class InvitationAdmin(admin.ModelAdmin):
    list_display = ("id", "status", "kind", "owner", "guest", "preset", "pace", "expires_at")
    list_filter = ("status", "kind", "preset")
    list_select_related = ("owner", "guest")
    search_fields = ("owner__username", "guest__username")
    search_help_text = _("Handle of the one who offers or of the one who is invited")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    view_on_site = False  # Its page is for the two whom it concerns.
    actions = ("withdraw",)

    def get_readonly_fields(self, request: HttpRequest, obj: Any = None) -> list[str]:
        return [field.name for field in self.opts.fields]

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    @admin.action(description=_("Withdraw in the owner's name"), permissions=["change"])
    def withdraw(self, request: HttpRequest, queryset: QuerySet[Invitation]) -> None:
        done = 0
        for invitation in queryset.select_related("owner"):
            try:
                commands.withdraw(invitation.pk, invitation.owner)
            except Refusal:
                continue
            self.log_change(request, invitation, "withdrawn")
            done += 1
        said = ngettext("%(count)d invitation withdrawn.", "%(count)d invitations withdrawn.", done)
        self.message_user(request, said % {"count": done}, messages.SUCCESS)
