"""A receipt repeats a command in the reader's language, as that language writes it."""

import pytest
from django.utils import translation

from games.mail.answering.actions.dispatch import described
from games.mail.reading.commands import Command, Verb
from tests.mail.reading.reader import read_line

ARGUMENTS = {
    Verb.WAIT: "1d",
    Verb.PLAY: "domino",
    Verb.SEAT: "domino 3d",
    Verb.CHALLENGE: "Bob assaut",
    Verb.LADDER_CHALLENGE: "Bob ladder domino",
    Verb.LADDER: "domino",
    Verb.JOIN: "12",
    Verb.ENTER: "7",
    Verb.LEAVE: "7",
}
MARKS = {
    "en": ("“", "”"),
    "de": ("„", "“"),
    "fr": ("«\N{NARROW NO-BREAK SPACE}", "\N{NARROW NO-BREAK SPACE}»"),
    "zh-hant": ("「", "」"),
}
# A receipt names moves, set-ups and lines of plans in another way, and repeats no words.
OTHERS = {Verb.MOVE, Verb.SETUP, Verb.IF, Verb.NOTE, Verb.SAY}


@pytest.mark.parametrize("language", MARKS)
@pytest.mark.parametrize("verb", [verb for verb in Verb if verb not in OTHERS], ids=str)
def test_a_repeated_command_is_read_as_the_same_command(verb: Verb, language: str) -> None:
    command = Command(verb, argument=ARGUMENTS.get(verb, ""))
    with translation.override(language):
        repeated = described(command)
    before, after = MARKS[language]
    inside = repeated.removeprefix(before).removesuffix(after)
    assert repeated == f"{before}{inside.strip()}{after}"
    assert read_line(inside) == command
