"""Archers of Tactique: which pieces a volley hits, and what becomes of them (T8, T9)."""

from collections.abc import Container, Iterable, Iterator
from typing import NamedTuple

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.pieces import KIND, Seat, owner
from games.rules.core.state.events import Volleyed
from games.rules.core.state.mobility import ENEMY, OPEN_OR_ENEMY
from games.rules.core.state.position import Outcome
from games.rules.systems.tactique.pieces import (
    ARCHERS,
    DEMOTION,
    FLAG,
    KINDS,
    Losses,
    TactiqueTermination,
    add_loss,
)

ACROSS = ((2, 0), (-2, 0), (0, 2), (0, -2))
ASKEW = ((1, 1), (1, -1), (-1, 1), (-1, -1))


class Volley(NamedTuple):
    """The result of a volley: its event, all losses so far, and the outcome if there is one."""

    event: Volleyed
    losses: Losses
    outcome: Outcome | None


class Archers:
    """The tables of shots on one board, under one setting of the options of T8 and T9.

    The reach of an archer is one large number with a byte for each cell, so adding the numbers of
    several archers counts the hits on every cell at once.
    """

    def __init__(
        self, board: Board, *, both_sides: bool, hit_flag: bool, blocked: bool, every_hit: bool
    ) -> None:
        self.board = board
        self.hit_flag = hit_flag
        self.blocked = blocked
        self.every_hit = every_hit
        # The sides that shoot before a side's turn.
        self.shooters = tuple((Seat.SOUTH, Seat.NORTH) if both_sides else (seat,) for seat in Seat)
        self.shots = tuple(
            sum(_bit(self._at(cell, shot)) for shot in ACROSS + ASKEW) for cell in range(board.size)
        )
        self.crossing = tuple(tuple(self._crossing(cell)) for cell in range(board.size))
        self.reach = tuple(tuple(self._reach(cell)) for cell in range(board.size))
        self.targets = tuple(
            bytes(
                0xFF if status == ENEMY and (content & KIND != KINDS[FLAG] or hit_flag) else 0
                for content, status in enumerate(OPEN_OR_ENEMY[seat])
            )
            for seat in Seat
        )

    def _at(self, cell: int, shot: tuple[int, int]) -> int | None:
        """The cell at some distance in files and rows from another; None if off the board."""
        file, row = cell % self.board.stride + shot[0], cell // self.board.stride + shot[1]
        target = row * self.board.stride + file
        inside = 0 <= file < self.board.files and 0 <= row < self.board.ranks
        return target if inside and cell in self.board.cells else None

    def _reach(self, cell: int) -> Iterable[tuple[int, int | None]]:
        """All shots from a cell, each with the cell that it crosses, or None."""
        crossed = {target: midway for midway, target in self._crossing(cell)}
        for shot in ACROSS + ASKEW:
            target = self._at(cell, shot)
            if target is not None:
                yield target, crossed.get(target)

    def _crossing(self, cell: int) -> Iterable[tuple[int, int]]:
        """The straight shots from a cell, each with the cell that it crosses."""
        for file, row in ACROSS:
            target, midway = self._at(cell, (file, row)), self._at(cell, (file // 2, row // 2))
            if target is not None and midway is not None:
                yield midway, target

    def aims(self, cell: int, taken: Container[int]) -> Iterator[int]:
        """The cells that an archer on a cell reaches; from the same cells archers reach it."""
        for target, midway in self.reach[cell]:
            if not (self.blocked and midway in taken):
                yield target

    def hits(self, cells: bytes | bytearray, turn: Seat) -> dict[int, int]:
        """How often each cell is hit in the volley before a side's turn."""
        hits: dict[int, int] = {}
        for seat in self.shooters[turn]:
            archer, shots = ARCHERS[seat], 0
            cell = cells.find(archer)
            while cell >= 0:
                shots += self.shots[cell]
                if self.blocked:
                    for midway, target in self.crossing[cell]:
                        if cells[midway]:
                            shots -= _bit(target)
                cell = cells.find(archer, cell + 1)
            shots &= int.from_bytes(cells.translate(self.targets[seat]), "little")
            while shots:
                cell = (shots.bit_length() - 1) >> 3
                hits[cell] = shots >> 8 * cell
                shots -= hits[cell] << 8 * cell
        return hits

    def shoot(self, cells: bytearray, hits: dict[int, int], losses: Losses) -> Volley:
        """Demote or remove the pieces hit; changes `cells`."""
        shown = []
        winners = []
        for cell in sorted(hits, key=self._text_order):
            target = cells[cell]
            left = DEMOTION[target]
            if hits[cell] > 1 and self.every_hit:
                left = EMPTY
            if not left:
                losses = add_loss(losses, owner(target), target, known=False)
                if target & KIND == KINDS[FLAG]:
                    winners.append(owner(target).other)
            cells[cell] = left
            shown.append((self.board.names[cell], not left))
        outcome = None
        if winners:
            winner = winners[0] if len(winners) == 1 else None
            outcome = Outcome(winner, TactiqueTermination.FLAG_SHOT)
        return Volley(Volleyed(tuple(shown)), losses, outcome)

    def _text_order(self, cell: int) -> tuple[int, int]:
        """Sort key in the order of the board text: highest row first, left to right."""
        return -(cell // self.board.stride), cell


def _bit(cell: int | None) -> int:
    return 0 if cell is None else 1 << 8 * cell
