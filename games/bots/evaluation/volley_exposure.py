"""Exposure: what a board leaves open at the next turns, where pieces strike from afar.

It is weighed by what is believed, on boards that are made up: an enemy that is not known stands
there as some piece that attacks, so that the rules tell whom it could reach.
"""

from collections.abc import Iterable, Iterator

from games.bots.evaluation.attack_likelihood import daring
from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.bots.evaluation.volley_losses import UNLIKELY, Volleys
from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Attack, Charge
from games.rules.core.basics.pieces import KIND, MARKED, Seat, owner, piece
from games.rules.core.imagined_positions import imagine

SURE = 0.99  # how likely an enemy attacks a piece that it knows it beats
FOOLISH = 0.03  # and one that it knows it does not
# How likely an enemy that could takes the piece that decides the match for what it is: at least,
# what that grows by as fewer are left that it may be, and at most.
GUESSED = 0.15
GUESSES = 1.2
SEEN_THROUGH = 0.9
OWN_ATTACK = 0.5  # what the best own attack counts, which must wait a turn
FADING_THREATS = 0.35  # of what the enemy's second best attack counts, and every further one
FADING_ATTACKS = 0.4  # the same of own attacks
MOST_THREATS = 5
MOST_ATTACKS = 3


class Exposure:
    """Weighs the boards that the moves of one situation lead to."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.seat = situation.seat
        self.values = situation.values
        self.battles = situation.values.battles
        self.volleys = Volleys(situation)
        self.reach = self.volleys.reach
        # An archer that has moved is as good as told: it went up to enemies and struck none.
        self.told = frozenset(
            unit.cell
            for unit in situation.own
            if unit.told or (unit.moved and unit.content and self.reach.shoots[unit.content])
        )
        self.cells = self._made_up()
        names, rank_of = self.rules.board.names, self.rules.rank_of
        self.board = imagine(
            self.rules,
            situation.observation,
            {names[unit.cell]: rank_of(self.cells[unit.cell]) for unit in situation.enemies},
        )
        secret = sum(not (unit.told or unit.moved or unit.marked) for unit in situation.own)
        self.guess = min(SEEN_THROUGH, GUESSED + GUESSES / max(1, secret))
        self._darings: dict[tuple[int, bool], float] = {}
        self._losses: dict[tuple[int, int, bool], float] = {}
        self._gains: dict[tuple[int, int], float] = {}
        self.before = self._weigh(self.cells, self.told)

    def _made_up(self) -> bytes:
        """The board, each enemy as what it is if that is known, or else as one that attacks."""
        cells = bytearray(self.rules.board.blank)
        for unit in self.situation.own:
            cells[unit.cell] = unit.content or EMPTY
        some = piece(self.seat.other, self.rules.kinds[self.battles.mobile[0]])
        for unit in self.situation.enemies:
            contents = self.situation.contents[unit.cell]
            able = [one for one in contents if self.reach.strikes[one[0]] and one[1] > UNLIKELY]
            likely = max(able or contents, key=lambda one: one[1], default=(some, 1.0))
            cells[unit.cell] = likely[0]
        return bytes(cells)

    # --- moves

    def worse(self, source: int, stop: int, target: int | None) -> float:
        """How much more a move leaves open: from `source` to `stop`, and at `target` from there."""
        return sum(
            chance * (self.before - self._weigh(cells, told))
            for chance, cells, told in self._boards(source, stop, target)
        )

    def _boards(
        self, source: int, stop: int, target: int | None
    ) -> Iterator[tuple[float, bytes, frozenset[int]]]:
        """The boards that a move is likely to lead to: chance, cells, own pieces that are told."""
        cells = bytearray(self.cells)
        content, cells[source] = cells[source], EMPTY
        told = self.told - {source}
        if target is None:
            cells[stop] = content
            seen = source in self.told or self.reach.shoots[content]
            yield 1.0, bytes(cells), told | {stop} if seen else told
            return
        results: dict[tuple[int, int], float] = {}
        for one, chance in self.situation.contents[target]:
            left = self.battles.clash(content, one)
            # Where the match has ended nothing is left open.
            if not left.decisive:
                key = self._stands(left.behind, stop), self._stands(left.ahead, target)
                results[key] = results.get(key, 0.0) + chance
        best = sorted(results.items(), key=lambda result: (-result[1], result[0]))[:2]
        whole = sum(chance for _, chance in best)
        for (behind, ahead), chance in best:
            cells[target] = ahead
            if stop != target:
                cells[stop] = behind
            yield chance / whole, bytes(cells), told | {stop, target}

    def _stands(self, content: int, cell: int) -> int:
        """What a battle leaves on a cell, an enemy as what was made up of it."""
        if not content or owner(content) is self.seat:
            return content
        return self.cells[cell] if self.cells[cell] and cell in self.situation.contents else content

    # --- boards

    def _weigh(self, cells: bytes, told: frozenset[int]) -> float:
        """What a board is worth by what both sides may do on it next.

        In their order: the enemy's archers shoot, it has its turn, the own archers shoot.
        """
        volleys = self.volleys
        hits = volleys.hits(cells)
        taken: dict[int, float] = {}  # own archers, and how surely
        losses: dict[int, float] = {}
        for source, target in self._attacks_of(cells, self.seat.other):
            content, loss = cells[target], 0.0
            for own, chance in volleys.left(content, hits.get(target, 0.0)):
                loss += chance * self._loss(source, cells[source], own, told=target in told)
            losses[source] = max(losses.get(source, 0.0), loss)
            if self.reach.shoots[content]:
                surely = min(1.0, loss / self.values.table[content])
                taken[target] = max(taken.get(target, 0.0), surely)
        gains: dict[int, float] = {}
        for source, target in self._attacks_of(cells, self.seat):
            gain = 0.0
            for own, chance in volleys.left(cells[source], hits.get(source, 0.0)):
                gain += chance * self._gain(own, target, cells[target])
            gains[source] = max(gains.get(source, 0.0), gain)
        worth = volleys.gained(cells, hits, taken) - volleys.suffered(cells, hits)
        worth -= _fading(losses.values(), MOST_THREATS, FADING_THREATS)
        return worth + OWN_ATTACK * _fading(gains.values(), MOST_ATTACKS, FADING_ATTACKS)

    def _attacks_of(self, cells: bytes, seat: Seat) -> set[tuple[int, int]]:
        """Which pieces of a side reach which of the other: their cells."""
        board = self.board._replace(cells=cells, turn=seat, listed=None)
        return {
            (move.source, move.target)
            for move in self.rules.legal_moves(board, seat)
            if isinstance(move, Attack | Charge)
        }

    def _loss(self, source: int, content: int, own: int, *, told: bool) -> float:
        """What an own piece is expected to lose to an enemy that reaches it."""
        key = source, own, told
        found = self._losses.get(key)
        if found is None:
            decides = own & KIND in self.battles.crowns
            found = 0.0
            for one, chance in self.situation.contents.get(source) or [(content, 1.0)]:
                if not self.reach.strikes[one]:
                    continue
                loss = -self.values.swing(one, own)
                if decides:
                    loss, likely = WIN, self.guess
                elif told:
                    likely = SURE if loss > 0 else FOOLISH
                else:
                    likely = self._daring(one, marked=bool(own & MARKED))
                found += chance * likely * loss
            self._losses[key] = found
        return found

    def _daring(self, one: int, *, marked: bool) -> float:
        """How likely an enemy attacks a piece of which it knows only whether it is demoted."""
        key = one, marked
        found = self._darings.get(key)
        if found is None:
            able = [
                unit.content
                for unit in self.situation.own
                if unit.content
                and not unit.told
                and unit.marked is marked
                and unit.content & KIND not in self.battles.crowns
            ]
            found = self._darings[key] = daring(self.values, one, able)
        return found

    def _gain(self, own: int, target: int, content: int) -> float:
        """What an own piece is expected to gain from an enemy that it reaches."""
        key = own, target
        found = self._gains.get(key)
        if found is None:
            foe = self.situation.units.at.get(target)
            if foe is None or foe.seat is self.seat:  # It has gone over to the enemy in between.
                found = self.values.swing(own, content)
            else:
                found = self.situation.attack(own, foe)
            self._gains[key] = found
        return found


def _fading(values: Iterable[float], most: int, fading: float) -> float:
    """The sum of the highest values, each of which counts so much less than the one before."""
    highest = sorted(values, reverse=True)[:most]
    return sum(value * fading**place for place, value in enumerate(highest))
