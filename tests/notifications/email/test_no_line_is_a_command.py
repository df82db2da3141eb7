"""No line of an e-mail is read as a command when it is quoted.

Answers quote what they answer, above or below, with or without marks. What is read of an answer is
its commands, so no line of ours may be one: neither as it was sent, nor wrapped again, nor as a
table cell on its own line.
"""

from collections.abc import Iterator
from datetime import timedelta
from functools import cache
from itertools import product
from random import Random

import pytest
from django.core.mail import EmailMultiAlternatives
from django.utils import translation
from pytest_django import Settings

from accounts.models import User
from games.competitions.tournaments.commands import organising
from games.lobby import commands as lobby
from games.lobby.models import InvitationKind
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import LANGUAGES, word
from games.notifications.policy import preferences
from games.people.models import Outcome
from games.people.moderation import deciding
from games.play.commands import endings, moderation
from games.play.models.match import Match
from games.play.record.match_view import view_match
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.text import notation
from games.talk import commands as talk
from games.talk.lines.text import quoted_rows, read_text
from games.watch import following
from lib.db_clock import frozen_at, now
from lib.mail_words import WORDS
from tests import tiers
from tests.competitions.tournaments import playing
from tests.floors import at_least
from tests.mail.reading.reader import is_command as is_one
from tests.mail.reading.reader import read
from tests.notifications.email import fed_back
from tests.notifications.email.every_email import every_email
from tests.notifications.email.reading import delivered, html, text
from tests.people.moderation import cases
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.long

EVERY_LANGUAGE = ("en", *LANGUAGES)
PRESETS = [rules.key for rules in registry.editions()]
PLIES = 6
# Handles that are commands; every e-mail contains them.
NAMES = {"Alice": "d4-d5", "Bob": "resign"}


is_command = cache(is_one)  # most lines come back unchanged, however they are wrapped


@pytest.fixture(autouse=True)
def _answerable(settings: Settings) -> None:
    settings.MAIL_REPLIES = "true"


def assert_harmless(email: EmailMultiAlternatives, widths: range = fed_back.COLUMNS) -> None:
    for lines in fed_back.texts(email, widths):
        assert commands("plain", "\n".join(lines)) == []
    assert commands("html", html(email)) == []
    assert [line for line in fed_back.cells(email) if is_command(line)] == []


def commands(kind: str, body: str) -> list[Command]:
    """What is read of a message that holds nothing but an e-mail, without marks of a quotation."""
    head = f"From: bob@example.org\nContent-Type: text/{kind}; charset=utf-8\n\n"
    parsed = read(f"{head}{body}".encode())
    assert parsed.problem == ""
    return list(parsed.commands)


@pytest.mark.parametrize(
    ("language", "widths"), fed_back.at_widths(EVERY_LANGUAGE, fast=("zh-hant",))
)
def test_no_line_of_any_kind_of_email_is_a_command(
    who: People, language: str, widths: range
) -> None:
    for user in who:
        user.username = NAMES.get(user.username, user.username)
        user.language = language
        user.save()
    for email in at_least(15, every_email(who).values()):
        assert_harmless(email, widths)


@pytest.mark.parametrize(
    ("preset", "style", "widths"),
    fed_back.at_widths(
        product(PRESETS, ("drawn", "list")),
        fast=(("lattaque-en", "list"), ("domino", "drawn")),
    ),
)
def test_no_line_of_emails_about_any_edition_is_a_command(
    who: People, preset: str, style: str, widths: range
) -> None:
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
        assert_harmless(email, widths)


def test_every_command_that_an_email_names_is_understood() -> None:
    whole = {
        "wait 1d", "draw?", "say x", "note x", "play domino", "seat domino", "challenge Bob assaut",
        "challenge Bob ladder domino", "ladder domino", "join 12", "enter 7", "leave 7",
    }  # fmt: skip
    alone = {*WORDS} - {each.split()[0] for each in whole - {"draw?"}}
    for english in at_least(30, alone | whole):
        for language in EVERY_LANGUAGE:
            with translation.override(language):
                assert is_command(word(english)), (english, language)


