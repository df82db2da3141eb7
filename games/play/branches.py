"""The moves of a reader as a tree: after the squares chosen so far, which square may come next.

Most moves come from the list of all that are legal. An officer's chains are asked for jump by jump
instead, since there may be thousands of them (A13b).
"""

import re
from collections.abc import Iterable
from typing import NamedTuple

from games.play.models.match import Status
from games.play.sight import Look
from games.rules.core import notation
from games.rules.core.army import Seat
from games.rules.core.moves import Capture, Move

Squares = tuple[str, ...]  # of a move, in the order of its text; a blown officer's point first

NAME = re.compile(notation.SQUARE)


class Branch(NamedTuple):
    """What a square would lead to: the move that ends there, or "", and whether any goes on."""

    move: str
    further: bool


class Tree:
    """The moves of the reader of a Look; empty unless it is their turn to move."""

    def __init__(self, look: Look) -> None:
        self.look = look
        self.moves: tuple[str, ...] = ()  # all of them as text; none if there are too many to list
        self._listed: tuple[tuple[Squares, str], ...] = ()
        self._position = None
        if not look.my_turn or look.match.status != Status.RUNNING:
            return
        self.moves = self._texts(look.observation.moves)
        listed = self.moves
        if not look.rules.hidden and look.seat is Seat.NORTH:
            self._position = notation.read_position(look.rules, _open_position(look))
            listed = self._texts(look.rules.plain_turns(self._position, look.seat))
        self._listed = tuple((tuple(NAME.findall(text)), text) for text in listed)

    def branches(self, begun: Squares) -> dict[str, Branch]:
        """The squares that may follow those of `begun`; none if no move begins so."""
        found: dict[str, Branch] = {}
        place = len(begun)
        for squares, text in self._listed:
            if len(squares) > place and squares[:place] == begun:
                last = len(squares) == place + 1
                move, further = found.get(squares[place], ("", False))
                found[squares[place]] = Branch(text if last else move, further or not last)
        return found | self._jumps(begun)

    def follow(self, asked: Squares) -> tuple[Squares, str]:
        """As much of `asked` as a move can begin with, and the move that this is, or ""."""
        move = ""
        for place, square in enumerate(asked):
            branch = self.branches(asked[:place]).get(square)
            if branch is None:
                return asked[:place], move
            move = branch.move
        return asked, move

    def _jumps(self, begun: Squares) -> dict[str, Branch]:
        """Where an officer may land next; of no officer chosen yet, which can capture."""
        if self._position is None:
            return {}
        rules, index = self.look.rules, self.look.rules.board.index
        officer = Capture(tuple(index[square] for square in begun)) if begun else None
        found = {}
        for chain in rules.continuations(self._position, officer):
            if officer is None:
                found[rules.board.names[chain.points[0]]] = Branch("", True)
                continue
            legal = rules.is_legal(self._position, Seat.NORTH, chain)
            found[rules.board.names[chain.points[-1]]] = Branch(
                notation.write_move(rules, chain) if legal else "",
                bool(rules.continuations(self._position, chain)),
            )
        return found

    def _texts(self, moves: Iterable[Move]) -> tuple[str, ...]:
        return tuple(notation.write_move(self.look.rules, move) for move in moves)


def _open_position(look: Look) -> str:
    """The position of a game that hides nothing, from what everybody sees of it."""
    seen = look.observation
    return " ".join(
        [
            notation.board_text(look.rules, seen),
            look.rules.seat_letters[seen.turn],
            str(seen.quiet),
            str(seen.ply),
            str(len(seen.fallen[Seat.SOUTH])),
        ]
    )
