"""Admin pages of invitations: read-only, with an action that withdraws them."""

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import refusal_against, requires, with_reason
from games.idempotency.command_admin import CommandActions
from games.lobby import commands
from games.lobby.models import Invitation
from games.play.admin.matches import RulesFilter
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal


@admin.register(Invitation)
class InvitationAdmin(CommandActions):
    """Read-only invitations, with the action `withdraw`."""

    list_display = ("id", "status", "kind", "owner", "guest", "title", "pace", "expires_at")
    list_filter = ("status", "kind", RulesFilter)
    list_select_related = ("owner", "guest")
    search_fields = ("owner__username", "guest__username")
    search_help_text = gettext_lazy(
        "Usernames of the player who invites, of the one who is invited, or of both"
    )
    ordering = ("-id",)
    list_per_page = 50
    view_on_site = False  # Only the two players concerned may open its page.
    actions = ("withdraw",)
    fields = (
        *("owner", "guest", "kind", "status"),
        *("title", *(name for name in Invitation.names_of_terms() if name != "preset")),
        *("rating_from", "rating_to", "established", "min_finished", "reliable"),
        *("repeats", "repeat_of", "note", "rematch_of", "match", "created_at", "expires_at"),
        *("warn_at", "prolonged", "closed_at"),
    )

    has_withdraw_permission = requires("lobby.withdraw_invitation")

    def refusal(self, request: HttpRequest, row: Invitation) -> str:
        if request.user.pk in (row.owner_id, row.guest_id):
            return _("it is your own, so somebody else has to do this.")
        return refusal_against(request, row.owner)

    @admin.display(description=gettext_lazy("rules"), ordering="preset")
    def title(self, invitation: Invitation) -> str:
        return _(invitation.rules.title)

    def describe(self, row: Invitation) -> str:
        names = " – ".join(str(user) for user in (row.owner, row.guest) if user)
        return f"#{row.pk}: {names}"

    def name_of(self, row: Invitation) -> str:
        return f"#{row.pk}"

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.action(description=gettext_lazy("Withdraw for the owner …"), permissions=["withdraw"])
    def withdraw(
        self, request: HttpRequest, queryset: QuerySet[Invitation]
    ) -> TemplateResponse | None:
        def act(invitation: Invitation, cleaned_data: dict[str, Any]) -> list[str]:
            commands.withdraw(invitation.pk, invitation.owner)
            return with_reason(_("Withdrawn"), cleaned_data)

        rows = queryset.select_related("owner", "guest")
        effect = _("They are closed, and nobody can accept them.")
        return self.ask(request, rows, act, title=_("Withdraw for the owner"), effect=effect)
