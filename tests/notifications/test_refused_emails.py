"""E-mails that a mail server refuses: who caused it, the warnings, and retries."""

from collections.abc import Iterable
from contextlib import closing
from datetime import datetime, timedelta
from io import StringIO
from typing import Any

import pytest
from django.core import mail
from django.core.management import CommandError, call_command
from django.db import transaction
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from config.models import Alert
from config.watch import alerts, checks, measurements
from games.notifications.email import verp
from games.notifications.email.sending.bounces import receive_bounce
from games.notifications.models import AccountEmail, Mailbox
from games.notifications.policy import deliverability
from games.outbox import publishing
from games.outbox.delivery import dispatcher
from games.outbox.handling import Batch
from games.outbox.models import PENDING, Dispatch
from games.play.models.match import Match
from games.play.models.time import Heartbeat
from lib.db_clock import frozen_at, now
from tests import tiers
from tests.concurrent import at_once
from tests.floors import at_least
from tests.notifications.test_bounces import feedback, report
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.servers import SmtpSink

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql_soak]

HOUR = timedelta(hours=1)
BOUNCING = "E-mails to you bounce"


@pytest.fixture
def sink(settings: Settings, smtp_sink: SmtpSink) -> SmtpSink:
    settings.EMAIL_BACKEND = "django.core.mail.backends.smtp.EmailBackend"
    settings.EMAIL_HOST, settings.EMAIL_PORT = "127.0.0.1", smtp_sink.port
    settings.ADMINS = [("", "admin@example.org")]
    Heartbeat.objects.create(pk=1, started_at=now(), last_beat_at=now(), last_contact_at=now())
    return smtp_sink


@pytest.fixture
def readers(db: None) -> list[User]:
    return match_helpers.persons(*(f"Reader{number:02}" for number in range(20)))


def write_to(readers: Iterable[User]) -> None:
    """Queue a test e-mail to each; it is sent at once, even after bounces."""
    with transaction.atomic():
        for number, reader in enumerate(readers):
            publishing.enqueue("trial-email", "trial", user=reader, number=number)


def unreachable_usernames() -> set[str]:
    """Names of the users who see a warning that their e-mails bounce."""
    return set(User.objects.exclude(unreached="").values_list("username", flat=True))


def waiting_count() -> int:
    return Dispatch.objects.filter(PENDING).count()


def given_up() -> int:
    return Dispatch.objects.filter(dead_at__isnull=False).count()


def drain_at(instant: datetime) -> None:
    with frozen_at(instant):
        dispatcher.drain()


def page_text(user: User, path: str = "/") -> str:
    browser = Client()
    browser.force_login(user)
    return browser.get(path).content.decode()


def problem(name: str) -> str:
    """What a check of the service says; nothing if all is well."""
    (warning,) = [one for one in checks.check(measurements.measure()) if one.name == name]
    return f"{warning.problem} {warning.advice}" if warning.problem else ""


# --- Who caused it

OURS = [
    ("to_rcpt", "550 5.7.1 Relaying denied", "5.7.1"),
    ("to_rcpt", "554 5.7.1 <x@example.org>: Relay access denied", "5.7.1"),
    ("to_rcpt", "550 5.1.0 <b+1@localhost>: Sender address rejected: User unknown", "5.1.0"),
    ("to_rcpt", "550-5.7.26 unauthenticated\r\n550 5.7.26 sender", "5.7.26"),
    ("to_rcpt", "550 relay not permitted", "550"),
    ("to_rcpt", "554 Service unavailable", "554"),
    ("answer", "554 5.7.1 rejected by policy", "5.7.1"),
    ("answer", "550 5.1.8 Sender 185.1.1.7 unknown", "5.1.8"),
    ("answer", "550 Not here: 5.1.1", "550"),
    ("answer", "554 Transaction failed", "554"),
    ("answer", "552 5.3.4 Message too big", "5.3.4"),
    ("to_mail", "552 5.3.4 Message size exceeds fixed limit", "552"),
]


