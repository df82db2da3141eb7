"""Matches, as the office sees them: their public face, and what may be done to them, with a reason.

Everything here is made from Match and Player, which know no rank. Plies, drafts and saved set-ups
have no page in the office, for anybody: whoever looks after the server may play on it too.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, cast

from django import forms
from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Prefetch, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.formats import date_format
from django.utils.timezone import localtime
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.models import User
from accounts.staff import LookedAtOnly
from games.play import breaker, commands
from games.play.converters import read_number
from games.play.models.match import REASON, SEATS, Match, Player
from games.play.models.time import Adjustment, Halt, Outage, Vacation
from games.play.wording import say
from games.relay.once import deed
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.errors import Refusal

MOST = 100  # matches that one action may take up


class ReasonForm(forms.Form):
    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=REASON,
        widget=forms.TextInput({"class": "vTextField"}),
        help_text=gettext_lazy("Kept in the history of each match."),
    )


class VoidForm(ReasonForm):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Both players read it.")


class ExtendForm(ReasonForm):
    days = forms.IntegerField(label=gettext_lazy("Days"), min_value=1, max_value=60, initial=3)
    seat = forms.TypedChoiceField(
        label=gettext_lazy("Whose clock"),
        coerce=lambda text: Seat(int(text)),
        empty_value=None,
        required=False,
        choices=[("", gettext_lazy("every clock that runs")), *SEATS],
    )
    field_order = ("seat", "days", "reason")


class RulesFilter(admin.SimpleListFilter):
    title = gettext_lazy("rules")
    parameter_name = "preset"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(rules.key, _(rules.title)) for rules in registry.presets()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ReadInline(admin.TabularInline):
    """A part of a match's page that is read and never written."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whoever may see a match may see who plays it and what was done to its clocks."""
        return True

    def has_add_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False


class PlayerInline(ReadInline):
    model = Player
    fields = readonly_fields = ("seat", "user", "to_act", "bank", "since", "deadline")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Player]:
        return super().get_queryset(request).select_related("user").order_by("seat")


class AdjustmentInline(ReadInline):
    model = Adjustment
    fields = readonly_fields = ("at", "seat", "kind", "span", "note")
    ordering = ("-id",)


