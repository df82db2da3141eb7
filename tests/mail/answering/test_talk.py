"""Words to the opponent by e-mail: a line that begins with "say" is passed on."""

from itertools import product
from textwrap import wrap

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from games.mail.answering.actions import talk
from games.mail.answering.message_context import MessageContext
from games.mail.reading.commands import Verb
from games.notifications.email.replies import reply_addresses
from games.notifications.policy import preferences
from games.people.models import Outcome
from games.play.board import board_list, text_board
from games.play.models.match import Match, Player
from games.play.record.match_view import view_match
from games.play.record.proofs import receipts, signing
from games.rules.core.text import notation
from games.talk.lines import reading
from lib.db_clock import now
from tests import tiers
from tests.floors import at_least
from tests.mail import post
from tests.mail.conftest import Begun
from tests.mail.reading.reader import read
from tests.notifications.email.reading import text
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


@pytest.fixture
def who(begun: Begun) -> People:
    return begun.who


@pytest.fixture
def played(begun: Begun) -> Match:
    return begun.match


@pytest.fixture
def turn(begun: Begun) -> EmailMultiAlternatives:
    return begun.turn


def lines_read_by(match: Match, reader: User) -> list[str]:
    player = Player.objects.get(match=match, user=reader)
    return [line.text for line in reading.newest(player, 100)]


@pytest.mark.parametrize("word", ["say", "SAY:", "> say".strip("> "), "sag", "dis :", "說", "说："])
def test_words_are_passed_on_in_every_language(
    played: Match, alice: User, bob: User, word: str, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, f"{word} Good game, Bob… ½ “so far”!")
    assert post.outcome(receipt) == "said"
    assert lines_read_by(played, bob) == ["Good game, Bob… ½ “so far”!"]
    assert "Good game" not in text(receipt)
    assert f"passed on to Bob in match {played.pk}" in " ".join(text(receipt).split())


def test_words_may_accompany_a_move(
    played: Match, alice: User, bob: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "a5-a6\nsay Good luck\n")
    assert post.outcome(receipt) == "played"
    assert "passed on to Bob" in " ".join(text(receipt).split())
    assert lines_read_by(played, bob) == ["Good luck"]


@pytest.mark.parametrize("message", ["say Ha!\na5-a9", "a5-a9\n\nsay Ha!", "say Ha!\na5-a6\na5-a4"])
def test_a_refused_move_passes_no_words_on(
    played: Match, alice: User, bob: User, message: str, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, message)
    assert post.outcome(receipt) in ("refused", "ambiguous")
    assert lines_read_by(played, bob) == []
    assert "Nothing was passed on to your opponent" in " ".join(text(receipt).split())


def test_words_end_at_a_command(
    played: Match, alice: User, bob: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "say Hello\nhow are you?\na5-a6")
    assert post.outcome(receipt) == "played"
    assert lines_read_by(played, bob) == ["Hello\nhow are you?"]


LONG = " ".join(f"word{number}" for number in range(1, 61))  # 471 characters


@pytest.mark.parametrize("width", [68, 76, 2_000])
def test_wrapped_words_are_passed_on_complete(
    played: Match, alice: User, bob: User, width: int, turn: EmailMultiAlternatives
) -> None:
    wrapped = "\n".join(wrap(f"say {LONG}", width))
    receipt = post.answer(alice, turn, f"{wrapped}\n\na5-a6\n")
    assert post.outcome(receipt) == "played"
    assert lines_read_by(played, bob) == [LONG]


def test_words_that_are_too_long_are_refused_and_not_cut(
    played: Match, alice: User, bob: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "\n".join(wrap("say " + "words " * 200, 76)))
    assert post.outcome(receipt) == "refused"
    assert "at most 1000 characters" in " ".join(text(receipt).split())
    assert lines_read_by(played, bob) == []


def quotations(email: EmailMultiAlternatives) -> list[str]:
    """The answered e-mail as programs quote it, from anywhere in it, without a blank line above."""
    lines = text(email).splitlines()
    attribution = "On Mon, 2 Mar 2026 at 10:00, Estafette <reply@example.org> wrote:"
    marked = "\n".join(f"> {line}" for line in lines)
    rest = ["\n".join(lines[start:]) for start, line in enumerate(lines) if line.strip()]
    joined = [
        "\n".join(
            wrap(" ".join(lines[start:]), width, break_long_words=False, break_on_hyphens=False)
        )
        for start in range(0, len(lines), 3)
        for width in (40, 72)
    ]
    return [
        marked,
        f"{attribution}\n{marked}",
        "On Mon, 2 Mar 2026 at 10:00, Estafette\nof the club wrote:\n" + marked,
        *rest,
        *joined,
    ]