FAST_OURS = (
    ("to_rcpt", "550 5.7.1 Relaying denied", "5.7.1"),
    ("to_rcpt", "550-5.7.26 unauthenticated\r\n550 5.7.26 sender", "5.7.26"),
    ("answer", "550 Not here: 5.1.1", "550"),
    ("answer", "554 Transaction failed", "554"),
    ("to_mail", "552 5.3.4 Message size exceeds fixed limit", "552"),
)


@pytest.mark.parametrize(("command", "answer", "code"), tiers.parameters(OURS, FAST_OURS))
def test_a_fault_of_ours_marks_no_user_and_emails_wait(
    match: Match, bob: User, sink: SmtpSink, command: str, answer: str, code: str
) -> None:
    setattr(sink, command, answer)
    match_helpers.play(match, "a4-a5")
    instant = now()
    for hours in range(0, 12, 2):
        drain_at(instant + hours * HOUR)
    row = Dispatch.objects.get(event="turn-came", user=bob)
    assert not row.dead_at and row.attempts == 6
    assert row.error == f"OwnFault {code}"
    assert not Mailbox.objects.exists() and not unreachable_usernames()
    assert BOUNCING not in page_text(bob) and "Last bounce" not in page_text(bob, "/notifications/")
    setattr(sink, command, "250 OK")
    drain_at(instant + 14 * HOUR)
    assert len(sink.taken) == 1


def test_after_three_days_it_is_dropped_and_shown_to_the_operator(
    match: Match, bob: User, sink: SmtpSink
) -> None:
    sink.to_rcpt = "550 5.7.1 Relaying denied"
    match_helpers.play(match, "a4-a5")
    instant = now()
    for hours in range(0, 72, 6):
        drain_at(instant + hours * HOUR)
    assert not given_up()
    drain_at(instant + 73 * HOUR)
    assert given_up() == 1 and not unreachable_usernames()
    with frozen_at(instant + 73 * HOUR):
        assert "could not be sent" in problem("dead letters")


@pytest.mark.parametrize(
    ("command", "answer"),
    [
        ("to_rcpt", "550 5.1.1 <bob@example.org>: Recipient address rejected: User unknown"),
        ("to_rcpt", "550 sorry, no mailbox here by that name. (#5.1.1)"),
        ("answer", "550 5.1.1 User unknown"),
    ],
)
def test_a_missing_mailbox_is_marked_at_once(
    match: Match, bob: User, sink: SmtpSink, command: str, answer: str
) -> None:
    setattr(sink, command, answer)
    match_helpers.play(match, "a4-a5")
    dispatcher.drain()
    assert unreachable_usernames() == {"Bob"} and BOUNCING in page_text(bob)
    assert Dispatch.objects.get(event="turn-came", user=bob).error == "MailboxRefused 5.1.1"
    assert given_up() == 1 and not problem("refusals")


@pytest.mark.parametrize(
    ("command", "answer"),
    tiers.parameters(
        [
            ("to_rcpt", "552 5.2.2 Over quota"),
            ("to_rcpt", "550 No such user here"),
            ("answer", "552 Mailbox full"),
        ],
        fast=[("to_rcpt", "550 No such user here"), ("answer", "552 Mailbox full")],
    ),
)
def test_a_full_mailbox_is_marked_after_three_refusals(
    who: People, bob: User, sink: SmtpSink, command: str, answer: str
) -> None:
    setattr(sink, command, answer)
    begin = now()
    for number in range(1, 4):
        with frozen_at(begin + timedelta(days=number)):
            match_helpers.running_match(who, "a4-a5")
            dispatcher.drain()
        assert Mailbox.objects.get(user=bob).bounces == number
        assert unreachable_usernames() == ({"Bob"} if number == 3 else set())


