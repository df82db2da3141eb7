"""Admin pages of outages and vacations."""

from datetime import datetime
from typing import Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.play.models.time import Outage, Vacation
from lib.admin_base import ReadOnlyAdmin


class SettledFilter(admin.SimpleListFilter):
    """Filters outages by whether every affected clock has been credited."""

    title = gettext_lazy("given back to every clock")
    parameter_name = "settled"

    def lookups(self, request: HttpRequest, model_admin: Any) -> list[tuple[str, Any]]:
        return [("yes", gettext_lazy("yes")), ("no", gettext_lazy("not yet"))]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Outage]) -> QuerySet[Outage]:
        wanted = {"yes": False, "no": True}.get(self.value() or "")
        return queryset if wanted is None else queryset.filter(credited_at__isnull=wanted)


@admin.register(Outage)
class OutageAdmin(ReadOnlyAdmin):
    list_display = ("start", "end", "stalled", "caused_by", "state")
    list_select_related = ("caused_by",)
    list_filter = (SettledFilter,)
    ordering = ("-id",)
    fields = ("start", "end", "stalled", "caused_by", "state")

    @admin.display(description=gettext_lazy("given back at"), ordering="credited_at")
    def state(self, outage: Outage) -> datetime | str:
        return outage.credited_at or _(
            "Not to every clock yet; nobody loses on time until then. A worker continues "
            "twice a minute; if it does not finish, check the workers' logs."
        )


@admin.register(Vacation)
class VacationAdmin(ReadOnlyAdmin):
    list_display = ("user", "start", "end", "planned")
    list_select_related = ("user",)
    ordering = ("-id",)
