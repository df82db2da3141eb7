"""Admin of the outbox: events, ids and what became of them; rows can be sent again."""

from typing import Any

from django.contrib import admin
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from accounts.admin_actions import Declined, requires, with_reason
from games.outbox import dispatcher
from games.outbox.command_admin import CommandActions
from games.outbox.models import PENDING, Dispatch

STATES = {
    "waiting": (_("waiting"), PENDING & Q(attempts=0)),
    "failed": (_("failed, will be retried"), PENDING & Q(attempts__gt=0)),
    "dead": (_("failed for good"), Q(dead_at__isnull=False)),
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


@admin.register(Dispatch)
class DispatchAdmin(CommandActions):
    list_display = ("__str__", "handler", "user", "ref", "created_at", "state", "attempts", "error")
    list_filter = (StateFilter, "handler", "event")
    list_select_related = ("user",)
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("send_again",)

    has_send_permission = requires("outbox.resend_dispatch")

    @admin.display(description=_("state"))
    def state(self, dispatch: Dispatch) -> str:
        if dispatch.sent_at:
            key = "sent"
        elif dispatch.superseded_at:
            key = "superseded"
        elif dispatch.dead_at:
            key = "dead"
        else:
            key = "failed" if dispatch.attempts else "waiting"
        return str(STATES[key][0])

    @admin.action(description=_("Send again …"), permissions=["send"])
    def send_again(
        self, request: HttpRequest, queryset: QuerySet[Dispatch]
    ) -> TemplateResponse | None:
        def act(dispatch: Dispatch, asked: dict[str, Any]) -> list[str]:
            if not dispatcher.send_again(Dispatch.objects.filter(pk=dispatch.pk)):
                raise Declined(gettext("being sent at this moment."))
            return with_reason(gettext("Will be sent again"), asked)

        effect = gettext("They are sent as if they had just been posted.")
        return self.ask(request, queryset, act, title=gettext("Send again"), effect=effect)
