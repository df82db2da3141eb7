"""Admin pages of tournaments: made as drafts, then changed only by actions with a reason."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import F, QuerySet
from django.forms import ModelForm
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import (
    Declined,
    ReasonedActions,
    ReasonForm,
    refusal_against,
    requires,
    with_reason,
)
from games.competitions.tournaments import making
from games.competitions.tournaments.commands import organising, withdrawing
from games.competitions.tournaments.models import MAX_DAYS, Entry, State, Tournament
from games.idempotency.command_admin import CommandActions
from games.idempotency.replay import command_transaction
from games.play.admin.matches import RulesFilter
from games.play.words.wording import refusal_text
from games.rules import registry
from games.rules.core.basics.refusals import Refusal


class TournamentForm(ModelForm):
    """The fields of a draft."""

    preset = forms.ChoiceField(label=gettext_lazy("Rules"))

    class Meta:
        model = Tournament
        fields = making.FIELDS

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        if "preset" in self.fields:
            choices = [(rules.key, _(rules.title)) for rules in registry.editions()]
            self.fields["preset"].choices = choices  # type: ignore[attr-defined]


class ProlongForm(ReasonForm):
    """Asks for a number of days and a reason."""

    days = forms.IntegerField(label=gettext_lazy("More days"), min_value=1, max_value=MAX_DAYS)


@admin.register(Tournament)
class TournamentAdmin(ReasonedActions):
    """Drafts that can be edited, and the actions `open_entry`, `cancel` and `prolong`."""

    form = TournamentForm
    list_display = ("id", "title", "state", "preset", "pace", "opens_at", "closes_at")
    list_filter = ("state", RulesFilter)
    search_fields = ("title",)
    search_help_text = gettext_lazy("Title")
    ordering = ("-id",)
    list_per_page = 50
    fields = (*making.FIELDS, "state", "prolonged", "reason", "prolonged_why", "finished_at")
    readonly_fields = ("state", "prolonged", "reason", "prolonged_why", "finished_at")
    actions = ("open_entry", "cancel", "prolong")

    has_open_permission = requires("competitions.open_tournament")
    has_cancel_permission = requires("competitions.cancel_tournament")
    has_prolong_permission = requires("competitions.prolong_tournament")

    def has_change_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Only drafts can be edited."""
        allowed = super().has_change_permission(request, obj)
        return allowed and (obj is None or obj.state == State.DRAFT)

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def transaction(self) -> Any:
        return command_transaction()

    def refusal(self, request: HttpRequest, row: Tournament) -> str:
        playing = (Entry.Status.ENTERED, Entry.Status.PLAYING)
        if row.entries.filter(user=request.user.pk, status__in=playing).exists():
            return _("you have entered it, so somebody else has to do this.")
        return ""

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.action(description=gettext_lazy("Open for entry …"), permissions=["open"])
    def open_entry(
        self, request: HttpRequest, queryset: QuerySet[Tournament]
    ) -> TemplateResponse | None:
        def act(row: Tournament, cleaned_data: dict[str, Any]) -> list[str]:
            organising.open_entry(row.pk)
            return with_reason(_("Opened for entry"), cleaned_data)

        effect = _("They are listed, and nothing but their dates can be changed any more.")
        return self.ask(request, queryset, act, title=_("Open for entry"), effect=effect)

    @admin.action(description=gettext_lazy("Cancel …"), permissions=["cancel"])
    def cancel(
        self, request: HttpRequest, queryset: QuerySet[Tournament]
    ) -> TemplateResponse | None:
        def act(row: Tournament, cleaned_data: dict[str, Any]) -> list[str]:
            organising.cancel(row.pk, cleaned_data["reason"])
            return with_reason(_("Cancelled"), cleaned_data)

        effect = _("Everybody who has entered reads the reason. Running matches go on outside it.")
        return self.ask(request, queryset, act, title=_("Cancel the tournament"), effect=effect)

    @admin.action(description=gettext_lazy("Move dates to later …"), permissions=["prolong"])
    def prolong(
        self, request: HttpRequest, queryset: QuerySet[Tournament]
    ) -> TemplateResponse | None:
        def act(row: Tournament, cleaned_data: dict[str, Any]) -> list[str]:
            more = timedelta(days=cleaned_data["days"])
            until = organising.prolong(row.pk, more, cleaned_data["reason"])
            if until is None:
                raise Declined(_("it has no date that could be moved."))
            return with_reason(
                _("Moved to %(at)s") % {"at": f"{until:%Y-%m-%d %H:%M}"}, cleaned_data
            )

        effect = _(
            "Entry closes later; once it runs, the last date of its stage is later. Everybody "
            "reads the reason on its page."
        )
        return self.ask(
            request,
            queryset,
            act,
            title=_("Move dates to later"),
            effect=effect,
            form_class=ProlongForm,
        )


@admin.register(Entry)
class EntryAdmin(CommandActions):
    """Read-only entries, with the action `exclude`."""

    list_display = ("id", "tournament", "user", "status", "why", "entered_at")
    list_filter = ("status", "why")
    list_select_related = ("tournament", "user")
    search_fields = ("user__username", "tournament__title")
    search_help_text = gettext_lazy("Username, or the title of the tournament")
    ordering = ("-id",)
    list_per_page = 50
    actions = ("exclude_player",)
    fields = (
        *("tournament", "user", "status", "entered_at", "rating", "withdrawn_at", "why"),
        "reason",
    )

    has_exclude_permission = requires("competitions.exclude_entrant")

    def refusal(self, request: HttpRequest, row: Entry) -> str:
        others = Entry.objects.filter(tournament=row.tournament_id, user=request.user.pk)
        if others.exclude(status=Entry.Status.DROPPED).exists():
            return _("you have entered this tournament, so somebody else has to do this.")
        return refusal_against(request, row.user)

    def describe(self, row: Entry) -> str:
        return f"{row.user}: {row.tournament}"

    def name_of(self, row: Entry) -> str:
        return str(row.user)

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.action(description=gettext_lazy("Exclude …"), permissions=["exclude"])
    def exclude_player(
        self, request: HttpRequest, queryset: QuerySet[Entry]
    ) -> TemplateResponse | None:
        def act(row: Entry, cleaned_data: dict[str, Any]) -> list[str]:
            withdrawing.exclude(row.pk, cleaned_data["reason"])
            return with_reason(_("Excluded"), cleaned_data)

        rows = queryset.select_related("user", "tournament").order_by(F("pk"))
        effect = _("Their running matches end, and they read the reason.")
        return self.ask(request, rows, act, title=_("Exclude"), effect=effect)
