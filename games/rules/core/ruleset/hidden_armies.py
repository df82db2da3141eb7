"""Base of games with hidden ranks: common endings (C6, C7) and the two-square rule (C9)."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Attack, Charge, Move, Walk
from games.rules.core.basics.options import number
from games.rules.core.basics.pieces import BySeat, Seat, is_piece, owner
from games.rules.core.basics.refusals import IllegalMove, Refusal, gettext_noop
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import BoardTermination, Termination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset import why_illegal
from games.rules.core.ruleset.base import Path, Ruleset
from games.rules.core.state.events import Ended, Event, WalkEvents
from games.rules.core.state.mobility import ALL_DIRECTIONS, Mobility, mobility
from games.rules.core.state.position import NO_SHUTTLES, Outcome, Position, Shuttle

TO_AND_FRO = {
    0: gettext_noop("A piece may move back and forth between two squares as often as it likes."),
    2: gettext_noop("A piece may not move between the same two squares a third time in a row."),
    3: gettext_noop("A piece may not move between the same two squares a fourth time in a row."),
    5: gettext_noop("A piece may not move between the same two squares a sixth time in a row."),
}


def two_square(*values: int) -> Any:
    """The option of the two-square rule; the first value is its default (C9)."""
    choices = ((value, TO_AND_FRO[value]) for value in values)
    return number(
        "two_square",
        gettext_noop("Back and forth"),
        gettext_noop("How many moves in a row a piece may make between the same two squares."),
        *choices,
        other=gettext_noop(
            "Moves in a row that a piece may make between the same two squares: %(number)s."
        ),
        lowest=0,
        highest=100,
        offered=(0, 20),
    )


@dataclass(frozen=True, kw_only=True)
class HiddenArmies(Ruleset):
    """A game of two armies whose ranks are hidden: L'Attaque and its relatives."""

    limit: int = number(
        "limit",
        gettext_noop("Draw without a battle"),
        gettext_noop("After how many turns in a row without a battle the game is a draw."),
        (200, gettext_noop("After 200 turns in a row without a battle the game is a draw.")),
        other=gettext_noop("After %(number)s turns in a row without a battle the game is a draw."),
        lowest=1,
        highest=10_000,
        offered=(20, 1_000),
    )
    two_square: int = two_square(0, 2, 3, 5)

    terminations: ClassVar[tuple[Termination, ...]] = tuple(BoardTermination)

    # --- what a game must answer

    @abstractmethod
    def pseudo_legal_moves(self, cells: bytes, seat: Seat) -> list[Move]:
        """All moves of a seat, the two-square rule ignored."""

    def directions_of(self, seat: Seat, kind: int) -> int:
        """The directions in which a kind of piece steps, as a mask of `mobility`; 0 for none."""
        return ALL_DIRECTIONS

    # --- tables

    @cached_property
    def mobility(self) -> Mobility:
        """The step tables of this board."""
        return mobility(self.board)

    @cached_property
    def movers(self) -> tuple[bytes, bytes]:
        """For each seat and content of a cell: the directions of an own piece there, else 0."""
        tables = []
        for seat in Seat:
            table = bytearray(256)
            for content in range(256):
                if is_piece(content) and owner(content) is seat:
                    table[content] = self.directions_of(seat, content & 0x3F)
            tables.append(bytes(table))
        return tables[0], tables[1]

    @cached_property
    def walked(self) -> BySeat[WalkEvents]:
        """The events of walks, for each seat."""
        names = self.board.names
        return BySeat(WalkEvents(Seat.SOUTH, names), WalkEvents(Seat.NORTH, names))

    # --- moves

    def legal_moves(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        if position.listed is not None and seat is position.turn:
            return position.listed
        if position.to_act != (seat,) or position.awaited:
            return ()
        moves = tuple(self.pseudo_legal_moves(position.cells, seat))
        return self.unrepeated(moves, position.shuttles[seat])

    @property
    def repeats_counted(self) -> int:
        return self.two_square

    def unrepeated(self, moves: tuple[Move, ...], shuttle: Shuttle) -> tuple[Move, ...]:
        """The moves that the two-square rule allows (C9)."""
        if self.forbids(shuttle):
            return tuple(move for move in moves if not self.repeats(move, shuttle))
        return moves

    def forbids(self, shuttle: Shuttle) -> bool:
        """Whether a side may not repeat its last move again (C9)."""
        return bool(self.two_square) and shuttle.times >= self.two_square

    def repeats(self, move: Move, shuttle: Shuttle) -> bool:
        """Whether a move goes again between the two cells of a shuttle (C9)."""
        return (
            isinstance(move, Walk | Attack)
            and min(move.source, move.target) == shuttle.low
            and max(move.source, move.target) == shuttle.high
        )

    def walk(
        self, position: Position, seat: Seat, move: Walk
    ) -> tuple[Position, tuple[Event, ...]]:
        """The position after a walk that reveals nothing, and its events."""
        source, target = move.source, move.target
        cells = bytearray(position.cells)
        cells[target] = cells[source]
        cells[source] = EMPTY
        return self.finish(
            position,
            bytes(cells),
            position.quiet + 1,
            self.walked[seat][source << 8 | target],
            self.shuttled(position.shuttles, seat, move),
            position.memory,
        )

    def shuttled(
        self, shuttles: BySeat[Shuttle], seat: Seat, move: Walk | Attack | Charge
    ) -> BySeat[Shuttle]:
        if not self.two_square:
            return NO_SHUTTLES
        last = shuttles[seat]
        low, high = move.source, move.target
        if low > high:
            low, high = high, low
        times = last.times + 1 if last.low == low and last.high == high else 1
        return shuttles.put(seat, Shuttle(low, high, times))

    @cached_property
    def unmoving(self) -> tuple[bytes, bytes]:
        """For each seat the contents that are no mobile piece of its own."""
        south, north = (
            bytes(content for content in range(256) if not table[content]) for table in self.movers
        )
        return south, north

    def has_mobile(self, cells: bytes, seat: Seat) -> bool:
        """Whether a seat has any piece of a kind that moves."""
        return bool(cells.translate(None, self.unmoving[seat]))

    # --- the end of a turn

    def finish(
        self,
        before: Position,
        cells: bytes,
        quiet: int,
        events: tuple[Event, ...],
        shuttles: BySeat[Shuttle],
        memory: Any = None,
        outcome: Outcome | None = None,
    ) -> tuple[Position, tuple[Event, ...]]:
        """End a turn: pass it to the other side and apply the end tests of C6 and C7.

        `quiet` is the number of turns without a battle, this one included. `outcome` is given if
        the action itself ended the game.
        """
        foe = before.turn.other
        ply = before.ply + 1
        if outcome is None:
            moves = tuple(self.pseudo_legal_moves(cells, foe))
            if self.two_square:
                moves = self.unrepeated(moves, shuttles[foe])
            # A side that has just walked has a mobile piece; only a loss can take its last one.
            if not moves or not (quiet or self.has_mobile(cells, before.turn)):
                outcome = self.standstill(cells, before.turn, bool(moves))
            if outcome is None and quiet >= self.limit:
                outcome = Outcome(None, BoardTermination.NO_PROGRESS)
            if outcome is None:
                return Position(cells, foe, ply, quiet, shuttles, memory, None, (), moves), events
        after = Position(cells, foe, ply, quiet, shuttles, memory, outcome, (), ())
        return after, (*events, Ended(outcome))

    def standstill(self, cells: bytes, mover: Seat, foe_can_act: bool) -> Outcome | None:
        """The outcome if a side cannot move any more (C6 (2), (3)); `mover` has just acted."""
        foe = mover.other
        mobile = self.has_mobile(cells, mover), self.has_mobile(cells, foe)
        if mobile == (False, False):
            return Outcome(None, BoardTermination.NO_MOBILE_PIECE)
        if mobile == (True, False):
            return Outcome(mover, BoardTermination.NO_MOBILE_PIECE)
        if mobile == (False, True):
            return Outcome(foe, BoardTermination.NO_MOBILE_PIECE)
        if foe_can_act:
            return None
        if self.pseudo_legal_moves(cells, mover):
            return Outcome(mover, BoardTermination.NO_LEGAL_MOVE)
        return Outcome(None, BoardTermination.NEITHER_CAN_MOVE)

    # --- words

    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        if len(path.squares) != 2 or path.huffed is not None:
            return ()
        source, target = path.squares
        content = position.cells[target]
        if is_piece(content) and owner(content) is not seat:
            return (Attack(source, target),)
        return (Walk(source, target),)

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if not isinstance(move, Walk | Attack):
            return why_illegal.no_such_move()
        mobile = bool(self.movers[seat][position.cells[move.source]])
        return (
            why_illegal.wrong_start(self, position, seat, move.source, mobile=mobile)
            or why_illegal.wrong_target(self, position, seat, move.target)
            or self.objection(position, seat, move)
            or self._objection_to_repeating(position, seat, move)
            or IllegalMove(
                gettext_noop("The piece on %(source)s cannot go to %(target)s."),
                source=self.board.names[move.source],
                target=self.board.names[move.target],
            )
        )

    @abstractmethod
    def objection(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        """Why the own mobile piece on a move's source may not go to its target; None if it may.

        The target is on the board and holds no own piece.
        """

    def _objection_to_repeating(self, position: Position, seat: Seat, move: Move) -> Refusal | None:
        """Why the two-square rule forbids a move; None if it does not (C9)."""
        shuttle = position.shuttles[seat]
        if not self.forbids(shuttle) or not self.repeats(move, shuttle):
            return None
        return IllegalMove(
            gettext_noop(
                "This piece has moved between %(one)s and %(other)s in your last %(count)s turns "
                "already; make another move first."
            ),
            one=self.board.names[shuttle.low],
            other=self.board.names[shuttle.high],
            count=shuttle.times,
        )

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Sentence, ...]:
        if position.quiet * 2 < self.limit or position.outcome:
            return ()
        return (
            Sentence(
                gettext_noop(
                    "%(quiet)s turns have passed without a battle; after %(limit)s the game is"
                    " a draw."
                ),
                {"quiet": position.quiet, "limit": self.limit},
            ),
        )
