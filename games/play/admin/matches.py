"""Admin pages of matches: read-only, with moderation actions that ask for a reason.

Everything here is made from Match and Player, which contain no hidden rank. Plies, drafts and saved
set-ups have no admin page, since administrators may also play here.
"""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

from django import forms
from django.contrib import admin
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.text import capfirst
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import Declined, ReasonForm, requires
from accounts.models import User
from games.idempotency.command_admin import CommandActions
from games.play.admin.looks import without_factor
from games.play.commands import looks, moderation
from games.play.converters import read_number
from games.play.models.match import SEATS, Match, Player
from games.play.models.time import Adjustment
from games.play.record.move_numbers import turns_played
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal

MAX_NAMES = 2  # of a search

if TYPE_CHECKING:
    _TabularInline = admin.TabularInline[Any, Match]
else:  # no generic class at run time
    _TabularInline = admin.TabularInline


class PublicForm(ReasonForm):
    """Asks for a reason that both players will read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Both players can read it.")


class ExtendForm(PublicForm):
    """Asks how many days to give, to which clock, and why."""

    days = forms.IntegerField(label=gettext_lazy("Days"), min_value=1, max_value=60, initial=3)
    seat = forms.TypedChoiceField(
        label=gettext_lazy("Whose clock"),
        coerce=lambda text: Seat(int(text)),
        empty_value=None,
        required=False,
        choices=[("", gettext_lazy("every running clock")), *SEATS],
    )
    field_order = ("seat", "days", "reason")


class RulesFilter(admin.SimpleListFilter):
    """Filters matches by preset."""

    title = gettext_lazy("rules")
    parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(rules.key, _(rules.title)) for rules in registry.editions()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ReadOnlyInline(_TabularInline):
    """A read-only section of a match's admin page."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Everyone who may see the match may see this section."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PlayerInline(ReadOnlyInline):
    model = Player
    fields = readonly_fields = ("seat", "user", "to_act", "bank", "since", "deadline")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).select_related("user").order_by("seat")


class AdjustmentInline(ReadOnlyInline):
    model = Adjustment
    fields = readonly_fields = ("at", "seat", "kind", "span", "note")
    ordering = ("-id",)


@admin.register(Match)
class MatchAdmin(CommandActions):
    """Read-only matches, with the moderation actions."""

    list_display = ("id", "seated", "title", "status", "move", "turn", "deadline")
    list_filter = ("status", RulesFilter, "created_at", "finished_at")
    search_fields = ("id",)  # so that the search box is shown; see get_search_results
    search_help_text = gettext_lazy(
        "Match number, or the beginnings of one or both players' usernames"
    )
    ordering = ("-id",)
    list_per_page = 50
    actions = ("extend", "void", "reopen", "ask_to_look")
    inlines = (PlayerInline, AdjustmentInline)
    fields = (
        *("title", *(name for name in Match.names_of_terms() if name != "preset")),
        *("status", "result", "reason"),
        *("move", "created_at", "finished_at", "rematch_of", "twin"),
    )

    def get_queryset(self, request: HttpRequest) -> QuerySet[Match]:
        players = Player.objects.select_related("user").order_by("seat")
        return super().get_queryset(request).prefetch_related(Prefetch("players", players))

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Match], search_term: str
    ) -> tuple[QuerySet[Match], bool]:
        term = search_term.strip()
        if not term:
            return queryset, False
        number = read_number(term)
        if number is not None:
            return queryset.filter(pk=number), False
        for name in term.split()[:MAX_NAMES]:
            seated = Player.objects.filter(user__username__istartswith=name)
            queryset = queryset.filter(pk__in=seated.values("match"))
        return queryset, False

    has_moderate_permission = requires("play.moderate_match")
    has_break_permission = requires(looks.PERMISSION)

    def refusal(self, request: HttpRequest, row: Match) -> str:
        if any(player.user_id == request.user.pk for player in row.players.all()):
            return _("you play in it yourself, so another administrator has to do this.")
        return ""

    def describe(self, row: Match) -> str:
        return f"{row}: {self.seated(row)}"

    def name_of(self, row: Match) -> str:
        return capfirst(str(row))

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.display(description=gettext_lazy("players"))
    def seated(self, match: Match) -> str:
        return " – ".join(str(player) for player in match.players.all())

    @admin.display(description=gettext_lazy("rules"), ordering="preset")
    def title(self, match: Match) -> str:
        return _(match.rules.title)

    @admin.display(description=gettext_lazy("moves"))
    def move(self, match: Match) -> int:
        return move_number(turns_played(match))

    @admin.display(description=gettext_lazy("to act"))
    def turn(self, match: Match) -> str:
        return ", ".join(str(player) for player in match.players.all() if player.to_act)

    @admin.display(description=gettext_lazy("deadline"))
    def deadline(self, match: Match) -> datetime | None:
        return min((p.deadline for p in match.players.all() if p.deadline), default=None)

    @admin.action(description=gettext_lazy("Give more time …"), permissions=["moderate"])
    def extend(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, cleaned_data: dict[str, Any]) -> list[str]:
            span = timedelta(days=cleaned_data["days"])
            given = moderation.extend(match.pk, cleaned_data["seat"], span, cleaned_data["reason"])
            return [self._extended(match, seat, given[seat], cleaned_data) for seat in given]

        effect = _("Running clocks get more time, and both players are notified, with the reason.")
        title = _("Give more time")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=ExtendForm)

    @admin.action(description=gettext_lazy("End without a result …"), permissions=["moderate"])
    def void(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, cleaned_data: dict[str, Any]) -> list[str]:
            moderation.void(match.pk, cleaned_data["reason"])
            return [_("Ended without a result: %(reason)s") % cleaned_data]

        effect = _("The matches end, and nobody has won.")
        title = _("End without a result")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=PublicForm)

    @admin.action(description=gettext_lazy("Undo a time-out …"), permissions=["moderate"])
    def reopen(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, cleaned_data: dict[str, Any]) -> list[str]:
            moderation.reopen(match.pk, cleaned_data["reason"])
            return [_("Reopened: %(reason)s") % cleaned_data]

        effect = _("The matches continue, with the clock as it was at the start of the last turn.")
        title = _("Undo a time-out")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=PublicForm)

    @admin.action(description=gettext_lazy("Ask to see both armies …"), permissions=["break"])
    def ask_to_look(
        self, request: HttpRequest, queryset: QuerySet[Match]
    ) -> TemplateResponse | None:
        def act(match: Match, cleaned_data: dict[str, Any]) -> list[str]:
            if missing := without_factor(request):
                raise Declined(missing)
            looks.ask(match.pk, cast(User, request.user), cleaned_data["reason"])
            return [_("Asked to see both armies: %(reason)s") % cleaned_data]

        effect = _(
            "A second member of staff has to agree within 24 hours, on the page “looks at running "
            "matches”. Then both players get an e-mail, and you see both armies for an hour."
        )
        title = _("Ask to see both armies")
        return self.ask(request, queryset, act, title=title, effect=effect, form_class=PublicForm)

    def _extended(
        self, match: Match, seat: Seat, until: datetime, cleaned_data: dict[str, Any]
    ) -> str:
        values = {
            "player": next(p for p in match.players.all() if p.seat == seat),
            "days": cleaned_data["days"],
            "deadline": date_format(localtime(until), "DATETIME_FORMAT"),
            "reason": cleaned_data["reason"],
        }
        return _("%(days)s more days for %(player)s, until %(deadline)s: %(reason)s") % values
