"""Admin page of the games' ratings: how far they are numbered; operators compute them again."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import requires, with_reason
from games.idempotency.command_admin import CommandActions
from games.ratings.admin import corrections
from games.ratings.models import Family


@admin.register(Family)
class FamilyAdmin(CommandActions):
    """The games that have rated results, read-only."""

    list_display = ("family", "last_number", "last_final_at", "replay_from")
    ordering = ("family",)
    actions = ("compute_again",)
    fields = ("family", "last_number", "last_final_at", "replay_from")

    has_recompute_permission = requires("ratings.recompute_family")

    @admin.action(
        description=gettext_lazy("Compute the ratings again …"), permissions=["recompute"]
    )
    def compute_again(
        self, request: HttpRequest, queryset: QuerySet[Family]
    ) -> TemplateResponse | None:
        def act(family: Family, cleaned_data: dict[str, Any]) -> list[str]:
            corrections.compute_again(family.family)
            return with_reason(_("Ratings to be computed again"), cleaned_data)

        effect = _(
            "All ratings of these games are computed again from the first result, within a minute. "
            "Nothing changes unless something was wrong."
        )
        title = _("Compute the ratings again")
        return self.ask(request, queryset, act, title=title, effect=effect)
