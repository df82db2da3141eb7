"""Lists of the admin can be filtered only by their filters, and no value makes them fail.

`?session_key__startswith=a` once revealed a session's key, character by character.
"""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from allauth.mfa.models import Authenticator
from django.contrib import admin
from django.contrib.admin.exceptions import DisallowedModelAdminLookup
from django.contrib.auth.models import AnonymousUser
from django.db.models import DateField, Model
from django.test import Client, RequestFactory
from pytest_django import DjangoDbBlocker

from accounts.models import Session, User
from games.play.models.match import Match
from games.play.models.time import Halt
from lib.admin_base import GuardedAdmin
from tests import tiers
from tests.play import match_helpers
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.long

LOOKUPS = ("", "__exact", "__startswith", "__gt", "__regex", "__isnull")
FILTERING = ("", "__exact", "__isnull")  # by what is listed
ADMINS = sorted(admin.site._registry.items(), key=lambda item: item[0]._meta.label)
each_admin = pytest.mark.parametrize(
    ("model", "page"), ADMINS, ids=[model._meta.label for model, _page in ADMINS]
)
# Each list asks the database in a way of its own, but these have most of the filters.
WITH_FILTERS = ("accounts.User", "play.Match", "outbox.Dispatch")
some_admins = pytest.mark.parametrize(
    ("model", "page"),
    tiers.parameters(ADMINS, fast=[row for row in ADMINS if row[0]._meta.label in WITH_FILTERS]),
    ids=[model._meta.label for model, _page in ADMINS],
)
# Names of columns that hold a secret, or whose content is one.
SECRET = re.compile(r"password|session|secret|token|seal|digest|_key|^data$|^key$|position|setup$")
DATES: tuple[str, ...] = (
    "nonsense",
    "9999-12-31",
    "0001-01-01",
    "99999-01-01",
    "2026-13-45",
    "",
    "1e400",
)
DATES += ("9999-12-31T23:59:59-05:00", "0001-01-01T00:00:00+05:00")  # before and after all time
PERIODS = ("__gte", "__lt", "__exact", "__isnull", "__year", "__month", "__day")


def names(model: type[Model], depth: int = 2) -> Iterator[str]:
    """Every column and relation by which a model could be filtered, two models deep."""
    yield "pk"
    for field in model._meta.get_fields(include_hidden=True):
        name = getattr(field, "attname", field.name)
        yield from {field.name, name}
        other: Any = field.related_model
        if field.is_relation and depth > 1 and other not in (None, "self"):
            yield from (f"{field.name}__{further}" for further in names(other, depth - 1))


def offered(page: admin.ModelAdmin) -> set[str]:
    """The parameters that the page offers to filter by, but for periods of dates."""
    parameters = set()
    for item in page.list_filter:
        if isinstance(item, str):
            parameters |= {f"{item}{lookup}" for lookup in FILTERING}
        else:
            parameters.add(str(item.parameter_name))  # type: ignore[union-attr]
    return parameters


def url(model: type[Model]) -> str:
    return f"/admin/{model._meta.app_label}/{model._meta.model_name}/"