@pytest.mark.parametrize("answer", ["550 5.7.1 Mail from <bob@example.org> denied", "530 5.7.0 No"])
def test_a_refused_sender_stops_the_batch_and_emails_wait(
    sink: SmtpSink, readers: list[User], answer: str
) -> None:
    sink.to_mail = answer
    write_to(readers)
    instant = now()
    drain_at(instant)
    assert sink.connections == 1
    for row in at_least(20, Dispatch.objects.all()):
        assert row.error.startswith("ServiceUnavailable") and not row.dead_at
        assert row.not_before < instant + timedelta(seconds=37)
    assert "EMAIL_URL" in problem("mail server") or "BOUNCES=false" in problem("mail server")
    sink.to_mail = "250 OK"
    drain_at(instant + timedelta(minutes=1))
    assert len(sink.taken) == 20 and not unreachable_usernames()


# --- Many at once


@pytest.mark.parametrize("many", tiers.parameters((6, 20), fast=(6,)))
def test_many_refused_mailboxes_at_once_are_one_fault_of_ours(
    sink: SmtpSink, readers: list[User], many: int
) -> None:
    sink.mood = "refuse"
    write_to(readers[:many])
    instant = now()
    drain_at(instant)
    assert not unreachable_usernames() and not given_up()
    assert not Mailbox.objects.exclude(bounced_at=None, why="", bounces=0).exists()
    assert "5.1.1" in problem("refusals") and "many mailboxes" in problem("refusals")
    for hours in (1, 2, 5, 11, 23):
        drain_at(instant + hours * HOUR)
        assert not unreachable_usernames() and not given_up()
    sink.mood = "accept"
    drain_at(instant + 25 * HOUR)
    assert len(sink.taken) == many
    with frozen_at(instant + 25 * HOUR):
        assert not problem("refusals")


def test_earlier_marks_are_taken_back_at_the_fifth(sink: SmtpSink, readers: list[User]) -> None:
    sink.mood = "refuse"
    for number, reader in enumerate(readers[:5]):
        write_to([reader])
        dispatcher.drain()
        names = {one.username for one in readers[: number + 1]}
        assert unreachable_usernames() == (names if number < 4 else set())
    assert not given_up() and waiting_count() == 5
    sink.mood = "accept"
    drain_at(now() + HOUR)
    assert len(sink.taken) == 5


def test_refusals_in_separate_batches_and_by_other_workers_are_counted_together(
    sink: SmtpSink, readers: list[User]
) -> None:
    sink.mood = "refuse"
    write_to(readers[:6])
    claimed = [dispatcher.claim(1) for _ in range(6)]
    for rows in claimed:
        with closing(Batch(rows)) as batch:
            dispatcher.deliver(rows[0], batch)
    assert not unreachable_usernames() and not given_up() and waiting_count() == 6


@pytest.mark.postgresql
def test_refusals_by_five_workers_at_the_same_instant_are_counted_together(
    apart: None, sink: SmtpSink, readers: list[User]
) -> None:
    sink.mood = "refuse"
    write_to(readers[:5])
    claimed = [dispatcher.claim(1) for _ in range(5)]

    def deliver_batch(rows: list[Dispatch]) -> None:
        with closing(Batch(rows)) as batch:
            dispatcher.deliver(rows[0], batch)

    at_once(*[lambda rows=rows: deliver_batch(rows) for rows in claimed])
    # The next attempt takes back what one dropped while another counted.
    drain_at(now() + timedelta(minutes=1))
    assert not unreachable_usernames() and not given_up() and waiting_count() == 5


def test_a_single_invalid_address_among_many_valid_ones_is_marked(
    sink: SmtpSink, readers: list[User]
) -> None:
    sink.unknown = {readers[10].email}
    write_to(readers)
    dispatcher.drain()
    assert unreachable_usernames() == {readers[10].username} and given_up() == 1
    assert len(sink.taken) == 19 and not problem("refusals")


