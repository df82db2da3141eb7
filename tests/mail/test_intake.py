"""Intake: one sealed row before any answer, each message once, arrivals that decide."""

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
from games.mail.models import IncomingMessage
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
    return post.letter(alice)


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


def test_the_pipe_answers_with_codes_that_mail_servers_know(
    turn: EmailMultiAlternatives,
    alice: User,
    pipe: Pipe,
    settings: Settings,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    address, raw = post.reply_to(turn), post.written(alice, "b4-b5")
    assert pipe(raw, "--recipient", address.upper()) == 0
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
def test_the_pipe_takes_whatever_an_envelope_holds(
    words: list[str], recipient: str, sender: str | None
) -> None:
    parser = receive_mail.Command().create_parser("manage.py", "receive_mail")
    read = parser.parse_args(receive_mail.joined(words))
    assert (read.recipient, read.sender) == (recipient, sender)


def test_a_pipe_without_a_message_is_tried_again(
    turn: EmailMultiAlternatives, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stdin", None)  # as Python has it where it was closed
    with pytest.raises(SystemExit) as end:
        call_command("receive_mail", "--recipient", post.reply_to(turn))
    assert end.value.code == 75


def _fail(*_: object, **__: object) -> None:
    raise OSError("disk full")


def test_nothing_of_a_message_lies_in_the_database_in_clear(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    token = post.reply_to(turn).partition("+")[2].partition("@")[0]
    for move in ("b4-b5", "note Xylophon", "resign"):
        post.answer(alice, turn, f"{move}\n\nSyzygy")
    for _table, data in at_least(10, dump()):
        for secret in (token, "Syzygy", "Xylophon", "Subject: Re"):
            assert secret.encode() not in data


def test_a_retry_with_other_headers_and_line_ends_is_the_same_message(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    raw = post.written(alice, "board\nmoves")
    for again in (raw, raw.replace(b"\n", b"\r\n"), b"Received: x\n" + raw, b"From x\n" + raw):
        intake.take(again, post.reply_to(turn))
    assert IncomingMessage.objects.count() == 1


def test_a_message_to_two_addresses_is_two(turn: EmailMultiAlternatives, alice: User) -> None:
    raw = post.written(alice, "moves")
    receipt = post.answer(alice, turn, "board")
    intake.take(raw, post.reply_to(turn))
    intake.take(raw, post.reply_to(receipt))
    assert IncomingMessage.objects.filter(done_at=None).count() == 2


def test_taking_one_in_costs_the_same_however_many_there_are(
    turn: EmailMultiAlternatives, alice: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    for number in range(3):
        # Its address; a savepoint, the instant, the row, and the savepoint's release.
        with django_assert_num_queries(5):
            intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
        assert IncomingMessage.objects.count() == number + 1


def test_received_lists_what_came_without_any_text_of_it(
    turn: EmailMultiAlternatives, alice: User
) -> None:
    post.answer(alice, turn, "b4-b5", message_id="<seen@example.org>")
    intake.take(post.written(alice, "moves"), post.reply_to(turn))
    said = io.StringIO()
    call_command("received", "--json", stdout=said)
    waiting, dealt_with = map(json.loads, said.getvalue().splitlines())
    assert waiting["outcome"] == "waiting"
    assert dealt_with["outcome"] == "played"
    assert dealt_with["message_id"] == "<seen@example.org>"
    assert dealt_with["recipient"] == "reply+…@localhost"
    assert "b4" not in said.getvalue()


def test_received_prints_one_as_it_came(
    turn: EmailMultiAlternatives, alice: User, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    raw = post.written(alice, "b4-b5") + b"\xff\x00"
    intake.take(raw, post.reply_to(turn))
    call_command("received", "--raw", str(post.last().pk))
    assert capfdbinary.readouterr().out == raw


# --- arrival


def stamped(raw: bytes, at: datetime, by: str = "mx.example.org") -> bytes:
    date = f"{at:%a, %d %b %Y %H:%M:%S} +0000"
    return f"Received: from a (b [1.2.3.4])\r\n\tby {by} (Postfix); {date}\r\n".encode() + raw


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
def test_our_own_servers_stamp_is_the_arrival(
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
        intake.take(raw, post.reply_to(turn))
    assert post.last().arrived_at == NOON + timedelta(minutes=wanted)


def test_a_move_that_arrived_in_time_counts_however_late_it_is_read(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    with frozen_at(deadline - timedelta(seconds=1)):
        intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
    with frozen_at(deadline + timedelta(hours=5)):
        heartbeat.beat()
        assert not deadlines.sweep()["ended"], "Older mail waits."
        worker.work()
    assert post.last().outcome == "played"
    assert match_helpers.as_is(match).ply == match.ply + 1


def test_mail_that_came_too_late_keeps_no_match_from_ending(
    turn: EmailMultiAlternatives, match: Match, alice: User
) -> None:
    deadline = Player.objects.get(match=match, user=alice).deadline
    assert deadline is not None
    with frozen_at(deadline + timedelta(minutes=2)):
        intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
    with frozen_at(deadline + timedelta(minutes=3)):
        worker.work()
        assert post.last().outcome == "late"
        (receipt,) = post.letters(alice)
        assert "It arrived at" in text(receipt)
    with frozen_at(deadline + timedelta(hours=5)):
        heartbeat.beat()
        intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
        assert deadlines.sweep()["ended"] == 1


def test_a_sweep_that_was_faster_is_told_to_player_and_office(
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
        receipt = post.letters(alice)[0]
        assert "can give the match back" in " ".join(text(receipt).split())


def test_a_listener_that_is_down_stops_the_clocks(db: None, settings: Settings) -> None:
    settings.WEB_URLS = ()
    settings.MAIL_LISTEN = "lmtp://127.0.0.1:1"
    health.take_heartbeat()
    assert heartbeat.newest() is None
    settings.MAIL_LISTEN = ""
    health.take_heartbeat()
    assert heartbeat.newest() is not None


# --- the worker


def test_a_worker_that_dies_half_way_has_done_nothing_and_the_next_does_it_once(
    turn: EmailMultiAlternatives, match: Match, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
    with monkeypatch.context() as broken, pytest.raises(KeyboardInterrupt):
        broken.setattr("games.mail.answering.worker.publishing.post_urgently", _die)
        worker.work()
    assert match_helpers.as_is(match).ply == match.ply
    assert worker.work() == 0, "It is leased to the one that died."
    with frozen_at(now() + timedelta(minutes=2)):
        assert worker.work() == 1
        assert match_helpers.as_is(match).ply == match.ply + 1
        assert len(post.letters(alice)) == 1


def _die(*_: object, **__: object) -> None:
    raise KeyboardInterrupt


def test_a_message_that_fails_again_and_again_is_given_up_and_kept(
    turn: EmailMultiAlternatives, match: Match, alice: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    intake.take(post.written(alice, "b4-b5"), post.reply_to(turn))
    monkeypatch.setattr(worker, "judge_reply", _fail)
    at = now()
    for number in range(worker.MAX_ATTEMPTS + 1):
        with frozen_at(at + number * timedelta(minutes=2)):
            worker.work()
    assert post.last().outcome == "unreadable"
    assert b"b4-b5" in post.raw(post.last())


def test_receipts_end_at_the_limit_and_actions_do_not(
    turn: EmailMultiAlternatives, match: Match, alice: User, settings: Settings
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 2
    post.answer(alice, turn, "board")
    last = post.answer(alice, turn, "moves")
    assert "This is the last answer for an hour" in text(last)
    assert post.answers(alice, turn, "b4-b5") == []
    assert post.last().outcome == "played"
