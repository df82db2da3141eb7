"""Outpost: ten pieces a side on six by six squares; each arm beats one and loses to another.

Hussars ride gunners down, gunners scatter infantry, infantry stops hussars. Equal arms both fall.
The side that takes the flag wins.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from itertools import compress
from random import Random
from typing import ClassVar

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Attack, Move, Setup, Walk
from games.rules.core.basics.options import choice
from games.rules.core.basics.pieces import MARKED, Rank, Seat, Troop, piece
from games.rules.core.basics.refusals import IllegalMove, Refusal, gettext_noop
from games.rules.core.basics.termination import BoardTermination, Termination
from games.rules.core.ruleset import why_illegal
from games.rules.core.ruleset.hidden_armies import HiddenArmies
from games.rules.core.state.events import Clashed, Event
from games.rules.core.state.mobility import ALL_DIRECTIONS, OPEN_OR_ENEMY
from games.rules.core.state.position import Outcome, Position

BOARD = Board(6, 6)
BEATS = {("H", "G"), ("G", "I"), ("I", "H")}


class OutpostTermination(Termination):
    """The ending that this game alone has."""

    OUTPOST_TAKEN = gettext_noop("outpost taken")


@dataclass(frozen=True, kw_only=True)
class Outpost(HiddenArmies):
    """Ruleset of Outpost. By default survivors of a battle are hidden again."""

    faceup: bool = choice(
        "faceup",
        gettext_noop("Faces"),
        gettext_noop(
            "Whether a piece that was revealed in a battle stays visible to both players."
        ),
        (False, gettext_noop("After a battle the survivor is hidden again.")),
        (True, gettext_noop("The survivor of a battle stays face up for good.")),
    )

    family: ClassVar[str] = "outpost"
    mark: ClassVar[str] = "shown"
    mark_sign: ClassVar[str] = "!"
    depth: ClassVar[int] = 2
    terminations: ClassVar[tuple[Termination, ...]] = (*BoardTermination, *OutpostTermination)
    army: ClassVar[tuple[Troop, ...]] = (
        Troop("H", 3, gettext_noop("Hussar")),
        Troop("G", 3, gettext_noop("Gunner")),
        Troop("I", 3, gettext_noop("Infantryman")),
        Troop("F", 1, gettext_noop("Flag")),
    )
    plurals: ClassVar[Mapping[Rank, str]] = {
        "H": gettext_noop("Hussars"),
        "G": gettext_noop("Gunners"),
        "I": gettext_noop("Infantrymen"),
        "F": gettext_noop("Flags"),
    }

    @property
    def board(self) -> Board:
        return BOARD

    def directions_of(self, seat: Seat, kind: int) -> int:
        return ALL_DIRECTIONS if kind < self.kinds["F"] else 0

    def pseudo_legal_moves(self, cells: bytes, seat: Seat) -> list[Move]:
        around = self.mobility.around(cells, self.movers[seat], OPEN_OR_ENEMY[seat])
        moves: list[Move] = []
        for cell in compress(self.mobility.every, around):
            moves += self.mobility.steps[cell][around[cell]]
        return moves

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Walk):
            return self.walk(position, seat, move)
        if not isinstance(move, Attack):
            raise TypeError(f"{type(move).__name__} is no move of Outpost.")
        cells = bytearray(position.cells)
        attacker, defender = cells[move.source], cells[move.target]
        ranks = self.rank_of(attacker), self.rank_of(defender)
        result = _battle(*ranks)
        shown = MARKED if self.faceup else 0
        cells[move.source] = EMPTY
        cells[move.target] = {"=": EMPTY, "-": defender | shown}.get(result, attacker | shown)
        names = self.board.names
        clash = Clashed(seat, names[move.source], names[move.target], *ranks, result)
        return self.finish(
            position,
            bytes(cells),
            0,
            (clash,),
            self.shuttled(position.shuttles, seat, move),
            outcome=Outcome(seat, OutpostTermination.OUTPOST_TAKEN) if result == "#" else None,
        )

    def objection(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        if move.target in self.mobility.neighbours[move.source]:
            return None
        return why_illegal.not_in_line(self, move.source, move.target) or IllegalMove(
            gettext_noop("A piece moves one square, and %(target)s is farther from %(source)s."),
            source=self.board.names[move.source],
            target=self.board.names[move.target],
        )

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        men = [self.kinds[troop.rank] for troop in self.army for _ in range(troop.number)]
        cells = bytearray(self.board.size)
        for square, kind in zip(rng.sample(self.zone(seat), len(men)), men, strict=True):
            cells[self.board.index[square]] = piece(seat, kind)
        return Setup(seat, bytes(cells))


def _battle(attacker: Rank, defender: Rank) -> str:
    if defender == "F":
        return "#"
    if attacker == defender:
        return "="
    return "+" if (attacker, defender) in BEATS else "-"


PLAIN = Outpost(
    key="outpost",
    title=gettext_noop("Outpost"),
    about=gettext_noop("Each arm beats one, fears another, and falls with its like."),
)
EDITIONS = (
    PLAIN,
    replace(
        PLAIN,
        key="outpost-open",
        title=gettext_noop("Outpost, face up"),
        about=gettext_noop("As Outpost, but the survivor of a battle stays face up for good."),
        faceup=True,
    ),
)