HOSTILE_WORDS = (
    *(word for row in WORDS.values() for word in row),
    "a4-a5", "d4xd5", "7: resign", "wait 1d", "*d6,c4-c5", "c7,e7", "note x", "say resign",
    "setup: mine", "seat domino", "challenge Bob assaut", "join 12", "yes", "#7: yes",
)  # fmt: skip


def hostile_lines() -> Iterator[str]:
    """Lines of talk with which an opponent might try to act for the reader."""
    rng = Random(7)
    for number in range(200):
        command = HOSTILE_WORDS[number % len(HOSTILE_WORDS)]
        before = "a" * rng.randrange(80) if number % 4 else "> " * rng.randrange(9)
        between = rng.choice((" ", "\n", "\n\n", "\u3000", " \u200b", "\u2028", "\t", "\r"))
        after = rng.choice(("", "\n", " " + "b" * rng.randrange(100), "\n" + command))
        yield f"{before}{between}{command}{after}"


def test_quoted_talk_is_never_a_command() -> None:
    for line in at_least(200, list(hostile_lines())):
        assert_rows_are_harmless(quoted_rows(read_text(line)))


def assert_rows_are_harmless(rows: list[str]) -> None:
    """No command is found in rows, as they are and wrapped again at 40 to 80 columns."""
    for columns in (10_000, *range(40, 81)):
        for mark in ("", "> "):
            lines = [part for row in rows for part in fed_back.wrapped(f"{mark}{row}", columns)]
            assert all(line.startswith(">") for line in lines)
            assert not any(map(is_command, lines))


@pytest.mark.parametrize(
    ("kind", "language"),
    tiers.parameters(
        product(("turn", "talk"), EVERY_LANGUAGE),
        fast=(("turn", "zh-hant"), ("talk", "fr")),
    ),
)
def test_no_line_of_an_email_with_talk_is_a_command(
    who: People, match: Match, kind: str, language: str
) -> None:
    alice, bob, _charlie = who
    bob.language = language
    bob.save()
    rows = [row for line in hostile_lines() for row in read_text(line).split("\n") if row.strip()]
    shuffled = Random(f"{kind} {language}").sample(rows, 60)
    for start in range(0, 60, 12):
        talk.say(match.pk, alice, "\n".join(shuffled[start : start + 12])[:1000])
    if kind == "turn":
        match_helpers.play(match, "a4-a5")
    with frozen_at(now() + timedelta(minutes=0 if kind == "turn" else 3)):
        emails = [email for email in delivered() if email.to == [bob.email]]
    (email,) = emails
    assert len([line for line in text(email).splitlines() if line.startswith(">")]) > 50
    assert "<blockquote" in html(email)
    assert_harmless(email)


NOTES = (
    "accept",
    "accept\r\nresign",
    "7: resign",
    *("a" * count + " annehmen " + "b" * 100 for count in range(40, 70, 3)),
)


@pytest.mark.parametrize("note", tiers.parameters(NOTES, fast=("7: resign", NOTES[-3])), ids=str)
def test_no_line_of_a_note_is_a_command(who: People, note: str) -> None:
    lobby.offer(
        who.bob,
        Terms("lattaque-en", setup_pace="5d"),
        kind=InvitationKind.CHALLENGE,
        guest=who.alice,
        note=note,
    )
    (email,) = delivered()
    assert_harmless(email)


@pytest.mark.parametrize(("count", "widths"), fed_back.at_widths((46, 52, 58, 64), fast=(58,)))
def test_no_line_of_a_reason_that_staff_give_is_a_command(
    who: People, count: int, widths: range
) -> None:
    reason = "a" * count + " resign " + "b" * 90
    ended, other = match_helpers.running_match(who), match_helpers.running_match(who)
    following.follow(ended.pk, who.charlie)
    report = cases.reported(who)
    delivered()
    moderation.extend(other.pk, None, timedelta(days=1), reason)
    moderation.void(ended.pk, reason)
    deciding.decide(report.pk, cases.moderator(), Outcome.WARNED, reason)
    with frozen_at(playing.CLOSES):
        cancelled = playing.drawn(playing.members(3))
        User.objects.update(notification_preferences={"frequency": "now"})
        organising.cancel(cancelled.pk, reason)
    for email in at_least(8, [email for email in delivered() if "aaaa" in text(email)]):
        assert_harmless(email, widths)