def test_some_invalid_addresses_among_more_valid_ones_are_marked(
    sink: SmtpSink, readers: list[User]
) -> None:
    sink.unknown = {reader.email for reader in readers[12:18]}
    write_to(readers)
    dispatcher.drain()
    assert unreachable_usernames() == {reader.username for reader in readers[12:18]}
    # In any order: once the valid ones are delivered, the others are retried.
    Dispatch.objects.all().delete()
    Mailbox.objects.all().delete()
    User.objects.update(unreached="")
    sink.unknown = {reader.email for reader in readers[:6]}
    write_to(readers)
    instant = now()
    drain_at(instant)
    assert len(sink.taken) == 28
    drain_at(instant + timedelta(minutes=1))
    assert (
        unreachable_usernames() == {reader.username for reader in readers[:6]} and given_up() == 6
    )


def test_four_of_four_are_marked(sink: SmtpSink, readers: list[User]) -> None:
    sink.mood = "refuse"
    write_to(readers[:4])
    dispatcher.drain()
    assert len(unreachable_usernames()) == 4


def test_refusals_of_more_than_an_hour_ago_do_not_count(
    sink: SmtpSink, readers: list[User]
) -> None:
    sink.mood = "refuse"
    instant = now()
    with frozen_at(instant):
        write_to(readers[:4])
        dispatcher.drain()
    with frozen_at(instant + timedelta(minutes=61)):
        write_to(readers[4:8])
        dispatcher.drain()
    assert len(unreachable_usernames()) == 8


def test_a_known_fault_of_ours_remains_one_when_fewer_are_left(
    sink: SmtpSink, readers: list[User]
) -> None:
    sink.mood = "refuse"
    write_to(readers[:5])
    instant = now()
    drain_at(instant)
    # The others' e-mails are no longer needed.
    Dispatch.objects.exclude(user=readers[0]).update(superseded_at=now())
    for hours in range(2, 12, 2):
        drain_at(instant + hours * HOUR)
    assert not unreachable_usernames() and waiting_count() == 1


def test_a_complaint_within_that_hour_is_not_taken_back(
    sink: SmtpSink, readers: list[User], settings: Settings
) -> None:
    sink.mood = "refuse"
    write_to(readers[:1])
    dispatcher.drain()
    assert receive_bounce(feedback("abuse"), verp.sender(readers[0])) == "complaint"
    write_to(readers[1:6])
    dispatcher.drain()
    assert unreachable_usernames() == {readers[0].username}
    assert Mailbox.objects.get(user=readers[0]).why == deliverability.SPAM


def test_rows_of_other_channels_stay_dropped(sink: SmtpSink, readers: list[User]) -> None:
    User.objects.filter(pk=readers[0].pk).update(unreached="push webhook")
    sink.mood = "refuse"
    for reader in readers[:5]:
        write_to([reader])
        dispatcher.drain()
    assert unreachable_usernames() == {readers[0].username}
    assert User.objects.get(pk=readers[0].pk).unreached == "push webhook"


def test_emails_due_while_a_refusal_may_be_taken_back_are_kept(
    who: People, bob: User, readers: list[User], sink: SmtpSink
) -> None:
    sink.mood = "refuse"
    match_helpers.running_match(who, "a4-a5")
    dispatcher.drain()
    assert "Bob" in unreachable_usernames()
    second = match_helpers.running_match(who, "a4-a5")
    dispatcher.drain()
    row = Dispatch.objects.get(event="turn-came", user=bob, ref__match=second.pk)
    assert not row.superseded_at and not row.attempts
    write_to(readers[:6])
    dispatcher.drain()
    assert not unreachable_usernames()
    sink.mood = "accept"
    drain_at(now() + timedelta(minutes=5))
    row.refresh_from_db()
    assert row.sent_at


def test_emails_kept_for_a_final_refusal_are_dropped(
    who: People, bob: User, sink: SmtpSink
) -> None:
    sink.mood = "refuse"
    match_helpers.running_match(who, "a4-a5")
    dispatcher.drain()
    match_helpers.running_match(who, "a4-a5")
    drain_at(now() + timedelta(seconds=5))
    drain_at(now() + 2 * HOUR)
    assert not Dispatch.objects.filter(PENDING, user=bob).exists()