@pytest.fixture(scope="module", autouse=True)
def _rows(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[None]:
    """Most models have a row."""
    with shared_rows(django_db_blocker):
        people = match_helpers.people()
        match_helpers.finished_match(people)
        Authenticator.objects.create(user=people.alice, type="totp", data={})
        Halt.objects.create(opened_at="2026-01-01T00:00Z", overdue=1)
        User.objects.create_superuser("Berthier")
        yield


@pytest.fixture
def staff(db: None, settings: Any) -> Client:
    """The browser of a superuser."""
    settings.STAFF_NEEDS_MFA = False
    client = Client(raise_request_exception=False)
    client.force_login(User.objects.get(username="Berthier"))
    return client


@each_admin
def test_every_page_of_the_admin_is_a_guarded_one(
    model: type[Model], page: admin.ModelAdmin
) -> None:
    assert isinstance(page, GuardedAdmin)
    assert model is not Session


@each_admin
def test_no_page_shows_or_searches_a_secret_column(
    staff: Client, model: type[Model], page: admin.ModelAdmin
) -> None:
    request = RequestFactory().get("/")
    request.user = User.objects.get(username="Berthier")
    fieldsets = page.get_fieldsets(request, model._default_manager.first())
    fields = [name for _title, options in fieldsets for name in options["fields"]]
    inlines = [name for inline in page.inlines for name in inline.fields or ()]
    searched = [name.split("__")[-1] for name in page.get_search_fields(request)]
    shown = {str(name) for name in (*page.list_display, *fields, *inlines, *searched)}
    assert shown
    assert not {name for name in shown if SECRET.search(name)}


@some_admins
def test_no_list_is_filtered_by_what_it_does_not_list(
    db: None, model: type[Model], page: admin.ModelAdmin
) -> None:
    tried = {f"{name}{lookup}" for name in names(model) for lookup in LOOKUPS}
    assert len(tried) >= 30
    for lookup in sorted(tried - offered(page)):
        request = RequestFactory().get("/", {lookup: "a"})
        request.user = AnonymousUser()
        with pytest.raises(DisallowedModelAdminLookup):
            page.get_changelist_instance(request)


@some_admins
def test_a_filter_that_is_refused_is_a_bad_request(
    staff: Client, model: type[Model], page: admin.ModelAdmin
) -> None:
    for lookup in ("pk__gt", "password__startswith", "user__password__regex", "nonsense"):
        assert staff.get(url(model), {lookup: "a"}).status_code == 400, lookup


def test_the_crawl_includes_the_secret_columns() -> None:
    tried = set(names(User)) | {f"user__{name}" for name in names(User, 1)} | set(names(Match))
    assert {"password", "user__password", "handle_key", "players__bank"} <= tried


@some_admins
@pytest.mark.parametrize(
    "value",
    tiers.parameters(("x", "", "9" * 40, "-1", "True", "é" * 300), fast=("x", "9" * 40)),
    ids=("word", "empty", "long number", "negative", "true", "long"),
)
@pytest.mark.postgresql
def test_no_value_of_a_filter_breaks_a_list(
    staff: Client, model: type[Model], page: admin.ModelAdmin, value: str
) -> None:
    for lookup in sorted(offered(page)):
        answer = staff.get(url(model), {lookup: value})
        assert answer.status_code in (200, 302), lookup


@some_admins
@pytest.mark.parametrize("period", tiers.parameters(PERIODS, fast=("__gte", "__year")))
@pytest.mark.postgresql
@pytest.mark.filterwarnings("ignore:DateTimeField")  # A date without a time zone is taken as UTC.
def test_no_date_breaks_a_list(
    staff: Client, model: type[Model], page: admin.ModelAdmin, period: str
) -> None:
    dates = [field.name for field in model._meta.fields if isinstance(field, DateField)]
    for name in sorted({*dates} & {*page.list_filter}) or dates[:1]:
        for value in DATES:
            answer = staff.get(url(model), {f"{name}{period}": value})
            assert answer.status_code in (200, 302, 400), (name, value)


@some_admins
def test_no_other_parameter_breaks_a_list(
    staff: Client, model: type[Model], page: admin.ModelAdmin
) -> None:
    pages = ("p=x", "p=-1", f"p={'9' * 40}", "o=99.x.-7", "all=", "e=1")
    for query in (*pages, "q=%25", f"q={'a+' * 1500}"):
        answer = staff.get(f"{url(model)}?{query}")
        assert answer.status_code in (200, 302), query
    for query in ("_to_field=password", "_to_field=x"):
        assert staff.get(f"{url(model)}?{query}").status_code in (200, 400), query


@some_admins
def test_no_number_of_a_row_breaks_its_pages(
    staff: Client, model: type[Model], page: admin.ModelAdmin
) -> None:
    for number in ("x", "0", "9" * 40, "-1", "_00", "1.5"):
        for view in ("change", "history", "delete"):
            answer = staff.get(f"{url(model)}{number}/{view}/")
            assert answer.status_code in (302, 403, 404), (number, view)


def test_a_date_hierarchy_filters_nothing_else_and_never_fails(db: None) -> None:
    page = type("Dated", (GuardedAdmin,), {"date_hierarchy": "date_joined"})(User, admin.site)
    for query in ({"date_joined__year": "99999"}, {"date_joined__year": "9999"}):
        request = RequestFactory().get("/", query)
        request.user = AnonymousUser()
        with pytest.raises(admin.options.IncorrectLookupParameters):
            page.get_changelist_instance(request)
    assert page.lookup_allowed("date_joined__year", "2026", request)
    assert not page.lookup_allowed("date_joined__gt", "2026", request)