def passed_on(writer: User, email: EmailMultiAlternatives, message: str) -> list[str]:
    """The words that a reply with this text would pass on."""
    address = reply_addresses.find(post.reply_to(email))
    assert address is not None
    context = MessageContext.from_reply_address(address, arrived=now(), now=now())
    commands = read(post.written(writer, message)).commands
    return [talk.passed_on(context, each.argument) for each in commands if each.verb is Verb.SAY]


@pytest.mark.parametrize(
    ("preset", "style"),
    tiers.parameters(
        product(("lattaque-en", "tactique", "domino"), ("drawn", "list")),
        fast=(("lattaque-en", "drawn"),),
    ),
)
def test_no_text_of_the_answered_email_reaches_the_opponent(
    alice: User, bob: User, charlie: User, style: str, preset: str
) -> None:
    preferences.change(alice, board_style=style)
    match = match_helpers.new_match(match_helpers.People(alice, bob, charlie), preset)
    assert_nothing_is_passed_on(alice, post.email(alice))
    match_helpers.set_up(match)
    email = post.email(alice)
    assert_nothing_is_passed_on(alice, email)
    # What she knows of the board is recognized later too, by the ply of the e-mail.
    view = view_match(match.pk, alice)
    shown = [*text_board.text(view).splitlines(), *board_list.paragraphs(view)]
    move = sorted(notation.write_move(view.rules, move) for move in view.observation.moves)[0]
    match_helpers.play(match, move)
    for line in at_least(3, shown):
        for width in (40, 72, 2_000):
            quotation = "\n".join(wrap(line, width)) if len(line) > width else line
            assert passed_on(alice, email, f"say Hello Bob\n{quotation}") == ["Hello Bob"]


def test_no_plan_reaches_the_opponent(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    receipt = post.answer(alice, turn, "a5-a6\nif j6-j5 then b4-b5")
    lines = text(receipt).splitlines()
    begin = lines.index(f"Your plan in match {played.pk}:")
    shown = [line for line in lines[begin : begin + 3] if line]
    assert any("b4-b5" in line for line in shown)
    for start in range(len(shown)):
        quotation = "\n".join(shown[start:])
        for quoted in (quotation, quotation.replace("* ", "")):
            assert passed_on(alice, receipt, f"say Hello Bob\n{quoted}") == ["Hello Bob"]


def assert_nothing_is_passed_on(writer: User, email: EmailMultiAlternatives) -> None:
    for quotation in at_least(20, quotations(email)):
        for words in passed_on(writer, email, f"say Hello Bob\n{quotation}"):
            assert words == "Hello Bob", quotation


def proofs(match: Match, reader: User) -> list[str]:
    """The proof lines and the receipt of a player, as an e-mail contains them."""
    view = view_match(match.pk, reader)
    head = signing.shown_head(view)
    assert head is not None
    receipt = receipts.receipt(match.pk, reader).splitlines()
    assert receipt[3].startswith("seal S ")
    return [*head.lines, *receipt[:4]]


def folded(line: str, width: int, *, within_words: bool) -> str:
    """A line as a mail program wraps it, where it has to also within a word."""
    parts = wrap(line, width, break_long_words=within_words, break_on_hyphens=False)
    return "\n".join(parts)


@pytest.mark.parametrize(
    "preset", tiers.parameters(("lattaque-en", "domino"), fast=("lattaque-en",))
)
def test_no_proof_line_reaches_the_opponent(who: People, alice: User, preset: str) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who, preset))
    email = post.email(alice)
    for line, mark, within_words in product(proofs(match, alice), ("", "| "), (False, True)):
        for width in (40, 76, 2_000):
            quotation = folded(f"{mark}{line}", width, within_words=within_words)
            message = f"say Hello Bob\n{quotation}\nLast words"
            assert passed_on(alice, email, message) == ["Hello Bob"], (width, line)


def test_a_fingerprint_is_passed_on(
    played: Match, alice: User, turn: EmailMultiAlternatives
) -> None:
    head = view_match(played.pk, alice).head.hex()
    message = f"say Mine is {head[:8]}\nand yours? All of it: {head}"
    (words,) = passed_on(alice, turn, message)
    assert words.split() == message.split()[1:]


def test_a_silenced_player_reads_why_and_nothing_is_passed_on(
    played: Match, who: People, alice: User, bob: User, turn: EmailMultiAlternatives
) -> None:
    email = turn
    cases.decided(cases.reported(who), cases.moderator(), Outcome.SILENCED, 5)
    alice.refresh_from_db()
    receipt = post.answer(alice, email, "a5-a6\nsay Ha!")
    assert post.outcome(receipt) == "played"
    sentence = " ".join(text(receipt).split())
    assert "you may write nothing to other players" in sentence
    assert "The reason: A quarrel." in sentence
    assert lines_read_by(played, bob) == []
