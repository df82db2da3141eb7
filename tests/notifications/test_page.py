"""The settings page of notifications."""

import time
from datetime import timedelta
from typing import Any

import pytest
from django.core.cache.backends import db
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from accounts.people import unsubscribe
from games.notifications.models import Feed, Webhook
from games.notifications.policy import preferences
from games.notifications.policy.kinds import Channel, NotificationKind
from games.outbox.models import Dispatch
from tests.notifications.email.reading import delivered

PAGE = "/notifications/"


@pytest.fixture
def browser(client: Client, alice: User) -> Client:
    client.force_login(alice)
    return client


def form_data(browser: Client, **changed: object) -> dict[str, object]:
    """The form as it is, with some fields changed; a checkbox of None is not ticked."""
    form = browser.get(PAGE).context["form"]
    values = {name: form[name].value() for name in form.fields} | changed
    return {
        name: "on" if value is True else "" if value is None else value
        for name, value in values.items()
        if value is not False
    }


def test_it_requires_sign_in(client: Client, db: None) -> None:
    assert client.get(PAGE)["Location"].startswith("/account/login/?next=")


def test_its_tab_is_the_current_one(browser: Client) -> None:
    tab = '<a href="/notifications/" aria-current="page">'
    assert tab in browser.get(PAGE).content.decode()
    assert tab not in browser.get("/people/preferences/").content.decode()


def test_there_is_a_checkbox_for_each_kind_and_channel(browser: Client) -> None:
    page = browser.get(PAGE).content.decode()
    for channel in Channel:
        for kind in NotificationKind:
            assert f'name="{channel}_{kind}"' in page


def test_chosen_preferences_are_stored(browser: Client, alice: User) -> None:
    chosen = form_data(
        browser, frequency="twice", first_hour=7, quiet_from=23, quiet_until=6, push_detail="move",
        push_over=False,
    )  # fmt: skip
    assert browser.post(PAGE, chosen)["Location"] == PAGE
    alice.refresh_from_db()
    preferred = preferences.read(alice)
    assert (preferred.frequency, preferred.hours) == ("twice", (7, 18))
    assert (preferred.quiet_from, preferred.quiet_until) == (23, 6)
    assert preferred.push_detail == "move"
    assert not preferred.wants(Channel.PUSH, NotificationKind.OVER) and preferred.wants(
        Channel.EMAIL, NotificationKind.OVER
    )


