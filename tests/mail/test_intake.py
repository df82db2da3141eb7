"""Intake: each message is stored once, sealed; arrival times; the worker."""

import io
import json
import sys
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from django.core.mail import EmailMultiAlternatives
from django.core.management import call_command
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from games.mail import intake
from games.mail.answering import worker
from games.mail.management.commands import receive_mail
from games.mail.models import IncomingMessage, WayIn
from games.play.clocks import heartbeat
from games.play.commands import deadlines, health
from games.play.models.match import Match, Player
from lib.db_clock import frozen_at, now
from tests.floors import at_least
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.secrecy.dump import dump

pytestmark = pytest.mark.postgresql

NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)
Pipe = Callable[..., int]


@pytest.fixture
def turn(match: Match, alice: User) -> EmailMultiAlternatives:
    match_helpers.play(match, "a4-a5", "j7-j6")
    return post.email(alice)


@pytest.fixture
def pipe(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Pipe:
    """The exit code of `receive_mail` for a message on its standard input."""

    def receive(raw: bytes, *arguments: str) -> int:
        file = tmp_path / "message"
        file.write_bytes(raw)
        with file.open() as stdin:
            monkeypatch.setattr(sys, "stdin", stdin)
            try:
                call_command("receive_mail", *arguments)
            except SystemExit as end:
                assert isinstance(end.code, int)
                return end.code
        return 0

    return receive


def test_the_pipe_exits_with_sysexits_codes(
    turn: EmailMultiAlternatives,
    alice: User,
    pipe: Pipe,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, raw = post.reply_to(turn), post.written(alice, "b4-b5")
    assert pipe(raw, "--recipient", address.upper()) == 0
    assert post.last().way_in == "pipe"
    assert pipe(raw, "--recipient", f"reply+{'a' * 26}@localhost") == 0
    assert IncomingMessage.objects.count() == 1
    for stranger in ("somebody@localhost", address.replace("localhost", "example.org"), "reply+x"):
        assert pipe(raw, "--recipient", stranger) == 67
    settings.MAIL_MAX_BYTES = len(raw)
    assert pipe(raw, "--recipient", address, "--sender", "") == 0
    assert pipe(raw + b"x", "--recipient", address) == 65
    monkeypatch.setattr(IncomingMessage.objects, "bulk_create", _fail)
    assert pipe(raw, "--recipient", address) == 75


@pytest.mark.parametrize(
    ("words", "recipient", "sender"),
    [
        (["--recipient", "a@b", "--sender", "-x@c"], "a@b", "-x@c"),
        (["--recipient", "-a@b"], "-a@b", None),
        (["--sender", "--recipient", "a@b"], "a@b", ""),
        (["--recipient", "a@b", "--sender"], "a@b", ""),
        (["--recipient=a@b", "--sender=c@d"], "a@b", "c@d"),
    ],
)
def test_the_pipe_parses_any_envelope_address(
    words: list[str], recipient: str, sender: str | None
) -> None:
    parser = receive_mail.Command().create_parser("manage.py", "receive_mail")
    read = parser.parse_args(receive_mail.joined(words))
    assert (read.recipient, read.sender) == (recipient, sender)


def test_the_pipe_accepts_results_of_the_named_mail_server_alone(
    turn: EmailMultiAlternatives, alice: User, pipe: Pipe, settings: Settings
) -> None:
    settings.DEMO, settings.MAIL_AUTHSERV_ID = False, "mx.example.org"
    messages = []
    for by in ("", "mx.example.net", "mx.example.org"):
        raw = post.written(alice, "b4-b5")
        message = post.authenticated(raw, by) if by else raw
        assert pipe(message, "--recipient", post.reply_to(turn)) == 0
        worker.process_waiting()
        messages.append(post.last().outcome)
    assert messages == ["confirm", "confirm", "played"]


def test_the_pipe_without_a_message_asks_for_a_retry(
    turn: EmailMultiAlternatives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as in Python with a closed standard input
    with pytest.raises(SystemExit) as end:
        call_command("receive_mail", "--recipient", post.reply_to(turn))
    assert end.value.code == 75


def _fail(*_: object, **__: object) -> None:
    raise OSError("disk full")


def test_messages_are_encrypted_in_the_database(turn: EmailMultiAlternatives, alice: User) -> None:
    token = post.reply_to(turn).partition("+")[2].partition("@")[0]
    for move in ("b4-b5", "note Xylophon", "resign"):
        post.answer(alice, turn, f"{move}\n\nSyzygy")
    for _table, data in at_least(10, dump()):
        for secret in (token, "Syzygy", "Xylophon", "Subject: Re"):
            assert secret.encode() not in data


def test_a_redelivery_with_other_headers_and_line_endings_is_the_same_message(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    raw = post.written(alice, "board\nmoves")
    for again in (raw, raw.replace(b"\n", b"\r\n"), b"Received: x\n" + raw, b"From x\n" + raw):
        intake.store_message(again, post.reply_to(turn), way_in=WayIn.LISTENER)
    assert IncomingMessage.objects.count() == 1


def test_a_message_to_two_recipients_is_stored_twice(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    raw = post.written(alice, "moves")
    receipt = post.answer(alice, turn, "board")
    intake.store_message(raw, post.reply_to(turn), way_in=WayIn.LISTENER)
    intake.store_message(raw, post.reply_to(receipt), way_in=WayIn.LISTENER)
    assert IncomingMessage.objects.filter(done_at=None).count() == 2


def test_intake_costs_the_same_queries_at_any_table_size(
    turn: EmailMultiAlternatives, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        # Reply address, savepoint, clock, insert, release of the savepoint.
        with django_assert_num_queries(5):
            intake.store_message(
                post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER
            )
        assert IncomingMessage.objects.count() == number + 1


def test_received_lists_messages_without_their_text(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    post.answer(alice, turn, "b4-b5", message_id="<seen@example.org>")
    intake.store_message(post.written(alice, "moves"), post.reply_to(turn), way_in=WayIn.LISTENER)
    output = io.StringIO()
    call_command("received", "--json", stdout=output)
    waiting, dealt_with = map(json.loads, output.getvalue().splitlines())
    assert waiting["outcome"] == "waiting"
    assert dealt_with["outcome"] == "played"
    assert dealt_with["message_id"] == "<seen@example.org>"
    assert dealt_with["recipient"] == "reply+…@localhost"
    assert "b4" not in output.getvalue()


def test_received_prints_a_raw_message(
    turn: EmailMultiAlternatives, alice: User, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    raw = post.written(alice, "b4-b5") + b"\xff\x00"
    intake.store_message(raw, post.reply_to(turn), way_in=WayIn.LISTENER)
    call_command("received", "--raw", str(post.last().pk))
    assert capfdbinary.readouterr().out == raw


# --- arrival


def stamped(raw: bytes, at: datetime, by: str = "mx.example.org") -> bytes:
    date = f"{at:%a, %d %b %Y %H:%M:%S} +0000"
    return f"Received: from a (b [1.2.3.4])\r\n\tby {by} (Postfix); {date}\r\n".encode() + raw


@pytest.mark.parametrize("way_in", [WayIn.WEBHOOK, WayIn.IMAP, WayIn.FORM])
def test_a_date_counts_only_if_our_own_server_handed_the_message_over(
    turn: EmailMultiAlternatives, alice: User, settings: Settings, way_in: WayIn
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    raw = stamped(post.written(alice, "board"), NOON - timedelta(hours=1))
    with frozen_at(NOON):
        intake.store_message(raw, post.reply_to(turn), way_in=way_in)
    assert post.last().arrived_at == NOON


@pytest.mark.parametrize(
    ("by", "minutes", "wanted"),
    [
        ("mx.example.org", -30, -30),
        ("MX.example.org", -30, -30),
        ("mx.example.net", -30, 0),
        ("mx.example.org", 30, 0),
        ("mx.example.org", -60 * 24 * 9, -60 * 24 * 5),
    ],
    ids=["ours", "capitals", "another's", "later than now", "too long ago"],
)
def test_the_date_of_our_own_received_field_is_the_arrival_time(
    turn: EmailMultiAlternatives,
    alice: User,
    settings: Settings,
    by: str,
    minutes: int,
    wanted: int,
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    raw = stamped(post.written(alice, "board"), NOON + timedelta(minutes=minutes), by)
    with frozen_at(NOON):
        intake.store_message(raw, post.reply_to(turn), way_in=WayIn.LISTENER)
    assert post.last().arrived_at == NOON + timedelta(minutes=wanted)


def test_a_move_that_arrived_in_time_counts_even_if_read_late(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    with frozen_at(deadline - timedelta(seconds=1)):
        intake.store_message(
            post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER
        )
    with frozen_at(deadline + timedelta(hours=5)):
        heartbeat.beat()
        assert not deadlines.sweep()["ended"], "Older mail waits."
        worker.process_waiting()
    assert post.last().outcome == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1


def test_late_mail_does_not_stop_a_match_from_ending(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    with frozen_at(deadline + timedelta(minutes=2)):
        intake.store_message(
            post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER
        )
    with frozen_at(deadline + timedelta(minutes=3)):
        worker.process_waiting()
        assert post.last().outcome == "late"
        (receipt,) = post.emails(alice)
        assert "It arrived at" in text(receipt)
    with frozen_at(deadline + timedelta(hours=5)):
        heartbeat.beat()
        intake.store_message(
            post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER
        )
        assert deadlines.sweep()["ended"] == 1


def test_an_overtaken_move_is_reported_to_player_and_admins(
    turn: EmailMultiAlternatives, match: Match, alice: User, settings: Settings
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    with frozen_at(deadline + timedelta(hours=1)):
        heartbeat.beat()
        assert deadlines.sweep()["ended"] == 1
    proof = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
    raw = stamped(proof + post.written(alice, "b4-b5"), deadline - timedelta(hours=1))
    with frozen_at(deadline + timedelta(hours=2)):
        post.take(turn, raw)
        assert (post.last().outcome, post.last().overtaken) == ("over", True)
        receipt = post.emails(alice)[0]
        assert "can reopen the match" in " ".join(text(receipt).split())


@pytest.mark.parametrize(
    ("words", "before", "overtaken"),
    [
        ("b4-b5", timedelta(0), True),
        ("if j6-j5 then b5-b6", timedelta(hours=1), True),
        ("b4-b5", -timedelta(seconds=10), False),
        ("board", timedelta(hours=1), False),
        ("draw?", timedelta(hours=1), False),
        ("resign", timedelta(hours=1), False),
    ],
)
def test_only_what_plays_a_turn_before_the_deadline_is_overtaken(
    turn: EmailMultiAlternatives,
    match: Match,
    alice: User,
    settings: Settings,
    words: str,
    before: timedelta,
    overtaken: bool,
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    arrived = (deadline - before).replace(microsecond=0)
    proof = b"Authentication-Results: mx.example.org; dmarc=pass header.from=example.org\r\n"
    with frozen_at(deadline + timedelta(hours=1)):
        heartbeat.beat()
        assert deadlines.sweep()["ended"] == 1
        post.take(turn, stamped(proof + post.written(alice, words), arrived))
        assert (post.last().outcome, post.last().overtaken) == ("over", overtaken)
        receipt = " ".join(text(post.emails(alice)[0]).split())
        assert ("can reopen the match" in receipt) == overtaken


def test_clocks_are_stopped_while_the_listener_is_down(db: None, settings: Settings) -> None:
    settings.WEB_URLS = ()
    settings.MAIL_LISTEN = "lmtp://127.0.0.1:1"
    health.take_heartbeat()
    assert heartbeat.newest() is None
    settings.MAIL_LISTEN = ""
    health.take_heartbeat()
    assert heartbeat.newest() is not None


# --- strangers

POST = "post@localhost"


def test_a_message_of_a_stranger_is_processed_before_it_is_stored(
    turn: EmailMultiAlternatives, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    raw = post.written("mallory@example.net", "Syzygy\n" * 70_000)
    # Players with the address, savepoint, clock, insert, release of the savepoint.
    with django_assert_num_queries(5):
        intake.store_message(raw, POST, way_in=WayIn.LISTENER)
    row = post.last()
    assert (row.outcome, row.why) == ("none", "nobody here wrote it")
    assert row.done_at is not None and post.raw(row) == b"" and worker.claim() is None


@pytest.mark.parametrize("author", ["", "a@b, c@d", "mallory@example.net", "@", "x" * 70_000])
def test_a_message_without_a_players_address_in_from_is_a_strangers(
    turn: EmailMultiAlternatives, author: str
) -> None:
    raw = f"From: {author}\r\n\r\nboard\r\n".encode()
    intake.store_message(raw, POST, way_in=WayIn.LISTENER)
    assert post.last().why == "nobody here wrote it"


@pytest.mark.parametrize("author", ["alice@example.org", "ALICE@Example.org", POST])
def test_a_message_of_a_player_or_of_this_service_waits_for_the_worker(
    turn: EmailMultiAlternatives, author: str
) -> None:
    intake.store_message(post.written(author, "board"), POST, way_in=WayIn.LISTENER)
    assert post.last().done_at is None


def test_the_body_of_a_forged_message_is_not_parsed(
    turn: EmailMultiAlternatives, alice: User, settings: Settings, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.MAIL_AUTHSERV_ID = "mx.example.org"
    bodies: list[bytes] = []
    monkeypatch.setattr(worker, "read_in_child", lambda raw, *_: bodies.append(raw))
    for headers in ({}, {"Auto-Submitted": "auto-replied"}):
        post.take(POST, post.written(alice, "board", headers=headers))
        assert post.last().outcome == "none" and not post.last().answered
    post.take(turn, post.written(alice, "board", headers={"Auto-Submitted": "auto-replied"}))
    assert post.last().why == "it was sent by a program"
    assert not bodies


def test_replies_of_players_are_claimed_before_other_mail(
    turn: EmailMultiAlternatives, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(6):
        intake.store_message(post.written(alice, f"{number}"), POST, way_in=WayIn.LISTENER)
    intake.store_message(post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER)
    # Clock, does anything wait, savepoint, the reply, its lease, release of the savepoint.
    with django_assert_num_queries(6):
        first = worker.claim()
    assert first is not None and first.door == "reply"
    others = [row.door for row in iter(worker.claim, None) if row]
    assert others == ["post"] * 6, "They do wait, and are claimed after it."


# --- the worker


def test_after_a_worker_died_the_next_one_processes_the_message_once(
    turn: EmailMultiAlternatives, match: Match, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake.store_message(post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER)
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr("games.mail.answering.worker.publishing.publish", _die)
        worker.process_waiting()
    assert match_helpers.as_is(match).ply == match.ply
    assert worker.process_waiting() == 0, "It is leased to the one that died."
    with frozen_at(now() + timedelta(minutes=2)):
        assert worker.process_waiting() == 1
        assert match_helpers.as_is(match).ply == match.ply + 1
        assert len(post.emails(alice)) == 1


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_message_that_keeps_failing_is_given_up_and_kept(
    turn: EmailMultiAlternatives, match: Match, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake.store_message(post.written(alice, "b4-b5"), post.reply_to(turn), way_in=WayIn.LISTENER)
    monkeypatch.setattr(worker, "triage_reply", _fail)
    at = now()
    for number in range(worker.MAX_ATTEMPTS + 1):
        with frozen_at(at + number * timedelta(minutes=2)):
            worker.process_waiting()
    assert post.last().outcome == "unreadable"
    assert b"b4-b5" in post.raw(post.last())


def test_beyond_the_limit_actions_are_done_without_receipts(
    turn: EmailMultiAlternatives, match: Match, alice: User, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 2
    post.answer(alice, turn, "board")
    last = post.answer(alice, turn, "moves")
    assert "This is our last reply for an hour" in text(last)
    assert post.answers(alice, turn, "b4-b5") == []
    assert post.last().outcome == "played"
