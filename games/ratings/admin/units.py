"""Admin pages of rated results: read-only, with the actions of moderators."""

from __future__ import annotations

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import requires
from accounts.models import User
from games.idempotency.command_admin import CommandActions
from games.play.admin.matches import PublicForm
from games.play.converters import read_number
from games.play.models.match import Match
from games.ratings.admin import corrections
from games.ratings.models import Unit, WhyNot
from games.ratings.pages import sentences
from games.rules import registry

MAX_FOUND = 50  # users whose names begin with what is searched for


class FamilyFilter(admin.SimpleListFilter):
    """Filters by game."""

    title = gettext_lazy("game")
    parameter_name = "family"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(family, _(registry.title(family))) for family in registry.games]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Unit]) -> QuerySet[Unit]:
        return queryset.filter(family=self.value()) if self.value() else queryset


@admin.register(Unit)
class UnitAdmin(CommandActions):
    """Rated results, the newest first."""

    list_display = ("match", "family", "number", "south", "north", "score", "counts", "final_at")
    list_filter = (FamilyFilter, "taken_out")
    search_fields = ("match",)  # so that the search box is shown; see get_search_results
    search_help_text = gettext_lazy("Match number, or the beginning of a player's username")
    ordering = ("-pk",)
    list_per_page = 50
    list_select_related = ("match", "south", "north")
    actions = ("take_out", "put_back")
    fields = (
        *("match", "family", "number", "south", "north", "finished_at", "final_at"),
        *("score", "least_turns", "how", "loser_last_ply_at", "counts", "taken_out"),
        "taken_out_reason",
    )
    readonly_fields = ("score", "counts")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Unit], search_term: str
    ) -> tuple[QuerySet[Unit], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        number = read_number(term)
        if number is not None:
            # By keys: with a condition on the twin, PostgreSQL would read all units.
            matches = Match.objects.filter(Q(pk=number) | Q(twin=number))
            return queryset.filter(match__in=list(matches.values_list("pk", flat=True))), False
        named = User.objects.filter(username__istartswith=term).values_list("pk", flat=True)
        people = list(named[:MAX_FOUND])
        return queryset.filter(Q(south__in=people) | Q(north__in=people)), False

    has_rate_permission = requires("ratings.rate_unit")

    def refusal(self, request: HttpRequest, row: Unit) -> str:
        if request.user.pk in (row.south_id, row.north_id):
            return _("you play in it yourself, so another administrator has to do this.")
        return ""

    def describe(self, row: Unit) -> str:
        return f"{row.match}: {row.south} – {row.north}"

    def name_of(self, row: Unit) -> str:
        return str(row.match)

    @admin.display(description=gettext_lazy("score"))
    def score(self, unit: Unit) -> str:
        is_set = unit.match.twin_id is not None
        return sentences.score(unit.quarters, is_set=is_set, turned=False)

    @admin.display(description=gettext_lazy("counts"))
    def counts(self, unit: Unit) -> str:
        return str(WhyNot(unit.why).label) if unit.why else _("yes")

    @admin.action(
        description=gettext_lazy("Take out of the ratings …"),
        permissions=["rate"],
    )
    def take_out(self, request: HttpRequest, queryset: QuerySet[Unit]) -> TemplateResponse | None:
        def act(unit: Unit, cleaned_data: dict[str, Any]) -> list[str]:
            corrections.take_out(unit.pk, cleaned_data["reason"])
            return [_("Taken out of the ratings: %(reason)s") % cleaned_data]

        effect = _("The results stand, but the ratings are computed again without them.")
        title = _("Take out of the ratings")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=PublicForm)

    @admin.action(
        description=gettext_lazy("Put back into the ratings …"),
        permissions=["rate"],
    )
    def put_back(self, request: HttpRequest, queryset: QuerySet[Unit]) -> TemplateResponse | None:
        def act(unit: Unit, cleaned_data: dict[str, Any]) -> list[str]:
            corrections.put_back(unit.pk, cleaned_data["reason"])
            return [_("Put back into the ratings: %(reason)s") % cleaned_data]

        effect = _("The ratings are computed again with these results, as far as they count.")
        title = _("Put back into the ratings")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=PublicForm)
