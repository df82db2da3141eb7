"""Replies of all mail programs are parsed, and their quotations ignored."""

import pytest

from games.mail.reading.action_grouping import group_actions
from games.mail.reading.commands import Command, Verb
from games.mail.reading.parsed_message import ParsedMessage
from tests.mail.reading.clients import SHAPES, Shape, message
from tests.mail.reading.reader import read

ANSWERS = {
    "d4-d5": Command(Verb.MOVE, squares=("d4", "d5")),
    "D4 x D5!": Command(Verb.MOVE, squares=("d4", "d5"), claims_capture=True),
    "draw?": Command(Verb.DRAW_OFFER),
    "blow d6 c4-c5": Command(Verb.MOVE, squares=("c4", "c5"), huff="d6"),
    "wait 1d": Command(Verb.WAIT, argument="1d"),
    "d5 d3 b5": Command(Verb.MOVE, squares=("d5", "d3", "b5")),
    "Let me think.\n\n1. d4-d5\n\nI hope that it is not a mine.": Command(
        Verb.MOVE, squares=("d4", "d5")
    ),
}
PROSE = [
    "Thank you, I will answer tomorrow.",
    "Should I play d4-d5?\n\nOr is d4-e4 better?",
    "I will never resign\nand I offer no draw",
]


def plainly(command: Command) -> tuple[object, ...]:
    return (
        command.verb,
        command.squares,
        command.claims_capture,
        command.huff,
        command.argument,
    )


def actions(parsed: ParsedMessage) -> list[tuple[object, ...]]:
    assert not parsed.problem and not parsed.conflict
    grouped = group_actions(parsed.commands)
    assert not any(action.is_ambiguous for action in grouped)
    return [plainly(action.command) for action in grouped]


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_a_reply_of_each_program_is_parsed(shape: Shape) -> None:
    understood = {answer: actions(read(message(shape, answer))) for answer in ANSWERS}
    assert understood == {answer: [plainly(command)] for answer, command in ANSWERS.items()}


@pytest.mark.parametrize("shape", SHAPES, ids=lambda shape: shape.name)
def test_prose_above_a_quotation_is_no_command(shape: Shape) -> None:
    understood = {prose: actions(read(message(shape, prose))) for prose in PROSE}
    assert understood == {prose: [] for prose in PROSE}
