"""Tactique: turns, set-ups and editions (T1 to T14)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from random import Random
from typing import Any, ClassVar

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Attack, Charge, Move, Setup, Walk
from games.rules.core.basics.options import choice
from games.rules.core.basics.pieces import NORTHERN, BySeat, Rank, Seat, Troop, piece
from games.rules.core.basics.refusals import BadPosition, BadSetup, Refusal, gettext_noop
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import BoardTermination, Termination
from games.rules.core.ruleset import why_illegal
from games.rules.core.ruleset.base import Path
from games.rules.core.ruleset.hidden_armies import HiddenArmies, two_square
from games.rules.core.ruleset.optional_parts import Memory
from games.rules.core.state.events import Clashed, Converted, Event, Walked
from games.rules.core.state.mobility import ALL_DIRECTIONS, ALL_OPEN, OPEN_OR_ENEMY
from games.rules.core.state.position import STILL, Outcome, Position, Shuttle
from games.rules.systems.tactique.archers import Archers
from games.rules.systems.tactique.move_tables import MoveTables
from games.rules.systems.tactique.pieces import (
    ARCHER,
    ARMY,
    BOARD,
    DEMOTED_SIGN,
    DEMOTION,
    FLAG,
    FRONT,
    HIGHER,
    LOWER,
    NO_LOSSES,
    PLURALS,
    RANKS,
    SPENT,
    UNNAMED,
    Losses,
    TactiqueTermination,
    add_loss,
    battle,
    declared,
    read_losses,
    write_losses,
)
from games.rules.systems.tactique.volleys import ArcherVolleys
from games.rules.systems.tactique.why_illegal import why_no_charge, why_no_move


class LostPieces(Memory):
    """`Position.memory`: the losses of both sides."""

    def write(self, position: Position) -> list[str]:
        return [] if position.memory == NO_LOSSES else [write_losses(position.memory)]

    def read(self, fields: list[str]) -> Any:
        losses = read_losses(fields[0]) if fields else NO_LOSSES
        if losses is None or len(fields) > 1:
            raise BadPosition(
                gettext_noop("“%(field)s” is not part of a position of this game."),
                field=fields[-1][:20],
            )
        return losses

    def imagined(
        self,
        cells: bytes,
        fallen: BySeat[tuple[Rank | None, ...]],
        aside: BySeat[tuple[Rank, ...] | None],
        notes: Sequence[Sentence],
    ) -> Any:
        south, north = (
            tuple(ARCHER + UNNAMED if rank is None else rank for rank in lost) for lost in fallen
        )
        return BySeat(south, north)


LOST_PIECES = LostPieces()


@dataclass(frozen=True, kw_only=True)
class Tactique(HiddenArmies):
    """Ruleset of Tactique."""

    two_square: int = two_square(2, 3, 0)
    move: str = choice(
        "move",
        gettext_noop("Moves"),
        gettext_noop("How far a piece moves in a turn, and before it strikes in a charge."),
        ("long", gettext_noop("A piece moves any number of free squares straight on.")),
        ("step", gettext_noop("A piece moves one square.")),
    )
    charge: str = choice(
        "charge",
        gettext_noop("Charges"),
        gettext_noop("Which way a charge may strike after its move."),
        ("any", gettext_noop("A charge may strike at any neighbour of its last square.")),
        ("straight", gettext_noop("A charge strikes straight on only.")),
    )
    convert: bool = choice(
        "convert",
        gettext_noop("Changing sides"),
        gettext_noop("What becomes of a piece that is demoted in a battle."),
        (False, gettext_noop("A demoted piece stays on its side.")),
        (True, gettext_noop("A piece demoted in a battle changes sides.")),
    )
    volley: str = choice(
        "volley",
        gettext_noop("Volleys"),
        gettext_noop("Whose archers shoot before a turn."),
        ("own", gettext_noop("Archers shoot at the start of their own side's turn.")),
        ("all", gettext_noop("The archers of both sides shoot before every turn.")),
    )
    volley_first: bool = choice(
        "volley_first",
        gettext_noop("The first volley"),
        gettext_noop("Whether archers shoot before anybody has moved."),
        (True, gettext_noop("Archers shoot before the very first move, too.")),
        (False, gettext_noop("Archers do not shoot before the very first move.")),
    )
    archer_los: bool = choice(
        "archer_los",
        gettext_noop("Line of sight"),
        gettext_noop("Whether a piece in between blocks a straight shot."),
        (False, gettext_noop("Archers shoot over the square in between.")),
        (True, gettext_noop("A straight shot needs an empty square in between.")),
    )
    multi_hit: str = choice(
        "multi_hit",
        gettext_noop("Several archers"),
        gettext_noop("How often a volley hits a piece that several archers reach."),
        ("each", gettext_noop("Every archer that reaches a piece hits it.")),
        ("once", gettext_noop("A piece is hit at most once in a volley.")),
    )
    volley_flag: bool = choice(
        "volley_flag",
        gettext_noop("Arrows and the flag"),
        gettext_noop("Whether archers may shoot the flag."),
        (False, gettext_noop("Archers never hit a flag.")),
        (True, gettext_noop("Archers may shoot the flag, and that wins the game.")),
    )
    d1_takes_archer: bool = choice(
        "d1_takes_archer",
        gettext_noop("Against archers"),
        gettext_noop("What happens when a demoted piece of rank 1 attacks an archer."),
        (True, gettext_noop("A demoted piece of rank 1 captures an archer.")),
        (False, gettext_noop("A demoted piece of rank 1 and an archer are both captured.")),
    )

    family: ClassVar[str] = "tactique"
    vital: ClassVar[tuple[Rank, ...]] = (FLAG,)
    mark: ClassVar[str] = "demoted"
    mark_sign: ClassVar[str] = DEMOTED_SIGN
    depth: ClassVar[int] = 4
    terminations: ClassVar[tuple[Termination, ...]] = (*BoardTermination, *TactiqueTermination)
    army: ClassVar[tuple[Troop, ...]] = ARMY
    plurals: ClassVar[Mapping[Rank, str]] = PLURALS

    @property
    def board(self) -> Board:
        return BOARD

    @cached_property
    def ranks(self) -> tuple[Rank, ...]:
        return RANKS

    @cached_property
    def piece_names(self) -> dict[Rank, str]:
        return super().piece_names | {SPENT: gettext_noop("Spent Infantry")}

    @cached_property
    def faces(self) -> dict[str, int]:
        fresh = [(troop.rank, False) for troop in ARMY]
        demoted = [(rank, True) for rank in LOWER.values()]
        return {
            self.face(seat, rank, marked): piece(seat, self.kinds[rank], marked=marked)
            for seat in Seat
            for rank, marked in fresh + demoted
        }

    def setup_faces(self, seat: Seat) -> Mapping[str, int]:
        return {troop.rank: piece(seat, self.kinds[troop.rank]) for troop in ARMY}

    # --- a turn

    def directions_of(self, seat: Seat, kind: int) -> int:
        rank = RANKS[kind] if kind < len(RANKS) else FLAG
        if rank == FLAG:
            return 0
        return ALL_OPEN if rank == ARCHER else ALL_DIRECTIONS

    @cached_property
    def move_tables(self) -> MoveTables:
        """The tables of moves under these options."""
        return MoveTables(
            BOARD, step_by_step=self.move == "step", straight_on=self.charge == "straight"
        )

    @cached_property
    def archers(self) -> Archers:
        """The tables of volleys under these options."""
        return Archers(
            BOARD,
            both_sides=self.volley == "all",
            hit_flag=self.volley_flag,
            blocked=self.archer_los,
            every_hit=self.multi_hit == "each",
        )

    @cached_property
    def volleys(self) -> ArcherVolleys:
        return ArcherVolleys(self.archers, first=self.volley_first)

    def pseudo_legal_moves(self, cells: bytes, seat: Seat) -> list[Move]:
        return self.move_tables.actions(cells, self.movers[seat], OPEN_OR_ENEMY[seat])

    def shuttled(
        self, shuttles: BySeat[Shuttle], seat: Seat, move: Walk | Attack | Charge
    ) -> BySeat[Shuttle]:
        if isinstance(move, Walk):
            return super().shuttled(shuttles, seat, move)
        return shuttles.put(seat, STILL)

    def repeats(self, move: Move, shuttle: Shuttle) -> bool:
        return isinstance(move, Walk) and super().repeats(move, shuttle)

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Walk):
            return self._march(position, seat, move)
        if isinstance(move, Attack):
            return self._strike(position, seat, move.source, move.source, move.target)
        if isinstance(move, Charge):
            return self._strike(position, seat, move.source, move.via, move.target)
        raise TypeError(f"{type(move).__name__} is no move of Tactique.")

    def _march(
        self, position: Position, seat: Seat, move: Walk
    ) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        cells[move.target] = cells[move.source]
        cells[move.source] = EMPTY
        events = self.walked[seat][move.source << 8 | move.target]
        shuttles = self.shuttled(position.shuttles, seat, move)
        quiet = position.quiet + 1
        return self._pass(position, cells, quiet, events, shuttles, position.memory)

    def _strike(
        self, position: Position, seat: Seat, source: int, via: int, target: int
    ) -> tuple[Position, tuple[Event, ...]]:
        cells = bytearray(position.cells)
        names = self.board.names
        attacker, defender = cells[source], cells[target]
        result = battle(attacker, defender, spent_takes_archer=self.d1_takes_archer)
        clash = Clashed(
            seat, names[via], names[target], declared(attacker), declared(defender), result
        )
        events: tuple[Event, ...] = (clash,)
        if via != source:
            events = (Walked(seat, names[source], names[via]), clash)
        cells[source] = EMPTY
        cells[via] = attacker
        losses: Losses = position.memory
        if result in ("+", "#", "="):
            cells[target] = EMPTY
            losses = add_loss(losses, seat.other, defender, known=True)
        if result in ("-", "="):
            cells[via] = EMPTY
            losses = add_loss(losses, seat, attacker, known=True)
        if result in ("+", "#"):
            cells[via] = EMPTY
            cells[target] = attacker
        if result in ("+d", "-d"):
            loser = target if result == "+d" else via
            cells[loser] = DEMOTION[cells[loser]]
            if self.convert:
                cells[loser] ^= NORTHERN
                events = (*events, Converted(seat if loser == target else seat.other, names[loser]))
        outcome = Outcome(seat, BoardTermination.FLAG_CAPTURED) if result == "#" else None
        # Only whether it is an attack counts here, not of which kind.
        shuttles = self.shuttled(position.shuttles, seat, Attack(source, target))
        return self._pass(position, cells, 0, events, shuttles, losses, outcome)

    def _pass(
        self,
        position: Position,
        cells: bytearray,
        quiet: int,
        events: tuple[Event, ...],
        shuttles: BySeat[Shuttle],
        losses: Losses,
        outcome: Outcome | None = None,
    ) -> tuple[Position, tuple[Event, ...]]:
        """End a turn: the archers shoot (T8), then the end tests are applied (C6, C7)."""
        if outcome is None:
            hits = self.archers.hits(cells, position.turn.other)
            if hits:
                quiet = 0
                volley, losses, outcome = self.archers.shoot(cells, hits, losses)
                events = (*events, volley)
        return self.finish(position, bytes(cells), quiet, events, shuttles, losses, outcome)

    # --- losses

    @property
    def memory(self) -> Memory:
        return LOST_PIECES

    def start(self, rng: Random | None) -> Position:
        return super().start(rng)._replace(memory=NO_LOSSES)

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        return tuple(
            (text.removesuffix(UNNAMED), not text.endswith(UNNAMED))
            for text in position.memory[seat]
        )

    def enlisted_as(self, rank: Rank, *, marked: bool) -> Rank:
        return HIGHER[rank] if marked else rank

    def stands_as(self, rank: Rank, *, marked: bool) -> tuple[Rank, ...]:
        if not marked:
            return (rank,)
        return (LOWER[rank],) if rank in LOWER else ()

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
                                "Row %(row)s must be full, and square %(square)s is empty."
                            ),
                            row=row,
                            square=self.board.names[cell],
                        )
                    )
        placed = sum(bool(setup.cells[cell]) for cell in self.board.row(foremost))
        if placed != FRONT:
            faults.append(
                BadSetup(
                    gettext_noop("Row %(row)s needs three pieces, and it has %(count)s."),
                    row=foremost,
                    count=placed,
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
        if path.huffed is not None:
            return ()
        if len(path.squares) == 3:
            return (Charge(*path.squares),)
        simple = super().interpret(position, seat, path)
        source, target = path.squares[0], path.squares[-1]
        if not simple or isinstance(simple[0], Walk) or target in self.mobility.neighbours[source]:
            return simple
        # An attack on a piece that is not next to the attacker can only be a charge. The text
        # leaves out the square before it, which is enough if only one is possible.
        vias = [via for via in self.mobility.neighbours[target] if via is not None]
        return (*simple, *(Charge(source, via, target) for via in vias))

    def explain(self, position: Position, seat: Seat, move: Move) -> Refusal:
        if not isinstance(move, Charge):
            return super().explain(position, seat, move)
        mobile = bool(self.movers[seat][position.cells[move.source]])
        return why_illegal.wrong_start(
            self, position, seat, move.source, mobile=mobile
        ) or why_no_charge(self, position, seat, move, step_by_step=self.move == "step")

    def objection(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        return why_no_move(self, position, move, step_by_step=self.move == "step")


LONG = Tactique(
    key="tactique",
    title=gettext_noop("Tactique"),
    about=gettext_noop(
        "Pieces go any number of free squares straight on, and losers are demoted before they "
        "are captured."
    ),
)
STEP = replace(
    LONG,
    key="tactique-step",
    title=gettext_noop("Tactique, step by step"),
    about=gettext_noop("As Tactique, but every move is one square, in a charge as well."),
    move="step",
)
EDITIONS = (
    LONG,
    STEP,
    replace(
        LONG,
        key="tactique-convert",
        title=gettext_noop("Tactique, the demoted change sides"),
        about=gettext_noop("As Tactique, but a piece that is demoted in a battle changes sides."),
        convert=True,
    ),
    replace(
        STEP,
        key="tactique-step-convert",
        title=gettext_noop("Tactique, step by step, the demoted change sides"),
        about=gettext_noop(
            "Every move is one square, and a piece that is demoted in a battle changes sides."
        ),
        convert=True,
    ),
    replace(
        LONG,
        key="tactique-straight",
        title=gettext_noop("Tactique, charges straight on"),
        about=gettext_noop("As Tactique, but a charge strikes straight on, never round a corner."),
        charge="straight",
    ),
    replace(
        LONG,
        key="tactique-volley-all",
        title=gettext_noop("Tactique, all archers before every turn"),
        about=gettext_noop("As Tactique, but before every turn the archers of both sides shoot."),
        volley="all",
    ),
)
