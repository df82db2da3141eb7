"""Assaut: moves, set-ups and editions (A1 to A15).

Nothing is hidden. A turn of the officers may be a long chain of jumps, and every part of a chain
is a legal turn too, so chains are checked jump by jump and listed only when all are needed (A13b).
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, compress
from random import Random
from typing import ClassVar

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Capture, Huff, Move, Setup, Walk
from games.rules.core.basics.options import choice, number
from games.rules.core.basics.pieces import BySeat, Rank, Seat, Troop
from games.rules.core.basics.refusals import (
    BadSetup,
    IllegalMove,
    Refusal,
    gettext_noop,
)
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import BoardTermination, Termination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.ruleset.base import Path, Ruleset
from games.rules.core.ruleset.why_illegal import no_such_move
from games.rules.core.state.events import Captured, Ended, Event, Huffed, WalkEvents
from games.rules.core.state.position import NO_SHUTTLES, Outcome, Position
from games.rules.systems.assaut.geometry import (
    BOARD,
    CAPTURES_TO_WIN,
    DISTANCE,
    FORTRESS,
    NEIGHBOURS,
    OFFICER,
    OFFICERS,
    SOLDIER,
    VACANT,
    any_jump,
    can_jump,
    chains,
    filled,
    officers,
    place,
    take,
)
from games.rules.systems.assaut.officer_jumps import OfficerJumps
from games.rules.systems.assaut.tally import TALLY_MEMORY, Tally, TallyMemory
from games.rules.systems.assaut.why_illegal import objection_to_chain, why_no_huff, why_no_walk

POINTS = re.compile(r"\s*,\s*|\s+")


class AssautTermination(Termination):
    """Endings of Assaut (A14)."""

    OFFICERS_HUFFED = "officers blown"  # the notation's phrase, which pages never show
    FORTRESS_FILLED = "fortress filled"
    SIXTEEN_CAPTURED = "sixteen captured"
    SOLDIERS_CANNOT_MOVE = "soldiers cannot move"
    OFFICERS_BLOCKED = "officers blocked"
    OFFICERS_BLOCKED_FORBIDDEN = "officers blocked (forbidden)"


@dataclass(frozen=True, kw_only=True)
class Assaut(Ruleset):
    """Ruleset of Assaut. South has the soldiers, North the officers."""

    soldiers: str = choice(
        "soldiers",
        gettext_noop("Soldiers"),
        gettext_noop("Which way soldiers go while they are outside the fortress."),
        ("shortest", gettext_noop("Soldiers take a shortest way to the fortress, never back.")),
        ("free", gettext_noop("Soldiers go forward and sideways as they like, never back.")),
        ("german", gettext_noop("Soldiers go forward; in row 5 also toward the fortress.")),
    )
    capture: str = choice(
        "capture",
        gettext_noop("Missed captures"),
        gettext_noop("What happens to an officer that could capture and does not."),
        ("huff", gettext_noop("An officer that misses a capture may be huffed (removed).")),
        ("compulsory", gettext_noop("A possible capture must be made, to its end.")),
    )
    block: str = choice(
        "block",
        gettext_noop("Shut-in officers"),
        gettext_noop("Who wins when the officers cannot move."),
        ("lose", gettext_noop("Officers that cannot move have lost.")),
        ("win", gettext_noop("Officers that cannot move have won: they must not be shut in.")),
    )
    limit: int = number(
        "limit",
        gettext_noop("Draw without progress"),
        gettext_noop("After how many turns in a row without progress the game is a draw."),
        (100, gettext_noop("After 100 turns in a row without progress the game is a draw.")),
        other=gettext_noop("After %(number)s turns in a row without progress the game is a draw."),
        lowest=1,
        highest=10_000,
        offered=(20, 1_000),
    )

    family: ClassVar[str] = "assaut"
    seat_names: ClassVar[BySeat[str]] = BySeat(gettext_noop("Soldiers"), gettext_noop("Officers"))
    sets: ClassVar[bool] = True
    seat_letters: ClassVar[BySeat[str]] = BySeat("S", "O")
    hidden: ClassVar[bool] = False
    terminations: ClassVar[tuple[Termination, ...]] = (
        *AssautTermination,
        BoardTermination.NO_PROGRESS,
    )
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

    @property
    def memory(self) -> TallyMemory:
        return TALLY_MEMORY

    @cached_property
    def jumps(self) -> OfficerJumps:
        return OfficerJumps(self.plain_turns)

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

    def place_setup(self, seat: Seat, text: str) -> tuple[Setup, list[BadSetup]]:
        points = POINTS.split(text.strip().lower())
        cells = bytearray(BOARD.size)
        zone = self.zone(seat)
        faults = []
        for point in points:
            if point not in zone:
                faults.append(
                    BadSetup(
                        gettext_noop("“%(point)s” is not a point of the fortress."),
                        point=point[:20],
                    )
                )
            else:
                cells[BOARD.index[point]] = OFFICER
        if len(points) != OFFICERS or (not faults and cells.count(OFFICER) != OFFICERS):
            faults.append(
                BadSetup(gettext_noop("Two officers take two different points, for example c7,e7."))
            )
        return Setup(seat, bytes(cells)), faults

    def setup_faults(self, setup: Setup, position: Position | None = None) -> list[BadSetup]:
        placed = [cell for cell, content in enumerate(setup.cells) if content]
        if len(placed) == OFFICERS and set(placed) <= set(FORTRESS):
            return []
        return [
            BadSetup(gettext_noop("Two officers take two different points, for example c7,e7."))
        ]

    def setup_text(self, setup: Setup) -> str:
        return ",".join(sorted(BOARD.names[cell] for cell in FORTRESS if setup.cells[cell]))

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        cells = bytearray(BOARD.size)
        for cell in rng.choice(tuple(combinations(FORTRESS, OFFICERS))):
            cells[cell] = OFFICER
        return Setup(seat, bytes(cells))

    # --- legal moves

    @cached_property
    def soldier_steps_to(self) -> tuple[tuple[tuple[int, Walk], ...], ...]:
        """For each cell the points from which a soldier may step there, with the moves (A5 to A9).

        Moves are found from the free points, since there are usually fewer of them than soldiers.
        """
        return tuple(
            tuple(
                (source, Walk(source, cell))
                for source in NEIGHBOURS.get(cell, ())
                if cell in self._targets(source)
            )
            for cell in range(BOARD.size)
        )

    def _targets(self, cell: int) -> tuple[int, ...]:
        targets = NEIGHBOURS[cell]
        row = place(cell)[1]
        if cell in FORTRESS:
            return tuple(target for target in targets if target in FORTRESS)
        ahead = [target for target in targets if place(target)[1] >= row]
        if self.soldiers == "free":
            return tuple(ahead)
        nearer = [target for target in ahead if DISTANCE[target] < DISTANCE[cell]]
        if self.soldiers == "shortest":
            return tuple(nearer)
        return tuple(
            target for target in ahead if place(target)[1] > row or (row == 5 and target in nearer)
        )

    @cached_property
    def steps(self) -> dict[int, tuple[tuple[int, Walk], ...]]:
        """For each point the points an officer may step to, each with the move (A10)."""
        return {
            cell: tuple((target, Walk(cell, target)) for target in targets)
            for cell, targets in NEIGHBOURS.items()
        }

    def walks(self, cells: bytes | bytearray, seat: Seat) -> list[Walk]:
        """The steps of one side, captures and huffs apart."""
        if seat is Seat.NORTH:
            return [
                walk
                for cell in officers(cells)
                for target, walk in self.steps[cell]
                if not cells[target]
            ]
        return [
            walk
            for steps in compress(self.soldier_steps_to, cells.translate(VACANT))
            for source, walk in steps
            if cells[source] == SOLDIER
        ]

    def can_act(self, position: Position, seat: Seat) -> bool:
        """Whether a side has any legal turn at all."""
        cells = position.cells
        if seat is Seat.NORTH:
            return bool(self.walks(cells, seat)) or any_jump(cells)
        for steps in compress(self.soldier_steps_to, cells.translate(VACANT)):
            for source, _ in steps:
                if cells[source] == SOLDIER:
                    return True
        return any(self.huffs(position))

    def captures(self, position: Position) -> Iterator[Capture]:
        """Every legal chain of jumps; with `capture=huff` each part of a chain too (A12, A13)."""
        for cell in officers(position.cells):
            if not can_jump(position.cells, cell):
                continue
            cells = bytearray(position.cells)
            cells[cell] = EMPTY
            wanted = CAPTURES_TO_WIN - position.memory.captured
            for points in chains(cells, (cell,), wanted, prefixes=self.capture == "huff"):
                yield Capture(points)

    def huffs(self, position: Position) -> Iterator[Huff]:
        """The turns that begin with a huff; none where captures are compulsory (A13)."""
        offenders = position.memory.offenders if self.capture == "huff" else ()
        for cell in offenders:
            if position.cells[cell] != OFFICER:
                continue
            cells = bytearray(position.cells)
            cells[cell] = EMPTY
            if OFFICER not in cells:
                yield Huff(cell, None)
            else:
                for walk in self.walks(cells, Seat.SOUTH):
                    yield Huff(cell, walk)

    def legal_moves(self, position: Position, seat: Seat) -> Iterable[Move]:
        if position.outcome or position.awaited or seat is not position.turn:
            return ()
        turns = self.plain_turns(position, seat)
        return turns if seat is Seat.SOUTH else chain(turns, self.captures(position))

    def plain_turns(self, position: Position, seat: Seat) -> list[Move]:
        """The legal turns that are no captures; always a short list."""
        if seat is Seat.NORTH and self.capture == "compulsory" and any_jump(position.cells):
            return []
        walks = self.walks(position.cells, seat)
        return [*walks, *self.huffs(position)] if seat is Seat.SOUTH else [*walks]

    def is_legal(self, position: Position, seat: Seat, move: Move) -> bool:
        if isinstance(move, Capture):
            return seat is Seat.NORTH and self._objection_to_chain(position, move) is None
        return move in self.plain_turns(position, seat)

    # --- a turn

    @cached_property
    def walked(self) -> BySeat[WalkEvents]:
        """The events of steps, for each seat."""
        names = BOARD.names
        return BySeat(WalkEvents(Seat.SOUTH, names), WalkEvents(Seat.NORTH, names))

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Capture):
            return self._capture(position, move)
        if seat is Seat.NORTH and isinstance(move, Walk):
            return self._step(position, move)
        if isinstance(move, Walk):
            return self._march(position, move, bytearray(position.cells), ())
        if isinstance(move, Huff):
            return self._huff(position, move)
        raise TypeError(f"{type(move).__name__} is no move of Assaut.")

    def _march(
        self, position: Position, walk: Walk, cells: bytearray, events: tuple[Event, ...]
    ) -> tuple[Position, tuple[Event, ...]]:
        cells[walk.source] = EMPTY
        cells[walk.target] = SOLDIER
        nearer = DISTANCE[walk.target] < DISTANCE[walk.source]
        quiet = 0 if nearer or events else position.quiet + 1
        events = (*events, *self.walked[Seat.SOUTH][walk.source << 8 | walk.target])
        return self._finish(position, cells, quiet, Tally(position.memory.captured), events)

    def _huff(self, position: Position, move: Huff) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        cells[move.point] = EMPTY
        events = (Huffed(Seat.NORTH, BOARD.names[move.point]),)
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
        events = self.walked[Seat.NORTH][walk.source << 8 | walk.target]
        return self._finish(position, cells, position.quiet + 1, tally, events)

    def _capture(self, position: Position, move: Capture) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        names = BOARD.names
        taken = take(cells, move.points)
        last = move.points[-1]
        count = position.memory.captured + len(taken)
        # The sixteenth soldier ends the game, so no capture is missed after it.
        missed = count < CAPTURES_TO_WIN and can_jump(cells, last)
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
        """End a turn: pass it to the other side and apply the end tests of A14."""
        after = Position(bytes(cells), before.turn.other, before.ply + 1, quiet, NO_SHUTTLES, tally)
        outcome = self._outcome(after)
        if outcome is None:
            return after, events
        return after._replace(outcome=outcome), (*events, Ended(outcome))

    def _outcome(self, position: Position) -> Outcome | None:
        cells, turn = position.cells, position.turn
        if OFFICER not in cells:
            return Outcome(Seat.SOUTH, AssautTermination.OFFICERS_HUFFED)
        if filled(cells):
            return Outcome(Seat.SOUTH, AssautTermination.FORTRESS_FILLED)
        if position.memory.captured >= CAPTURES_TO_WIN:
            return Outcome(Seat.NORTH, AssautTermination.SIXTEEN_CAPTURED)
        if not self.can_act(position, turn):
            if turn is Seat.SOUTH:
                return Outcome(Seat.NORTH, AssautTermination.SOLDIERS_CANNOT_MOVE)
            if self.block == "win":
                return Outcome(Seat.NORTH, AssautTermination.OFFICERS_BLOCKED_FORBIDDEN)
            return Outcome(Seat.SOUTH, AssautTermination.OFFICERS_BLOCKED)
        return Outcome(None, BoardTermination.NO_PROGRESS) if position.quiet >= self.limit else None

    # --- words

    def notes(self, position: Position, viewpoint: Viewpoint) -> tuple[Sentence, ...]:
        captured, offenders = position.memory
        if position.awaited or position.outcome:
            return ()
        held = sum(position.cells[cell] == SOLDIER for cell in FORTRESS)
        notes = [
            Sentence(
                gettext_noop("Captured soldiers: %(captured)s of the 16 that decide the game."),
                {"captured": captured},
            ),
            Sentence(
                gettext_noop("Points of the fortress held by soldiers: %(held)s of 9."),
                {"held": held},
            ),
        ]
        notes += [
            Sentence(
                gettext_noop(
                    "The officer on %(point)s has missed a capture: the soldiers may huff "
                    "(remove) it now."
                ),
                {"point": BOARD.names[cell]},
            )
            for cell in offenders
        ]
        return tuple(notes)

    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        squares = path.squares
        if path.huffed is not None:
            if len(squares) not in (0, 2):
                return ()
            return (Huff(path.huffed, Walk(*squares) if squares else None),)
        if len(squares) < 2:
            return ()
        adjacent = squares[1] in NEIGHBOURS.get(squares[0], ())
        if len(squares) == 2 and (adjacent or seat is Seat.SOUTH):
            return (Walk(*squares),)
        return (Capture(squares),)

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if isinstance(move, Huff):
            return why_no_huff(position, seat, move)
        if isinstance(move, Walk):
            return why_no_walk(position.cells, seat, move)
        if isinstance(move, Capture) and seat is Seat.NORTH:
            return self._objection_to_chain(position, move) or no_such_move()
        return IllegalMove(gettext_noop("Soldiers do not capture; they move along one line."))

    def _objection_to_chain(self, position: Position, move: Capture) -> Refusal | None:
        compulsory = self.capture == "compulsory"
        return objection_to_chain(position, move.points, compulsory=compulsory)


HUFF = Assaut(
    key="assaut",
    title=gettext_noop("Assaut"),
    about=gettext_noop(
        "Soldiers take the shortest way in; an officer that misses a capture may be huffed "
        "(removed)."
    ),
)
FREE = replace(
    HUFF,
    key="assaut-free",
    title=gettext_noop("Assaut, free soldiers"),
    about=gettext_noop(
        "As Assaut, but soldiers may also go sideways and take any way that does not lead back."
    ),
    soldiers="free",
)
EDITIONS = (
    HUFF,
    replace(
        HUFF,
        key="assaut-noblock",
        title=gettext_noop("Assaut, officers must not be shut in"),
        about=gettext_noop("As Assaut, but soldiers that leave the officers no move have lost."),
        block="win",
    ),
    FREE,
    replace(
        FREE,
        key="assaut-free-noblock",
        title=gettext_noop("Assaut, free soldiers, officers must not be shut in"),
        about=gettext_noop(
            "Soldiers may also go sideways, but have lost if they leave the officers no move."
        ),
        block="win",
    ),
    replace(
        HUFF,
        key="assaut-compulsory",
        title=gettext_noop("Assaut, captures compulsory"),
        about=gettext_noop(
            "As Assaut, but a capture must be made, and to its end; no officer is ever huffed."
        ),
        capture="compulsory",
    ),
    replace(
        HUFF,
        key="assaut-german",
        title=gettext_noop("Assaut, German soldiers"),
        about=gettext_noop(
            "As Assaut, but soldiers step forward only, and sideways beside the fortress."
        ),
        soldiers="german",
    ),
)