@admin.register(Match)
class MatchAdmin(admin.ModelAdmin):
    list_display = ("id", "seated", "preset", "status", "ply", "turn", "deadline")
    list_filter = ("status", RulesFilter, "created_at", "finished_at")
    search_fields = ("id",)  # for the box alone, see get_search_results
    search_help_text = gettext_lazy("The number of a match, or how a player's handle begins")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    actions = ("extend", "void", "reopen")
    inlines = (PlayerInline, AdjustmentInline)
    fields = (
        *("preset", "switches", "pace", "setup_pace", "status", "result", "reason"),
        *("ply", "opening", "created_at", "finished_at", "rematch_of", "twin"),
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
        seated = Player.objects.filter(user__username__istartswith=term)
        return queryset.filter(pk__in=seated.values("match")), False

    # Nothing can be written by hand: a match changes by its commands alone.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_steward_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_match")

    @admin.display(description=gettext_lazy("players"))
    def seated(self, match: Match) -> str:
        return " – ".join(str(player) for player in match.players.all())

    @admin.display(description=gettext_lazy("to act"))
    def turn(self, match: Match) -> str:
        return ", ".join(str(player) for player in match.players.all() if player.to_act)

    @admin.display(description=gettext_lazy("deadline"))
    def deadline(self, match: Match) -> datetime | None:
        return min((p.deadline for p in match.players.all() if p.deadline), default=None)

    @admin.action(description=gettext_lazy("Give more time …"), permissions=["steward"])
    def extend(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            running = [Seat(p.seat) for p in match.players.all() if p.to_act]
            seats = running if asked["seat"] is None else [asked["seat"]]
            # Without a running clock there is one to be refused.
            return [self._extend(match, seat, asked) for seat in seats or Seat]

        return self._ask(request, queryset, ExtendForm, act, _("Give more time"))

    @admin.action(description=gettext_lazy("End without a result …"), permissions=["steward"])
    def void(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            commands.void(match.pk, asked["reason"])
            return [_("Ended without a result: %(reason)s") % asked]

        return self._ask(request, queryset, VoidForm, act, _("End without a result"))

    @admin.action(
        description=gettext_lazy("Take back an ending by time …"), permissions=["steward"]
    )
    def reopen(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            commands.reopen(match.pk, asked["reason"])
            return [_("Reopened: %(reason)s") % asked]

        return self._ask(request, queryset, VoidForm, act, _("Take back an ending by time"))

    def _extend(self, match: Match, seat: Seat, asked: dict[str, Any]) -> str:
        until = commands.extend(match.pk, seat, timedelta(days=asked["days"]))
        facts = {
            "player": next(p for p in match.players.all() if p.seat == seat),
            "days": asked["days"],
            "deadline": date_format(localtime(until), "DATETIME_FORMAT"),
            "reason": asked["reason"],
        }
        return _("%(days)s days more for %(player)s, until %(deadline)s: %(reason)s") % facts

    def _ask(
        self,
        request: HttpRequest,
        queryset: QuerySet[Match],
        form_class: type[ReasonForm],
        act: Callable[[Match, dict[str, Any]], list[str]],
        title: str,
    ) -> TemplateResponse | None:
        """The page that asks for the reason; once it is given, do it and go back to the list."""
        matches = list(queryset[: MOST + 1])
        if len(matches) > MOST:
            said = _("Choose at most %(most)s matches at a time.") % {"most": MOST}
            self.message_user(request, said, messages.ERROR)
            return None
        form = form_class(request.POST if "apply" in request.POST else None)
        if form.is_valid():
            for match in matches:
                self._do(request, match, lambda match: act(match, form.cleaned_data))
            return None
        context = {
            **self.admin_site.each_context(request),
            "title": title,
            "opts": self.opts,
            "form": form,
            "matches": matches,
            "action": request.POST["action"],
            "checkbox": ACTION_CHECKBOX_NAME,
        }
        return TemplateResponse(request, "admin/play/match/ask.html", context)

    def _do(self, request: HttpRequest, match: Match, act: Callable[[Match], list[str]]) -> None:
        """Act on a match and write it into its history, or do neither and say why."""
        if any(player.user_id == request.user.pk for player in match.players.all()):
            said = _("Match %(number)s: you play in it yourself, so somebody else has to do this.")
            self.message_user(request, said % {"number": match.pk}, messages.ERROR)
            return
        try:
            with deed():
                done = act(match)
                for line in done:
                    self.log_change(request, match, line)
        except Refusal as refusal:
            level, answer = messages.ERROR, say(refusal)
        else:
            level, answer = messages.SUCCESS, "; ".join(done)
        said = _("Match %(number)s: %(answer)s") % {"number": match.pk, "answer": answer}
        self.message_user(request, said, level)


@admin.register(Outage)
class OutageAdmin(LookedAtOnly):
    list_display = ("start", "end", "credited_at")
    ordering = ("-id",)


@admin.register(Vacation)
class VacationAdmin(LookedAtOnly):
    list_display = ("user", "start", "end", "planned")
    list_select_related = ("user",)
    ordering = ("-id",)


@admin.register(Halt)
class HaltAdmin(LookedAtOnly):
    list_display = ("opened_at", "overdue", "released_at", "released_by")
    ordering = ("-id",)
    actions = ("let_go_on",)

    def has_steward_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_halt")

    @admin.action(
        description=gettext_lazy("Let the sweep go on: what is overdue ends by time"),
        permissions=["steward"],
    )
    def let_go_on(self, request: HttpRequest, queryset: QuerySet[Halt]) -> None:
        for halt in queryset:
            if breaker.release(halt, cast(User, request.user)):
                self.log_change(request, halt, _("Let the sweep go on."))
                self.message_user(request, _("The sweep goes on."), messages.SUCCESS)
