"""Plans by mail: what each letter does."""

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
    """A letter of Alice, its outcome, and the plan that stands afterwards."""

    written: str
    outcome: str
    lines: tuple[str, ...] = ()
    turn: str = THEIRS
    stored: tuple[str, ...] = ()  # before the letter
    plays: bool = False


def theirs(written: str, outcome: str, *lines: str, stored: tuple[str, ...] = ()) -> Letter:
    """A letter that answers one with Bob's turn; Alice's pieces stand on a5 and b5."""
    return Letter(dedent(written).strip(), outcome, lines, stored=stored)


def mine(written: str, outcome: str, *lines: str, plays: bool = False) -> Letter:
    """A letter that answers one with Alice's own turn; her pieces stand on a5 and b4."""
    return Letter(dedent(written).strip(), outcome, lines, MINE, plays=plays)


LETTERS = [
    theirs(ONE, "planned", ONE),
    theirs("If J6 to J5 then B5 – B6.", "planned", ONE),
    theirs("wenn j6-j5 dann b5-b6", "planned", ONE),
    theirs("Falls j6 nach j5, dann b5 nach b6!", "planned", ONE),
    theirs("si j6-j5 alors b5-b6", "planned", ONE),
    theirs("如果 j6-j5 則 b5-b6", "planned", ONE),
    theirs("若j6到j5那么b5到b6。", "planned", ONE),
    theirs("ｉｆ ｊ６－ｊ５ ｔｈｅｎ ｂ５－ｂ６", "planned", ONE),
    theirs(f"1. {ONE}\n2. {TWO}", "planned", ONE, TWO),
    theirs(f"- *{ONE}*\n- _{TWO}_", "planned", ONE, TWO),
    theirs(f"“{ONE}”", "planned", ONE),
    theirs(f"{ANY}\n{TWO}\n{ONE}", "planned", TWO, ONE, ANY),
    theirs("sonst e4-e5", "planned", ANY),
    theirs("sinon e4-e5", "planned", ANY),
    theirs("否則e4-e5", "planned", ANY),
    theirs("if any then e4-e5", "planned", ANY),
    theirs("wenn ruhig dann e4-e5", "planned", "if quiet then e4-e5"),
    theirs("if xb5 then a5-a6", "planned", "if xb5 then a5-a6"),
    theirs(f"{ONE} if any then a5-a6", "planned", f"{ONE} if any then a5-a6"),
    theirs(f"{ONE}\n{ONE}\nIf j6 j5 then b5 b6", "planned", ONE),
    theirs(f"Hello!\n\n{ONE}\n\nWell, well.\nAlice", "planned", ONE),
    theirs(f"{ONE}\nif you like we can pause", "planned", ONE),
    theirs(f"otherwise we play d5\n{ONE}", "planned", ONE),
    theirs(f"{ONE}\n\n-- \n{TWO}", "planned", ONE),
    theirs(f"{ONE}\n\n> {TWO}\n> resign", "planned", ONE),
    theirs(f"> {TWO}\n\n{ONE}", "planned", ONE),
    theirs(f"{ONE}\n\nFrom: Estafette\nTo: Alice\n\n{TWO}", "planned", ONE),
    theirs(f"{ONE}\nboard", "planned", ONE),
    theirs(f"{ONE}\nplan", "planned", ONE),
    theirs(f"{ONE}\nnote he is weak on the left", "planned", ONE),
    theirs(f"{TWO}", "planned", ONE, TWO, stored=(ONE,)),
    theirs("if j6-j5 then a5-a6", "planned", "if j6-j5 then a5-a6", TWO, stored=(ONE, TWO)),
    theirs(
        "if j6-j5 then a5-a6",
        "planned",
        "if j6-j5 then a5-a6",
        stored=(f"{ONE} if any then e4-e5",),
    ),
    theirs("forget", "planned", stored=(ONE,)),
    theirs("Vergessen.", "planned", stored=(ONE,)),
    theirs("oublier", "planned", stored=(ONE,)),
    theirs("忘記", "planned", stored=(ONE,)),
    theirs("forget", "planned"),
    theirs(f"forget\n{TWO}", "planned", TWO, stored=(ONE,)),
    theirs(f"{TWO}\nforget", "planned", stored=(ONE,)),
    theirs(f"{ONE}\nforget\n{ONE}", "planned", ONE),
    theirs(f"{ONE}\nforget\nif j6-j5 then a5-a6", "planned", "if j6-j5 then a5-a6"),
    theirs("plan", "shown", ONE, stored=(ONE,)),
    theirs("Plan?", "shown", ONE, stored=(ONE,)),
    theirs("計畫", "shown"),
    # Refused as a whole.
    theirs("if j6-j5", "refused", TWO, stored=(TWO,)),
    theirs("if j6-j5 b5-b6", "refused"),
    theirs("if j6-j5 then b5", "refused"),
    theirs("if j6-j5 then b5-b6?", "refused"),
    theirs("if j6-j5 then resign", "refused"),
    theirs("wenn j6-j5 dann ziehe ich", "refused"),
    theirs("otherwise e4-e5 and so on", "refused"),
    theirs("if xb5 strikes me I am lost", "refused"),
    theirs("if z6-z5 then b5-b6", "unread"),
    theirs("if l6-l5 then b5-b6", "refused"),
    theirs("if a7-a8 then b5-b6", "refused"),
    theirs("if j6-j5 then b5xb6", "refused"),
    theirs("if j6-j5 then b5-d5xd6xd7", "refused"),
    theirs("if j6-j5 then " + "e4-e5 " * 60, "refused"),
    theirs(f"{ONE}\nif j6-j5 then a5-a6", "refused", TWO, stored=(TWO,)),
    theirs(f"{ONE}\nif b7-b6 then", "refused", TWO, stored=(TWO,)),
    theirs(f"forget\n{ONE}\nif b7-b6 then", "refused", TWO, stored=(TWO,)),
    theirs(f"{LONG}\n{ONE}", "refused"),
    theirs(f"{LONG}\n\n{ONE}", "planned", ONE),
    theirs("\n".join(f"if {a}7-{a}6 then e4-e5" for a in "abef") + f"\n{ANY} please", "refused"),
    theirs(f"{ONE}\nresign", "ambiguous"),
    theirs(f"{ONE}\ndraw?", "ambiguous"),
    theirs(f"b5-b6\n{ONE}", "refused"),
    theirs("if you like we can pause", "unread"),
    theirs(f"> {ONE}", "unread"),
    # With a move.
    mine("b4-b5\n" + ONE, "played", ONE, plays=True),
    mine(f"{ONE}\n{TWO}\nb4 b5", "played", ONE, TWO, plays=True),
    mine(f"b4-b5\n{ONE}\ndraw?", "played", ONE, plays=True),
    mine(f"forget\nb4-b5\n{ONE}", "played", ONE, plays=True),
    mine(f"b4-b5\n{ONE}\nforget", "played", plays=True),
    mine(f"b4-b5\n{ONE}\nforget\n{TWO}", "played", TWO, plays=True),
    mine("b4-b5\nforget", "played", plays=True),
    mine("走 b4-b5\n如果j6-j5則b5-b6\n否則e4-e5", "played", ONE, ANY, plays=True),
    mine(f"b4-b5\n{ONE}\nif j6-j5 then", "refused"),
    mine(f"b4-b5\n{ONE}\nif j6-j5 then a5-a6", "refused"),
    mine(f"b4-b9\n{ONE}", "refused"),
    mine(f"b4xb5\n{ONE}", "refused"),
    mine(f"b4-b5\ne4-e5\n{ONE}", "ambiguous"),
    mine(ONE, "refused"),
    mine("forget", "planned"),
]


