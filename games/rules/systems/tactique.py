"""Tactique: pieces are demoted before they fall, charge across the board, and archers shoot first.

Rules T1 to T14. Archers shoot by themselves at the start of their side's turn, so the turn of one
side ends with the other side's volley.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from random import Random
from typing import Any, ClassVar

from games.rules.core.army import (
    KIND,
    MARKED,
    NORTHERN,
    BySeat,
    Rank,
    Seat,
    Troop,
    is_piece,
    owner,
    piece,
)
from games.rules.core.board import EMPTY, Board
from games.rules.core.errors import BadPosition, BadSetup, IllegalMove, Refusal, gettext_noop
from games.rules.core.events import Clashed, Converted, Ended, Event, Volleyed, Walked
from games.rules.core.hidden_armies import HiddenArmies, between, heading, straight, two_square
from games.rules.core.lanes import Lanes, Run
from games.rules.core.moves import Attack, Charge, Move, Setup, Walk, shared
from games.rules.core.position import STILL, Outcome, Position, Shuttle
from games.rules.core.ruleset import Path
from games.rules.core.switches import choice
from games.rules.core.ways import ALL_OPEN, ALL_PREY, ALL_WAYS, DIRECTIONS, PREY, PREYS, UP

BOARD = Board(8, 8)
FRONT = 3  # pieces in the foremost row of a set-up (T3)

STRENGTH = {"C": 5, "V": 4, "P": 3, "I": 2, "W": 1, "A": 1, "F": 0}
DEMOTED = {"C": "V", "V": "P", "P": "I", "I": "W"}
ARCHER, FLAG = "A", "F"

# What fell, by seat: ranks as they were at the end, with `?` behind one that a volley took and that
# the other side therefore never learned.
NOBODY: BySeat[tuple[str, ...]] = BySeat((), ())
UNTOLD = "?"
LOST = "lost="
LOSS = re.compile(r"[CVPIAWF]'?\??")
LOSSES = re.compile(rf"{LOST}(-|(?:{LOSS.pattern})+)/(-|(?:{LOSS.pattern})+)")

# The walks along a lane, and for each cell where they end the start of its key among the strikes.
Reach = tuple[tuple[Walk, ...], tuple[tuple[int, int], ...]]


class Strikes(dict[int, tuple[Move, ...]]):
    """The attacks and charges on the enemies around a cell; filled as it is used.

    The key is source << 16 | via << 8 | the enemies around `via`, as `Ways.around` tells them. From
    its own square a piece attacks, from any other it has charged.
    """

    def __init__(self, offsets: tuple[int, ...], straight_on: bool) -> None:
        super().__init__()
        self.offsets = offsets
        self.stride = offsets[UP]
        self.straight_on = straight_on

    def __missing__(self, key: int) -> tuple[Move, ...]:
        source, via = key >> 16, key >> 8 & 0xFF
        strikes: list[Move] = []
        for direction in DIRECTIONS:
            target = via + self.offsets[direction]
            if not key & PREY << direction:
                continue
            if source == via:
                strikes.append(shared(Attack(source, target)))
            elif not self.straight_on or target - via == heading(self.stride, source, via):
                strikes.append(shared(Charge(source, via, target)))
        self[key] = tuple(strikes)
        return self[key]


@dataclass(frozen=True, kw_only=True)
class Tactique(HiddenArmies):
    """The memory of a position is what fell, see NOBODY."""

    two_square: int = two_square(2, 3, 0)
    move: str = choice(
        "move",
        ("long", gettext_noop("A piece moves any number of free squares straight on.")),
        ("step", gettext_noop("A piece moves one square.")),
    )
    charge: str = choice(
        "charge",
        ("any", gettext_noop("A charge may strike at any neighbour of its last square.")),
        ("straight", gettext_noop("A charge strikes straight on only.")),
    )
    convert: bool = choice(
        "convert",
        (False, gettext_noop("A demoted piece stays on its side.")),
        (True, gettext_noop("A piece demoted in a battle changes sides.")),
    )
    volley: str = choice(
        "volley",
        ("own", gettext_noop("Archers shoot at the start of their own side's turn.")),
        ("all", gettext_noop("The archers of both sides shoot before every turn.")),
    )
    volley_first: bool = choice(
        "volley_first",
        (True, gettext_noop("Archers shoot before the very first move, too.")),
        (False, gettext_noop("Archers do not shoot before the very first move.")),
    )
    archer_los: bool = choice(
        "archer_los",
        (False, gettext_noop("Archers shoot over the square between.")),
        (True, gettext_noop("A straight shot needs an empty square between.")),
    )
    multi_hit: str = choice(
        "multi_hit",
        ("each", gettext_noop("Every archer that reaches a piece hits it.")),
        ("once", gettext_noop("A piece is hit at most once in a volley.")),
    )
    volley_flag: bool = choice(
        "volley_flag",
        (False, gettext_noop("Archers never hit a flag.")),
        (True, gettext_noop("Archers may shoot the flag, and that wins the game.")),
    )
    d1_takes_archer: bool = choice(
        "d1_takes_archer",
        (True, gettext_noop("A demoted piece of rank 1 takes an archer.")),
        (False, gettext_noop("A demoted piece of rank 1 and an archer fall together.")),
    )

    family: ClassVar[str] = "tactique"
    mark: ClassVar[str] = "demoted"
    mark_sign: ClassVar[str] = "'"
    volleys: ClassVar[bool] = True
    depth: ClassVar[int] = 4
    army: ClassVar[tuple[Troop, ...]] = (
        Troop("C", 2, gettext_noop("Commander")),
        Troop("V", 4, gettext_noop("Cavalryman")),
        Troop("P", 8, gettext_noop("Pikeman")),
        Troop("I", 8, gettext_noop("Infantry")),
        Troop("A", 4, gettext_noop("Archer")),
        Troop("F", 1, gettext_noop("Flag")),
    )
    plurals: ClassVar[Mapping[Rank, str]] = {
        "C": gettext_noop("Commanders"),
        "V": gettext_noop("Cavalrymen"),
        "P": gettext_noop("Pikemen"),
        "I": gettext_noop("Infantry"),
        "A": gettext_noop("Archers"),
        "F": gettext_noop("Flags"),
    }

    @property
    def board(self) -> Board:
        return BOARD

    # --- pieces

    @cached_property
    def ranks(self) -> tuple[Rank, ...]:
        return ("", *(troop.rank for troop in self.army), "W")

    @cached_property
    def piece_names(self) -> dict[Rank, str]:
        return super().piece_names | {"W": gettext_noop("Weakened piece")}

    @cached_property
    def faces(self) -> dict[str, int]:
        fresh = [(rank, False) for rank in STRENGTH if rank != "W"]
        demoted = [(rank, True) for rank in DEMOTED.values()]
        return {
            self.face(seat, rank, marked): piece(seat, self.kinds[rank], marked=marked)
            for seat in Seat
            for rank, marked in fresh + demoted
        }

    def setup_faces(self, seat: Seat) -> Mapping[str, int]:
        return {troop.rank: piece(seat, self.kinds[troop.rank]) for troop in self.army}

    def told(self, content: int) -> Rank:
        """A piece's rank as it is declared, with the `'` of a demoted one."""
        return self.ranks[content & KIND] + self.mark_sign * bool(content & MARKED)

    @cached_property
    def demoted(self) -> bytes:
        """For each content the piece one rank lower, or EMPTY for one that is removed (T9)."""
        table = bytearray(256)
        for seat in Seat:
            for rank, lower in DEMOTED.items():
                table[piece(seat, self.kinds[rank])] = piece(seat, self.kinds[lower], marked=True)
        return bytes(table)

    # --- movement

    def ways_of(self, seat: Seat, kind: int) -> int:
        rank = self.ranks[kind] if kind < len(self.ranks) else FLAG
        if rank == FLAG:
            return 0
        return ALL_OPEN if rank == ARCHER else ALL_WAYS

    @cached_property
    def strikes(self) -> Strikes:
        """The attacks and charges of this board."""
        return Strikes(self.ways.offsets, self.charge == "straight")

    @cached_property
    def lanes(self) -> Lanes[Reach]:
        """Where pieces walk along rows and files."""
        return Lanes(self.board, self._reach)

    def _reach(self, cell: int, runs: tuple[Run, Run]) -> Reach:
        if self.move == "step":
            ends = [via for _, free in runs for via in free[:1]]
        else:
            ends = [via for _, free in runs for via in free]
        walks = tuple(shared(Walk(cell, via)) for via in ends)
        return walks, tuple((via, cell << 16 | via << 8) for via in ends)

    def listing(self, cells: bytes, seat: Seat) -> list[Move]:
        strikes, lanes, movers = self.strikes, self.lanes.open, self.movers[seat]
        around, enemies = self.ways.contact(cells, movers, PREYS[seat])
        lines = self.lanes.lines(cells)
        moves: list[Move] = []
        for cell in compress(self.ways.every, around):
            ways = around[cell]
            if ways > ALL_OPEN:
                moves += strikes[cell << 16 | cell << 8 | ways & ALL_PREY]
            archer = movers[cells[cell]] == ALL_OPEN
            for line, lane in lanes[ways & ALL_OPEN][cell]:
                walks, ends = lane[lines[line]]
                moves += walks
                if archer:
                    continue
                for via, key in ends:
                    if prey := enemies[via]:
                        moves += strikes[key | prey]
        return moves

    def repeats(self, move: Move, shuttle: Shuttle) -> bool:
        return isinstance(move, Walk) and super().repeats(move, shuttle)

    # --- a turn

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Walk):
            cells = bytearray(position.cells)
            cells[move.target] = cells[move.source]
            cells[move.source] = EMPTY
            return self._pass(
                position,
                cells,
                position.quiet + 1,
                self.walked[seat][move.source << 8 | move.target],
                self.shuttled(position, seat, move),
                position.memory,
            )
        if isinstance(move, Attack):
            return self._strike(position, seat, move.source, move.source, move.target)
        if isinstance(move, Charge):
            return self._strike(position, seat, move.source, move.via, move.target)
        raise TypeError(f"{type(move).__name__} is no move of Tactique.")

    def _strike(
        self, position: Position, seat: Seat, source: int, via: int, target: int
    ) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        names = self.board.names
        attacker, defender = cells[source], cells[target]
        result = self.battle(attacker, defender)
        events: tuple[Event, ...] = (
            Clashed(
                seat, names[via], names[target], self.told(attacker), self.told(defender), result
            ),
        )
        if via != source:
            events = (Walked(seat, names[source], names[via]), *events)
        cells[source] = EMPTY
        cells[via] = attacker
        lost = position.memory
        if result == "+d":
            cells[target] = self._loser(defender)
        elif result == "-d":
            cells[via] = self._loser(attacker)
        else:
            cells[via] = EMPTY
            if result in "+#":
                cells[target] = attacker
            else:
                lost = _add(lost, seat, self.told(attacker))
            if result != "-":
                lost = _add(lost, seat.other, self.told(defender))
            if result == "=":
                cells[target] = EMPTY
        if self.convert and result in ("+d", "-d"):
            square = names[target if result == "+d" else via]
            events = (*events, Converted(seat if result == "+d" else seat.other, square))
        shuttles = position.shuttles.put(seat, STILL)
        outcome = Outcome(seat, "flag captured") if result == "#" else None
        return self._pass(position, cells, 0, events, shuttles, lost, outcome)

    def battle(self, attacker: int, defender: int) -> str:
        """The result of a battle in the notation's signs (section 3.3)."""
        one, other = self.ranks[attacker & KIND], self.ranks[defender & KIND]
        if other == FLAG:
            return "#"
        if other == ARCHER and (one != "W" or self.d1_takes_archer):
            return "+"
        if STRENGTH[one] == STRENGTH[other]:
            return "="
        if STRENGTH[one] > STRENGTH[other]:
            return "+" if defender & MARKED else "+d"
        return "-" if attacker & MARKED else "-d"

    def _loser(self, content: int) -> int:
        """The piece that a demoted loser of a battle becomes (T13)."""
        return self.demoted[content] ^ (NORTHERN if self.convert else 0)

    def _pass(
        self,
        position: Position,
        cells: bytearray,
        quiet: int,
        events: tuple[Event, ...],
        shuttles: BySeat[Shuttle],
        lost: BySeat[tuple[str, ...]],
        outcome: Outcome | None = None,
    ) -> tuple[Position, tuple[Event, ...]]:
        """The turn passes: the other side's archers shoot, then come the end tests."""
        if outcome is None:
            hits = self.hits(cells, position.turn.other)
            if hits:
                quiet = 0
                volley, lost, outcome = self._shoot(cells, hits, lost)
                events = (*events, volley)
        return self.finish(position, bytes(cells), quiet, events, shuttles, lost, outcome)

    def opening(self, position: Position) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        hits = self.hits(cells, position.turn) if self.volley_first else None
        if not hits:
            return position, ()
        volley, lost, outcome = self._shoot(cells, hits, position.memory)
        events: tuple[Event, ...] = (volley, Ended(outcome)) if outcome else (volley,)
        return position._replace(cells=bytes(cells), memory=lost, outcome=outcome), events

    # --- archers

    @cached_property
    def shots(self) -> tuple[int, ...]:
        """For each cell the cells that an archer there reaches: a byte a cell (T8)."""
        index = self.board.index
        return tuple(
            sum(1 << 8 * index[target] for target, _ in _shots(name) if target in index)
            for name in self.board.names
        )

    @cached_property
    def midways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        """For each cell the straight shots from it, each with the cell that it crosses."""
        index = self.board.index
        return tuple(
            tuple(
                (index[target], index[midway])
                for target, midway in _shots(name)
                if target in index and midway
            )
            for name in self.board.names
        )

    def hits(self, cells: bytes | bytearray, turn: Seat) -> dict[int, int]:
        """How often each cell is hit in the volley before a side's turn (T8, T9)."""
        hits: dict[int, int] = {}
        for seat in Seat if self.volley == "all" else (turn,):
            shots = 0
            archer = self.archers[seat]
            cell = cells.find(archer)
            while cell >= 0:
                shots += self.shots[cell]
                if self.archer_los:
                    for target, midway in self.midways[cell]:
                        if cells[midway]:
                            shots -= 1 << 8 * target
                cell = cells.find(archer, cell + 1)
            shots &= int.from_bytes(cells.translate(self.game[seat]), "little")
            while shots:
                cell = (shots.bit_length() - 1) >> 3
                hits[cell] = shots >> 8 * cell
                shots -= hits[cell] << 8 * cell
        return hits

    @cached_property
    def archers(self) -> BySeat[int]:
        """The contents that are archers."""
        kind = self.kinds[ARCHER]
        return BySeat(piece(Seat.SOUTH, kind), piece(Seat.NORTH, kind))

    @cached_property
    def game(self) -> tuple[bytes, bytes]:
        """For each seat and content of a cell: all bits if the seat's archers hit what is there."""
        flag = self.kinds[FLAG]
        south, north = (
            bytes(
                0xFF if prey == PREY and (content & KIND != flag or self.volley_flag) else 0
                for content, prey in enumerate(PREYS[seat])
            )
            for seat in Seat
        )
        return south, north

    def _shoot(
        self, cells: bytearray, hits: dict[int, int], lost: BySeat[tuple[str, ...]]
    ) -> tuple[Volleyed, BySeat[tuple[str, ...]], Outcome | None]:
        """Demote and remove what is hit; changes `cells`."""
        told = []
        winners = []
        for cell in sorted(hits, key=self.text_order.__getitem__):
            target = cells[cell]
            left = self.demoted[target]
            if hits[cell] > 1 and self.multi_hit == "each":
                left = EMPTY
            if not left:
                lost = _add(lost, owner(target), self.told(target) + UNTOLD)
                if target & KIND == self.kinds[FLAG]:
                    winners.append(owner(target).other)
            cells[cell] = left
            told.append((self.board.names[cell], not left))
        outcome = None
        if winners:
            outcome = Outcome(winners[0] if len(winners) == 1 else None, "flag shot")
        return Volleyed(tuple(told)), lost, outcome

    @cached_property
    def text_order(self) -> tuple[int, ...]:
        """The place of each cell in the board text, in which hits are told."""
        stride = self.board.stride
        return tuple(cell % stride - cell // stride * stride for cell in self.ways.every)

    # --- what fell

    def start(self, rng: Random | None) -> Position:
        return super().start(rng)._replace(memory=NOBODY)

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        return tuple(
            (text.removesuffix(UNTOLD), not text.endswith(UNTOLD)) for text in position.memory[seat]
        )

    def write_memory(self, position: Position) -> list[str]:
        if position.memory == NOBODY:
            return []
        return [LOST + "/".join("".join(fallen) or "-" for fallen in position.memory)]

    def read_memory(self, fields: list[str]) -> Any:
        if not fields:
            return NOBODY
        found = LOSSES.fullmatch(fields[0])
        if len(fields) > 1 or not found:
            raise BadPosition(
                gettext_noop("“%(field)s” is no part of a position of this game."),
                field=fields[-1][:20],
            )
        south, north = (tuple(LOSS.findall(text)) for text in found.groups())
        return BySeat(south, north)

    # --- set-up

    def _front(self, seat: Seat) -> tuple[int, list[int]]:
        """The row of a set-up that faces the enemy, and the rows behind it."""
        rows = sorted(self.setup_rows(seat), reverse=seat is Seat.SOUTH)
        return rows[0], rows[1:]

    def setup_faults(self, setup: Setup, position: Position | None = None) -> list[BadSetup]:
        faults = []
        foremost, full = self._front(setup.seat)
        for row in full:
            for cell in self.board.row(row):
                if not setup.cells[cell]:
                    faults.append(
                        BadSetup(
                            gettext_noop(
                                "Row %(row)s has to be full, and square %(square)s is empty."
                            ),
                            row=row,
                            square=self.board.names[cell],
                        )
                    )
        there = sum(bool(setup.cells[cell]) for cell in self.board.row(foremost))
        if there != FRONT:
            faults.append(
                BadSetup(
                    gettext_noop("Row %(row)s takes three pieces, and %(count)s stand there."),
                    row=foremost,
                    count=there,
                )
            )
        return faults + super().setup_faults(setup, position)

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        men = [rank for troop in self.army for rank in troop.rank * troop.number]
        rng.shuffle(men)
        foremost, full = self._front(seat)
        places = rng.sample(self.board.row(foremost), FRONT)
        places += [cell for row in full for cell in self.board.row(row)]
        cells = bytearray(self.board.size)
        for cell, rank in zip(places, men, strict=True):
            cells[cell] = piece(seat, self.kinds[rank])
        return Setup(seat, bytes(cells))

    # --- words

    def interpret(self, position: Position, seat: Seat, path: Path) -> tuple[Move, ...]:
        if path.blown is not None:
            return ()
        if len(path.squares) == 3:
            return (Charge(*path.squares),)
        simple = super().interpret(position, seat, path)
        source, target = path.squares[0], path.squares[-1]
        if not simple or isinstance(simple[0], Walk) or target in self.ways.neighbours[source]:
            return simple
        # An attack on a piece that is not beside the attacker can only be a charge; the text
        # leaves out where it passes, which will do if there is one way only.
        vias = [via for via in self.ways.neighbours[target] if via is not None]
        return (*simple, *(Charge(source, via, target) for via in vias))

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if not isinstance(move, Charge):
            return super().explain(position, seat, move)
        names = self.board.names
        content = position.cells[move.target]
        facts = {"via": names[move.via], "target": names[move.target]}
        if refusal := self.explain_start(position, seat, move.source):
            return refusal
        if position.cells[move.source] & KIND == self.kinds[ARCHER]:
            return self._explain_archer(move.source)
        if position.cells[move.via] != EMPTY:
            return IllegalMove(
                gettext_noop("A charge leads to an empty square first, and %(via)s is not empty."),
                **facts,
            )
        if refusal := self.explain_way(position, seat, Walk(move.source, move.via)):
            return refusal
        if not is_piece(content) or owner(content) is seat:
            return IllegalMove(
                gettext_noop("A charge ends against an enemy, and none stands on %(target)s."),
                **facts,
            )
        if move.target not in self.ways.neighbours[move.via]:
            return IllegalMove(
                gettext_noop(
                    "A charge strikes a neighbour of its last square, and %(target)s is not"
                    " beside %(via)s."
                ),
                **facts,
            )
        return IllegalMove(
            gettext_noop(
                "In this edition a charge strikes straight on, and %(target)s does not lie"
                " straight on from %(via)s."
            ),
            **facts,
        )

    def explain_way(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        names = self.board.names
        facts = {"source": names[move.source], "target": names[move.target]}
        if not straight(self.board.stride, move.source, move.target):
            return IllegalMove(
                gettext_noop(
                    "Pieces go straight along a row or a file, and %(target)s is not in line with"
                    " %(source)s."
                ),
                **facts,
            )
        way = between(self.board.stride, move.source, move.target)
        if isinstance(move, Attack):
            if position.cells[move.source] & KIND == self.kinds[ARCHER]:
                return self._explain_archer(move.source)
            return IllegalMove(
                gettext_noop(
                    "An attack strikes the square beside the piece; to strike %(target)s from"
                    " %(source)s it has to charge."
                ),
                **facts,
            )
        if way and self.move == "step":
            return IllegalMove(
                gettext_noop(
                    "In this edition a piece moves one square, and %(target)s is farther from"
                    " %(source)s."
                ),
                **facts,
            )
        for cell in way:
            if position.cells[cell] != EMPTY:
                return IllegalMove(
                    gettext_noop(
                        "A piece cannot jump: on the way from %(source)s to %(target)s the square"
                        " %(square)s is not free."
                    ),
                    square=names[cell],
                    **facts,
                )
        return None

    def _explain_archer(self, source: int) -> Refusal:
        return IllegalMove(
            gettext_noop(
                "The Archer on %(square)s cannot attack; archers shoot by themselves before your"
                " turn."
            ),
            square=self.board.names[source],
        )


def _add(lost: BySeat[tuple[str, ...]], seat: Seat, text: str) -> BySeat[tuple[str, ...]]:
    return lost.put(seat, (*lost[seat], text))


def _shots(name: str) -> list[tuple[str, str]]:
    """The squares an archer on a square reaches; straight shots with the square they cross."""
    if not name:
        return []
    file, row = ord(name[0]), int(name[1:])
    straight_shots = [
        (f"{chr(file + 2 * x)}{row + 2 * y}", f"{chr(file + x)}{row + y}")
        for x, y in ((1, 0), (-1, 0), (0, 1), (0, -1))
    ]
    return straight_shots + [(f"{chr(file + x)}{row + y}", "") for x in (1, -1) for y in (1, -1)]


LONG = Tactique(key="tactique", title=gettext_noop("Tactique"))
STEP = replace(LONG, key="tactique-step", title=gettext_noop("Tactique, step by step"), move="step")
EDITIONS = (
    LONG,
    STEP,
    replace(
        LONG,
        key="tactique-convert",
        title=gettext_noop("Tactique, the demoted change sides"),
        convert=True,
    ),
    replace(
        STEP,
        key="tactique-step-convert",
        title=gettext_noop("Tactique, step by step, the demoted change sides"),
        convert=True,
    ),
    replace(
        LONG,
        key="tactique-straight",
        title=gettext_noop("Tactique, charges straight on"),
        charge="straight",
    ),
    replace(
        LONG,
        key="tactique-volley-all",
        title=gettext_noop("Tactique, all archers before every turn"),
        volley="all",
    ),
)
