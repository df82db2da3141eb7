"""Actions: which of a message's commands do something, and whether they agree.

One message does one thing in a match. What is said twice is done once; an offer of a draw, its
refusal and a day for the opponent may go with a move; two different actions are none.
"""

from collections.abc import Iterable
from dataclasses import dataclass

from games.mail.reading.commands import Command, Verb

# What only shows or notes something, and may go with everything.
READING = frozenset(
    (
        Verb.BOARD, Verb.BOARD_LIST, Verb.MOVES, Verb.RULES, Verb.HELP, Verb.MATCHES, Verb.NEXT,
        Verb.LOBBY, Verb.NOTE,
    )
)  # fmt: skip
# What is answered with a sentence, and never done.
UNDERSTOOD = frozenset((Verb.IF, Verb.UNDO, Verb.SAY))
WITH_A_MOVE = frozenset((Verb.DRAW_OFFER, Verb.WAIT, Verb.DECLINE))


@dataclass(frozen=True)
class Action:
    """What is to be done in a match, or in that of the e-mail if `match` is None.

    `companions` go with a move and come after it. If `rivals` has commands, the message asked for
    all of these too, and nothing is done.
    """

    match: int | None
    command: Command
    companions: tuple[Command, ...] = ()
    rivals: tuple[Command, ...] = ()

    @property
    def is_ambiguous(self) -> bool:
        """Whether the message asked for different things."""
        return bool(self.rivals)


def actions_of(commands: Iterable[Command]) -> tuple[Action, ...]:
    """The actions that a message asks for, one a match, in the order of their first commands."""
    by_match: dict[int | None, dict[tuple[object, ...], Command]] = {}
    for command in commands:
        if is_action(command):
            said = by_match.setdefault(command.match, {})
            earlier = said.get(_meaning(command))
            # Of two spellings of a move the one counts that claims an enemy, as the stricter.
            if not earlier or (command.claims_capture and not earlier.claims_capture):
                said[_meaning(command)] = command
    return tuple(_action(match, list(said.values())) for match, said in by_match.items())


def asides_of(commands: Iterable[Command]) -> tuple[Command, ...]:
    """What a message asks for beside its actions, each once: to be shown, to be noted, and more."""
    asked = {(*_meaning(command), command.match): command for command in commands}
    return tuple(command for command in asked.values() if not is_action(command))


def is_action(command: Command) -> bool:
    """Whether a command does something in a match or in the lobby."""
    return command.verb not in READING and command.verb not in UNDERSTOOD


def meanings(commands: Iterable[Command]) -> frozenset[tuple[object, ...]]:
    """What the actions among some commands mean, to compare two parts of a message."""
    return frozenset(
        (command.match, *_meaning(command)) for command in commands if is_action(command)
    )


def _action(match: int | None, said: list[Command]) -> Action:
    moves = [command for command in said if command.verb is Verb.MOVE]
    if len(moves) == 1:
        others = [command for command in said if command.verb is not Verb.MOVE]
        if all(command.verb in WITH_A_MOVE for command in others):
            return Action(match, moves[0], companions=tuple(others))
    return Action(match, said[0], rivals=tuple(said[1:]))


def _meaning(command: Command) -> tuple[object, ...]:
    return (
        command.verb,
        command.argument.casefold(),
        command.squares if command.verb is Verb.MOVE else frozenset(command.squares),
        command.huff,
        command.rows,
        command.row_numbers,
    )
