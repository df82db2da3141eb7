"""Quoted receipts: no line and no drawing in them is parsed as a command."""

from itertools import product

import pytest
from django.core.mail import EmailMultiAlternatives
from pytest_django import Settings

from accounts.models import User
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.people.models import Outcome
from games.people.moderation import deciding
from games.play.commands import endings, moderation
from games.play.models.match import Match, Status
from games.play.record.match_view import view_match
from games.play.terms import Terms
from games.rules.core.text.notation import write_move
from tests import tiers
from tests.mail import post
from tests.notifications.email import fed_back
from tests.notifications.email.reading import parsed, text
from tests.notifications.email.test_no_line_is_a_command import NAMES, assert_harmless
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db

MESSAGES = (
    "board", "board list", "moves", "rules", "help", "matches", "plan", "lobby", "draw?", "resign",
    "abort", "accept", "decline", "yes", "claim", "wait 1d", "wait 9d", "if d4-d5 d5-d6", "undo",
    "no", "say hello", "note hello", "d4-d5", "a4-a9", "a4xa5", "a5xa6", "a5-a6\nb4-b5", "hello",
    "9: d4-d5", "keep", "forget", "if j6-j5 then b4-b5",
)  # fmt: skip
# Of each outcome one, and every long receipt.
FAST_MESSAGES = (
    "board list", "moves", "matches", "lobby", "resign", "wait 9d", "no", "say hello", "a4-a9",
    "a5-a6\nb4-b5", "hello", "9: d4-d5", "if j6-j5 then b4-b5",
)  # fmt: skip


@pytest.fixture
def players_named_like_commands(who: People) -> People:
    """Players whose usernames are commands."""
    for user in who:
        user.username = NAMES.get(user.username, user.username)
        user.save()
    return who


