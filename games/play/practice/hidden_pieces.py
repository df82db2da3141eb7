"""Hidden pieces of the opponent: what each may be by the reader's knowledge, and what is guessed.

Everything is made from the reader's own view of the match and from what they know. Ranks are those
with which pieces stand on the board, except `left`, which counts lines of the army list.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.play.knowledge.marks import Mark, mark_of
from games.play.knowledge.memory import Known
from games.play.record.match_view import MatchView
from games.rules.core.basics.pieces import Rank
from games.rules.core.imagined_positions import remaining
from games.rules.core.ruleset.base import Ruleset

Ranks = Mapping[str, Rank]  # by square


class Hidden(NamedTuple):
    """A hidden piece: where it stands and where it began, and the ranks that it may have.

    `identified` pieces are not among those that `HiddenArmy.left` counts.
    """

    square: str
    start: str
    demoted: bool
    ranks: tuple[Rank, ...]
    identified: bool

    def __repr__(self) -> str:
        return f"<Hidden {self.square}>"


class HiddenArmy(NamedTuple):
    """The hidden pieces of the opponent by square, and how many of each kind they may be."""

    pieces: dict[str, Hidden]
    left: Mapping[Rank, int]

    def __repr__(self) -> str:
        return f"<HiddenArmy of {len(self.pieces)}>"

    def spare(self, rules: Ruleset, ranks: Ranks) -> Counter[Rank]:
        """How many of each kind are left besides pieces of these ranks, by square."""
        spare = Counter(dict(self.left))
        for square, rank in ranks.items():
            piece = self.pieces[square]
            if not piece.identified:
                spare[rules.enlisted_as(rank, marked=piece.demoted)] -= 1
        return spare


def hidden_army(view: MatchView, known: Known | None) -> HiddenArmy:
    """The opponent's hidden pieces as the reader of a running match knows them.

    With the memory aid that is what the pages of the match say, else what the board and the list of
    the fallen say.
    """
    rules, seen = view.rules, view.observation
    if known is None or known.dossier is None or view.seat is None:
        return HiddenArmy({}, {})
    aid, foe = view.match.memory_aid, view.seat.other
    counts = known.dossier.counts[foe]
    left = {one.rank: one.hidden for one in counts if one.raised}
    if not aid:
        left = dict(remaining(rules, seen)[foe])
    pieces = {}
    for square, one in known.dossier.enemies().items():
        shown = seen.pieces[square]
        if shown.rank is not None:
            continue
        demoted = rules.mark == "demoted" and bool(shown.marks)
        lines = one.lines if aid else tuple(line for line in left if left[line])
        ranks = _standing(rules, lines, demoted=demoted)
        if aid and one.rank is not None:
            ranks = (one.rank,)
        pieces[square] = Hidden(
            square,
            rules.board.names[one.start],
            demoted,
            ranks or _standing(rules, tuple(troop.rank for troop in rules.army), demoted=demoted),
            identified=aid and len(one.lines) == 1,
        )
    return HiddenArmy(pieces, left)


def _standing(rules: Ruleset, lines: Sequence[Rank], *, demoted: bool) -> tuple[Rank, ...]:
    """The ranks on the board of pieces of these lines of the army list."""
    ranks = (rank for line in lines for rank in rules.stands_as(line, marked=demoted))
    return tuple(dict.fromkeys(ranks))


def shown_rank(rules: Ruleset, rank: Rank, *, demoted: bool) -> Rank:
    """A rank as battles and forms show it: a demoted one with its sign."""
    return rank + rules.mark_sign * demoted


def standing_rank(rules: Ruleset, piece: Hidden, guess: Rank) -> Rank | None:
    """The rank of a piece for which `guess` was made; None if it may not be that now.

    A piece that was demoted since it was guessed has the next lower rank.
    """
    sign = rules.mark_sign if rules.mark == "demoted" else ""
    plain = guess.removesuffix(sign) if sign else guess
    if piece.demoted and plain == guess:
        plain = next(iter(rules.stands_as(guess, marked=True)), "")
    return plain if plain in piece.ranks else None


def assumed_ranks(
    rules: Ruleset, army: HiddenArmy, guesses: Mapping[str, Rank], marks: Mapping[str, Mark]
) -> dict[str, Rank]:
    """The ranks that the practice board gives to hidden pieces, by square.

    What is certain comes first, then the guesses made on this board, then those marked on the
    pieces; both are by the square on which a piece began. A guess of "" overrules a mark. Guesses
    that exceed the army, or that are not possible any more, do not count.
    """
    ranks = {at: piece.ranks[0] for at, piece in army.pieces.items() if len(piece.ranks) == 1}
    marked = {piece.start: mark_of(marks, piece.start).guess for piece in army.pieces.values()}
    for source in (guesses, {start: guess for start, guess in marked.items() if guess}):
        for square, piece in army.pieces.items():
            overruled = source is not guesses and piece.start in guesses
            guess = source.get(piece.start, "")
            rank = standing_rank(rules, piece, guess) if guess and not overruled else None
            if square in ranks or rank is None:
                continue
            line = rules.enlisted_as(rank, marked=piece.demoted)
            if piece.identified or army.spare(rules, ranks)[line] > 0:
                ranks[square] = rank
    return ranks


def possible_ranks(
    rules: Ruleset, army: HiddenArmy, ranks: Ranks, able: Mapping[str, tuple[Rank, ...]]
) -> dict[str, tuple[Rank, ...]]:
    """What each piece without a rank may be, by square.

    `able` narrows it for pieces that have moved on the practice board.
    """
    spare = army.spare(rules, ranks)
    ranks_by_square = {}
    for square, piece in army.pieces.items():
        if square in ranks:
            continue
        may_be = able.get(square, piece.ranks)
        left = tuple(
            rank
            for rank in may_be
            if piece.identified or spare[rules.enlisted_as(rank, marked=piece.demoted)] > 0
        )
        ranks_by_square[square] = left or may_be
    return ranks_by_square


def fillers(
    rules: Ruleset, army: HiddenArmy, ranks: Ranks, possible: Mapping[str, tuple[Rank, ...]]
) -> dict[str, Rank]:
    """Ranks for the pieces that have none, by a fixed rule, from what is left of the army.

    Pieces in the order of their squares take ranks in the order of the army list, so that what can
    move comes first. None is an archer, if it can be anything else: a piece that nobody has
    guessed never shoots. If too few pieces are left for that, the numbers do not count.
    """
    spare = army.spare(rules, ranks)
    shooter = rules.volleys.shooter if rules.volleys else None
    options = {
        square: [rank for rank in may_be if rank != shooter] or list(may_be)
        for square, may_be in sorted(possible.items())
    }
    chosen: dict[str, Rank] = {}
    holders: dict[Rank, list[str]] = {line: [] for line in spare}

    def place(square: str, tried: set[Rank]) -> bool:
        """Give a piece a rank, if need be by giving another piece another one."""
        for rank in options[square]:
            line = rules.enlisted_as(rank, marked=army.pieces[square].demoted)
            if line in tried or line not in holders:
                continue
            tried.add(line)
            held = holders[line]
            if len(held) >= spare[line]:
                other = next((one for one in held if place(one, tried)), None)
                if other is None:
                    continue
                held.remove(other)
            held.append(square)
            chosen[square] = rank
            return True
        return False

    for square, may_be in options.items():
        if not place(square, set()):
            chosen[square] = may_be[0]
    return chosen
