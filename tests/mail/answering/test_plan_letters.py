"""Plans by mail: what each message does."""

from collections.abc import Iterator
from copy import deepcopy
from textwrap import dedent
from typing import NamedTuple

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.models.match import Match
from tests import tiers
from tests.mail import post
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.play.plan_helpers import save, stored, texts
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.django_db

THEIRS, MINE = "theirs", "mine"  # whose turn the answered e-mail shows
ONE, TWO, ANY = "if j6-j5 then b5-b6", "if b7-b6 then a5-a6", "otherwise e4-e5"
LONG = "I have thought for a long time about it, and what I shall do is this,"


class Letter(NamedTuple):
    """A message of Alice, its outcome, and the plan that stands afterwards."""

    written: str
    outcome: str
    lines: tuple[str, ...] = ()
    turn: str = THEIRS
    stored: tuple[str, ...] = ()  # before the message
    plays: bool = False


def on_bobs_turn(written: str, outcome: str, *lines: str, stored: tuple[str, ...] = ()) -> Letter:
    """A message that answers an e-mail about Bob's turn; Alice's pieces are on a5 and b5."""
    return Letter(dedent(written).strip(), outcome, lines, stored=stored)


def on_own_turn(written: str, outcome: str, *lines: str, plays: bool = False) -> Letter:
    """A message that answers an e-mail about Alice's own turn; her pieces are on a5 and b4."""
    return Letter(dedent(written).strip(), outcome, lines, MINE, plays=plays)


LETTERS = [
    on_bobs_turn(ONE, "planned", ONE),
    on_bobs_turn("If J6 to J5 then B5 – B6.", "planned", ONE),
    on_bobs_turn("wenn j6-j5 dann b5-b6", "planned", ONE),
    on_bobs_turn("Falls j6 nach j5, dann b5 nach b6!", "planned", ONE),
    on_bobs_turn("si j6-j5 alors b5-b6", "planned", ONE),
    on_bobs_turn("如果 j6-j5 則 b5-b6", "planned", ONE),
    on_bobs_turn("若j6到j5那么b5到b6。", "planned", ONE),
    on_bobs_turn("ｉｆ ｊ６－ｊ５ ｔｈｅｎ ｂ５－ｂ６", "planned", ONE),
    on_bobs_turn(f"1. {ONE}\n2. {TWO}", "planned", ONE, TWO),
    on_bobs_turn(f"- *{ONE}*\n- _{TWO}_", "planned", ONE, TWO),
    on_bobs_turn(f"“{ONE}”", "planned", ONE),
    on_bobs_turn(f"{ANY}\n{TWO}\n{ONE}", "planned", TWO, ONE, ANY),
    on_bobs_turn("sonst e4-e5", "planned", ANY),
    on_bobs_turn("sinon e4-e5", "planned", ANY),
    on_bobs_turn("否則e4-e5", "planned", ANY),
    on_bobs_turn("if any then e4-e5", "planned", ANY),
    on_bobs_turn("wenn ruhig dann e4-e5", "planned", "if quiet then e4-e5"),
    on_bobs_turn("if xb5 then a5-a6", "planned", "if xb5 then a5-a6"),
    on_bobs_turn(f"{ONE} if any then a5-a6", "planned", f"{ONE} if any then a5-a6"),
    on_bobs_turn(f"{ONE}\n{ONE}\nIf j6 j5 then b5 b6", "planned", ONE),
    on_bobs_turn(f"Hello!\n\n{ONE}\n\nWell, well.\nAlice", "planned", ONE),
    on_bobs_turn(f"{ONE}\nif you like we can pause", "planned", ONE),
    on_bobs_turn(f"otherwise we play d5\n{ONE}", "planned", ONE),
    on_bobs_turn(f"{ONE}\n\n-- \n{TWO}", "planned", ONE),
    on_bobs_turn(f"{ONE}\n\n> {TWO}\n> resign", "planned", ONE),
    on_bobs_turn(f"> {TWO}\n\n{ONE}", "planned", ONE),
    on_bobs_turn(f"{ONE}\n\nFrom: Estafette\nTo: Alice\n\n{TWO}", "planned", ONE),
    on_bobs_turn(f"{ONE}\nboard", "planned", ONE),
    on_bobs_turn(f"{ONE}\nplan", "planned", ONE),
    on_bobs_turn(f"{ONE}\nnote he is weak on the left", "planned", ONE),
    on_bobs_turn(f"{TWO}", "planned", ONE, TWO, stored=(ONE,)),
    on_bobs_turn("if j6-j5 then a5-a6", "planned", "if j6-j5 then a5-a6", TWO, stored=(ONE, TWO)),
    on_bobs_turn(
        "if j6-j5 then a5-a6",
        "planned",
        "if j6-j5 then a5-a6",
        stored=(f"{ONE} if any then e4-e5",),
    ),
    on_bobs_turn("forget", "planned", stored=(ONE,)),
    on_bobs_turn("Vergessen.", "planned", stored=(ONE,)),
    on_bobs_turn("oublier", "planned", stored=(ONE,)),
    on_bobs_turn("忘記", "planned", stored=(ONE,)),
    on_bobs_turn("forget", "planned"),
    on_bobs_turn(f"forget\n{TWO}", "planned", TWO, stored=(ONE,)),
    on_bobs_turn(f"{TWO}\nforget", "planned", stored=(ONE,)),
    on_bobs_turn(f"{ONE}\nforget\n{ONE}", "planned", ONE),
    on_bobs_turn(f"{ONE}\nforget\nif j6-j5 then a5-a6", "planned", "if j6-j5 then a5-a6"),
    on_bobs_turn("plan", "shown", ONE, stored=(ONE,)),
    on_bobs_turn("Plan?", "shown", ONE, stored=(ONE,)),
    on_bobs_turn("計畫", "shown"),
    # Refused as a whole.
    on_bobs_turn("if j6-j5", "refused", TWO, stored=(TWO,)),
    on_bobs_turn("if j6-j5 b5-b6", "refused"),
    on_bobs_turn("if j6-j5 then b5", "refused"),
    on_bobs_turn("if j6-j5 then b5-b6?", "refused"),
    on_bobs_turn("if j6-j5 then resign", "refused"),
    on_bobs_turn("wenn j6-j5 dann ziehe ich", "refused"),
    on_bobs_turn("otherwise e4-e5 and so on", "refused"),
    on_bobs_turn("if xb5 strikes me I am lost", "refused"),
    on_bobs_turn("if z6-z5 then b5-b6", "unread"),
    on_bobs_turn("if l6-l5 then b5-b6", "refused"),
    on_bobs_turn("if a7-a8 then b5-b6", "refused"),
    on_bobs_turn("if j6-j5 then b5xb6", "refused"),
    on_bobs_turn("if j6-j5 then b5-d5xd6xd7", "refused"),
    on_bobs_turn("if j6-j5 then " + "e4-e5 " * 60, "refused"),
    on_bobs_turn(f"{ONE}\nif j6-j5 then a5-a6", "refused", TWO, stored=(TWO,)),
    on_bobs_turn(f"{ONE}\nif b7-b6 then", "refused", TWO, stored=(TWO,)),
    on_bobs_turn(f"forget\n{ONE}\nif b7-b6 then", "refused", TWO, stored=(TWO,)),
    on_bobs_turn(f"{LONG}\n{ONE}", "refused"),
    on_bobs_turn(f"{LONG}\n\n{ONE}", "planned", ONE),
    on_bobs_turn(
        "\n".join(f"if {a}7-{a}6 then e4-e5" for a in "abef") + f"\n{ANY} please", "refused"
    ),
    on_bobs_turn(f"{ONE}\nresign", "ambiguous"),
    on_bobs_turn(f"{ONE}\ndraw?", "ambiguous"),
    on_bobs_turn(f"b5-b6\n{ONE}", "refused"),
    on_bobs_turn("if you like we can pause", "unread"),
    on_bobs_turn(f"> {ONE}", "unread"),
    # With a move.
    on_own_turn("b4-b5\n" + ONE, "played", ONE, plays=True),
    on_own_turn(f"{ONE}\n{TWO}\nb4 b5", "played", ONE, TWO, plays=True),
    on_own_turn(f"b4-b5\n{ONE}\ndraw?", "played", ONE, plays=True),
    on_own_turn(f"forget\nb4-b5\n{ONE}", "played", ONE, plays=True),
    on_own_turn(f"b4-b5\n{ONE}\nforget", "played", plays=True),
    on_own_turn(f"b4-b5\n{ONE}\nforget\n{TWO}", "played", TWO, plays=True),
    on_own_turn("b4-b5\nforget", "played", plays=True),
    on_own_turn("走 b4-b5\n如果j6-j5則b5-b6\n否則e4-e5", "played", ONE, ANY, plays=True),
    on_own_turn(f"b4-b5\n{ONE}\nif j6-j5 then", "refused"),
    on_own_turn(f"b4-b5\n{ONE}\nif j6-j5 then a5-a6", "refused"),
    on_own_turn(f"b4-b9\n{ONE}", "refused"),
    on_own_turn(f"b4xb5\n{ONE}", "refused"),
    on_own_turn(f"b4-b5\ne4-e5\n{ONE}", "ambiguous"),
    on_own_turn(ONE, "refused"),
    on_own_turn("forget", "planned"),
]


