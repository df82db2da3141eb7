"""Line: the imagined position after the moves of a practice board, and what may follow.

Ranks of hidden pieces are by the square on which they stood when the line began. A piece that has
no rank is somewhere in the imagined position with a filler; it may do whatever any rank can do that
is still possible for it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

from games.play.practice.hidden_pieces import HiddenArmy, fillers, possible_ranks, shown_rank
from games.play.practice.stored import MAX_PLIES, Step
from games.play.refusals import NotNow
from games.rules.core.basics.moves import Attack, Charge, Move, Walk
from games.rules.core.basics.pieces import Rank, Seat, is_piece, owner, piece
from games.rules.core.basics.refusals import (
    AmbiguousMove,
    IllegalMove,
    Refusal,
    gettext_noop,
)
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.imagined_positions import Imagined, imagine, play_on
from games.rules.core.knowledge.repetitions import Repetitions
from games.rules.core.observation import Observation, observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation

FIGHTS = (Attack, Charge)


class RankAsked(NotNow):
    """A hidden piece would fight: its rank has to be named first.

    `options` are ranks as battles show them, `move` is the text of the move.
    """

    def __init__(self, square: str, move: str, options: tuple[Rank, ...]) -> None:
        super().__init__(
            gettext_noop("The piece on %(square)s fights in this move: choose what it is."),
            square=square,
        )
        self.square = square
        self.move = move
        self.options = options


@dataclass(frozen=True, repr=False)
class Start:
    """The board on which a line begins: what the reader sees and assumes.

    `ranks` are those of hidden pieces, by square: what is certain, and the guesses.
    """

    rules: Ruleset
    seat: Seat
    seen: Observation
    army: HiddenArmy
    ranks: Mapping[str, Rank]
    repeated: Repetitions


@dataclass(frozen=True, repr=False)
class Line:
    """A line after its moves.

    `where` leads from the square of each hidden piece that has not fought in the line to the one
    where it began. `hits` counts how often archers demoted each of them on the way.
    """

    start: Start
    position: Imagined
    ranks: Mapping[str, Rank]
    possible: Mapping[str, tuple[Rank, ...]]
    where: Mapping[str, str]
    hits: Mapping[str, int] = field(default_factory=dict)
    steps: tuple[Step, ...] = ()

    @property
    def rules(self) -> Ruleset:
        """The rules of the match."""
        return self.start.rules

    @property
    def turn(self) -> Seat:
        """The side that moves next."""
        return self.position.turn

    @property
    def is_over(self) -> bool:
        """Whether the game would be over."""
        return self.position.outcome is not None

    @cached_property
    def open_pieces(self) -> dict[str, str]:
        """The pieces without a rank: from their present square to the first one."""
        return {at: first for at, first in self.where.items() if first not in self.ranks}

    @cached_property
    def moves(self) -> tuple[Move, ...]:
        """The moves of the side to move; empty if they are too many to list."""
        rules, turn = self.rules, self.turn
        if turn is self.start.seat or not rules.hidden:
            return observe(rules, self.position, Viewpoint.of_seat(turn)).moves
        cells = {rules.board.index[at]: first for at, first in self.open_pieces.items()}
        legal = dict.fromkeys(
            move for move in rules.legal_moves(self.position, turn) if _source(move) not in cells
        )
        ranks = dict.fromkeys(rank for first in cells.values() for rank in self.possible[first])
        for rank in ranks:
            contents = {
                cell: content
                for cell, first in cells.items()
                if rank in self.possible[first]
                and (content := self._content(first, rank)) is not None
            }
            variant = self._with(contents)
            legal |= dict.fromkeys(
                move for move in rules.legal_moves(variant, turn) if _source(move) in contents
            )
        return tuple(legal)

    def shown_ranks(self, square: str) -> dict[Rank, Rank]:
        """What the piece on a square may be, as battles show it now, with its first rank."""
        first = self.open_pieces[square]
        rank_by_look = {}
        for rank in self.possible[first]:
            now = self.present_rank(first, rank)
            if now is not None:
                rank_by_look[shown_rank(self.rules, now[0], demoted=now[1])] = rank
        return rank_by_look

    def step(self, text: str, taken_for: Rank = "") -> Step:
        """The move of a text as a step, for `extended`; `taken_for` is as battles show it.

        Raises RankAsked if a hidden piece would fight, and Refusal.
        """
        if len(self.steps) >= MAX_PLIES:
            raise NotNow(
                gettext_noop("A line has at most %(most)s moves, counted for both sides together."),
                most=MAX_PLIES,
            )
        if self.is_over:
            raise NotNow(gettext_noop("The game is over at the end of this line: take moves back."))
        rules, names = self.rules, self.rules.board.names
        path = notation.read_path(rules, text)
        source = names[path.squares[0]] if path.squares else ""
        if source and self._is_of_other_side(source):
            raise IllegalMove(
                gettext_noop(
                    "In this line it is the other side's turn, and the piece on %(square)s does "
                    "not belong to it: move a piece of that side first."
                ),
                square=source,
            )
        if source in self.open_pieces and self.turn is not self.start.seat:
            move, able = self._any_rank(source, text)
            if not isinstance(move, FIGHTS):
                return Step(notation.write_move(rules, move), able=tuple(able.values()))
            fighter, may_be = source, able
        else:
            move = notation.read_move(rules, self.position, self.turn, text)
            fighter = names[move.target] if isinstance(move, FIGHTS) else ""
            if fighter not in self.open_pieces:
                return Step(notation.write_move(rules, move))
            may_be = self.shown_ranks(fighter)
        written = notation.write_move(rules, move)
        if taken_for not in may_be and (taken_for or len(may_be) > 1):
            raise RankAsked(fighter, written, tuple(may_be))
        return Step(written, rank=may_be[taken_for] if taken_for else next(iter(may_be.values())))

    def extended(self, step: Step) -> Line:
        """The line with one more step, which `step` made; raises Refusal."""
        rules, names = self.rules, self.rules.board.names
        line = self._assuming(step)
        move = notation.read_move(rules, line.position, line.turn, step.text)
        after, events = play_on(rules, line.position, line.turn, move)
        text = notation.annotate(rules, move, witness(events, Viewpoint.of_seat(self.start.seat)))
        where, hits = dict(line.where), dict(line.hits)
        if isinstance(move, Walk | Attack | Charge):
            mover = where.pop(names[move.source], None)
            where.pop(names[move.target], None)
            if mover is not None and isinstance(move, Walk):
                where[names[move.target]] = mover
        for square, removed in notation.HIT.findall(text):
            if square in where and removed:
                del where[square]
            elif square in where:
                hits[where[square]] = hits.get(where[square], 0) + 1
        return replace(
            line,
            position=after,
            where=where,
            hits=hits,
            steps=(*line.steps, step._replace(text=text)),
        )

    def _is_of_other_side(self, square: str) -> bool:
        """Whether a piece of the side that is not to move stands on a square."""
        content = self.position.cells[self.rules.board.index[square]]
        return is_piece(content) and owner(content) is not self.turn

    # --- pieces without a rank

    def _any_rank(self, source: str, text: str) -> tuple[Move, dict[Rank, Rank]]:
        """The move of a piece without a rank, and the ranks that could make it, as shown now."""
        rules = self.rules
        cell, first = rules.board.index[source], self.open_pieces[source]
        able: dict[Move, dict[Rank, Rank]] = {}
        for as_shown, rank in self.shown_ranks(source).items():
            content = self._content(first, rank)
            variant = self._with({} if content is None else {cell: content})
            try:
                move = notation.read_move(rules, variant, self.turn, text)
            except AmbiguousMove:
                raise
            except Refusal:
                continue
            able.setdefault(move, {})[as_shown] = rank
        if not able:
            raise IllegalMove(
                gettext_noop("Whatever the piece on %(square)s may be, it cannot make that move."),
                square=source,
            )
        if len(able) > 1:
            raise AmbiguousMove(
                gettext_noop("“%(text)s” could mean %(moves)s; please write one of these."),
                text=text.strip()[:40],
                moves=", ".join(sorted(notation.write_move(rules, move) for move in able)),
            )
        return next(iter(able.items()))

    def _assuming(self, step: Step) -> Line:
        """This line with what a step says about the hidden piece that moves or fights in it."""
        if not step.rank and not step.able:
            return self
        done = notation.read_annotated(self.rules, step.text)
        for square in (done.source, done.target):
            first = self.open_pieces.get(square or "")
            if first is None or square is None:
                continue
            ranks, possible = dict(self.ranks), dict(self.possible)
            able = (step.rank,) if step.rank else step.able
            may_be = tuple(rank for rank in possible[first] if rank in able) or able
            possible[first] = may_be
            if len(may_be) == 1:
                ranks[first] = may_be[0]
                possible = possible_ranks(self.rules, self.start.army, ranks, possible)
            cell = self.rules.board.index[square]
            contents = [self._content(first, rank) for rank in may_be]
            changed = {}
            if self.position.cells[cell] not in contents and contents[0] is not None:
                changed = {cell: contents[0]}
            return replace(self, ranks=ranks, possible=possible, position=self._with(changed))
        return self

    def present_rank(self, first: str, rank: Rank) -> tuple[Rank, bool] | None:
        """What a piece that began with a rank is now, and whether it is demoted; None if gone."""
        demoted = self.start.army.pieces[first].demoted
        for _ in range(self.hits.get(first, 0)):
            lower = self.rules.stands_as(rank, marked=True)
            if not lower:
                return None
            rank, demoted = lower[0], True
        return rank, demoted

    def _content(self, first: str, rank: Rank) -> int | None:
        """The content of a cell in which a piece stands that began with a rank."""
        now = self.present_rank(first, rank)
        if now is None:
            return None
        kind = self.rules.kinds[now[0]]
        return piece(self.start.seat.other, kind, marked=now[1])

    def _with(self, contents: Mapping[int, int]) -> Imagined:
        """The position with other pieces in some cells."""
        if not contents:
            return self.position
        cells = bytearray(self.position.cells)
        for cell, content in contents.items():
            cells[cell] = content
        return self.position._replace(cells=bytes(cells), listed=None)


def follow(start: Start, steps: Iterable[Step]) -> Line:
    """The line of some steps; it ends before a step that is not possible any more.

    What the steps say about hidden pieces is assumed from the beginning, so that the fillers of the
    others come from what is really left. Where archers shoot, that could change what has happened
    in the line before, so that there the piece becomes what it is said to be when that is said.
    """
    rules, steps = start.rules, tuple(steps)
    ranks, able = dict(start.ranks), {}
    for first, step in _hidden_actors(start, steps) if rules.volleys is None else ():
        if step.rank:
            ranks[first] = step.rank
        elif len(step.able) == 1:
            ranks[first] = step.able[0]
        elif step.able:
            able[first] = step.able
    possible = possible_ranks(rules, start.army, ranks, able)
    all_ranks = ranks | fillers(rules, start.army, ranks, possible)
    position = imagine(rules, start.seen, all_ranks, start.repeated)
    line = Line(start, position, ranks, possible, {square: square for square in start.army.pieces})
    for step in steps:
        try:
            line = line.extended(step)
        except Refusal:
            break
    return line


def rebuilt(start: Start, steps: Sequence[Step]) -> Line:
    """The same moves with other assumptions; raises Refusal if one is not possible with them."""
    line, moves = follow(start, ()), []
    for step in steps:
        as_shown = ""
        if step.rank:
            as_shown = _shown_again(line, step)
        moves.append(line.step(step.text, as_shown))
        line = line.extended(moves[-1])
    return follow(start, moves)


def _shown_again(line: Line, step: Step) -> Rank:
    """How battles show the rank of a step now; "" if the piece that fights has a rank by now."""
    done = notation.read_annotated(line.rules, step.text)
    for square in (done.source or "", done.target or ""):
        if square in line.open_pieces:
            options = line.shown_ranks(square)
            return next((name for name, rank in options.items() if rank == step.rank), "")
    return ""


def _hidden_actors(start: Start, steps: Iterable[Step]) -> Iterator[tuple[str, Step]]:
    """For each step in which a hidden piece moves or fights, where that piece began."""
    where = {square: square for square in start.army.pieces}
    for step in steps:
        done = notation.read_annotated(start.rules, step.text)
        source, target = done.source or "", done.target or ""
        mover, met = where.pop(source, None), where.pop(target, None)
        if mover is not None and not done.attack:
            where[target] = mover
        actor = mover or met
        if actor is not None:
            yield actor, step


def _source(move: Move) -> int | None:
    return move.source if isinstance(move, Walk | Attack | Charge) else None