class Begun(NamedTuple):
    """A match in which Alice has a piece on a5 and Bob one on j6; the e-mail that she answers."""

    alice: User
    match: Match
    shows: EmailMultiAlternatives


def begin(who: People, turn: str) -> Begun:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    email = post.email(who.alice)
    if turn == THEIRS:
        email = post.answer(who.alice, email, "b4-b5")
    return Begun(who.alice, match, email)


@pytest.fixture(scope="module")
def begun(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[dict[str, Begun]]:
    """A match by whose turn it is."""
    with shared_rows(django_db_blocker), override_settings(DEMO=True, MAIL_AUTHSERV_ID=""):
        who = match_helpers.people()
        yield {turn: begin(who, turn) for turn in (MINE, THEIRS)}


@pytest.mark.parametrize("letter", LETTERS, ids=lambda letter: letter.written[:60])
def test_letters(letter: Letter, begun: dict[str, Begun]) -> None:
    alice, match, shown = deepcopy(begun[letter.turn])
    if letter.stored:
        save(match, alice, *letter.stored)
    before = texts(match)
    receipt = post.answer(alice, shown, letter.written)
    assert post.outcome(receipt) == letter.outcome
    assert stored(match, alice) == letter.lines
    assert texts(match) == before + ["b4-b5"] * letter.plays
