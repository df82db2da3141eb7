"""Second reading of a match: every army that could have played it, tried one by one.

It shares nothing with the tracker and the dossier: each army is placed and plays the match by the
rules, and is possible if the seat would have seen the same.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields
from random import Random
from typing import ClassVar

from games.rules.core.basics.moves import Attack, Charge, Move
from games.rules.core.basics.pieces import Rank, Seat, Troop, is_piece, owner, piece
from games.rules.core.basics.termination import BoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.text.notation import remarks
from games.rules.registry import ruleset
from games.rules.systems.domino import Domino
from games.rules.systems.lattaque.game import Attaque
from games.rules.systems.tactique.game import Tactique

# That a match has not ended in one of these ways is no evidence here, as in the dossier.
NO_MOVES_LEFT = set(BoardTermination) - {BoardTermination.FLAG_CAPTURED}
BATTLES = 0.5  # how often a battle is chosen if there is one


def _army(game: type[Ruleset], numbers: Mapping[Rank, int]) -> tuple[Troop, ...]:
    """A game's army list with few pieces; the kinds of pieces stay those of the game."""
    return tuple(troop._replace(number=numbers.get(troop.rank, 0)) for troop in game.army)


class SmallAttaque(Attaque):
    """L'Attaque with seven pieces a side."""

    army: ClassVar[tuple[Troop, ...]] = _army(
        Attaque, {"M": 1, "K": 1, "E": 1, "R": 1, "B": 2, "F": 1}
    )


class SmallDomino(Domino):
    """Domino Stratego with six tiles, of which each side gets five."""

    army: ClassVar[tuple[Troop, ...]] = tuple(
        troop for troop in Domino.army if troop.rank in ("00", "66", "05", "13", "22", "46")
    )


class SmallTactique(Tactique):
    """Tactique with seven pieces a side."""

    army: ClassVar[tuple[Troop, ...]] = _army(Tactique, {"C": 1, "V": 1, "I": 2, "A": 2, "F": 1})


SMALL: dict[str, type[Ruleset]] = {
    "lattaque": SmallAttaque,
    "domino": SmallDomino,
    "tactique": SmallTactique,
}
UNDEALT = {"domino": 1}


def small(key: str, **options: bool | int | str) -> Ruleset:
    """An edition with a small army."""
    rules = ruleset(key, options)
    values = {field.name: getattr(rules, field.name) for field in fields(rules)}
    return SMALL[rules.family](**values)


def small_board(rules: Ruleset, rng: Random) -> Position:
    """Two small armies placed at random, close to each other."""
    cells = bytearray(rules.board.blank)
    for seat in Seat:
        ranks = _dealt(rules, rng)
        rows = sorted(rules.setup_rows(seat), reverse=seat is Seat.SOUTH)[:2]
        free = [cell for row in rows for cell in rules.board.row(row)]
        for cell, rank in zip(rng.sample(free, len(ranks)), ranks, strict=True):
            cells[cell] = piece(seat, rules.kinds[_turned(rank, rng, rules)])
    return rules.start(None)._replace(cells=bytes(cells), awaited=())


def _dealt(rules: Ruleset, rng: Random) -> list[Rank]:
    ranks = [troop.rank for troop in rules.army for _ in range(troop.number)]
    always = [rank for rank in ranks if rules.deal and rank in rules.deal.always]
    others = [rank for rank in ranks if rank not in always]
    rng.shuffle(others)
    return always + others[: len(others) - UNDEALT.get(rules.family, 0)]


def _turned(rank: Rank, rng: Random, rules: Ruleset) -> Rank:
    return rng.choice(rules.stands_as(rank, marked=False))


def random_moves(rules: Ruleset, start: Position, rng: Random, plies: int) -> list[Move]:
    """Moves of a match that is not over after them; battles are preferred."""
    position = start
    moves: list[Move] = []
    for _ in range(plies):
        legal = list(rules.legal_moves(position, position.turn))
        battles = [move for move in legal if isinstance(move, Attack | Charge)]
        rng.shuffle(legal)
        if battles and rng.random() < BATTLES:
            legal.insert(0, rng.choice(battles))
        for move in legal:
            after, _ = rules.apply(position, position.turn, move)
            if after.outcome is None:
                break
        else:
            return moves
        moves.append(move)
        position = after
    return moves


class SecondReading:
    """The armies with which the other side of a match could have played it, as a seat saw it."""

    def __init__(self, rules: Ruleset, start: Position, moves: Sequence[Move], seat: Seat) -> None:
        self.rules = rules
        self.viewpoint = Viewpoint.of_seat(seat)
        self.foe = seat.other
        self.start = start
        self.moves = moves
        self.seen: list[str] | None = None
        self.seen = self._seen_texts(start)
        assert self.seen is not None, "The true army can play its own match."

    def possible(self) -> dict[str, set[Rank]]:
        """The ranks of the army list that each enemy piece may have, by its first square."""
        names = self.rules.board.names
        cells = [
            cell
            for cell, content in enumerate(self.start.cells)
            if is_piece(content) and owner(content) is self.foe
        ]
        ranks_by_square: dict[str, set[Rank]] = defaultdict(set)
        for army in self._armies(len(cells)):
            placed = bytearray(self.start.cells)
            for cell, rank in zip(cells, army, strict=True):
                placed[cell] = piece(self.foe, self.rules.kinds[rank])
            if self._seen_texts(self.start._replace(cells=bytes(placed))) is not None:
                for cell, rank in zip(cells, army, strict=True):
                    ranks_by_square[names[cell]].add(self.rules.enlisted_as(rank, marked=False))
        return ranks_by_square

    def _armies(self, size: int) -> Iterator[tuple[Rank, ...]]:
        """Every order of every army that can be dealt, with every way to turn its pieces."""
        numbers = Counter({troop.rank: troop.number for troop in self.rules.army})
        always = self.rules.deal.always if self.rules.deal else ()

        def orders(places: int) -> Iterator[tuple[Rank, ...]]:
            if not places:
                if not any(numbers[rank] for rank in always):
                    yield ()
                return
            for rank in list(numbers):
                if numbers[rank]:
                    numbers[rank] -= 1
                    for others in orders(places - 1):
                        for turned in self.rules.stands_as(rank, marked=False):
                            yield (turned, *others)
                    numbers[rank] += 1

        return orders(size)

    def _seen_texts(self, position: Position) -> list[str] | None:
        """What the seat sees of the match with some army; None if the army cannot play it."""
        rules = self.rules
        texts: list[str] = []
        if rules.volleys:
            position, events = rules.volleys.before_first_move(position)
            if not self._sees_same(texts, position, events):
                return None
        for move in self.moves:
            position = position._replace(outcome=None)
            if not rules.is_legal(position, position.turn, move):
                return None
            position, events = rules.apply(position, position.turn, move)
            if not self._sees_same(texts, position, events):
                return None
        return texts

    def _sees_same(self, texts: list[str], position: Position, events: Sequence[Event]) -> bool:
        """Add what the seat sees of some events; False if it saw something else."""
        if position.outcome and position.outcome.reason not in NO_MOVES_LEFT:
            return False
        text = remarks(witness(events, self.viewpoint))
        if self.seen is not None and self.seen[len(texts)] != text:
            return False
        texts.append(text)
        return True
