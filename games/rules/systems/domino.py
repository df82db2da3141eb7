"""Domino Stratego: tiles with an attack and a defence number, and a 6-6 to destroy (D1 to D10)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import combinations_with_replacement, compress, product
from random import Random
from typing import Any, ClassVar

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Attack, Move, Setup, Walk
from games.rules.core.basics.options import choice
from games.rules.core.basics.pieces import KIND, BySeat, Rank, Seat, Troop, is_piece, owner, piece
from games.rules.core.basics.refusals import (
    BadPosition,
    BadSetup,
    IllegalMove,
    Refusal,
    gettext_noop,
)
from games.rules.core.basics.row_text import RowReader
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.termination import BoardTermination, Termination
from games.rules.core.ruleset.hidden_armies import HiddenArmies
from games.rules.core.ruleset.optional_parts import Deal, Memory
from games.rules.core.state.events import Clashed, Event
from games.rules.core.state.mobility import OPEN_OR_ENEMY
from games.rules.core.state.position import Outcome, Position

BOARD = Board(8, 10)
PIPS = "0123456"
RANKS = ("", *("".join(pips) for pips in product(PIPS, repeat=2)))
SET = tuple("".join(pips) for pips in combinations_with_replacement(PIPS, 2))
DEALT_ALWAYS = ("00", "66")
DEALT_BY_LOT = tuple(tile for tile in SET if tile not in DEALT_ALWAYS)
ASIDE = 4  # tiles of each set that are out of play (D2)
VACANT = "--"  # an empty square of an unfinished set-up; a digit would be half a tile
UNDEALT: BySeat[tuple[Rank, ...] | None] = BySeat(None, None)


class DominoTermination(Termination):
    """Endings of domino Stratego: one 6-6 or both are destroyed (D7)."""

    SIXES = "6-6 destroyed"
    BOTH_SIXES = "both 6-6 destroyed"


def low_end_first(rank: Rank) -> Rank:
    """A tile's rank in the army list: the smaller number first."""
    return min(rank, rank[::-1])


def name(rank: Rank) -> str:
    """A tile's name: `4-0`."""
    return f"{rank[0]}-{rank[1]}"


def tiles_on_board(cells: bytes, seat: Seat) -> list[Rank]:
    """A side's tiles on the board, in the ranks of the army list."""
    return [
        low_end_first(RANKS[content & KIND])
        for content in cells
        if is_piece(content) and owner(content) is seat
    ]


