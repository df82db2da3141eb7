"""Admin pages of looks: ask, agree, and see both armies of a running match for an hour.

Each step needs a session that used a second factor, also where STAFF_NEEDS_MFA is off.
"""

from typing import Any, cast

from django.contrib import admin
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import URLPattern, path, reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.admin_actions import requires, with_reason
from accounts.models import User
from accounts.sign_in import security_log
from accounts.sign_in.second_factors import used_a_factor
from games.idempotency.command_admin import CommandActions
from games.play.board import text_board
from games.play.commands import looks
from games.play.models.look import Look
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now


def without_factor(request: HttpRequest) -> str:
    """Why this session may not take part in a look; "" if it used a second factor."""
    if used_a_factor(request):
        return ""
    return _("sign in with your second factor first.")


@admin.register(Look)
class LookAdmin(CommandActions):
    list_display = ("id", "match", "asker", "asked_at", "agreed_by", "agreed_at", "both_armies")
    list_select_related = ("match", "asker", "agreed_by")
    fields = ("match", "asker", "reason", "asked_at", "agreed_by", "agreed_at", "both_armies")
    ordering = ("-id",)
    actions = ("agree",)

    has_module_permission = has_break_permission = requires(looks.PERMISSION)

    def has_view_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return request.user.has_perm(looks.PERMISSION)

    def refusal(self, request: HttpRequest, row: Look) -> str:
        return without_factor(request)

    def describe(self, row: Look) -> str:
        return f"{row.match}: {row.reason}"

    def explain(self, error: Exception) -> str | None:
        return refusal_text(error) if isinstance(error, Refusal) else super().explain(error)

    @admin.display(description=gettext_lazy("Both armies"))
    def both_armies(self, look: Look) -> SafeString | str:
        """A link to the position while it is open; it shows it to who asked only."""
        if not look.is_open(now()):
            return ""
        page = reverse("admin:play_look_position", args=[look.pk])
        return format_html('<a href="{}">{}</a>', page, _("Both armies"))

    @admin.action(description=gettext_lazy("Agree …"), permissions=["break"])
    def agree(self, request: HttpRequest, queryset: QuerySet[Look]) -> TemplateResponse | None:
        def act(look: Look, cleaned_data: dict[str, Any]) -> list[str]:
            looks.agree(look.pk, cast(User, request.user))
            return with_reason(_("Agreed"), cleaned_data)

        effect = _(
            "The person who asked sees both armies for an hour. Both players get an e-mail at "
            "once, with both your names and the reason of the request, and the record of the match "
            "keeps it."
        )
        return self.ask(request, queryset, act, title=_("Agree"), effect=effect)

    def get_urls(self) -> list[URLPattern]:
        page = self.admin_site.admin_view(require_safe(never_cache(self._position_page)))
        own = path("<int:look_id>/position/", page, name="play_look_position")
        return [own, *super().get_urls()]

    def _position_page(self, request: HttpRequest, look_id: int) -> HttpResponse:
        """Both armies at the ply of the look; a sentence for everybody who may not see them."""
        user = cast(User, request.user)
        context: dict[str, Any] = {**self.admin_site.each_context(request), "opts": self.opts}
        context |= {"title": _("Both armies")}
        refused = without_factor(request)
        try:
            if not refused:
                look, view = looks.position(look_id, user)
                context |= {"look": look, "board": text_board.text(view)}
        except Look.DoesNotExist:
            raise Http404 from None
        except Refusal as refusal:
            refused = refusal_text(refusal)
        what = f"see both armies by look {look_id}"
        security_log.note(f"{'was refused to' if refused else 'did'} {what}", request, user.pk)
        context["refused"] = refused
        status = 403 if refused else 200
        return TemplateResponse(request, "admin/play/look.html", context, status=status)
