"""Tree of the reader's legal moves: after the squares chosen so far, which square may come next.

Most moves come from the list of all legal moves. Chains of captures are computed jump by jump
instead, since there may be thousands of them (A13b).
"""

import re
from collections.abc import Iterable
from itertools import pairwise
from typing import NamedTuple

from games.play.record.snapshot import SeatedSnapshot
from games.rules.core.basics.moves import Capture, Move
from games.rules.core.text import notation

Squares = tuple[str, ...]  # of a move, in the order of its text; a huffed officer's point first

NAME = re.compile(notation.SQUARE)


class Branch(NamedTuple):
    """What a square leads to: the move that ends there, or "", and whether any goes on."""

    move: str
    further: bool


class Tree:
    """The moves of the reader of a board; empty unless it is their turn to move."""

    def __init__(self, view: SeatedSnapshot) -> None:
        self.view = view
        self.moves: tuple[str, ...] = ()  # all as text; none if there are too many to list
        self._listed: tuple[tuple[Squares, str], ...] = ()
        self._position = None
        if not view.may_move:
            return
        self.moves = self._texts(view.observation.moves)
        listed = self.moves
        jumps = view.rules.jumps
        if jumps and view.seat is jumps.seat:
            self._position = notation.read_position(view.rules, _open_position(view))
            listed = self._texts(jumps.other_moves(self._position))
        self._listed = tuple((tuple(NAME.findall(text)), text) for text in listed)

    def branches(self, begun: Squares) -> dict[str, Branch]:
        """The squares that may follow those of `begun`; none if no move begins so."""
        by_square: dict[str, Branch] = {}
        place = len(begun)
        for squares, text in self._listed:
            if len(squares) > place and squares[:place] == begun:
                last = len(squares) == place + 1
                move, further = by_square.get(squares[place], ("", False))
                by_square[squares[place]] = Branch(text if last else move, further or not last)
        return by_square | self._jumps(begun)

    def follow(self, chosen: Squares) -> tuple[Squares, str]:
        """The longest prefix of `chosen` that begins a move, and the move that it makes, or ""."""
        move = ""
        for place, square in enumerate(chosen):
            branch = self.branches(chosen[:place]).get(square)
            if branch is None:
                return chosen[:place], move
            move = branch.move
        return chosen, move

    def jumps(self) -> dict[str, str]:
        """The square jumped over in each jump of the legal captures, by its two ends: `d6d4`."""
        rules, names = self.view.rules, self.view.rules.board.names
        if not self.moves or rules.jumps is None:
            return {}
        chains = (move.points for move in self.view.observation.moves if isinstance(move, Capture))
        ends = {pair for points in chains for pair in pairwise(points)}
        jumped = {}
        for one, other in sorted(ends):
            for over in rules.jumps.jumped_over((names[one], names[other])):
                jumped[names[one] + names[other]] = over
        return jumped

    def _jumps(self, begun: Squares) -> dict[str, Branch]:
        """Where a capturing piece may land next; if none is chosen, the pieces that can capture."""
        rules, index = self.view.rules, self.view.rules.board.index
        if self._position is None or rules.jumps is None:
            return {}
        capture = Capture(tuple(index[square] for square in begun)) if begun else None
        branches = {}
        for chain in rules.jumps.continuations(self._position, capture):
            if capture is None:
                branches[rules.board.names[chain.points[0]]] = Branch("", True)
                continue
            legal = rules.is_legal(self._position, rules.jumps.seat, chain)
            branches[rules.board.names[chain.points[-1]]] = Branch(
                notation.write_move(rules, chain) if legal else "",
                bool(rules.jumps.continuations(self._position, chain)),
            )
        return branches

    def _texts(self, moves: Iterable[Move]) -> tuple[str, ...]:
        return tuple(notation.write_move(self.view.rules, move) for move in moves)


def _open_position(view: SeatedSnapshot) -> str:
    """The position of a game without hidden pieces, from what everyone sees."""
    seen = view.observation
    return " ".join(
        [
            notation.board_text(view.rules, seen),
            view.rules.seat_letters[seen.turn],
            str(seen.quiet),
            str(seen.ply),
            *view.rules.memory.from_losses(seen.fallen),
        ]
    )
