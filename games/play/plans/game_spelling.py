"""Lines as one game has them: squares, moves, ranks and signs that exist there, in its notation.

`in_game(rules, line, seat) -> Line` needs no position; it raises BadLine.
"""

from functools import lru_cache
from itertools import pairwise

from games.plan_language.faults import REASON, BadLine, gettext_noop, quoted
from games.plan_language.lines import (
    DEMOTING,
    MAX_ANSWERS,
    Condition,
    Line,
    Seen,
    Step,
)
from games.plan_language.words import Word
from games.rules.core.basics.pieces import MARKED, Rank, Seat
from games.rules.core.basics.refusals import UnreadableMove
from games.rules.core.imagined_positions import Imagined
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import read_annotated, read_path


def in_game(rules: Ruleset, line: Line, seat: Seat) -> Line:
    """The line of the player in a seat in the notation of a game; raises BadLine."""
    if len(line.steps) > MAX_ANSWERS:
        raise BadLine(
            gettext_noop("A line has at most %(limit)s answers, and this one has %(count)s."),
            limit=MAX_ANSWERS,
            count=len(line.steps),
        )
    return Line(
        tuple(
            Step(
                _condition(rules, step.condition, seat.other),
                _move(rules, step.answer, seat),
                _seen(rules, step.seen),
            )
            for step in line.steps
        )
    )


def squares_of(rules: Ruleset, text: str) -> tuple[str, ...]:
    """The squares on which a move depends, the last one the square at its end.

    `text` is a move, or a condition; `quiet` and `any` have none.
    """
    if text in (Word.QUIET, Word.ANY):
        return ()
    if text.startswith("x"):
        return (text.removeprefix("x"),)
    move, board = read_annotated(rules, text), rules.board
    passed = [
        board.names[cell]
        for start, end in pairwise(move.path)
        for cell in board.between(board.index[start], board.index[end])
    ]
    jumped = rules.jumps.jumped_over(move.path) if rules.jumps and move.attack else ()
    huffed = (move.huffed,) if move.huffed else ()
    return (*huffed, *passed, *jumped, *move.path)


@lru_cache(maxsize=64)
def ranks_shown(rules: Ruleset) -> frozenset[Rank]:
    """The ranks that battles of a game may show, a demoted one with its sign."""
    return frozenset(
        rules.rank_of(content)
        + rules.mark_sign * bool(content & MARKED and rules.mark == "demoted")
        for content in rules.faces.values()
    )


def empty_board(rules: Ruleset, turn: Seat, cells: bytes | None = None) -> Imagined:
    """A made-up position with these cells, or with none occupied."""
    return rules.start(None)._replace(cells=cells or rules.board.blank, turn=turn, awaited=())


def _condition(rules: Ruleset, condition: Condition, enemy: Seat) -> Condition:
    seen = _seen(rules, condition.seen)
    if condition.text in (Word.QUIET, Word.ANY):
        return condition
    if condition.is_strike:
        _check_square(rules, condition.square)
        return Condition(condition.text, seen)
    return Condition(_move(rules, condition.text, enemy), seen)


def _move(rules: Ruleset, text: str, seat: Seat) -> str:
    """The text of a move as the game writes it."""
    try:
        path = read_path(rules, text)
    except UnreadableMove as refusal:
        raise BadLine(REASON, reason=refusal) from refusal
    names = [rules.board.names[cell] for cell in path.squares]
    for square in names:
        _check_square(rules, square)
    if not rules.interpret(empty_board(rules, seat), seat, path):
        raise BadLine(gettext_noop("“%(text)s” is not a move of this game."), text=quoted(text))
    if len(names) > 2:
        # Elsewhere a move over several squares is a charge, which strikes at its end alone.
        return "x".join(names) if rules.jumps else f"{'-'.join(names[:-1])}x{names[-1]}"
    return text


def _check_square(rules: Ruleset, square: str) -> None:
    if square not in rules.board.index:
        raise BadLine(gettext_noop("There is no square %(square)s on this board."), square=square)
    if not rules.board.playable(square):
        raise BadLine(
            gettext_noop("No piece can stand on %(square)s, so nothing happens there."),
            square=square,
        )


def _seen(rules: Ruleset, seen: Seen | None) -> Seen | None:
    if seen is None:
        return None
    if not rules.hidden:
        raise BadLine(
            gettext_noop("Leave out %(seen)s: in this game nothing is hidden."), seen=str(seen)
        )
    if seen.sign in DEMOTING and rules.mark != "demoted":
        raise BadLine(
            gettext_noop(
                "No piece is demoted in this game; the signs are +, - and =, not %(sign)s."
            ),
            sign=seen.sign,
        )
    for rank in sorted(seen.ranks - ranks_shown(rules)):
        raise BadLine(
            gettext_noop("No piece of this game can show itself as “%(rank)s”."), rank=rank
        )
    return seen
