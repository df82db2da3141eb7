"""Admin of people: the queue of reports, with the decisions of moderators as actions.

It shows what players wrote, and of a running match nothing else.
"""

from __future__ import annotations

from typing import Any, cast

from django import forms
from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.template.response import TemplateResponse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from accounts.admin_actions import ReasonForm, opponents_of_sender, requires, with_reason
from accounts.models import User
from games.idempotency.command_admin import CommandActions
from games.people import moderators
from games.people.models import Complaint, Outcome, Report, ReportReason, ReportState, Subject
from games.people.moderation import conflicts, deciding, listing, sealing
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal


class ForThePersonForm(ReasonForm):
    """Asks for a reason that the person will read."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["reason"].help_text = _("The person reads it. Do not name who reported them.")


class SilenceForm(ForThePersonForm):
    """Asks for how many days somebody may write nothing to others, and why."""

    days = forms.IntegerField(
        label=gettext_lazy("Days"), min_value=1, max_value=deciding.MAX_SILENCE_DAYS, initial=7
    )
    field_order = ("days", "reason")


class WaitingFilter(admin.SimpleListFilter):
    """Shows the reports that wait for a decision, unless others are asked for."""

    title = gettext_lazy("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [("closed", _("decided")), ("all", _("all"))]

    def choices(self, changelist: Any) -> Any:
        for choice in super().choices(changelist):
            # The first is Django's "All", which here stands for no choice.
            first = choice["query_string"] == changelist.get_query_string(
                remove=[self.parameter_name]
            )
            yield {**choice, "display": _("waiting")} if first else choice

    def queryset(self, request: HttpRequest, queryset: QuerySet[Report]) -> QuerySet[Report]:
        # An action chosen on the page of a report says itself if that one is decided.
        chosen = request.method == "POST" and request.POST.get("select_across") != "1"
        if chosen or self.value() == "all":
            return queryset
        closed = {"state": ReportState.CLOSED}
        return queryset.filter(**closed) if self.value() == "closed" else queryset.exclude(**closed)


@admin.register(Report)
class ReportAdmin(CommandActions):
    """Reports that wait, those with most reporters first, with the actions that decide them."""

    list_display = ("id", "person", "state", "reporters", "opened_at", "closed_at")
    list_filter = (WaitingFilter,)
    list_select_related = ("person",)
    ordering = ("-reporters", "opened_at")
    list_per_page = 50
    view_on_site = False
    actions = ("close", "warn", "silence", "block")
    fields = (
        *("person", "state", "reporters", "opened_at", "closed_at"),
        *("complaints", "decisions", "answered", "earlier"),
    )

    has_decide_permission = requires(moderators.DECIDE)
    has_block_permission = requires("accounts.block_user")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Report]:
        """All reports but those about the reader, who would learn who reported them."""
        reports: QuerySet[Report] = super().get_queryset(request)
        return reports.select_related("person").exclude(person=request.user.pk)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        """Whether the reader may see reports; not those that they may not decide for good."""
        if not super().has_view_permission(request, obj):
            return False
        return obj is None or not conflicts.standing_conflict(
            cast(User, request.user), obj, lambda: opponents_of_sender(request)
        )

    def refusal(self, request: HttpRequest, row: Report) -> str:
        known = lambda: opponents_of_sender(request)  # noqa: E731
        return conflicts.why_not(cast(User, request.user), row, known)

    def describe(self, row: Report) -> str:
        return _("%(report)s about %(person)s") % {"report": row, "person": row.person}

    def name_of(self, row: Report) -> str:
        return f"#{row.pk}"

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.display(description=gettext_lazy("complaints"))
    def complaints(self, report: Report) -> SafeString:
        rows = list(report.complaints.select_related("reporter").order_by("pk"))
        copies = {row.pk: sealing.copy_of(row) for row in rows}
        bots = listing.bots_of(rows)
        authors = User.objects.in_bulk({line.author for copy in copies.values() for line in copy})
        shown = [
            {
                "row": row,
                "subject": Subject(row.subject).label,
                "reason": ReportReason(row.reason).label,
                "bot": bots.get(row.bot or 0),
                "words": sealing.words_of(row),
                "lines": [(line, authors.get(line.author)) for line in copies[row.pk]],
            }
            for row in rows
        ]
        return render_to_string("admin/people/_complaints.html", {"complaints": shown})

    @admin.display(description=gettext_lazy("decisions"))
    def decisions(self, report: Report) -> SafeString:
        rows = report.decisions.select_related("moderator").order_by("pk")
        return render_to_string("admin/people/_decisions.html", {"decisions": rows})

    @admin.display(description=gettext_lazy("answer"))
    def answered(self, report: Report) -> str:
        return sealing.answer_of(report)

    @admin.display(description=gettext_lazy("earlier reports about these people"))
    def earlier(self, report: Report) -> SafeString:
        reporters = Complaint.objects.filter(report=report).values_list("reporter", flat=True)
        rows = listing.history({report.person_id, *reporters}, report)
        return render_to_string("admin/people/_earlier.html", {"reports": rows})

    @admin.action(description=gettext_lazy("No rule broken …"), permissions=["decide"])
    def close(self, request: HttpRequest, queryset: QuerySet[Report]) -> TemplateResponse | None:
        effect = _("The reports are closed, and the reporters read that no rule was broken.")
        return self._ask(request, queryset, Outcome.NOTHING, _("No rule broken"), effect)

    @admin.action(description=gettext_lazy("Warn …"), permissions=["decide"])
    def warn(self, request: HttpRequest, queryset: QuerySet[Report]) -> TemplateResponse | None:
        effect = _("They get an e-mail with the reason.")
        return self._ask(request, queryset, Outcome.WARNED, _("Warn"), effect)

    @admin.action(description=gettext_lazy("Silence …"), permissions=["decide"])
    def silence(self, request: HttpRequest, queryset: QuerySet[Report]) -> TemplateResponse | None:
        effect = _("For some days they can write nothing to other players. They play as before.")
        return self._ask(
            request, queryset, Outcome.SILENCED, _("Silence"), effect, form_class=SilenceForm
        )

    @admin.action(description=gettext_lazy("Block the account …"), permissions=["block"])
    def block(self, request: HttpRequest, queryset: QuerySet[Report]) -> TemplateResponse | None:
        effect = _("They are signed out everywhere and can no longer sign in.")
        return self._ask(request, queryset, Outcome.BLOCKED, _("Block the account"), effect)

    def _ask(
        self,
        request: HttpRequest,
        queryset: QuerySet[Report],
        outcome: Outcome,
        title: str,
        effect: str,
        form_class: type[ReasonForm] = ForThePersonForm,
    ) -> TemplateResponse | None:
        def act(report: Report, cleaned_data: dict[str, Any]) -> list[str]:
            moderator = cast(User, request.user)
            days = cleaned_data.get("days")
            deciding.decide(report.pk, moderator, outcome, cleaned_data["reason"], days)
            return with_reason(str(outcome.label), cleaned_data)

        return self.ask(request, queryset, act, title=title, effect=effect, form_class=form_class)
