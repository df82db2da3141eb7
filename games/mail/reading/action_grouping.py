"""Groups the commands of a message into one action per match, and detects conflicting ones.

A message does one thing per match. Duplicate commands count once. A draw offer, declining a draw,
a day for the opponent and changes of the plan may accompany a move. Changes of the plan are one
action, in the order written. Of two different actions none is done.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from games.mail.reading.commands import Command, Verb

# These only show, note or say something, so they may accompany anything.
READ_ONLY = frozenset(
    (
        Verb.BOARD, Verb.BOARD_LIST, Verb.MOVES, Verb.RULES, Verb.HELP, Verb.MATCHES, Verb.NEXT,
        Verb.LOBBY, Verb.LADDER, Verb.TOURNAMENTS, Verb.PLAN, Verb.NOTE, Verb.SAY,
    )
)  # fmt: skip
# Recognized so that it can be answered with an explanation; never carried out.
UNSUPPORTED = frozenset((Verb.UNDO,))
# These change the plan.
PLANNING = frozenset((Verb.IF, Verb.FORGET))
MAY_ACCOMPANY_A_MOVE = frozenset((Verb.DRAW_OFFER, Verb.WAIT, Verb.DECLINE)) | PLANNING


@dataclass(frozen=True)
class Action:
    """An action in a match; `match` None means the match of the answered e-mail.

    `companions` are carried out after a move, or after the first change of the plan. `rivals` are
    conflicting commands of the message; if there are any, nothing is done.
    """

    match: int | None
    command: Command
    companions: tuple[Command, ...] = ()
    rivals: tuple[Command, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        """Whether the message has conflicting commands."""
        return bool(self.rivals)


def group_actions(commands: Iterable[Command]) -> tuple[Action, ...]:
    """One action per match, in the order of their first commands."""
    by_match: dict[int | None, dict[tuple[object, ...], Command]] = {}
    for command in commands:
        if is_action(command):
            distinct = by_match.setdefault(command.match, {})
            meaning = _meaning(command)
            if command.verb in PLANNING:
                meaning = (*meaning, command.line)  # the same line counts again after "forget"
            earlier = distinct.get(meaning)
            # Of two spellings of a move the one that claims a capture counts: it is stricter.
            if not earlier or (command.claims_capture and not earlier.claims_capture):
                distinct[meaning] = command
    return tuple(_action(match, list(distinct.values())) for match, distinct in by_match.items())


def other_commands(commands: Iterable[Command]) -> tuple[Command, ...]:
    """The commands that are no actions, without duplicates: queries, notes, words, others."""
    distinct = {(*_meaning(command), command.match): command for command in commands}
    return tuple(command for command in distinct.values() if not is_action(command))


def is_action(command: Command) -> bool:
    """Whether a command changes something in a match or in the lobby."""
    return command.verb not in READ_ONLY and command.verb not in UNSUPPORTED


def action_meanings(commands: Iterable[Command]) -> frozenset[tuple[object, ...]]:
    """Comparable meanings of the actions among some commands: text and HTML must agree."""
    return frozenset(
        (command.match, *_meaning(command)) for command in commands if is_action(command)
    )


def _action(match: int | None, commands: list[Command]) -> Action:
    moves = [command for command in commands if command.verb is Verb.MOVE]
    if len(moves) == 1:
        others = [command for command in commands if command.verb is not Verb.MOVE]
        if all(command.verb in MAY_ACCOMPANY_A_MOVE for command in others):
            return Action(match, moves[0], companions=tuple(others))
    if all(command.verb in PLANNING for command in commands):
        return Action(match, commands[0], companions=tuple(commands[1:]))
    return Action(match, commands[0], rivals=tuple(commands[1:]))


def _meaning(command: Command) -> tuple[object, ...]:
    return (
        command.verb,
        command.argument.casefold(),
        command.squares if command.verb is Verb.MOVE else frozenset(command.squares),
        command.huff,
        command.rows,
        command.row_numbers,
    )
