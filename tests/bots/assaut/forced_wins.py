"""Forced wins of Assaut: an exhaustive solver, and a file of the positions that it has found.

`python -m tests.bots.assaut.forced_wins` searches new ones in matches between players who often
err, and writes the file. It takes a quarter of an hour.
"""

import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

from games.bots.assaut.bitboard import (
    BIT,
    SOLDIERS,
    EditionTables,
    Node,
    edition_tables,
    result_by_pieces,
    result_when_blocked,
    successors,
    text_of,
)
from games.bots.assaut.search import Search
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import read_move, write_position
from games.rules.registry import games, ruleset
from games.rules.simulation import random_opening
from games.rules.systems.assaut.game import Assaut

FILE = Path(__file__).with_name("forced_wins.txt")
EDITIONS = [rules.key for rules in games[Assaut.family]]
OF_EACH = 15  # positions of an edition, a side and a number of plies
HUFFS = 4  # further positions in which an officer may be huffed, where the edition has huffing
LATE_PLIES = 30  # at the end of a match, that are searched for forced wins
MOST_MATCHES = 150  # of an edition
MOST_PLIES = 260  # of a match
ERRS = 0.2  # how often a player makes a random move
PLIES = (3, 5)
POSITIONS, DEPTH = 500, 3  # the budget of a player


class Win(NamedTuple):
    """A position in which the side to move wins by force in so many plies, and in no fewer."""

    preset: str
    plies: int
    text: str

    @property
    def side(self) -> str:
        return self.text.split()[1]


class Solver:
    """Finds out by trying every turn whether a side wins, and remembers it."""

    def __init__(self, tables: EditionTables, side: int) -> None:
        self.tables = tables
        self.side = side
        self.known: dict[tuple[Node, int], bool] = {}
        self.refuting: dict[int, tuple[int, tuple[int, ...]]] = {}

    def wins(self, node: Node, plies: int) -> bool:
        """Whether its side wins by force from there within so many plies."""
        key = node, plies
        if key not in self.known:
            self.known[key] = self._wins(node, plies)
        return self.known[key]

    def _wins(self, node: Node, plies: int) -> bool:
        won = 1 if self.side == SOLDIERS else -1
        result = result_by_pieces(node)
        if result is not None:
            return result == won
        turns = successors(self.tables, node)
        if not turns:
            return result_when_blocked(self.tables, node) == won
        if plies <= 0 or node.quiet >= self.tables.limit:
            return False
        if node.turn == self.side:
            return any(self.wins(after, plies - 1) for after, _ in turns)
        # Killer heuristic: the turn that refuted a win last time may do so again.
        saved = self.refuting.get(plies)
        turns.sort(key=lambda one: one[1] != saved)
        for after, turn in turns:
            if not self.wins(after, plies - 1):
                self.refuting[plies] = turn
                return False
        return True


def node_of(position: Position) -> Node:
    """A position on the compact board."""
    masks = [0, 0]
    for cell, content in enumerate(position.cells):
        if cell in BIT and content:
            masks[content >> 7] |= BIT[cell]
    offenders = sum(BIT[cell] for cell in position.memory.offenders)
    return Node(masks[0], masks[1], offenders, position.turn, position.quiet)


def late_positions(rules: Ruleset, rng: Random) -> Iterator[Position]:
    """The late positions of a match between players who often err."""
    tables = edition_tables(rules)
    position = random_opening(rules, rng)
    played: list[Position] = []
    while position.outcome is None and len(played) < MOST_PLIES:
        played.append(position)
        node = node_of(position)
        turns = successors(tables, node)
        rng.shuffle(turns)
        turn = turns[0][1]
        if rng.random() > ERRS:
            turn, _, _ = Search(tables, POSITIONS).best(node, DEPTH, turns)
        move = read_move(rules, position, position.turn, text_of(turn))
        position, _ = rules.apply(position, position.turn, move)
    for late in played[-LATE_PLIES:]:
        yield late
        if late.turn is Seat.NORTH:
            yield from with_huffable_officer(rules, late)


def with_huffable_officer(rules: Ruleset, position: Position) -> Iterator[Position]:
    """A position in which an officer that could capture has moved instead, so may be huffed."""
    for move in rules.legal_moves(position, position.turn):
        after, _ = rules.apply(position, position.turn, move)
        if after.memory.offenders and not after.outcome:
            yield after
            return


def plies_to_win(rules: Ruleset, position: Position, most: int = 5) -> int | None:
    """In how many plies the side to move wins by force; None if it takes more than `most`."""
    solver = Solver(edition_tables(rules), position.turn)
    node = node_of(position)
    return next((plies for plies in range(1, most + 1, 2) if solver.wins(node, plies)), None)


def find(seed: int) -> list[Win]:
    """Forced wins of every edition, the same number for each side and length."""
    wins: dict[Win, None] = {}
    for preset in EDITIONS:
        rules, rng = ruleset(preset), Random(f"{seed}/{preset}")
        assert isinstance(rules, Assaut)
        missing = Counter({(side, plies, False): OF_EACH for side in "SO" for plies in PLIES})
        if rules.capture == "huff":
            missing.update({("S", plies, True): HUFFS for plies in PLIES})
        for _ in range(MOST_MATCHES):
            taken = set()
            for position in late_positions(rules, rng):
                win = Win(preset, plies_to_win(rules, position) or 0, "")
                win = win._replace(text=write_position(rules, position))
                kind = win.side, win.plies, bool(position.memory.offenders)
                # Of each kind one of a match, since they are much alike.
                if missing[kind] > 0 and kind not in taken:
                    taken.add(kind)
                    missing[kind] -= 1
                    wins[win] = None
            print(preset, +missing, file=sys.stderr, flush=True)
            if not +missing:
                break
    return list(wins)


def read() -> list[Win]:
    """The positions of the file."""
    wins = []
    for line in FILE.read_text(encoding="ascii").splitlines():
        if line and not line.startswith("#"):
            preset, plies, text = line.split(" ", 2)
            wins.append(Win(preset, int(plies), text))
    return wins


if __name__ == "__main__":
    lines = sorted(" ".join(map(str, win)) for win in find(int((sys.argv[1:] or ["2"])[0])))
    FILE.write_text("\n".join(lines) + "\n", encoding="ascii")