class TileDeal(Deal):
    """The deal: four tiles of each set are out of play (D2)."""

    always = DEALT_ALWAYS

    def aside(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        return position.memory[seat] or ()

    def set_aside(self, position: Position, aside: BySeat[tuple[Rank, ...]]) -> Position:
        return position._replace(memory=aside)


class TilesAside(Memory):
    """`Position.memory`: the tiles set aside, by seat; None where nothing was dealt."""

    def write(self, position: Position) -> list[str]:
        if position.memory == UNDEALT:
            return []
        return ["aside=" + "/".join("".join(tiles or "-") for tiles in position.memory)]

    def read(self, fields: list[str]) -> Any:
        if not fields:
            return UNDEALT
        south, _, north = fields[0].removeprefix("aside=").partition("/")
        if len(fields) > 1 or not fields[0].startswith("aside="):
            raise BadPosition(
                gettext_noop("“%(field)s” is not part of a position of this game."),
                field=fields[-1][:20],
            )
        return BySeat(_read_aside(south), _read_aside(north))

    def imagined(
        self,
        cells: bytes,
        fallen: BySeat[tuple[Rank | None, ...]],
        aside: BySeat[tuple[Rank, ...] | None],
        notes: Sequence[Sentence],
    ) -> Any:
        def aside_of(seat: Seat) -> tuple[Rank, ...]:
            known = aside[seat]
            if known is not None:
                return known
            in_play = {*fallen[seat], *tiles_on_board(cells, seat)}
            return tuple(tile for tile in SET if tile not in in_play)

        return BySeat(aside_of(Seat.SOUTH), aside_of(Seat.NORTH))


DEAL = TileDeal()
MEMORY = TilesAside()


@dataclass(frozen=True, kw_only=True)
class Domino(HiddenArmies):
    """Ruleset of domino Stratego."""

    winner: str = choice(
        "winner",
        gettext_noop("The winner's place"),
        gettext_noop("Where an attacker stands after winning a battle."),
        ("advance", gettext_noop("A winning attacker takes the loser's square.")),
        ("return", gettext_noop("A winning attacker goes back to where it came from.")),
    )

    family: ClassVar[str] = "domino"
    vital: ClassVar[tuple[Rank, ...]] = ("66",)
    depth: ClassVar[int] = 3
    terminations: ClassVar[tuple[Termination, ...]] = (
        *DominoTermination,
        *(ending for ending in BoardTermination if ending is not BoardTermination.FLAG_CAPTURED),
    )
    army: ClassVar[tuple[Troop, ...]] = tuple(Troop(tile, 1, name(tile)) for tile in SET)
    plurals: ClassVar[Mapping[Rank, str]] = {}

    @property
    def board(self) -> Board:
        return BOARD

    # --- tiles and their texts

    @cached_property
    def ranks(self) -> tuple[Rank, ...]:
        return RANKS

    @cached_property
    def piece_names(self) -> dict[Rank, str]:
        return {rank: name(rank) for rank in self.kinds}

    def face(self, seat: Seat, rank: Rank | None, marked: bool) -> str:
        return f"[{rank or '??'}]" if seat is Seat.SOUTH else f"<{rank or '??'}>"

    def setup_faces(self, seat: Seat) -> Mapping[str, int]:
        return {VACANT: EMPTY, **super().setup_faces(seat)}

    def read_setup_row(self, seat: Seat, text: str) -> list[int]:
        return RowReader(self.setup_faces(seat), runs=False, water=False).read(text)

    # --- the deal

    @property
    def deal(self) -> Deal:
        return DEAL

    @property
    def memory(self) -> Memory:
        return MEMORY

    def start(self, rng: Random | None) -> Position:
        aside = UNDEALT if rng is None else BySeat(draw_aside(rng), draw_aside(rng))
        return super().start(rng)._replace(memory=aside)

    def hand(self, position: Position, seat: Seat) -> tuple[Rank, ...]:
        aside = position.memory[seat]
        if seat not in position.awaited or aside is None:
            return ()
        return tuple(tile for tile in SET if tile not in aside)

    def fallen(self, position: Position, seat: Seat) -> tuple[tuple[Rank, bool], ...]:
        aside = position.memory[seat]
        if position.awaited or aside is None:
            return ()
        remaining = {*aside, *tiles_on_board(position.cells, seat)}
        return tuple((tile, True) for tile in SET if tile not in remaining)

    def setup_faults(self, setup: Setup, position: Position | None = None) -> list[BadSetup]:
        tiles = tiles_on_board(setup.cells, setup.seat)
        faults = [
            BadSetup(
                gettext_noop("The tile %(tile)s is on the board more than once."),
                tile=name(tile),
            )
            for tile in SET
            if tiles.count(tile) > 1
        ]
        aside = position.memory[setup.seat] if position else None
        if aside is None:
            faults += [
                BadSetup(gettext_noop("The tile %(tile)s must be in every army."), tile=name(tile))
                for tile in DEALT_ALWAYS
                if tile not in tiles
            ]
            if len(tiles) < len(SET) - ASIDE:
                faults.append(BadSetup(gettext_noop("Every square of the rows must hold a tile.")))
            return faults
        faults += [
            BadSetup(gettext_noop("The tile %(tile)s was not dealt to you."), tile=name(tile))
            for tile in aside
            if tile in tiles
        ]
        in_hand = [name(tile) for tile in SET if tile not in (*aside, *tiles)]
        if in_hand:
            faults.append(
                BadSetup(gettext_noop("Left to place: %(tiles)s."), tiles=", ".join(in_hand))
            )
        return faults

    def deploy(self, position: Position, setup: Setup) -> Position:
        tiles = tiles_on_board(setup.cells, setup.seat)
        left = tuple(tile for tile in SET if tile not in tiles)
        after = super().deploy(position, setup)
        return after._replace(memory=position.memory.put(setup.seat, left))

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        aside = position.memory[seat] or draw_aside(rng)
        tiles = [tile for tile in SET if tile not in aside]
        rng.shuffle(tiles)
        cells = bytearray(self.board.size)
        for square, tile in zip(self.zone(seat), tiles, strict=True):
            turned = tile if rng.random() < 0.5 else tile[::-1]
            cells[self.board.index[square]] = piece(seat, self.kinds[turned])
        return Setup(seat, bytes(cells))

    def enlisted_as(self, rank: Rank, *, marked: bool) -> Rank:
        return low_end_first(rank)

    def stands_as(self, rank: Rank, *, marked: bool) -> tuple[Rank, ...]:
        if marked:
            return ()
        return (rank,) if rank[0] == rank[1] else (rank, rank[::-1])

    # --- moves and battles

    def pseudo_legal_moves(self, cells: bytes, seat: Seat) -> list[Move]:
        around = self.mobility.around(cells, self.movers[seat], OPEN_OR_ENEMY[seat])
        steps = self.mobility.steps
        moves: list[Move] = []
        for cell in compress(self.mobility.every, around):
            moves += steps[cell][around[cell]]
        return moves

    @cached_property
    def battles(self) -> tuple[str, ...]:
        """The result of each battle, `+` `-` or `=`, by kind of attacker * 64 + defender."""
        results = [""] * 64 * 64
        for attacker, defender in product(self.kinds, repeat=2):
            results[self.kinds[attacker] * 64 + self.kinds[defender]] = _battle(attacker, defender)
        return tuple(results)

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Walk):
            return self.walk(position, seat, move)
        if isinstance(move, Attack):
            return self._attack(position, seat, move)
        raise TypeError(f"{type(move).__name__} is no move of domino Stratego.")

    def _attack(
        self, position: Position, seat: Seat, move: Attack
    ) -> tuple[Position, tuple[Event, ...]]:
        source, target = move.source, move.target
        cells = bytearray(position.cells)
        attacker, defender = cells[source], cells[target]
        ranks = self.ranks[attacker & KIND], self.ranks[defender & KIND]
        result = self.battles[(attacker & KIND) * 64 + (defender & KIND)]
        cells[source] = EMPTY
        if result != "-":
            cells[target] = EMPTY
        if result == "+":
            cells[source if self.winner == "return" else target] = attacker
        outcome = _outcome(seat, ranks, result)
        names = self.board.names
        clash = Clashed(seat, names[source], names[target], *ranks, "#" if outcome else result)
        return self.finish(
            position,
            bytes(cells),
            0,
            (clash,),
            self.shuttled(position.shuttles, seat, move),
            position.memory,
            outcome=outcome,
        )

    def objection(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        if move.target in self.mobility.neighbours[move.source]:
            return None
        return IllegalMove(
            gettext_noop(
                "A tile moves one square forward, backward or sideways, and %(target)s is not "
                "beside %(source)s."
            ),
            source=self.board.names[move.source],
            target=self.board.names[move.target],
        )


def draw_aside(rng: Random) -> tuple[Rank, ...]:
    """The four tiles to set aside, drawn uniformly (D2)."""
    return tuple(sorted(rng.sample(DEALT_BY_LOT, ASIDE)))


def _battle(attacker: Rank, defender: Rank) -> str:
    """The result of a battle: attack against defence, but the 0-0 always beats the 6-6 (D5, D6)."""
    if attacker == "00" and defender == "66":
        return "+"
    if attacker == "66" and defender == "00":
        return "-"
    attack, defence = attacker[0], defender[1]
    if attack == defence:
        return "="
    return "+" if attack > defence else "-"


def _outcome(seat: Seat, ranks: tuple[Rank, Rank], result: str) -> Outcome | None:
    """The outcome of a battle in which a 6-6 was destroyed, else None (D7)."""
    attacker_gone = result != "+" and ranks[0] == "66"
    defender_gone = result != "-" and ranks[1] == "66"
    if attacker_gone and defender_gone:
        return Outcome(None, DominoTermination.BOTH_SIXES)
    if attacker_gone or defender_gone:
        return Outcome(seat if defender_gone else seat.other, DominoTermination.SIXES)
    return None


def _read_aside(text: str) -> tuple[Rank, ...] | None:
    if text == "-":
        return None
    tiles = tuple(text[start : start + 2] for start in range(0, len(text), 2))
    if len(tiles) != ASIDE or not set(tiles) <= set(DEALT_BY_LOT):
        raise BadPosition(
            gettext_noop("“%(text)s” does not name four tiles set aside."), text=text[:20]
        )
    return tiles


PLAIN = Domino(
    key="domino",
    title=gettext_noop("Domino Stratego"),
    about=gettext_noop(
        "Armies of dominoes, dealt at random; a tile that wins by attacking takes the loser's "
        "square."
    ),
)
EDITIONS = (
    PLAIN,
    replace(
        PLAIN,
        key="domino-return",
        title=gettext_noop("Domino Stratego, winners go back"),
        about=gettext_noop(
            "As Domino Stratego, but a tile that wins by attacking goes back to where it came from."
        ),
        winner="return",
    ),
)
