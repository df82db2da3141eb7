"""Admin pages of matches: read-only, with moderation actions that ask for a reason.

Everything here is made from Match and Player, which contain no hidden rank. Plies, drafts and saved
set-ups have no admin page for anybody, since administrators may play here, too.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import TYPE_CHECKING, Any, cast

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

from accounts.admin_site import ReadOnlyAdmin
from accounts.models import User
from games.outbox.idempotency import command_transaction
from games.play.clocks import breaker
from games.play.commands import moderation
from games.play.converters import read_number
from games.play.models.match import MAX_REASON_CHARACTERS, SEATS, Match, Player
from games.play.models.time import Adjustment, Halt, Outage, Vacation
from games.play.record.move_numbers import turns_played
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.errors import Refusal
from games.rules.core.moves import move_number
from games.rules.core.pieces import Seat

MAX_MATCHES = 100  # in one action

if TYPE_CHECKING:
    _ModelAdmin = admin.ModelAdmin[Match]
    _TabularInline = admin.TabularInline[Any, Match]
else:  # no generic classes at run time
    _ModelAdmin, _TabularInline = admin.ModelAdmin, admin.TabularInline


class ReasonForm(forms.Form):
    """Asks for the reason of an action."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"),
        max_length=MAX_REASON_CHARACTERS,
        widget=forms.TextInput({"class": "vTextField"}),
        help_text=gettext_lazy("Shown in the history of each match."),
    )


class VoidForm(ReasonForm):
    """Asks for a reason that both players will read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("Both players can read it.")


class ExtendForm(ReasonForm):
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
        return [(rules.key, _(rules.title)) for rules in registry.presets()]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Match]) -> QuerySet[Match]:
        return queryset.filter(preset=self.value()) if self.value() else queryset


class ReadOnlyInline(_TabularInline):
    """A read-only section of a match's admin page."""

    extra = 0
    can_delete = False

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Everybody who may see the match may see this section."""
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
class MatchAdmin(_ModelAdmin):
    """Read-only matches, with the moderation actions."""

    list_display = ("id", "seated", "preset", "status", "move", "turn", "deadline")
    list_filter = ("status", RulesFilter, "created_at", "finished_at")
    search_fields = ("id",)  # so that the search box is shown; see get_search_results
    search_help_text = gettext_lazy("Match number, or the beginning of a player's username")
    ordering = ("-id",)
    list_per_page = 50
    show_full_result_count = False
    actions = ("extend", "void", "reopen")
    inlines = (PlayerInline, AdjustmentInline)
    fields = (
        *("preset", "switches", "pace", "setup_pace", "status", "result", "reason"),
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
        seated = Player.objects.filter(user__username__istartswith=term)
        return queryset.filter(pk__in=seated.values("match")), False

    # Read-only: matches change by commands alone.
    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_moderator_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_match")

    @admin.display(description=gettext_lazy("players"))
    def seated(self, match: Match) -> str:
        return " – ".join(str(player) for player in match.players.all())

    @admin.display(description=gettext_lazy("moves"))
    def move(self, match: Match) -> int:
        return move_number(turns_played(match))

    @admin.display(description=gettext_lazy("to act"))
    def turn(self, match: Match) -> str:
        return ", ".join(str(player) for player in match.players.all() if player.to_act)

    @admin.display(description=gettext_lazy("deadline"))
    def deadline(self, match: Match) -> datetime | None:
        return min((p.deadline for p in match.players.all() if p.deadline), default=None)

    @admin.action(description=gettext_lazy("Give more time …"), permissions=["moderator"])
    def extend(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            running = [Seat(p.seat) for p in match.players.all() if p.to_act]
            seats = running if asked["seat"] is None else [asked["seat"]]
            # If no clock runs, the command refuses and says so.
            return [self._extend(match, seat, asked) for seat in seats or Seat]

        return self._ask(request, queryset, ExtendForm, act, _("Give more time"))

    @admin.action(description=gettext_lazy("End without a result …"), permissions=["moderator"])
    def void(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            moderation.void(match.pk, asked["reason"])
            return [_("Ended without a result: %(reason)s") % asked]

        return self._ask(request, queryset, VoidForm, act, _("End without a result"))

    @admin.action(description=gettext_lazy("Undo a time-out …"), permissions=["moderator"])
    def reopen(self, request: HttpRequest, queryset: QuerySet[Match]) -> TemplateResponse | None:
        def act(match: Match, asked: dict[str, Any]) -> list[str]:
            moderation.reopen(match.pk, asked["reason"])
            return [_("Reopened: %(reason)s") % asked]

        return self._ask(request, queryset, VoidForm, act, _("Undo a time-out"))

    def _extend(self, match: Match, seat: Seat, asked: dict[str, Any]) -> str:
        until = moderation.extend(match.pk, seat, timedelta(days=asked["days"]))
        facts = {
            "player": next(p for p in match.players.all() if p.seat == seat),
            "days": asked["days"],
            "deadline": date_format(localtime(until), "DATETIME_FORMAT"),
            "reason": asked["reason"],
        }
        return _("%(days)s more days for %(player)s, until %(deadline)s: %(reason)s") % facts

    def _ask(
        self,
        request: HttpRequest,
        queryset: QuerySet[Match],
        form_class: type[ReasonForm],
        act: Callable[[Match, dict[str, Any]], list[str]],
        title: str,
    ) -> TemplateResponse | None:
        """The form of an action; once it is valid, `act` on each match and return to the list."""
        matches = list(queryset[: MAX_MATCHES + 1])
        if len(matches) > MAX_MATCHES:
            message = _("Choose at most %(most)s matches at a time.") % {"most": MAX_MATCHES}
            self.message_user(request, message, messages.ERROR)
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
        """Act on one match and log that in its history, in one transaction, or show the refusal."""
        if any(player.user_id == request.user.pk for player in match.players.all()):
            message = _(
                "Match %(number)s: you play in it yourself, so another administrator has "
                "to do this."
            )
            self.message_user(request, message % {"number": match.pk}, messages.ERROR)
            return
        try:
            with command_transaction():
                done = act(match)
                for line in done:
                    self.log_change(request, match, line)
        except Refusal as refusal:
            level, answer = messages.ERROR, refusal_text(refusal)
        else:
            level, answer = messages.SUCCESS, "; ".join(done)
        message = _("Match %(number)s: %(answer)s") % {"number": match.pk, "answer": answer}
        self.message_user(request, message, level)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("start", "end", "credited_at")
    ordering = ("-id",)


@admin.register(Vacation)
class VacationAdmin(ReadOnlyAdmin):
    list_display = ("user", "start", "end", "planned")
    list_select_related = ("user",)
    ordering = ("-id",)


@admin.register(Halt)
class HaltAdmin(ReadOnlyAdmin):
    list_display = ("opened_at", "overdue", "released_at", "released_by")
    ordering = ("-id",)
    actions = ("resume_timeouts",)

    def has_moderator_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("play.change_halt")

    @admin.action(
        description=gettext_lazy("Resume time-outs: overdue matches end on time"),
        permissions=["moderator"],
    )
    def resume_timeouts(self, request: HttpRequest, queryset: QuerySet[Halt]) -> None:
        for halt in queryset:
            if breaker.release(halt, cast(User, request.user)):
                self.log_change(request, halt, _("Time-outs resumed."))
                self.message_user(request, _("Time-outs are running again."), messages.SUCCESS)
