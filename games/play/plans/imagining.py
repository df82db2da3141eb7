"""Imagined turns: what may happen on the board, as far as the player of a plan can imagine.

Everything is made from the player's own observation. For one line at most POSITIONS positions are
imagined, and for a whole plan at most PLAN_POSITIONS; after that `Enough` is raised, and the line
is not refused.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property
from itertools import chain, islice, product
from typing import NamedTuple

from games.play.plans.game_spelling import squares_of
from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import MARKED, Rank, Seat, is_piece, owner, piece
from games.rules.core.basics.refusals import IllegalMove, Refusal, gettext_noop
from games.rules.core.imagined_positions import Imagined, imagine, play_on, remaining
from games.rules.core.observation import Observation, observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import (
    Annotated,
    annotate,
    read_annotated,
    read_move,
    write_move,
)

POSITIONS = 64  # imagined for one line, at most
PLAN_POSITIONS = 640  # for all lines of a plan; most are settled by the first few
LISTED_MOVES = 400  # of one position; chains of captures may be thousands
MAX_DOUBTFUL = 3  # pieces of which each fate is tried
REACH = 2  # steps along rows and files between an archer of Tactique and what it hits


class Enough(Exception):  # noqa: N818 - it ends a search, and is no error.
    """A line was checked on as many positions as are allowed."""


class Budget:
    """How many positions may still be imagined, for a plan and for one of its lines."""

    def __init__(self) -> None:
        self._left_for_plan = PLAN_POSITIONS
        self._left_for_line = POSITIONS

    def begin_line(self) -> None:
        """Count the positions of another line."""
        self._left_for_line = POSITIONS

    def spend(self) -> None:
        """Count one position; raises Enough when none is left."""
        if not (self._left_for_plan and self._left_for_line):
            raise Enough
        self._left_for_plan -= 1
        self._left_for_line -= 1


class NotAsWritten(IllegalMove):
    """A move that would be another one: a dash onto a piece, a cross onto an empty square."""


class Turn(NamedTuple):
    """An imagined turn: its annotated text, and the position after it."""

    text: str
    after: Imagined


def legal_as_written(rules: Ruleset, position: Imagined, seat: Seat, text: str) -> Move:
    """The legal move of a canonical text; raises a Refusal if the text would mean another move."""
    move = read_move(rules, position, seat, text)
    canonical = write_move(rules, move)
    if canonical != text:
        raise NotAsWritten(
            gettext_noop(
                "In that position %(move)s would be %(canonical)s: a dash is a move to an empty "
                "square, an x an attack."
            ),
            move=text,
            canonical=canonical,
        )
    return move


@cache
def within_reach(board: Board, square: str) -> frozenset[str]:
    """The squares from which an archer of Tactique hits a square, as far as steps count."""
    row, file = board.places[square]
    return frozenset(
        other
        for other, (there, along) in board.places.items()
        if abs(row - there) + abs(file - along) == REACH
    )


class Imagination:
    """What one player can imagine of the hidden pieces on the board that they see."""

    def __init__(self, rules: Ruleset, observation: Observation) -> None:
        seat = observation.viewpoint.seat
        if seat is None:
            raise ValueError("Only players have plans.")
        self.rules = rules
        self.observation = observation
        self.seat: Seat = seat
        self.unknown = {  # by square: whether the piece is marked
            square: bool(piece.marks)
            for square, piece in observation.pieces.items()
            if piece.rank is None
        }
        # Of _squares_of, _away and _stands: many positions are imagined for one line.
        self._squares: dict[str, tuple[str, ...]] = {}
        self._steps_away: dict[tuple[str, ...], dict[str, int]] = {}
        self._standing: dict[bool, dict[Rank, tuple[Rank, ...]]] = {}

    # --- hidden pieces

    @cached_property
    def left(self) -> Counter[Rank]:
        """What the opponent's unknown pieces may be, in lines of the army list.

        It follows from the board and the list of the fallen, and from no battle remembered.
        """
        return remaining(self.rules, self.observation)[self.seat.other]

    @cached_property
    def changes_sides(self) -> bool:
        """Whether pieces may change sides, an option of Tactique."""
        return bool(self.rules.options.get("convert"))

    @cached_property
    def is_shot_at(self) -> bool:
        """Whether the enemy's archers shoot before the own turn too, an option of Tactique."""
        return self.rules.options.get("volley") == "all"

    def candidates(self, square: str) -> tuple[Rank, ...]:
        """The ranks that the unknown piece on a square may have."""
        marked = self.unknown[square]
        # A piece that has changed sides is in no line of its new army.
        foreign = self.changes_sides and marked
        return tuple(
            rank
            for troop in self.rules.army
            if foreign or self.left[troop.rank] > 0
            for rank in self.rules.stands_as(troop.rank, marked=marked)
        )

    def positions(self, pins: Mapping[str, Rank], near: Sequence[str]) -> Iterator[Imagined]:
        """Imagined positions with some ranks pinned.

        Of what the player's own archers hit, an archer falls at once, and a flag never. So the
        unknown pieces on the squares of `near` are archers, flags or others, in all ways for the
        first few of them; other archers stand away from these squares. Raises Enough if there are
        more.
        """
        volleys = self.rules.volleys
        if not volleys or not self.unknown:
            yield self._filled(pins, set(), near)
            return
        doubtful = [
            square
            for square in dict.fromkeys(near)
            if square not in pins and not self.unknown.get(square, True)
        ]
        special = (volleys.shooter, *self.rules.vital)
        fates: tuple[Rank | None, ...] = (None, *special)
        for chosen in product(fates, repeat=min(len(doubtful), MAX_DOUBTFUL)):
            named = {square: rank for square, rank in zip(doubtful, chosen, strict=False) if rank}
            counts = Counter(named.values())
            if all(number <= self.left[rank] for rank, number in counts.items()):
                others = set(doubtful) - named.keys()
                yield self._filled({**named, **pins}, others, near)
        if len(doubtful) > MAX_DOUBTFUL:
            raise Enough

    def hit(self, turn: Turn, near: Sequence[str], budget: Budget) -> Iterator[Imagined]:
        """The position after a turn, and what it may be if the enemy's archers hit other pieces.

        Each own piece on the squares of `near` that an archer may reach is as it was, demoted, or
        removed. Raises Enough if there are more than a few of them.
        """
        after, index = turn.after, self.rules.board.index
        yield after
        move = read_annotated(self.rules, turn.text)
        fates = [
            (index[square], self._after_hits(content))
            for square in dict.fromkeys(near)
            if (content := self._before_hits(square, move, after)) and self._in_reach(square, after)
        ]
        for contents in product(*(left for _, left in fates[:MAX_DOUBTFUL])):
            budget.spend()
            cells = bytearray(after.cells)
            for (cell, _), content in zip(fates, contents, strict=False):
                cells[cell] = content
            yield after._replace(cells=bytes(cells), listed=None)
        if len(fates) > MAX_DOUBTFUL:
            raise Enough

    def _before_hits(self, square: str, move: Annotated, after: Imagined) -> int:
        """The own piece on a square after a turn, as if no archer had hit it; EMPTY for none.

        Raises Enough where an archer removed a piece that had fought.
        """
        source = square
        if square in move.path:
            if move.attack or square != move.target:
                if (square, True) in move.volley:
                    raise Enough  # The board does not show what the battle had left there.
                content = after.cells[self.rules.board.index[square]]
                return content if is_piece(content) and owner(content) is self.seat else EMPTY
            source = move.path[0]
        seen = self.observation.pieces.get(source)
        if seen is None or seen.rank is None or seen.seat is not self.seat:
            return EMPTY
        return piece(seen.seat, self.rules.kinds[seen.rank], marked=bool(seen.marks))

    def _own_archers(self, move: str, near: Sequence[str]) -> list[str]:
        """The squares of own archers, after an own move, that hit some others unless they fall."""
        volleys, path = self.rules.volleys, read_annotated(self.rules, move).path
        archers = (
            path[-1] if square == path[0] else square
            for square, seen in self.observation.pieces.items()
            if volleys and seen.seat is self.seat and seen.rank == volleys.shooter
        )
        return [
            square
            for square in archers
            if not within_reach(self.rules.board, square).isdisjoint(near)
        ]

    def _in_reach(self, square: str, after: Imagined) -> bool:
        """Whether a piece of the enemy may hit a square at the end of a turn, as an archer.

        All archers shoot at once, so those that fall then count too.
        """
        volleys, index = self.rules.volleys, self.rules.board.index
        if not volleys or not self.left[volleys.shooter]:
            return False
        return any(
            self.unknown.get(other) is False or self._is_unmarked_enemy(after.cells[index[other]])
            for other in within_reach(self.rules.board, square)
        )

    def _is_unmarked_enemy(self, content: int) -> bool:
        return is_piece(content) and owner(content) is not self.seat and not content & MARKED

    def _after_hits(self, content: int) -> tuple[int, ...]:
        """An own piece, and what hits may leave of it."""
        rank = self.rules.rank_of(content)
        if rank in self.rules.vital:
            return (content,)
        demoted = () if content & MARKED else self.rules.stands_as(rank, marked=True)
        kinds = (piece(self.seat, self.rules.kinds[lower], marked=True) for lower in demoted)
        return (content, *kinds, EMPTY)

    def _steps(self, square: str, near: Sequence[str]) -> int:
        """The steps along rows and files from a square to the nearest of some others."""
        places = self.rules.board.places
        row, file = places[square]
        others = [places[other] for other in near]
        return min([abs(row - there) + abs(file - along) for there, along in others], default=0)

    def _away(self, near: Sequence[str]) -> dict[str, int]:
        """The steps from each unknown piece to the nearest of some squares."""
        key = tuple(near)
        if key not in self._steps_away:
            self._steps_away[key] = {square: self._steps(square, key) for square in self.unknown}
        return self._steps_away[key]

    def _stands(self, *, marked: bool) -> dict[Rank, tuple[Rank, ...]]:
        """As what the pieces of each line of the army may stand, marked or not."""
        if marked not in self._standing:
            self._standing[marked] = {
                troop.rank: self.rules.stands_as(troop.rank, marked=marked)
                for troop in self.rules.army
            }
        return self._standing[marked]

    def _filled(
        self, pins: Mapping[str, Rank], ordinary: set[str], near: Sequence[str]
    ) -> Imagined:
        """A position with pinned ranks, and what is left of the army elsewhere in a fixed order.

        Neither archers nor flags stand on the `ordinary` squares, if enough else is left. Archers
        stand as far from the squares of `near` as they can.
        """
        rules, ranks = self.rules, dict(pins)
        left = self.left.copy()
        for square, rank in pins.items():
            left[rules.enlisted_as(rank, marked=self.unknown[square])] -= 1
        shooter = rules.volleys.shooter if rules.volleys else ""
        special = (shooter, *rules.vital)
        lines = sorted((+left).elements(), key=lambda line: line != shooter)
        away = self._away(near)
        # Those come first that not every piece can be.
        squares = sorted(
            self.unknown.keys() - pins.keys(),
            key=lambda square: (
                not self.unknown[square],
                square not in ordinary,
                -away[square],
                square,
            ),
        )
        for square in squares:
            stands = self._stands(marked=self.unknown[square])
            fitting: Iterator[Rank] = (line for line in lines if stands[line])
            if square in ordinary:
                fitting = chain(
                    (line for line in lines if stands[line] and line not in special), fitting
                )
            line = next(fitting, None)
            if line is None:
                ranks[square] = self._any_rank(self.unknown[square])
            else:
                lines.remove(line)
                ranks[square] = stands[line][0]
        return imagine(rules, self.observation, ranks)

    def _any_rank(self, marked: bool) -> Rank:
        stands = (self.rules.stands_as(troop.rank, marked=marked) for troop in self.rules.army)
        return next(ranks[0] for ranks in stands if ranks)

    @cached_property
    def _looks_like(self) -> bytes:
        """For each content of a cell: one that the player cannot tell from it."""
        first: dict[object, int] = {}
        table = bytearray(range(256))
        for content in self.rules.faces.values():
            if not self.rules.visible(content, self.observation.viewpoint):
                looks = owner(content), content & MARKED
                table[content] = first.setdefault(looks, content)
        return bytes(table)

    # --- turns

    def turns_of(
        self, seat: Seat, move: str, near: Sequence[str], budget: Budget
    ) -> Iterator[Turn]:
        """What a move of a side may lead to, with each rank that its unknown piece may have.

        Raises a Refusal if the move can be played as written in no imagined position.
        """
        rules = self.rules
        refusal: Refusal | None = None
        played = False
        for pins in self._pins(move):
            for position in self.positions(pins, near):
                budget.spend()
                try:
                    legal_move = legal_as_written(rules, position, seat, move)
                except Refusal as refused:
                    if refusal is None or isinstance(refused, NotAsWritten):
                        refusal = refused
                    break  # what stands elsewhere makes no move legal
                played = True
                yield self._played(position, seat, legal_move)
                if not (rules.volleys or "x" in move):
                    return  # a walk leads to the same board whatever walks
        if refusal and not played:
            raise refusal

    def _pins(self, move: str) -> Iterator[dict[str, Rank]]:
        """The ranks of the unknown piece that moves or is attacked; there is at most one."""
        path = [square for square in self._squares_of(move) if square in self.unknown]
        if not path:
            yield {}
            return
        for rank in self.candidates(path[0]):
            yield {path[0]: rank}

    def _played(self, position: Imagined, seat: Seat, move: Move) -> Turn:
        after, events = play_on(self.rules, position, seat, move)
        seen = witness(events, self.observation.viewpoint)
        return Turn(annotate(self.rules, move, seen), after)

    def turns(self, near: Sequence[str], budget: Budget) -> Iterator[Turn]:
        """Turns of the opponent. One of those that leave the squares of `near` alone is enough,
        unless volleys or huffs may follow from any.
        """
        all_matter = bool(self.rules.volleys) or not self.rules.hidden
        apart = False
        for text in self.moves:
            if not all_matter and set(near).isdisjoint(self._squares_of(text)):
                if apart or "x" in text:
                    continue
                apart = True
            yield from self._possible(text, near, budget)

    def strikes(self, square: str, near: Sequence[str], budget: Budget) -> Iterator[Turn]:
        """Turns of the opponent that may strike a square, and perhaps others."""
        for text in self.moves:
            if ("x" in text or "*" in text) and square in self._squares_of(text):
                yield from self._possible(text, near, budget)

    def _possible(self, text: str, near: Sequence[str], budget: Budget) -> Iterator[Turn]:
        try:
            yield from self.turns_of(self.seat.other, text, near, budget)
        except Refusal:
            return  # no rank that is left can play it

    @cached_property
    def moves(self) -> tuple[str, ...]:
        """The opponent's moves with any rank that is left, as texts; attacks come last."""
        rules, texts = self.rules, dict[str, None]()
        for line in self.left if self.unknown else ("",):
            ranks = {}
            for square, marked in self.unknown.items():
                stands = rules.stands_as(line, marked=marked)
                ranks[square] = stands[0] if stands else self._any_rank(marked)
            position = imagine(rules, self.observation, ranks)
            moves = islice(rules.legal_moves(position, self.seat.other), LISTED_MOVES)
            texts |= dict.fromkeys(write_move(rules, move) for move in moves)
        return tuple(sorted(texts, key=lambda text: "x" in text))

    def _squares_of(self, move: str) -> tuple[str, ...]:
        """As `squares_of`; kept, since many lines ask for the same moves."""
        if move not in self._squares:
            self._squares[move] = squares_of(self.rules, move)
        return self._squares[move]

    # --- after an own move

    def after_own(
        self, move: str, near: Sequence[str], budget: Budget
    ) -> Iterator["Imagination | None"]:
        """What its player may see after an own move; None where the match ends with it.

        Raises a Refusal if it cannot be played. Outcomes that differ only in what has fallen are
        two at most: then each rank that may be left is left in one of them.
        """
        near = (*near, *self._own_archers(move, near))
        boards: Counter[bytes] = Counter()
        for turn in self.turns_of(self.seat, move, near, budget):
            if turn.after.outcome:
                yield None
                continue
            after = self.hit(turn, near, budget) if self.rules.volleys else (turn.after,)
            for position in after:
                board = position.cells.translate(self._looks_like)
                boards[board] += 1
                if boards[board] <= 2:
                    yield Imagination(
                        self.rules, observe(self.rules, position, self.observation.viewpoint)
                    )
