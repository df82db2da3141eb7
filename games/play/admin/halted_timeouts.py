"""Admin pages of halted time-outs: openings of the circuit breaker, and the held players."""

from datetime import datetime
from typing import Any, cast
from urllib.parse import urlencode

from django.contrib import admin
from django.db.models import Count, Min, OuterRef, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from accounts.admin_actions import Declined, opponents_of, requires, with_reason
from accounts.models import User
from games.idempotency.command_admin import CommandActions
from games.play.clocks import breaker
from games.play.models.match import Player, Status
from games.play.models.time import Halt, HeldPlayer
from lib.admin_base import ReadOnlyAdmin
from lib.db_clock import now


@admin.register(Halt)
class HaltAdmin(CommandActions):
    list_display = ("opened_at", "held_back", "released_at", "released_by")
    fields = ("opened_at", "held_back", "released_at", "released_by")
    ordering = ("-id",)
    actions = ("resume_timeouts",)

    has_release_permission = requires("play.release_halt")

    @admin.display(description=gettext_lazy("players held back"))
    def held_back(self, halt: Halt) -> SafeString | int:
        """The number of held players; a link to their list while the halt is in force."""
        if not halt.in_force:
            return halt.overdue
        words = ngettext("%(count)s player", "%(count)s players", halt.overdue)
        page = reverse("admin:play_heldplayer_changelist")
        return format_html('<a href="{}">{}</a>', page, words % {"count": halt.overdue})

    def refusal(self, request: HttpRequest, row: Halt) -> str:
        """Refuses an administrator who plays a held player: they might decide their own match."""
        held = set(row.held.values_list("user_id", flat=True)) if row.in_force else set()
        if held & opponents_of(cast(User, request.user)):
            return _("you are playing a match against each other, so somebody else has to do this.")
        return ""

    @admin.action(description=gettext_lazy("Resume time-outs …"), permissions=["release"])
    def resume_timeouts(
        self, request: HttpRequest, queryset: QuerySet[Halt]
    ) -> TemplateResponse | None:
        def act(halt: Halt, cleaned_data: dict[str, Any]) -> list[str]:
            if not breaker.release(halt, cast(User, request.user)):
                raise Declined(_("released already."))
            return with_reason(_("Time-outs resumed"), cleaned_data)

        effect = _("Matches whose time is up end on time.")
        return self.ask(request, queryset, act, title=_("Resume time-outs"), effect=effect)


@admin.register(HeldPlayer)
class HeldPlayerAdmin(ReadOnlyAdmin):
    """The players that the halt in force holds; visible to everyone who may see halts."""

    list_display = ("user", "matches", "late_since")
    fields = ("user", "matches", "late_since")
    list_select_related = ("user",)
    list_display_links = None
    ordering = ("id",)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm("play.view_halt")

    has_module_permission = has_view_permission

    def get_queryset(self, request: HttpRequest) -> QuerySet[HeldPlayer]:
        late = (
            Player.objects.filter(
                user=OuterRef("user"), live=True, deadline__lt=now(), match__status=Status.RUNNING
            )
            .order_by()
            .values("user")
        )
        held: QuerySet[HeldPlayer] = super().get_queryset(request).filter(halt__in_force=True)
        return held.annotate(
            late_matches=Coalesce(Subquery(late.annotate(n=Count("pk")).values("n")), 0),
            since=Subquery(late.annotate(at=Min("deadline")).values("at")),
        )

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> Any:
        what_to_do = _(
            "They do not lose on time in any match until time-outs are resumed. Find out "
            "why so many were late at once. If it was not their fault, give more time in "
            "their matches first; then resume time-outs on the page “stops of time-outs”."
        )
        return super().changelist_view(request, {"subtitle": what_to_do, **(extra_context or {})})

    @admin.display(description=gettext_lazy("matches whose time is up"), ordering="late_matches")
    def matches(self, held: Any) -> SafeString:
        query = urlencode({"q": held.user.username})
        page = f"{reverse('admin:play_match_changelist')}?{query}"
        return format_html('<a href="{}">{}</a>', page, held.late_matches)

    @admin.display(description=gettext_lazy("time up since"), ordering="since")
    def late_since(self, held: Any) -> datetime | None:
        since: datetime | None = held.since
        return since
