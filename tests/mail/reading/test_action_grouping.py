"""One action per match and message."""

import pytest

from games.mail.reading.action_grouping import group_actions, other_commands
from games.mail.reading.commands import Command, Verb
from tests.mail.reading.reader import read_line


def commands(text: str) -> list[Command]:
    commands = [read_line(line) for line in text.split("|")]
    assert all(commands)
    return [command for command in commands if command]


@pytest.mark.parametrize(
    ("text", "verb", "companions"),
    [
        ("d4-d5", Verb.MOVE, []),
        ("d4-d5|d4 d5|D4-D5.", Verb.MOVE, []),
        ("d4-d5|draw?", Verb.MOVE, [Verb.DRAW_OFFER]),
        ("draw?|d4-d5", Verb.MOVE, [Verb.DRAW_OFFER]),
        ("wait 1d|d4-d5", Verb.MOVE, [Verb.WAIT]),
        ("decline|d4-d5", Verb.MOVE, [Verb.DECLINE]),
        ("d4-d5|draw?|wait 1d|draw", Verb.MOVE, [Verb.DRAW_OFFER, Verb.WAIT]),
        ("resign|resign", Verb.RESIGN, []),
        ("d4-d5|board|note x|help|say hello|undo|plan", Verb.MOVE, []),
        ("if e7-e6 then d5xe6|d4-d5|draw?", Verb.MOVE, [Verb.IF, Verb.DRAW_OFFER]),
        ("d4-d5|forget|if d4-d5", Verb.MOVE, [Verb.FORGET, Verb.IF]),
        ("if e7-e6 then d5xe6|sonst a1-a2", Verb.IF, [Verb.IF]),
        ("forget|if e7-e6 then d5xe6", Verb.FORGET, [Verb.IF]),
        ("c7, e7|e7,c7", Verb.SETUP, []),
        ("draw?", Verb.DRAW_OFFER, []),
    ],
)
def test_one_action(text: str, verb: Verb, companions: list[Verb]) -> None:
    (action,) = group_actions(commands(text))
    assert action.command.verb is verb and not action.is_ambiguous
    assert [companion.verb for companion in action.companions] == companions


@pytest.mark.parametrize(
    "text",
    [
        "d4-d5|d4-e4",
        "d4-d5|d5-d4",
        "d4-d5|resign",
        "resign|draw?",
        "draw?|decline",
        "accept|decline",
        "yes|no",
        "d4-d5|accept",
        "d4-d5|blow d6 d4-d5",
        "random|keep",
        "wait 1d|draw?",
        "wait 1d|wait 2d",
        "d4-d5|random",
        "if e7-e6 then d5xe6|resign",
        "forget|draw?",
        "d4-d5|d4-e4|if e7-e6 then d5xe6",
    ],
)
def test_conflicting_actions_are_not_done(text: str) -> None:
    (action,) = group_actions(commands(text))
    assert action.is_ambiguous


def test_the_capture_counts_of_two_spellings_of_a_move() -> None:
    for text in ("d4-d5|d4xd5", "d4xd5|d4-d5"):
        (action,) = group_actions(commands(text))
        assert action.command.claims_capture and not action.is_ambiguous


def test_each_match_of_a_digest_has_its_own_action() -> None:
    actions = group_actions(commands("7: d4-d5|9: resign|7: draw?|12: d4-d5|12: d4-e4"))
    assert [(action.match, action.is_ambiguous) for action in actions] == [
        (7, False),
        (9, False),
        (12, True),
    ]
    assert len(actions[0].companions) == 1


def test_other_commands_are_listed_once() -> None:
    asides = other_commands(commands("board|d4-d5|board|note x|board 7|help"))
    assert [aside.verb for aside in asides] == [Verb.BOARD, Verb.NOTE, Verb.BOARD, Verb.HELP]
