"""Prepared inserts store what the ORM stores, on both databases."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import IntegrityError, connection, models, transaction
from django.db.models.functions import Now

from accounts.models import User
from games.idempotency.models import StoredResponse
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.models.ply import Ply
from lib.database.prepared_inserts import PreparedInsert
from lib.db_clock import now

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

AT = datetime(2026, 11, 27, 1, 2, 3, 456789, UTC)


def response(user: User, key: str = "k", **columns: Any) -> StoredResponse:
    given = {"digest": b"\0\xff'%s", "status": 302, "location": "/é%s'/", "at": AT} | columns
    return StoredResponse(user=user, key=key, **given)


def dispatch(dedupe: str, **columns: Any) -> Dispatch:
    given = {"event": "turn", "handler": "notify", "ref": {"ply": 2, "of": [None, "ü"]}}
    given |= {"created_at": AT, "not_before": AT - timedelta(days=1)} | columns
    return Dispatch(dedupe=dedupe, **given)


def stored(model: type[models.Model], **which: Any) -> dict[str, Any]:
    """The row as it lies in the database, without the columns in which its copy differs."""
    with connection.cursor() as cursor:
        sql, parameters = model._default_manager.filter(**which).query.sql_with_params()
        cursor.execute(sql, parameters)
        names = [column[0] for column in cursor.description]
        ((values),) = cursor.fetchall()
    plain = [bytes(value) if isinstance(value, memoryview) else value for value in values]
    return {
        name: value
        for name, value in zip(names, plain, strict=True)
        if name not in ("id", "key", "number", "dedupe")
    }


def test_a_response_is_stored_as_by_the_orm(alice: User) -> None:
    response(alice, "by the ORM").save(force_insert=True)
    number = PreparedInsert(StoredResponse).insert_row(response(alice, "prepared"))
    assert StoredResponse.objects.get(pk=number).key == "prepared"
    assert stored(StoredResponse, key="prepared") == stored(StoredResponse, key="by the ORM")


def test_a_row_of_the_outbox_is_stored_as_by_the_orm(alice: User) -> None:
    dispatch("by the ORM", user=alice, cause="c").save(force_insert=True)
    insert = PreparedInsert(Dispatch, ignore_conflicts=True)
    assert insert.insert_row(dispatch("prepared", user=alice, cause="c")) is None
    assert stored(Dispatch, dedupe="prepared") == stored(Dispatch, dedupe="by the ORM")


def test_a_row_without_an_id_is_stored_as_by_the_orm() -> None:
    match = Match.objects.create(preset="lattaque-en", created_at=AT)

    def ply(number: int) -> Ply:
        return Ply(
            match=match, number=number, kind="move", text="a4-a5", sealed=b"\0", at=AT, head=b"h"
        )

    ply(100).save(force_insert=True)
    assert PreparedInsert(Ply).insert_row(ply(101)) is None
    assert stored(Ply, match=match, number=101) == stored(Ply, match=match, number=100)


def test_several_rows_are_one_statement(alice: User, django_assert_num_queries: Any) -> None:
    insert = PreparedInsert(Dispatch, ignore_conflicts=True)
    for texts in ("a", "bcd"):
        with django_assert_num_queries(1):
            insert.insert_rows([dispatch(text, user=alice) for text in texts])
    keys = Dispatch.objects.order_by("pk").values_list("dedupe", flat=True)
    assert list(keys) == ["a", "b", "c", "d"]


def test_a_database_default_is_used_where_a_row_has_no_value(alice: User) -> None:
    insert = PreparedInsert(StoredResponse, at=Now())
    insert.insert_row(response(alice, "given"))
    before = now()
    number = insert.insert_row(response(alice, "not given", at=None))
    assert StoredResponse.objects.get(key="given").at == AT
    # SQLite counts milliseconds.
    earliest = before.replace(microsecond=before.microsecond // 1000 * 1000)
    assert earliest <= StoredResponse.objects.get(pk=number).at <= now()


def test_without_a_default_a_missing_value_is_refused(alice: User) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        PreparedInsert(StoredResponse).insert_row(response(alice, at=None))


def test_a_conflict_is_raised_and_rolls_back_the_transaction(alice: User) -> None:
    insert = PreparedInsert(StoredResponse)
    insert.insert_row(response(alice))
    with transaction.atomic():
        StoredResponse.objects.update(status=303)
        with pytest.raises(IntegrityError):
            insert.insert_row(response(alice))
        assert connection.needs_rollback
    assert StoredResponse.objects.get().status == 302


def test_an_ignored_conflict_inserts_the_other_rows(alice: User) -> None:
    insert = PreparedInsert(Dispatch, ignore_conflicts=True)
    insert.insert_row(dispatch("a"))
    insert.insert_row(dispatch("a", event="another"))
    insert.insert_rows([dispatch("a", event="another"), dispatch("b")])
    pairs = Dispatch.objects.order_by("pk").values_list("dedupe", "event")
    assert list(pairs) == [("a", "turn"), ("b", "turn")]
