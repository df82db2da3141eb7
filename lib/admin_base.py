"""Base classes of all admin pages: only declared filters work, and pages may be read-only.

Lists cost the same however long their table is: at most LimitedPaginator.most rows are counted.

Django lets staff filter by any column, shown or not, so they could find out a secret character by
character: `?session_key__startswith=a` shows rows or none.
"""

import re
from typing import Any

from django.contrib import admin, messages
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.contrib.admin.options import IncorrectLookupParameters
from django.core.exceptions import FieldError, ValidationError
from django.db import DataError
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.utils.translation import gettext as _

from lib.database.paginators import LimitedPaginator

# Allowed comparisons of a column in list_filter, and of the dates of date_hierarchy.
COMPARISONS = ("", "__exact", "__isnull", "__gte", "__lt")
PERIODS = ("__year", "__month", "__day")
# Raised for values out of a column's range, such as a date after the year 9999.
INVALID_VALUE = (ArithmeticError, DataError, FieldError, ValidationError, ValueError)

MAX_SEARCH_CHARACTERS = 100
PRIMARY_KEY = re.compile(r"[0-9]{1,18}")


class GuardedAdmin(admin.ModelAdmin):
    """Admin with lists that can be filtered only by `list_filter` and `date_hierarchy`."""

    paginator = LimitedPaginator
    # Both would count rows of the whole table.
    show_full_result_count = False
    show_facets = admin.ShowFacets.NEVER

    def changelist_view(
        self, request: HttpRequest, extra_context: dict[str, Any] | None = None
    ) -> HttpResponse:
        """The list, which says so if it is not complete."""
        response = super().changelist_view(request, extra_context)
        context = getattr(response, "context_data", None) or {}
        shown = context.get("cl")
        if shown is not None and shown.result_count >= self.paginator.most:
            words = _("The list ends after %(count)s rows. Filter or search to find others.")
            context["subtitle"] = words % {"count": self.paginator.most}
        return response

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest | None = None) -> bool:
        return lookup in self._lookups(request)

    def _lookups(self, request: HttpRequest | None) -> set[str]:
        listed = self.get_list_filter(request) if request else self.list_filter
        lookups = set()
        for item in listed:
            if isinstance(item, type) and issubclass(item, admin.SimpleListFilter):
                lookups.add(item.parameter_name or "")
            else:
                name = item[0] if isinstance(item, (tuple, list)) else item
                lookups |= {f"{name}{comparison}" for comparison in COMPARISONS}
        if self.date_hierarchy:
            lookups |= {f"{self.date_hierarchy}{period}" for period in PERIODS}
        return lookups

    def get_changelist_instance(self, request: HttpRequest) -> Any:
        """The list; invalid values of filters redirect to the unfiltered list."""
        try:
            return super().get_changelist_instance(request)
        except INVALID_VALUE as error:
            raise IncorrectLookupParameters from error

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Any], search_term: str
    ) -> tuple[QuerySet[Any], bool]:
        """Search for the first 100 characters, since each word adds a condition to the query."""
        return super().get_search_results(request, queryset, search_term[:MAX_SEARCH_CHARACTERS])

    def response_action(
        self, request: HttpRequest, queryset: QuerySet[Any], *args: Any
    ) -> HttpResponse | None:
        """Run an action if all chosen primary keys are numbers."""
        chosen = request.POST.getlist(ACTION_CHECKBOX_NAME)
        if not all(map(PRIMARY_KEY.fullmatch, chosen)):
            self.message_user(request, _("There is no such row."), messages.ERROR)
            return HttpResponseRedirect(request.get_full_path())
        return super().response_action(request, queryset, *args)


class ReadOnlyAdmin(GuardedAdmin):
    """Read-only admin: no adding, changing or deleting."""

    def has_add_permission(self, request: HttpRequest) -> bool:
        return False

    def has_change_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False

    def has_delete_permission(self, request: HttpRequest, obj: Any = None) -> bool:
        return False
