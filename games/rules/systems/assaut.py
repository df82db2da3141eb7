"""Assaut: twenty-four soldiers storm a fortress that two officers hold (A1 to A15).

Nothing is hidden here. A turn of the officers may be a long chain of jumps, and every part of a
chain is a turn as well, so chains are checked jump by jump and listed only for who wants them all.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, pairwise
from random import Random
from typing import Any, ClassVar, NamedTuple

from games.rules.core.army import BySeat, Rank, Seat, Troop, piece
from games.rules.core.board import EMPTY, Board
from games.rules.core.errors import BadPosition, BadSetup, IllegalMove, Refusal, gettext_noop
from games.rules.core.events import Blown, Captured, Ended, Event, Walked
from games.rules.core.moves import Blow, Capture, Move, Setup, Walk
from games.rules.core.position import NO_SHUTTLES, Outcome, Position
from games.rules.core.ruleset import Note, Path, Ruleset
from games.rules.core.switches import choice, number
from games.rules.core.viewpoint import Viewpoint

BOARD = Board(7, 7, frozenset(f"{file}{row}" for file in "abfg" for row in "1267"))
FORTRESS = tuple(BOARD.index[f"{file}{row}"] for row in "765" for file in "cde")
SOLDIER = piece(Seat.SOUTH, 1)
OFFICER = piece(Seat.NORTH, 2)
OFFICERS = 2
ENOUGH = 16  # captured soldiers that decide the game
POINTS = re.compile(r"\s*,\s*|\s+")

STRAIGHT = ((1, 0), (-1, 0), (0, 1), (0, -1))
OBLIQUE = ((1, 1), (1, -1), (-1, 1), (-1, -1))


def _place(cell: int) -> tuple[int, int]:
    """File and row of a point, both from 1."""
    return cell % BOARD.stride + 1, cell // BOARD.stride + 1


def _beside(cell: int, step: tuple[int, int]) -> int | None:
    """The next point along a line, if there is a line that way (A2)."""
    file, row = _place(cell)
    if step in OBLIQUE and (file + row) % 2:
        return None
    file, row = file + step[0], row + step[1]
    name = f"{chr(96 + file)}{row}"
    return BOARD.index[name] if BOARD.playable(name) else None


NEIGHBOURS = {
    cell: tuple(
        target for step in STRAIGHT + OBLIQUE if (target := _beside(cell, step)) is not None
    )
    for cell in BOARD.cells
}


def _jumps(cell: int) -> Iterator[tuple[int, int]]:
    for step in STRAIGHT + OBLIQUE:
        over = _beside(cell, step)
        landing = None if over is None else _beside(over, step)
        if over is not None and landing is not None:
            yield over, landing


# For each point the jumps from it: the point jumped over and the one to land on.
JUMPS = {cell: tuple(_jumps(cell)) for cell in BOARD.cells}


def _distances() -> dict[int, int]:
    """The lines from each point to the fortress, on the empty board (A6)."""
    distances = dict.fromkeys(FORTRESS, 0)
    ring = list(FORTRESS)
    while ring:
        following = []
        for cell in ring:
            for target in NEIGHBOURS[cell]:
                if target not in distances:
                    distances[target] = distances[cell] + 1
                    following.append(target)
        ring = following
    return distances


DISTANCE = _distances()


class Tally(NamedTuple):
    """The memory of a position: soldiers captured, and officers that may be blown now (A13)."""

    captured: int = 0
    offenders: tuple[int, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Assaut(Ruleset):
    """South has the soldiers, North the officers."""

    soldiers: str = choice(
        "soldiers",
        ("shortest", gettext_noop("Soldiers take a shortest way to the fortress, never back.")),
        ("free", gettext_noop("Soldiers go forward and sideways as they like, never back.")),
        ("german", gettext_noop("Soldiers go forward; in row 5 also toward the fortress.")),
    )
    capture: str = choice(
        "capture",
        ("huff", gettext_noop("An officer that misses a capture may be blown.")),
        ("compulsory", gettext_noop("A capture that can be made must be made, to its end.")),
    )
    block: str = choice(
        "block",
        ("lose", gettext_noop("Officers that cannot move have lost.")),
        ("win", gettext_noop("Officers that cannot move have won: they must not be shut in.")),
    )
    limit: int = number(
        "limit",
        (100, gettext_noop("After 100 turns in a row without progress the game is a draw.")),
        lowest=1,
        highest=10_000,
    )

    family: ClassVar[str] = "assaut"
    seat_names: ClassVar[BySeat[str]] = BySeat(gettext_noop("Soldiers"), gettext_noop("Officers"))
    seat_letters: ClassVar[BySeat[str]] = BySeat("S", "O")
    hidden: ClassVar[bool] = False
    seats_setting_up: ClassVar[tuple[Seat, ...]] = (Seat.NORTH,)
    army: ClassVar[tuple[Troop, ...]] = (
        Troop("S", 24, gettext_noop("Soldier")),
        Troop("O", OFFICERS, gettext_noop("Officer")),
    )
    plurals: ClassVar[Mapping[Rank, str]] = {
        "S": gettext_noop("Soldiers"),
        "O": gettext_noop("Officers"),
    }

    @property
    def board(self) -> Board:
        return BOARD

    @cached_property
    def faces(self) -> dict[str, int]:
        return {"S": SOLDIER, "o": OFFICER}

    # --- set-up

    def start(self, rng: Random | None) -> Position:
        cells = bytes(
            SOLDIER if cell in NEIGHBOURS and cell not in FORTRESS else content
            for cell, content in enumerate(BOARD.blank)
        )
        return super().start(rng)._replace(cells=cells, memory=Tally())

    def zone(self, seat: Seat) -> tuple[str, ...]:
        return tuple(BOARD.names[cell] for cell in FORTRESS) if seat is Seat.NORTH else ()

    def hand(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        return ("O",) * OFFICERS if seat in position.awaited else ()

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        if seat is Seat.SOUTH:
            captured: int = position.memory.captured
            return (("S", True),) * captured
        gone = 0 if position.awaited else OFFICERS - position.cells.count(OFFICER)
        return (("O", True),) * gone

    def parse_setup(self, seat: Seat, text: str) -> tuple[Setup, list[BadSetup]]:
        points = POINTS.split(text.strip().lower())
        cells = bytearray(BOARD.size)
        faults = []
        for point in points:
            if point not in self.zone(seat):
                faults.append(
                    BadSetup(
                        gettext_noop("“%(point)s” is no point of the fortress."), point=point[:20]
                    )
                )
            else:
                cells[BOARD.index[point]] = OFFICER
        if len(points) != OFFICERS or (not faults and cells.count(OFFICER) != OFFICERS):
            faults.append(
                BadSetup(gettext_noop("Two officers take two different points, as in c7,e7."))
            )
        return Setup(seat, bytes(cells)), faults

    def setup_faults(self, setup: Setup, position: Position | None = None) -> list[BadSetup]:
        placed = [cell for cell, content in enumerate(setup.cells) if content]
        if len(placed) == OFFICERS and set(placed) <= set(FORTRESS):
            return []
        return [BadSetup(gettext_noop("Two officers take two different points, as in c7,e7."))]

    def setup_text(self, setup: Setup) -> str:
        return ",".join(sorted(BOARD.names[cell] for cell in FORTRESS if setup.cells[cell]))

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        cells = bytearray(BOARD.size)
        for cell in rng.choice(tuple(combinations(FORTRESS, OFFICERS))):
            cells[cell] = OFFICER
        return Setup(seat, bytes(cells))

    def write_memory(self, position: Position) -> list[str]:
        captured, offenders = position.memory
        points = ",".join(sorted(BOARD.names[cell] for cell in offenders))
        return [str(captured), points or "-"]

    def read_memory(self, fields: list[str]) -> Any:
        if not fields:
            return Tally()
        captured, points = (*fields, "-")[:2]
        named = [] if points == "-" else points.split(",")
        if (
            len(fields) > 2
            or not (captured.isascii() and captured.isdigit() and len(captured) < 4)
            or not all(BOARD.playable(point) for point in named)
        ):
            raise BadPosition(
                gettext_noop(
                    "After the ply number come the soldiers captured and the points that may be"
                    " blown, as in 7 d6."
                )
            )
        return Tally(int(captured), tuple(sorted(BOARD.index[point] for point in named)))

    # --- what can be done

    @cached_property
    def marches(self) -> tuple[tuple[int, tuple[tuple[int, Walk], ...]], ...]:
        """For each point the points a soldier there may go to, each with the walk (A5 to A9)."""
        return tuple(
            (cell, tuple((target, Walk(cell, target)) for target in self._targets(cell)))
            for cell in BOARD.cells
        )

    def _targets(self, cell: int) -> tuple[int, ...]:
        targets = NEIGHBOURS[cell]
        row = _place(cell)[1]
        if cell in FORTRESS:
            return tuple(target for target in targets if target in FORTRESS)
        ahead = [target for target in targets if _place(target)[1] >= row]
        if self.soldiers == "free":
            return tuple(ahead)
        nearer = [target for target in ahead if DISTANCE[target] < DISTANCE[cell]]
        if self.soldiers == "shortest":
            return tuple(nearer)
        return tuple(
            target for target in ahead if _place(target)[1] > row or (row == 5 and target in nearer)
        )

    @cached_property
    def steps(self) -> dict[int, tuple[tuple[int, Walk], ...]]:
        """For each point the points an officer there may step to, each with the walk (A10)."""
        return {
            cell: tuple((target, Walk(cell, target)) for target in targets)
            for cell, targets in NEIGHBOURS.items()
        }

    def walks(self, cells: bytes | bytearray, seat: Seat) -> Iterator[Walk]:
        """The steps of one side, captures and blows apart."""
        if seat is Seat.SOUTH:
            for cell, marches in self.marches:
                if cells[cell] == SOLDIER:
                    for target, walk in marches:
                        if cells[target] == EMPTY:
                            yield walk
        else:
            for cell in officers(cells):
                for target, walk in self.steps[cell]:
                    if cells[target] == EMPTY:
                        yield walk

    def captures(self, position: Position) -> Iterator[Capture]:
        """Every chain of jumps that is a turn: in `huff` each part of a chain is one as well."""
        for cell in officers(position.cells):
            cells = bytearray(position.cells)
            cells[cell] = EMPTY
            yield from self._chains(cells, (cell,), ENOUGH - position.memory.captured)

    def _chains(self, cells: bytearray, points: tuple[int, ...], wanted: int) -> Iterator[Capture]:
        """The chains that go on from some points; `cells` holds what is left, the jumper lifted."""
        for over, landing in jumps(cells, points[-1]):
            longer = (*points, landing)
            cells[over] = EMPTY
            last = wanted <= 1 or not can_jump(cells, landing)
            if last or self.capture == "huff":
                yield Capture(longer)
            if not last:
                yield from self._chains(cells, longer, wanted - 1)
            cells[over] = SOLDIER

    def blows(self, position: Position) -> Iterator[Blow]:
        """The turns that begin with a blow (A13)."""
        for cell in position.memory.offenders:
            if position.cells[cell] != OFFICER:
                continue
            cells = bytearray(position.cells)
            cells[cell] = EMPTY
            if OFFICER not in cells:
                yield Blow(cell, None)
            else:
                for walk in self.walks(cells, Seat.SOUTH):
                    yield Blow(cell, walk)

    def legal_moves(self, position: Position, seat: Seat) -> Iterator[Move]:
        if position.to_act != (seat,) or position.awaited:
            return iter(())
        captures = self.captures(position) if seat is Seat.NORTH else ()
        return chain(self.plain_turns(position, seat), captures)

    def plain_turns(self, position: Position, seat: Seat) -> Iterator[Move]:
        """The legal turns that are no captures; there are never many."""
        if seat is Seat.SOUTH:
            return chain(self.walks(position.cells, seat), self.blows(position))
        if self.capture == "compulsory" and any_jump(position.cells):
            return iter(())
        return self.walks(position.cells, seat)

    def is_legal(self, position: Position, seat: Seat, move: Move) -> bool:
        if isinstance(move, Capture):
            return seat is Seat.NORTH and self.broken(position, move.points) is None
        return move in self.plain_turns(position, seat)

    def continuations(self, position: Position, move: Capture | None) -> tuple[Capture, ...]:
        """The chains one jump longer than a given one, or the single jumps: a tree to choose by.

        Where captures are compulsory a chain found here may be too short yet to be a turn.
        """
        found = []
        for points in [move.points] if move else [(cell,) for cell in officers(position.cells)]:
            cells = bytearray(position.cells)
            taken = take(cells, points)
            if taken < ENOUGH - position.memory.captured:
                found += [Capture((*points, landing)) for _, landing in jumps(cells, points[-1])]
        return tuple(found)

    # --- a turn

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Capture):
            return self._capture(position, move)
        if seat is Seat.NORTH and isinstance(move, Walk):
            return self._step(position, move)
        if isinstance(move, Walk):
            return self._march(position, move, bytearray(position.cells), ())
        if isinstance(move, Blow):
            return self._blow(position, move)
        raise TypeError(f"{type(move).__name__} is no move of Assaut.")

    def _march(
        self, position: Position, walk: Walk, cells: bytearray, events: tuple[Event, ...]
    ) -> tuple[Position, tuple[Event, ...]]:
        cells[walk.source] = EMPTY
        cells[walk.target] = SOLDIER
        nearer = DISTANCE[walk.target] < DISTANCE[walk.source]
        quiet = 0 if nearer or events else position.quiet + 1
        events = (*events, _walked(Seat.SOUTH, walk))
        return self._finish(position, cells, quiet, Tally(position.memory.captured), events)

    def _blow(self, position: Position, move: Blow) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        cells[move.point] = EMPTY
        events = (Blown(Seat.NORTH, BOARD.names[move.point]),)
        if move.then:
            return self._march(position, move.then, cells, events)
        return self._finish(position, cells, 0, Tally(position.memory.captured), events)

    def _step(self, position: Position, walk: Walk) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        offenders = [cell for cell in officers(cells) if can_jump(cells, cell)]
        cells[walk.source] = EMPTY
        cells[walk.target] = OFFICER
        moved = [walk.target if cell == walk.source else cell for cell in offenders]
        tally = Tally(position.memory.captured, tuple(sorted(moved)))
        events = (_walked(Seat.NORTH, walk),)
        return self._finish(position, cells, position.quiet + 1, tally, events)

    def _capture(self, position: Position, move: Capture) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        names = BOARD.names
        taken = [over_of(one, other) for one, other in pairwise(move.points)]
        take(cells, move.points)
        last = move.points[-1]
        count = position.memory.captured + len(taken)
        # The sixteenth soldier ends the chain, so nothing is missed after it.
        missed = count < ENOUGH and can_jump(cells, last)
        cells[last] = OFFICER
        tally = Tally(count, (last,) if missed else ())
        captured = Captured(
            Seat.NORTH,
            tuple(names[point] for point in move.points),
            tuple(names[over] for over in taken),
        )
        return self._finish(position, cells, 0, tally, (captured,))

    def _finish(
        self,
        before: Position,
        cells: bytearray,
        quiet: int,
        tally: Tally,
        events: tuple[Event, ...],
    ) -> tuple[Position, tuple[Event, ...]]:
        """The turn passes and the end tests of A14 are done."""
        after = Position(bytes(cells), before.turn.other, before.ply + 1, quiet, NO_SHUTTLES, tally)
        outcome = self._outcome(after)
        if outcome is None:
            return after, events
        return after._replace(outcome=outcome), (*events, Ended(outcome))

    def _outcome(self, position: Position) -> Outcome | None:
        cells, turn = position.cells, position.turn
        if OFFICER not in cells:
            return Outcome(Seat.SOUTH, "officers blown")
        if all(cells[cell] == SOLDIER for cell in FORTRESS):
            return Outcome(Seat.SOUTH, "fortress filled")
        if position.memory.captured >= ENOUGH:
            return Outcome(Seat.NORTH, "sixteen captured")
        if next(iter(self.legal_moves(position, turn)), None) is None:
            if turn is Seat.SOUTH:
                return Outcome(Seat.NORTH, "soldiers cannot move")
            if self.block == "win":
                return Outcome(Seat.NORTH, "officers blocked (forbidden)")
            return Outcome(Seat.SOUTH, "officers blocked")
        return Outcome(None, "no progress") if position.quiet >= self.limit else None

    # --- words

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Note, ...]:
        captured, offenders = position.memory
        if position.awaited or position.outcome:
            return ()
        notes = [
            Note(
                gettext_noop("%(captured)s of the 16 soldiers that decide the game are captured."),
                {"captured": captured},
            )
        ]
        notes += [
            Note(
                gettext_noop(
                    "The officer on %(point)s has missed a capture: the soldiers may blow it now."
                ),
                {"point": BOARD.names[cell]},
            )
            for cell in offenders
        ]
        return tuple(notes)

    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        squares = path.squares
        if path.blown is not None:
            if len(squares) not in (0, 2):
                return ()
            return (Blow(path.blown, Walk(*squares) if squares else None),)
        if len(squares) < 2:
            return ()
        beside = squares[1] in NEIGHBOURS.get(squares[0], ())
        if len(squares) == 2 and (beside or seat is Seat.SOUTH):
            return (Walk(*squares),)
        return (Capture(squares),)

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if isinstance(move, Blow):
            return self._explain_blow(position, seat, move)
        if isinstance(move, Capture):
            if seat is Seat.NORTH and (refusal := self.broken(position, move.points)):
                return refusal
            return IllegalMove(gettext_noop("Soldiers do not capture; they move along one line."))
        if isinstance(move, Walk):
            return self._explain_walk(position, seat, move)
        return IllegalMove(gettext_noop("There is no such move in this game."))

    def broken(self, position: Position, points: tuple[int, ...]) -> Refusal | None:
        """What is wrong with a chain of jumps, if anything is (A11 to A13)."""
        names = BOARD.names
        cells = bytearray(position.cells)
        if len(points) < 2 or cells[points[0]] != OFFICER:
            return _no_piece_of_yours(points[0])
        cells[points[0]] = EMPTY
        wanted = ENOUGH - position.memory.captured
        for taken, (one, other) in enumerate(pairwise(points)):
            if taken and taken >= wanted:
                return IllegalMove(
                    gettext_noop("The chain ends on %(point)s, with the sixteenth soldier."),
                    point=names[one],
                )
            if (over_of(one, other), other) not in jumps(cells, one):
                return IllegalMove(
                    gettext_noop(
                        "An officer cannot jump from %(one)s to %(other)s: it takes a soldier on"
                        " the next point of a line, and a free point behind it on the same line."
                    ),
                    one=names[one],
                    other=names[other],
                )
            cells[over_of(one, other)] = EMPTY
        if (
            self.capture == "compulsory"
            and len(points) - 1 < wanted
            and can_jump(cells, points[-1])
        ):
            return IllegalMove(
                gettext_noop("The officer can go on capturing from %(point)s, so it has to."),
                point=names[points[-1]],
            )
        return None

    def _explain_blow(self, position: Position, seat: Seat, move: Blow) -> Refusal:
        point = BOARD.names[move.point]
        if seat is Seat.NORTH:
            return IllegalMove(gettext_noop("Only the soldiers' side may blow an officer."))
        if move.point not in position.memory.offenders or position.cells[move.point] != OFFICER:
            return IllegalMove(
                gettext_noop(
                    "On %(point)s stands no officer that missed a capture in the last turn, so"
                    " none may be blown there."
                ),
                point=point,
            )
        cells = bytearray(position.cells)
        cells[move.point] = EMPTY
        if OFFICER not in cells:
            return IllegalMove(
                gettext_noop("Blowing the last officer ends the game; write *%(point)s alone."),
                point=point,
            )
        if move.then is None:
            return IllegalMove(
                gettext_noop(
                    "After the blow on %(point)s a soldier moves in the same turn, as in"
                    " *%(point)s,c4-c5."
                ),
                point=point,
            )
        return self._explain_walk(position._replace(cells=bytes(cells)), seat, move.then)

    def _explain_walk(self, position: Position, seat: Seat, move: Walk) -> Refusal:
        names, cells = BOARD.names, position.cells
        facts = {"source": names[move.source], "target": names[move.target]}
        if cells[move.source] != (SOLDIER if seat is Seat.SOUTH else OFFICER):
            return _no_piece_of_yours(move.source)
        if move.target not in NEIGHBOURS[move.source]:
            return IllegalMove(
                gettext_noop("No line leads from %(source)s straight to %(target)s."), **facts
            )
        if cells[move.target] != EMPTY:
            return IllegalMove(gettext_noop("The point %(target)s is not free."), **facts)
        if seat is Seat.NORTH:
            return IllegalMove(
                gettext_noop("An officer can capture, so a capture has to be played.")
            )
        if move.source in FORTRESS:
            return IllegalMove(
                gettext_noop("A soldier in the fortress stays in it, and %(target)s lies outside."),
                **facts,
            )
        if _place(move.target)[1] < _place(move.source)[1]:
            return IllegalMove(
                gettext_noop("Soldiers never go back, and %(target)s lies behind %(source)s."),
                **facts,
            )
        return IllegalMove(
            gettext_noop(
                "From %(source)s the move to %(target)s brings the soldier no nearer to the"
                " fortress, and here it has to."
            ),
            **facts,
        )


def officers(cells: bytes | bytearray) -> tuple[int, ...]:
    """Where the officers stand."""
    first = cells.find(OFFICER)
    if first < 0:
        return ()
    second = cells.find(OFFICER, first + 1)
    return (first,) if second < 0 else (first, second)


def jumps(cells: bytes | bytearray, cell: int) -> list[tuple[int, int]]:
    """The jumps open to an officer on a point: the point taken and the one to land on (A11)."""
    return [
        (over, landing)
        for over, landing in JUMPS[cell]
        if cells[over] == SOLDIER and cells[landing] == EMPTY
    ]


def can_jump(cells: bytes | bytearray, cell: int) -> bool:
    """Whether an officer on a point can capture."""
    return bool(jumps(cells, cell))


def any_jump(cells: bytes | bytearray) -> bool:
    """Whether any officer can capture."""
    return any(can_jump(cells, cell) for cell in officers(cells))


def over_of(one: int, other: int) -> int:
    """The point in the middle of a jump."""
    return (one + other) // 2


def take(cells: bytearray, points: tuple[int, ...]) -> int:
    """Lift the officer and take what it jumps over; returns how many that were."""
    cells[points[0]] = EMPTY
    for one, other in pairwise(points):
        cells[over_of(one, other)] = EMPTY
    return len(points) - 1


def _walked(seat: Seat, walk: Walk) -> Event:
    return Walked(seat, BOARD.names[walk.source], BOARD.names[walk.target])


def _no_piece_of_yours(cell: int) -> Refusal:
    return IllegalMove(
        gettext_noop("No piece of yours stands on %(square)s."), square=BOARD.names[cell]
    )


HUFF = Assaut(key="assaut", title=gettext_noop("Assaut"))
FREE = replace(
    HUFF, key="assaut-free", title=gettext_noop("Assaut, free soldiers"), soldiers="free"
)
EDITIONS = (
    HUFF,
    replace(
        HUFF,
        key="assaut-noblock",
        title=gettext_noop("Assaut, officers must not be shut in"),
        block="win",
    ),
    FREE,
    replace(
        FREE,
        key="assaut-free-noblock",
        title=gettext_noop("Assaut, free soldiers, officers must not be shut in"),
        block="win",
    ),
    replace(
        HUFF,
        key="assaut-compulsory",
        title=gettext_noop("Assaut, captures compulsory"),
        capture="compulsory",
    ),
    replace(
        HUFF,
        key="assaut-german",
        title=gettext_noop("Assaut, German soldiers"),
        soldiers="german",
    ),
)
