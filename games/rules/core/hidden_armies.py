"""What the games of hidden armies share: the end of a turn (C6, C7), going to and fro (C9)."""

from abc import abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from games.rules.core import objections
from games.rules.core.army import BySeat, Seat, is_piece, owner
from games.rules.core.board import EMPTY
from games.rules.core.errors import IllegalMove, Refusal, gettext_noop
from games.rules.core.events import Ended, Event, WalkEvents
from games.rules.core.moves import Attack, Move, Walk
from games.rules.core.note import Note
from games.rules.core.position import NO_SHUTTLES, Outcome, Position, Shuttle
from games.rules.core.ruleset import Path, Ruleset
from games.rules.core.switches import number
from games.rules.core.viewpoint import Viewpoint
from games.rules.core.ways import ALL_WAYS, Ways, ways

TO_AND_FRO = {
    0: gettext_noop("A piece may go to and fro between two squares as often as it likes."),
    2: gettext_noop("A piece may not move between the same two squares a third time in a row."),
    3: gettext_noop("A piece may not move between the same two squares a fourth time in a row."),
    5: gettext_noop("A piece may not move between the same two squares a sixth time in a row."),
}


def two_square(*values: int) -> Any:
    """The switch of the rule about going to and fro; the first value is its default (C9)."""
    choices = ((value, TO_AND_FRO[value]) for value in values)
    return number(
        "two_square",
        gettext_noop("To and fro"),
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
    """L'Attaque and its relatives: step by step, secretly, until a prize falls."""

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

    # --- what a system must answer

    @abstractmethod
    def listing(self, cells: bytes, seat: Seat) -> list[Move]:
        """All actions of a seat, the repetition rule ignored."""

    def ways_of(self, seat: Seat, kind: int) -> int:
        """The directions in which a kind of piece may step; 0 for one that never moves."""
        return ALL_WAYS

    # --- tables

    @cached_property
    def ways(self) -> Ways:
        """Where pieces can go on this board."""
        return ways(self.board)

    @cached_property
    def movers(self) -> tuple[bytes, bytes]:
        """For each seat and content of a cell: the ways of the own piece that it is, else 0."""
        tables = []
        for seat in Seat:
            table = bytearray(256)
            for content in range(256):
                if is_piece(content) and owner(content) is seat:
                    table[content] = self.ways_of(seat, content & 0x3F)
            tables.append(bytes(table))
        return tables[0], tables[1]

    @cached_property
    def walked(self) -> BySeat[WalkEvents]:
        """What plain walks tell, for each seat."""
        names = self.board.names
        return BySeat(WalkEvents(Seat.SOUTH, names), WalkEvents(Seat.NORTH, names))

    # --- moves

    def legal_moves(self, position: Position, seat: Seat) -> tuple[Move, ...]:
        if position.listed is not None and seat is position.turn:
            return position.listed
        if position.to_act != (seat,) or position.awaited:
            return ()
        moves = tuple(self.listing(position.cells, seat))
        return self.unrepeated(moves, position.shuttles[seat])

    def unrepeated(self, moves: tuple[Move, ...], shuttle: Shuttle) -> tuple[Move, ...]:
        """The moves that the repetition rule leaves."""
        if self.forbids(shuttle):
            return tuple(move for move in moves if not self.repeats(move, shuttle))
        return moves

    def forbids(self, shuttle: Shuttle) -> bool:
        """Whether a side has gone to and fro as often as it may (C9)."""
        return bool(self.two_square) and shuttle.times >= self.two_square

    def repeats(self, move: Move, shuttle: Shuttle) -> bool:
        """Whether a move goes once more between the two cells of a shuttle."""
        return (
            isinstance(move, Walk | Attack)
            and min(move.source, move.target) == shuttle.low
            and max(move.source, move.target) == shuttle.high
        )

    def walk(
        self, position: Position, seat: Seat, move: Walk
    ) -> tuple[Position, tuple[Event, ...]]:
        """The position after a plain move that shows nothing."""
        source, target = move.source, move.target
        cells = bytearray(position.cells)
        cells[target] = cells[source]
        cells[source] = EMPTY
        return self.finish(
            position,
            bytes(cells),
            position.quiet + 1,
            self.walked[seat][source << 8 | target],
            self.shuttled(position, seat, move),
            position.memory,
        )

    def shuttled(self, position: Position, seat: Seat, move: Walk | Attack) -> BySeat[Shuttle]:
        """The to and fro of both sides after a move that counts (C9)."""
        if not self.two_square:
            return NO_SHUTTLES
        last = position.shuttles[seat]
        low, high = move.source, move.target
        if low > high:
            low, high = high, low
        times = last.times + 1 if last.low == low and last.high == high else 1
        return position.shuttles.put(seat, Shuttle(low, high, times))

    @cached_property
    def unmoving(self) -> tuple[bytes, bytes]:
        """For each seat the contents of a cell that are no mobile piece of its own."""
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
        """The position after a turn: the turn passes on and the end tests of C6 are done.

        `quiet` counts the turns without a battle, this one included. `outcome` is how the action
        itself ended the game, if it did.
        """
        foe = before.turn.other
        ply = before.ply + 1
        if outcome is None:
            moves = tuple(self.listing(cells, foe))
            if self.two_square:
                moves = self.unrepeated(moves, shuttles[foe])
            # Whoever has just walked has a piece that can: only losses take the last one.
            if not moves or not (quiet or self.has_mobile(cells, before.turn)):
                outcome = self.standstill(cells, before.turn, bool(moves))
            if outcome is None and quiet >= self.limit:
                outcome = Outcome(None, "no progress")
            if outcome is None:
                return Position(cells, foe, ply, quiet, shuttles, memory, None, (), moves), events
        after = Position(cells, foe, ply, quiet, shuttles, memory, outcome, (), ())
        return after, (*events, Ended(outcome))

    def standstill(self, cells: bytes, mover: Seat, foe_can_act: bool) -> Outcome | None:
        """C6 (2) and (3): an army that cannot move any more, `mover` having just acted."""
        foe = mover.other
        mobile = self.has_mobile(cells, mover), self.has_mobile(cells, foe)
        if mobile == (False, False):
            return Outcome(None, "no mobile piece left")
        if mobile == (True, False):
            return Outcome(mover, "no mobile piece left")
        if mobile == (False, True):
            return Outcome(foe, "no mobile piece left")
        if foe_can_act:
            return None
        if self.listing(cells, mover):
            return Outcome(mover, "no legal move")
        return Outcome(None, "neither side can move")

    # --- words

    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        if len(path.squares) != 2 or path.blown is not None:
            return ()
        source, target = path.squares
        content = position.cells[target]
        if is_piece(content) and owner(content) is not seat:
            return (Attack(source, target),)
        return (Walk(source, target),)

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if not isinstance(move, Walk | Attack):
            return objections.no_such_move()
        mobile = bool(self.movers[seat][position.cells[move.source]])
        return (
            objections.to_starting(self, position, seat, move.source, mobile=mobile)
            or objections.to_entering(self, position, seat, move.target)
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
        """What keeps the own piece on a move's source from going where no own piece stands."""

    def _objection_to_repeating(self, position: Position, seat: Seat, move: Move) -> Refusal | None:
        """What the rule of going to and fro has against a move (C9)."""
        shuttle = position.shuttles[seat]
        if not self.forbids(shuttle) or not self.repeats(move, shuttle):
            return None
        return IllegalMove(
            gettext_noop(
                "This piece has gone between %(one)s and %(other)s in your last %(count)s turns"
                " already; make another move first."
            ),
            one=self.board.names[shuttle.low],
            other=self.board.names[shuttle.high],
            count=shuttle.times,
        )

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Note, ...]:
        if position.quiet * 2 < self.limit or position.outcome:
            return ()
        return (
            Note(
                gettext_noop(
                    "%(quiet)s turns have passed without a battle; after %(limit)s the game is"
                    " a draw."
                ),
                {"quiet": position.quiet, "limit": self.limit},
            ),
        )
