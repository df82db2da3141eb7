"""The admin of the outbox shows rows and sends them again, and never shows texts of e-mails."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from lib.db_clock import now
from tests.outbox.handlers import post

LIST = reverse("admin:outbox_dispatch_changelist")


@pytest.fixture
def staff(admin_client: Client, settings: Any) -> Client:
    settings.STAFF_NEEDS_MFA = False
    return admin_client


@pytest.fixture
def rows(alice: User) -> dict[str, Dispatch]:
    for event in ("nothing", "stale", "mistake"):
        post(event, user=alice, match=7)
    dispatcher.drain()
    post("email", user=alice, match=7)
    post("call", user=alice, match=7)
    Dispatch.objects.filter(event="call").update(not_before=now() + timedelta(hours=8))
    return {row.event: row for row in Dispatch.objects.all()}


@pytest.mark.parametrize(
    ("state", "event"),
    [
        ("sent", "nothing"),
        ("superseded", "stale"),
        ("failed", "mistake"),
        ("waiting", "email"),
        ("held", "call"),
    ],
)
def test_rows_can_be_filtered_by_state(
    staff: Client, rows: dict[str, Dispatch], state: str, event: str
) -> None:
    page = staff.get(LIST, {"state": state}).content.decode()
    assert f"{event} #{rows[event].pk}" in page
    assert page.count('class="action-select"') == 1


def test_rows_can_be_filtered_by_the_reason_for_not_sending(
    staff: Client, rows: dict[str, Dispatch]
) -> None:
    page = staff.get(LIST, {"reason": "outdated"}).content.decode()
    assert page.count('class="action-select"') == 1
    assert f"stale #{rows['stale'].pk}" in page and "no longer true when it was due" in page


def test_rows_are_found_by_number_message_id_and_person(
    staff: Client, rows: dict[str, Dispatch], bob: User
) -> None:
    post("nothing", user=bob, match=8)
    theirs, row = Dispatch.objects.get(user=bob), rows["email"]
    for term, expected in [
        (str(row.pk), {row.pk}),
        (row.message_id, {row.pk}),
        (row.message_id.strip("<>"), {row.pk}),
        ("BOB", {theirs.pk}),
        (bob.email.upper(), {theirs.pk}),
        ("bo", set()),
        ("nobody@example.org", set()),
        ("9" * 40, set()),
    ]:
        listed = staff.get(LIST, {"q": term}).context["cl"].result_list
        assert {one.pk for one in listed} == expected, term


def test_no_text_of_a_failure_is_shown(staff: Client, rows: dict[str, Dispatch]) -> None:
    row = rows["mistake"]
    pages = [LIST, reverse("admin:outbox_dispatch_change", args=[row.pk])]
    for page in pages:
        text = staff.get(page).content.decode()
        assert "KeyError at handlers.py" in text
        assert "Captain" not in text


def test_a_dispatch_is_sent_again(staff: Client, rows: dict[str, Dispatch]) -> None:
    row = rows["mistake"]
    chosen = {"action": "send_again", "_selected_action": [row.pk]}
    assert f"mistake #{row.pk}" in staff.post(LIST, chosen).content.decode()
    answer = staff.post(
        LIST, {**chosen, "apply": "yes", "reason": "The server was ill."}, follow=True
    ).content.decode()
    assert "Will be sent again: The server was ill." in answer
    row.refresh_from_db()
    assert row.attempts == 0 and not row.error


def test_nothing_can_be_added_changed_or_deleted(staff: Client, rows: dict[str, Dispatch]) -> None:
    row = rows["nothing"]
    assert staff.get(reverse("admin:outbox_dispatch_add")).status_code == 403
    assert staff.post(reverse("admin:outbox_dispatch_delete", args=[row.pk])).status_code == 403
    change = reverse("admin:outbox_dispatch_change", args=[row.pk])
    assert staff.post(change, {"event": "forged"}).status_code == 403