class StartedMatch(NamedTuple):
    """A match in which Alice has a piece on a5 and Bob one on j6; the e-mail that she answers."""

    alice: User
    match: Match
    shows: EmailMultiAlternatives


def start_match(who: People, turn: str) -> StartedMatch:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    email = post.email(who.alice)
    if turn == THEIRS:
        email = post.answer(who.alice, email, "b4-b5")
    return StartedMatch(who.alice, match, email)


@pytest.fixture(scope="module")
def started_matches(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[str, StartedMatch]]:
    """A match by whose turn it is."""
    with shared_rows(django_db_blocker), override_settings(DEMO=True, MAIL_AUTHSERV_ID=""):
        who = match_helpers.people()
        yield {turn: start_match(who, turn) for turn in (MINE, THEIRS)}


# Of the letters on Bob's turn that make this one plan, with few words around it.
FAST_WORDS = (
    "Falls j6 nach j5, dann b5 nach b6!",
    "若j6到j5那么b5到b6。",
    f"{ONE}\n\n> {TWO}\n> resign",
)
FAST_LETTERS = [
    letter for letter in LETTERS if letter.lines != (ONE,) or letter.stored or letter.plays
    or letter.written in FAST_WORDS
]  # fmt: skip


@pytest.mark.parametrize(
    "letter", tiers.parameters(LETTERS, FAST_LETTERS), ids=lambda letter: letter.written[:60]
)
def test_letters(letter: Letter, started_matches: dict[str, StartedMatch]) -> None:
    alice, match, shown = deepcopy(started_matches[letter.turn])
    if letter.stored:
        save(match, alice, *letter.stored)
    before = texts(match)
    receipt = post.answer(alice, shown, letter.written)
    assert post.outcome(receipt) == letter.outcome
    assert stored(match, alice) == letter.lines
    assert texts(match) == before + ["b4-b5"] * letter.plays
