"""Admin of the outbox: events, ids and what became of them; rows can be sent again."""

from typing import Any

from django.contrib import admin, messages
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext

from games.outbox import dispatcher
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
class DispatchAdmin(admin.ModelAdmin):
    list_display = ("__str__", "handler", "user", "ref", "created_at", "state", "attempts", "error")
    list_filter = (StateFilter, "handler", "event")
    list_select_related = ("user",)
    ordering = ("-id",)
    show_full_result_count = False
    actions = ("send_again",)

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Dispatch | None = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Dispatch | None = None) -> bool:
        return False

    def has_send_permission(self, request: HttpRequest) -> bool:
        return request.user.has_perm("outbox.change_dispatch")

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

    @admin.action(description=_("Send again"), permissions=["send"])
    def send_again(self, request: HttpRequest, queryset: QuerySet[Dispatch]) -> None:
        count = dispatcher.send_again(queryset)
        words = ngettext("%d message will be sent again.", "%d messages will be sent again.", count)
        self.message_user(request, words % count, messages.SUCCESS)
