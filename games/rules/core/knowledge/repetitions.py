"""Repetitions of both sides, counted from the public texts of turns; an observation has none."""

from collections.abc import Iterable
from typing import TypeAlias

from games.rules.core.basics.moves import Attack, Charge, Walk
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import NO_SHUTTLES, Shuttle
from games.rules.core.text.notation import Annotated, read_annotated

Repetitions: TypeAlias = BySeat[Shuttle]


def repetitions(rules: Ruleset, turns: Iterable[tuple[Seat, str]]) -> Repetitions:
    """The repetitions after these consecutive turns, each a seat and an annotated text (C9).

    `turns_needed` says how many of the last turns are enough. Raises UnreadableMove.
    """
    shuttles = NO_SHUTTLES
    for seat, text in turns:
        move = _move(rules, read_annotated(rules, text))
        if move is not None:
            shuttles = rules.shuttled(shuttles, seat, move)
    return shuttles


def turns_needed(rules: Ruleset) -> int:
    """How many of the last turns decide the repetitions; the others need not be read."""
    return rules.repeats_counted and 2 * (rules.repeats_counted + 1)


def _move(rules: Ruleset, done: Annotated) -> Walk | Attack | Charge | None:
    """The move of a turn; None for one that consists of a huff or a chain of captures."""
    cells = [rules.board.index[square] for square in done.path]
    if done.via:
        return Charge(*cells)
    if len(cells) != 2:
        return None
    return Attack(*cells) if done.attack else Walk(*cells)
