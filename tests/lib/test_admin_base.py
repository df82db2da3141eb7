"""Lists of the admin cost the same however long their tables are."""

from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.filters import AllValuesFieldListFilter, FieldListFilter
from django.db import connection
from django.test import Client, RequestFactory
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from pytest_django import Settings

from accounts.models import User
from lib.database.paginators import LimitedPaginator
from tests.floors import at_least

PAGES = sorted(admin.site._registry.values(), key=str)
USERS = reverse("admin:accounts_user_changelist")


@pytest.mark.parametrize("page", PAGES, ids=str)
def test_no_list_counts_its_whole_table(page: Any) -> None:
    assert issubclass(page.paginator, LimitedPaginator)
    assert not page.show_full_result_count
    assert page.show_facets is admin.ShowFacets.NEVER


@pytest.mark.django_db
def test_no_filter_reads_the_whole_table_for_its_values() -> None:
    request = RequestFactory().get("/")
    filtered = [
        (page, name)
        for page in PAGES
        for name in page.get_list_filter(request)
        if isinstance(name, str)
    ]
    for page, name in at_least(10, filtered):
        field = page.model._meta.get_field(name)
        made = FieldListFilter.create(field, request, {}, page.model, page, field_path=name)
        assert not isinstance(made, AllValuesFieldListFilter), f"{page}: {name}"


@pytest.mark.django_db
def test_an_incomplete_list_says_so(
    admin_client: Client, monkeypatch: pytest.MonkeyPatch, settings: Settings
) -> None:
    settings.STAFF_NEEDS_MFA = False
    for number in range(4):
        User.objects.create_confirmed(f"rider{number}", f"rider{number}@example.org")
    complete = admin_client.get(USERS)
    assert b"The list ends after" not in complete.content
    monkeypatch.setattr(LimitedPaginator, "most", 3)
    with CaptureQueriesContext(connection) as queries:
        cut_off = admin_client.get(USERS)
    assert b"The list ends after 3 rows." in cut_off.content
    (count,) = [query["sql"] for query in queries if "COUNT(" in query["sql"]]
    assert "LIMIT 3" in count