@pytest.mark.long
@pytest.mark.parametrize(
    ("messages", "widths"),
    [
        pytest.param(FAST_MESSAGES, fed_back.FAST_COLUMNS, id="some"),
        pytest.param(MESSAGES, fed_back.COLUMNS, id="all", marks=pytest.mark.soak),
    ],
)
def test_no_line_of_a_receipt_is_a_command(
    players_named_like_commands: People,
    settings: Settings,
    messages: tuple[str, ...],
    widths: range,
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    alice, bob, charlie = players_named_like_commands
    for owner in (bob, charlie):
        lobby.offer(owner, Terms("domino"), kind=InvitationKind.SEAT)
    match = match_helpers.running_match(players_named_like_commands, "a4-a5", "j7-j6")
    email = post.email(alice)
    receipts = [post.answer(alice, email, typed) for typed in messages]
    endings.offer_draw(match.pk, bob)
    receipts += [post.answer(alice, email, "decline"), post.answer(alice, email, "b4-b5")]
    assert len({post.outcome(receipt) for receipt in receipts}) >= 7
    for receipt in receipts:
        assert_harmless(receipt, widths)


@pytest.mark.long
@pytest.mark.parametrize(
    ("preset", "widths"),
    fed_back.at_widths(("lattaque-en", "domino", "tactique", "assaut"), fast=("tactique",)),
)
def test_no_line_of_a_proposal_is_a_command(
    players_named_like_commands: People, preset: str, widths: range
) -> None:
    match_helpers.new_match(players_named_like_commands, preset)
    for typed in ("random", "rules", "abort", "hello"):
        assert_harmless(
            post.answer(
                players_named_like_commands.bob, post.email(players_named_like_commands.bob), typed
            ),
            widths,
        )
        match_helpers.new_match(players_named_like_commands, preset)


PROSE = "Let me think about it."


def quoted(email: EmailMultiAlternatives) -> str:
    return "".join(f"> {line}\n" for line in text(email).splitlines())


@pytest.mark.parametrize(
    ("preset", "words"),
    tiers.parameters(
        product(("lattaque-en", "lattaque-zh", "domino", "tactique"), (PROSE, "board")),
        fast=(("lattaque-zh", "board"), ("domino", PROSE)),
    ),
)
def test_a_quoted_proposal_is_no_set_up(who: People, preset: str, words: str) -> None:
    match = match_helpers.new_match(who, preset)
    proposal = post.answer(who.bob, post.email(who.bob), "random")
    for whole in (quoted(proposal), text(proposal), "\n".join(fed_back.cells(proposal))):
        post.answers(who.bob, proposal, f"{words}\n\nOn Monday Estafette wrote:\n{whole}")
        assert post.last().outcome in ("unread", "shown"), whole
    assert match_helpers.as_is(match).ply == 0


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(
        ("lattaque-en", "lattaque-zh", "domino", "tactique", "assaut"),
        fast=("lattaque-en", "domino"),
    ),
)
def test_a_quoted_board_is_no_set_up(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    turn = post.email(who.alice)
    move = write_move(match.rules, view_match(match.pk, who.alice).observation.moves[0])
    for whole in (quoted(turn), text(turn), "\n".join(fed_back.cells(turn))):
        post.answers(who.alice, turn, f"{move}\n\nOn Monday Estafette wrote:\n{whole}")
        assert post.last().outcome in ("played", "repeated")
    assert Match.objects.get(pk=match.pk).status == Status.RUNNING


DIFFERENT = (
    "b4-b5\nresign",
    "draw?\ndecline\nyes\nno",
    "resign\ndraw?\naccept\ndecline\nb4-b5\ne4-e5\nrandom\nkeep\nyes\nno\nclaim\nrematch\nabort",
    *("\n".join(("accept", "b4-b5", "random", "rematch", "e4-e5")[-count:]) for count in (2, 3, 4)),
)


@pytest.mark.parametrize(
    ("language", "widths"), fed_back.at_widths(("en", "de", "fr", "zh-hant"), fast=("de",))
)
def test_commands_named_in_a_receipt_are_no_commands(
    who: People, settings: Settings, language: str, widths: range
) -> None:
    settings.MAIL_ANSWERS_PER_HOUR = 1000
    alice = who.alice
    alice.language = language
    alice.save()
    match_helpers.running_match(who, "a4-a5", "j7-j6")
    email = post.email(alice)
    for typed in DIFFERENT:
        receipt = post.answer(alice, email, typed)
        assert post.outcome(receipt) == "ambiguous"
        assert_harmless(receipt, widths)


@pytest.mark.parametrize(
    ("written", "named"),
    [
        (f"<{'x' * 700}@example.org>", f"<{'x' * 700}@example.org>"),
        ("<a@example.org> (added by postmaster@example.net)", "<a@example.org>"),
    ],
)
def test_a_receipt_refers_to_a_message_id_of_any_length(
    match: Match, alice: User, written: str, named: str
) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    email = post.email(alice)
    raw = f"From: {alice.email}\r\nMessage-ID: {written}\r\n\r\nboard\r\n"
    post.take(email, raw.encode())
    (receipt,) = post.emails(alice)
    sent = parsed(receipt)
    assert sent["In-Reply-To"].split() == [named]
    assert sent["References"].split()[-1] == named


@pytest.mark.parametrize(("count", "widths"), fed_back.at_widths((46, 52, 58, 64), fast=(52,)))
def test_no_line_of_a_reason_in_a_receipt_is_a_command(
    who: People, alice: User, count: int, widths: range
) -> None:
    match = match_helpers.running_match(who)
    reason = "a" * count + " resign " + "b" * 90
    email = post.email(alice)
    deciding.decide(cases.reported(who).pk, cases.moderator(), Outcome.SILENCED, reason, 5)
    alice.refresh_from_db()
    silenced = post.answer(alice, email, "say hello")
    moderation.void(match.pk, reason)
    over = post.answer(alice, email, "draw?")
    for receipt in (silenced, over):
        assert "aaaa" in text(receipt)
        assert_harmless(receipt, widths)
