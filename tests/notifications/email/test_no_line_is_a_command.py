"""No line of an e-mail is read as a command when it is quoted.

Answers quote what they answer, above or below, with or without marks. What is read of an answer is
its commands, so no line of ours may be one: neither as it was sent, nor wrapped anew, nor as a cell
of a table on a line of its own.
"""

from functools import cache
from itertools import product

import pytest
from django.core.mail import EmailMultiAlternatives
from django.utils import translation
from pytest_django import Settings

from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import LANGUAGES, word
from games.notifications.policy import preferences
from games.play.commands import endings
from games.play.record.match_view import view_match
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.text import notation
from lib.mail_words import WORDS
from tests import tiers
from tests.floors import at_least
from tests.mail.reading.reader import is_command as is_one
from tests.mail.reading.reader import read
from tests.notifications.email import fed_back
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import delivered, html
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.long

EVERY_LANGUAGE = ("en", *LANGUAGES)
PRESETS = [rules.key for rules in registry.editions()]
PLIES = 6
# Handles that are commands; they stand in every e-mail.
NAMES = {"Alice": "d4-d5", "Bob": "resign"}


is_command = cache(is_one)  # most lines come back unchanged, however they are wrapped


@pytest.fixture(autouse=True)
def _answerable(settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"


@pytest.fixture(params=tiers.parameters(EVERY_LANGUAGE, fast=("de", "zh-hant")))
def speaking(request: pytest.FixtureRequest, who: People) -> People:
    """The players with handles that are commands, in one of the languages."""
    for user in who:
        user.username = NAMES.get(user.username, user.username)
        user.language = request.param
        user.save()
    return who


def assert_harmless(email: EmailMultiAlternatives) -> None:
    for lines in fed_back.texts(email):
        assert commands("plain", "\n".join(lines)) == []
    assert commands("html", html(email)) == []
    assert [line for line in fed_back.cells(email) if is_command(line)] == []


def commands(kind: str, body: str) -> list[Command]:
    """What is read of a message that holds nothing but an e-mail, without marks of a quotation."""
    head = f"From: bob@example.org\nContent-Type: text/{kind}; charset=utf-8\n\n"
    found = read(f"{head}{body}".encode())
    assert found.problem == ""
    return list(found.commands)


def test_of_emails_of_every_kind(speaking: People) -> None:
    for email in at_least(15, every_email(speaking).values()):
        assert_harmless(email)


@pytest.mark.parametrize(
    ("preset", "style"),
    tiers.parameters(
        product(PRESETS, ("drawn", "list")),
        fast=(
            ("lattaque-en", "list"),
            ("domino", "drawn"),
            ("tactique", "list"),
            ("assaut", "drawn"),
        ),
    ),
)
def test_of_emails_about_every_edition(who: People, preset: str, style: str) -> None:
    alice, bob, _charlie = who
    for reader, turn in ((alice, 0), (bob, 1)):
        number = PRESETS.index(preset) + turn + 2 * (style == "list")
        reader.language = EVERY_LANGUAGE[number % len(EVERY_LANGUAGE)]
        reader.save()
        preferences.change(reader, board_style=style)
    match = match_helpers.new_match(who, preset)
    emails = delivered()
    match_helpers.set_up(match)
    emails += delivered()
    for number in range(PLIES):
        mover = alice if view_match(match.pk, alice).my_turn else bob
        view = view_match(match.pk, mover)
        moves = [notation.write_move(view.rules, move) for move in view.observation.moves]
        match_helpers.play(match, sorted(moves)[number * 7 % len(moves)])
        emails += delivered()
    endings.resign(match.pk, alice)
    emails += delivered()
    assert len(emails) >= PLIES + 2
    for email in emails:
        assert_harmless(email)


def test_every_word_that_an_email_names_is_a_command() -> None:
    for english in at_least(15, {*WORDS, "wait 1d", "draw?", "say x"} - {"wait", "say"}):
        for language in EVERY_LANGUAGE:
            with translation.override(language):
                assert is_command(word(english)), (english, language)


@pytest.mark.parametrize(
    "note",
    [
        "accept",
        "accept\r\nresign",
        "7: resign",
        *("a" * count + " annehmen " + "b" * 100 for count in range(40, 70, 3)),
    ],
    ids=str,
)
def test_what_somebody_wrote_is_none_either(who: People, note: str) -> None:
    lobby.offer(
        who.bob,
        Terms("lattaque-en", setup_pace="5d"),
        kind=InvitationKind.CHALLENGE,
        guest=who.alice,
        note=note,
    )
    (email,) = delivered()
    assert_harmless(email)