@pytest.fixture
def answerable(settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"


def test_preferences_about_play_by_mail_are_stored(
    answerable: None, browser: Client, alice: User
) -> None:
    chosen = form_data(
        browser, by_mail=True, receipts=False, ask_on_site=True, board_style="list"
    )  # fmt: skip
    browser.post(PAGE, chosen)
    alice.refresh_from_db()
    preferred = preferences.read(alice)
    assert preferred.by_mail and preferred.ask_on_site and not preferred.receipts
    assert preferred.board_style == "list"


def test_calm_is_not_offered_with_play_by_mail(
    answerable: None, browser: Client, alice: User
) -> None:
    assert 'value="calm"' in browser.get(PAGE).content.decode()
    browser.post(PAGE, form_data(browser, by_mail=True, frequency="calm"))
    alice.refresh_from_db()
    assert preferences.read(alice).frequency == "now"
    assert 'value="calm"' not in browser.get(PAGE).content.decode()
    browser.post(PAGE, form_data(browser, by_mail=False))
    assert 'value="calm"' in browser.get(PAGE).content.decode()


def test_play_by_mail_is_not_offered_where_replies_are_not_accepted(
    browser: Client, alice: User
) -> None:
    page = browser.get(PAGE).content.decode()
    assert 'name="by_mail"' not in page and 'name="board_style"' in page
    preferences.change(alice, by_mail=True)
    browser.post(PAGE, form_data(browser, first_hour=7))
    alice.refresh_from_db()
    assert preferences.read(alice).by_mail


def test_an_incomplete_range_of_quiet_hours_is_refused_with_a_sentence(
    browser: Client, alice: User
) -> None:
    page = browser.post(PAGE, form_data(browser, quiet_from=23))
    assert "Quiet hours need a start and an end." in page.content.decode()


@pytest.mark.parametrize(
    "wrong", [{"frequency": "hourly"}, {"first_hour": 24}, {"push_detail": "board"}]
)
def test_values_that_are_not_offered_are_refused(
    browser: Client, alice: User, wrong: dict[str, Any]
) -> None:
    assert browser.post(PAGE, form_data(browser, **wrong)).status_code == 200
    alice.refresh_from_db()
    assert (
        preferences.read(alice).frequency == "now" and preferences.read(alice).push_detail == "turn"
    )


def test_the_link_in_an_email_unticks_the_boxes(browser: Client, alice: User) -> None:
    unsubscribe.stop(alice, "match")
    form = browser.get(PAGE).context["form"]
    assert [form[f"email_{kind}"].value() for kind in NotificationKind] == [
        kind in (NotificationKind.REMINDER, NotificationKind.MODERATION)
        for kind in NotificationKind
    ]
    browser.post(PAGE, form_data(browser, email_turn=True))
    alice.refresh_from_db()
    assert preferences.wants_email(alice, NotificationKind.TURN) and not preferences.wants_email(
        alice, NotificationKind.OVER
    )


@pytest.mark.parametrize(
    "broken",
    [
        [],
        {"frequency": 7, "unwanted": "x", "quiet_from": 99, "first_hour": True},
        {"unknown": 1},
        None,
    ],
)
def test_invalid_stored_preferences_become_the_default(alice: User, broken: object) -> None:
    alice.notification_preferences = broken
    assert preferences.read(alice) == preferences.DEFAULT


def test_a_test_email_is_sent_at_once_and_says_that_emails_arrive(
    browser: Client, alice: User
) -> None:
    preferences.change(alice, frequency="daily", quiet_from=0, quiet_until=23)
    browser.post("/notifications/try/email/")
    (email,) = delivered()
    assert email.to == [alice.email] and email.subject == "Test e-mail"


def test_tests_are_numbered(browser: Client) -> None:
    for _ in range(11):
        browser.post("/notifications/try/email/")
    page = browser.post("/notifications/try/email/", follow=True)
    assert "Too many tests." in page.content.decode()
    assert Dispatch.objects.filter(handler="trial-email").count() == 10


def test_the_limit_for_tests_counts_within_the_last_hour(
    browser: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    ahead, clock = timedelta(), time.time
    monkeypatch.setattr(time, "time", lambda: clock() + ahead.total_seconds())
    monkeypatch.setattr(db, "tz_now", lambda: timezone.now() + ahead)
    # Ten within the hour; then one too many; then one for which the first is over.
    for minutes, sent in (*((6 * number, number + 1) for number in range(10)), (59, 10), (61, 11)):
        ahead = timedelta(minutes=minutes)
        browser.post("/notifications/try/email/")
        assert Dispatch.objects.filter(handler="trial-email").count() == sent, minutes


def test_devices_and_webhooks_of_others_can_be_neither_tested_nor_removed(
    browser: Client, bob: User
) -> None:
    webhook = Webhook.objects.create(
        user=bob, url="https://example.org/", style="json", added_at="2026-01-01T00:00Z"
    )
    browser.post(f"/notifications/webhooks/{webhook.pk}/remove/")
    browser.post(f"/notifications/try/webhook/{webhook.pk}/")
    delivered()
    assert Webhook.objects.filter(pk=webhook.pk).exists()
    assert Dispatch.objects.get(handler="trial-webhook").superseded_at


def test_get_requests_change_nothing(browser: Client) -> None:
    for path in ("feeds/renew/", "feeds/close/", "try/email/", "devices/", "webhooks/", "seen/"):
        assert browser.get(f"/notifications/{path}").status_code == 405
    assert not Feed.objects.exists()


def test_the_query_count_of_the_page_is_constant(
    browser: Client, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    browser.get(PAGE)
    for _ in range(2):
        with django_assert_num_queries(6):
            browser.get(PAGE)
        Webhook.objects.create(
            user=alice, url="https://example.org/", style="json", added_at="2026-01-01T00:00Z"
        )
