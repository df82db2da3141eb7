"""Admin of the outbox: lists rows with their state, and can send them again."""

import re
from datetime import datetime
from typing import Any

from django import forms
from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin_actions import Declined, ReasonForm, requires, with_reason
from accounts.models import User
from games.idempotency.command_admin import CommandActions
from games.outbox import registry
from games.outbox.delivery import dispatcher, releasing
from games.outbox.models import PENDING, Dispatch, Reason
from lib.admin_base import MAX_SEARCH_CHARACTERS, PRIMARY_KEY
from lib.db_clock import now, now_expression

MESSAGE_ID = re.compile(r"<?o([0-9]{1,18})\.[0-9a-f]{16}(?:@[^ ]*)?>?")
MAX_FOUND_USERS = 10

STATES = {
    "waiting": (_("waiting"), PENDING & Q(attempts=0, not_before__lte=now_expression())),
    "held": (_("held until later"), PENDING & Q(attempts=0, not_before__gt=now_expression())),
    "failed": (_("failed, will be retried"), PENDING & Q(attempts__gt=0)),
    "dead": (_("failed permanently"), Q(dead_at__isnull=False)),
    "superseded": (_("no longer needed"), Q(superseded_at__isnull=False)),
    "sent": (_("sent"), Q(sent_at__isnull=False)),
}


class StateFilter(admin.SimpleListFilter):
    title = _("state")
    parameter_name = "state"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [(key, words) for key, (words, _condition) in STATES.items()]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> QuerySet[Dispatch] | None:
        chosen = STATES.get(self.value() or "")
        return queryset.filter(chosen[1]) if chosen else queryset


class ReasonFilter(admin.SimpleListFilter):
    title = _("why it was not sent")
    parameter_name = "reason"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return list(Reason.choices)

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> QuerySet[Dispatch] | None:
        return queryset.filter(reason=self.value()) if self.value() else queryset


class HandlerFilter(admin.SimpleListFilter):
    """Filters by handler. Django's own filter would read the whole table for the values."""

    title = _("handler")
    parameter_name = "handler"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(key, key) for key in registry.handler_keys()]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> QuerySet[Dispatch] | None:
        return queryset.filter(handler=self.value()) if self.value() else queryset


class EventFilter(admin.SimpleListFilter):
    """Filters by event, for the same reason."""

    title = _("event")
    parameter_name = "event"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, str]]:
        return [(name, name) for name in registry.public_events()]

    def queryset(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> QuerySet[Dispatch] | None:
        return queryset.filter(event=self.value()) if self.value() else queryset


def state_of(dispatch: Dispatch, at: datetime) -> str:
    """The state of a row, in words."""
    if dispatch.sent_at:
        key = "sent"
    elif dispatch.superseded_at:
        key = "superseded"
    elif dispatch.dead_at:
        key = "dead"
    elif dispatch.attempts:
        key = "failed"
    else:
        key = "held" if dispatch.not_before > at else "waiting"
    return str(STATES[key][0])


class ReleaseForm(ReasonForm):
    """Asks for the reason, and whether to clear recent bounces of mailboxes."""

    revive = forms.BooleanField(
        label=_("Resume sending to mailboxes that were marked in the last 72 hours"),
        required=False,
        help_text=_("Except those whose owners reported an e-mail as spam."),
    )


@admin.register(Dispatch)
class DispatchAdmin(CommandActions):
    list_display = (
        *("__str__", "handler", "user", "ref", "created_at", "state", "not_before"),
        *("why", "attempts", "error", "cause"),
    )
    list_filter = (StateFilter, ReasonFilter, HandlerFilter, EventFilter, "created_at")
    search_fields = ("id",)  # so that the search box is shown; see get_search_results
    search_help_text = _("Number, Message-ID, or a person's username or e-mail address")
    list_select_related = ("user",)
    ordering = ("-id",)
    actions = ("send_again", "release_emails")

    def get_queryset(self, request: HttpRequest) -> QuerySet[Dispatch]:
        rows: QuerySet[Dispatch] = super().get_queryset(request)
        return rows.exclude(event__in=registry.private_events())

    has_send_permission = requires("outbox.resend_dispatch")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Dispatch], search_term: str
    ) -> tuple[QuerySet[Dispatch], bool]:
        term = search_term.strip()[:MAX_SEARCH_CHARACTERS].replace("\0", "")
        if not term:
            return queryset, False
        message_id = MESSAGE_ID.fullmatch(term)
        if number := message_id[1] if message_id else PRIMARY_KEY.fullmatch(term) and term:
            return queryset.filter(pk=int(number)), False
        users = User.objects.filter(Q(username__iexact=term) | Q(email=term.lower()))
        keys = list(users.values_list("pk", flat=True)[:MAX_FOUND_USERS])
        return queryset.filter(user__in=keys), False

    @admin.display(description=_("state"))
    def state(self, dispatch: Dispatch) -> str:
        return state_of(dispatch, now())

    @admin.display(description=_("why it was not sent"))
    def why(self, dispatch: Dispatch) -> str:
        return dispatch.why_dropped

    @admin.action(description=_("Send again …"), permissions=["send"])
    def send_again(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> TemplateResponse | None:
        def act(dispatch: Dispatch, cleaned_data: dict[str, Any]) -> list[str]:
            if not dispatcher.send_again(Dispatch.objects.filter(pk=dispatch.pk)):
                raise Declined(gettext("being sent at this moment."))
            return with_reason(gettext("Will be sent again"), cleaned_data)

        effect = gettext("They are sent as if they had just been posted.")
        return self.ask(request, queryset, act, title=gettext("Send again"), effect=effect)

    @admin.action(description=_("Release all rejected e-mails …"), permissions=["send"])
    def release_emails(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> TemplateResponse | None:
        """Release all e-mails that mail servers refused; the selected rows do not matter."""
        since = now() - releasing.WINDOW

        def act(dispatch: Dispatch, cleaned_data: dict[str, Any]) -> list[str]:
            done = releasing.release(since, revive=cleaned_data["revive"])
            return with_reason(
                gettext(
                    "%(waiting)s waiting e-mails and %(given_up)s given-up e-mails are sent "
                    "again, and sending resumes to %(revived)s mailboxes"
                )
                % done._asdict(),
                cleaned_data,
            )

        effect = gettext(
            "All e-mails that mail servers have not accepted are sent at once: %(waiting)s "
            "waiting, and %(given_up)s given up in the last 72 hours. It does not matter which "
            "messages you chose; the reason is kept in the history of the first one."
        ) % {
            "waiting": dispatcher.held_back().count(),
            "given_up": dispatcher.given_up_since(since).count(),
        }
        return self.ask(
            request,
            queryset.order_by("pk")[:1],
            act,
            title=gettext("Release all rejected e-mails"),
            effect=effect,
            form_class=ReleaseForm,
        )