def test_an_account_email_is_handled_the_same_way(sink: SmtpSink, readers: list[User]) -> None:
    sink.mood = "refuse"
    write_to(readers[:5])
    dispatcher.drain()
    Client().post("/account/password/reset/", {"email": readers[6].email})
    dispatcher.drain()
    row = Dispatch.objects.get(event="account-email")
    assert not row.dead_at and row.error == "OwnFault 5.1.1 many" and AccountEmail.objects.exists()
    sink.mood = "accept"
    drain_at(now() + timedelta(minutes=5))
    assert not AccountEmail.objects.exists() and Dispatch.objects.get(pk=row.pk).sent_at


def test_a_policy_refusal_keeps_an_account_email(sink: SmtpSink, readers: list[User]) -> None:
    sink.to_rcpt = "550 5.7.1 Relaying denied"
    Client().post("/account/password/reset/", {"email": readers[6].email})
    dispatcher.drain()
    assert AccountEmail.objects.exists() and not given_up()


# --- What it costs


def test_a_delivered_email_costs_one_query(
    sink: SmtpSink, readers: list[User], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for count in (5, 15):
        write_to(readers[:count])
        # One query marks each as sent. The others are the same for a whole batch.
        with django_assert_num_queries(14 + count):
            dispatcher.drain()
        Dispatch.objects.all().delete()
    assert len(sink.taken) == 20


def test_a_refusal_costs_a_constant_number_of_queries(
    sink: SmtpSink, readers: list[User], django_assert_max_num_queries: DjangoAssertNumQueries
) -> None:
    sink.mood = "refuse"
    with django_assert_max_num_queries(17):
        deliverability.refused(readers[0], lasting=True)
    for reader in readers[1:]:
        deliverability.refused(reader, lasting=True)
    with django_assert_max_num_queries(8):
        deliverability.refused(readers[0], lasting=True)


# --- Reports that come back


@pytest.mark.parametrize("status", ["5.7.26", "5.7.1", "5.1.8", "4.4.7", "5.4.1", "5.3.4"])
def test_a_bounce_for_a_fault_of_ours_is_not_counted_and_administrators_are_notified(
    bob: User, sink: SmtpSink, status: str
) -> None:
    address = verp.sender(bob)
    for _ in range(4):
        assert receive_bounce(report(status), address) == "ours"
    assert not unreachable_usernames() and "Last bounce" not in page_text(bob, "/notifications/")
    assert Mailbox.objects.get().bounces == 0
    assert status in problem("refusals") and "1 recipient " in problem("refusals")
    with frozen_at(now() + timedelta(days=1, minutes=1)):
        assert not problem("refusals")


# --- Who is notified


def test_administrators_are_notified_once_and_by_the_code_alone(
    sink: SmtpSink, readers: list[User], settings: Settings, caplog: pytest.LogCaptureFixture
) -> None:
    sink.to_rcpt = "550 5.7.1 <victim@example.org>: secret words"
    write_to(readers)
    instant = now()
    drain_at(instant)
    settings.EMAIL_BACKEND = "django.core.mail.backends.locmem.EmailBackend"
    for minutes in (1, 2, 30):
        with frozen_at(instant + timedelta(minutes=minutes)):
            Heartbeat.objects.update(last_beat_at=now())
            alerts.update()
    (notice,) = [message for message in mail.outbox if "refusals" in message.subject]
    assert "5.7.1" in notice.body and "release_emails --retry" in notice.body
    for text in (notice.body, caplog.text, str(list(Dispatch.objects.values()))):
        assert "victim" not in text and "secret words" not in text
    Dispatch.objects.all().delete()
    with frozen_at(instant + HOUR):
        Heartbeat.objects.update(last_beat_at=now())
        alerts.update()
    assert Alert.objects.get(name="refusals").cleared_at


# --- Release


def release(*options: str) -> str:
    output = StringIO()
    call_command("release_emails", *options, stdout=output)
    return output.getvalue()


def test_the_operator_releases_held_and_dropped_emails(sink: SmtpSink, readers: list[User]) -> None:
    sink.to_rcpt = "550 5.7.1 Relaying denied"
    write_to(readers)
    dispatcher.drain()
    old, lately = Dispatch.objects.all()[:3], Dispatch.objects.all()[3:5]
    Dispatch.objects.filter(pk__in=[row.pk for row in old]).update(dead_at=now() - 73 * HOUR)
    Dispatch.objects.filter(pk__in=[row.pk for row in lately]).update(dead_at=now() - 71 * HOUR)
    sink.to_rcpt = "250 OK"
    dispatcher.drain()
    assert sink.taken == [], "They wait for their turn."
    assert "15 waiting e-mails and 2 that were given up would be sent." in release(
        "--retry", "--dry-run"
    )
    assert release("--retry") == "Released 15 waiting e-mails and 2 that were given up.\n"
    dispatcher.drain()
    assert len(sink.taken) == 17
    assert "Released 0 waiting" in release("--retry")
    since = (now() - 80 * HOUR).isoformat()
    assert "and 3 that were given up" in release("--retry", "--since", since)


def test_wrongly_marked_mailboxes_are_unmarked(
    match: Match, bob: User, sink: SmtpSink, readers: list[User]
) -> None:
    sink.mood = "refuse"
    match_helpers.play(match, "a4-a5")
    write_to(readers[:1])
    dispatcher.drain()
    receive_bounce(feedback("abuse"), verp.sender(readers[1]))
    receive_bounce(report("5.7.1"), verp.sender(readers[2]))
    assert unreachable_usernames() == {"Bob", readers[0].username, readers[1].username}
    assert "mailboxes" not in release("--retry") and len(unreachable_usernames()) == 3
    assert not problem("refusals"), "What was reported is over."
    sink.mood = "refuse"
    dispatcher.drain()
    output = release("--retry", "--revive-mailboxes")
    assert "Revived 2 mailboxes." in output
    assert unreachable_usernames() == {readers[1].username}, "Who complained gets no e-mail."
    sink.mood = "accept"
    dispatcher.drain()
    assert len(sink.taken) == 2


def test_contradictory_options_are_refused() -> None:
    for options in (
        [],
        ["--retry", "--drop-before", "2026-01-01"],
        ["--drop-before", "2026-01-01", "--revive-mailboxes"],
        ["--drop-before", "2026-01-01", "--since", "2026-01-01"],
    ):
        with pytest.raises(CommandError):
            call_command("release_emails", *options)


def test_held_emails_stay_held(sink: SmtpSink, readers: list[User], settings: Settings) -> None:
    settings.HOLD_EMAILS = True
    assert "HOLD_EMAILS is on." in release("--retry")


LIST = "/admin/outbox/dispatch/"


def test_the_operator_releases_them_in_the_admin(
    admin_client: Client, sink: SmtpSink, readers: list[User], settings: Any
) -> None:
    settings.STAFF_NEEDS_MFA = False
    sink.mood = "refuse"
    write_to(readers[:1])
    dispatcher.drain()
    sink.mood, sink.to_rcpt = "accept", "550 5.7.1 Relaying denied"
    write_to(readers[1:])
    dispatcher.drain()
    rows = [row.pk for row in Dispatch.objects.all()]
    form = {"action": "release_emails", "_selected_action": rows[3:5]}
    page = admin_client.post(LIST, form).content.decode()
    assert "19 waiting" in page and "1 given up" in page
    sink.to_rcpt = "250 OK"
    form |= {"apply": "yes", "reason": "The relay knows us again.", "revive": "on"}
    answer = admin_client.post(LIST, form, follow=True).content.decode()
    assert "19 waiting e-mails and 1 given-up e-mails are sent again" in answer
    assert "sending resumes to 1 mailboxes: The relay knows us again." in answer
    dispatcher.drain()
    assert len(sink.taken) == 20 and not unreachable_usernames()
