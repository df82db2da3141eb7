"""Admin of people's e-mails: one page for each person answers "no mail came"."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.utils.translation import gettext_lazy as _

from accounts.admin_actions import opponents_of
from games.mail.admin import correspondence, mailbox_facts
from games.mail.models import Correspondent
from lib.admin_base import ReadOnlyAdmin


@admin.register(Correspondent)
class CorrespondentAdmin(ReadOnlyAdmin):
    """People, found by username or address, each with a page of e-mails sent and received."""

    list_display = ("username", "email", "unreached", "match_emails", "reminder_emails")
    list_filter = ("match_emails", "reminder_emails", "pending", "is_active")
    search_fields = ("username", "email")
    ordering = ("-pk",)
    fields = list_display
    list_per_page = 50

    def get_queryset(self, request: HttpRequest) -> QuerySet[Correspondent]:
        return super().get_queryset(request).filter(house_level="", owner=None)

    def change_view(
        self,
        request: HttpRequest,
        object_id: str,
        form_url: str = "",
        extra_context: dict[str, Any] | None = None,
    ) -> HttpResponse:
        """The e-mails of a person; of an opponent, only those that we sent."""
        person = self.get_object(request, object_id)
        if person is None:
            return super().change_view(request, object_id, form_url, extra_context)
        if not self.has_view_permission(request, person):
            raise PermissionDenied
        is_opponent = person.pk in opponents_of(request.user)  # type: ignore[arg-type]
        context = {
            **self.admin_site.each_context(request),
            "title": _("E-mails of %(person)s") % {"person": person},
            "opts": self.opts,
            "person": person,
            "facts": mailbox_facts.facts(person),
            "posted": correspondence.posted(person),
            "received": None if is_opponent else correspondence.received(person),
            "most": correspondence.MAX_ROWS,
        }
        return TemplateResponse(request, "admin/correspondence.html", context)
