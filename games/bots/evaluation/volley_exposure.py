"""Volley exposure: the exchange of volleys and attacks that a move exposes both sides to.

For games with volleys, where pieces attack from afar. The rules say which pieces reach which on an
imagined board, on which every unknown enemy is its likeliest attacker; its rank counts by belief.
"""

from collections.abc import Iterable, Iterator
from functools import cache

from games.bots.evaluation.attack_likelihood import attack_likelihood
from games.bots.evaluation.piece_values import WIN
from games.bots.evaluation.situation import Situation
from games.bots.evaluation.volley_losses import MIN_CHANCE, VolleyLosses
from games.rules.core.basics.board import EMPTY
from games.rules.core.basics.moves import Attack, Charge
from games.rules.core.basics.pieces import KIND, MARKED, Seat, owner, piece
from games.rules.core.imagined_positions import imagine

WINNING_ATTACK = 0.99  # how likely an enemy attacks a piece that it knows it beats
LOSING_ATTACK = 0.03  # and one that it knows it does not beat
# How likely an enemy that can attack the flag recognises it: at least, at most, and what is added
# divided by the number of pieces that may be the flag.
MIN_FLAG_GUESS = 0.15
MAX_FLAG_GUESS = 0.9
FLAG_GUESS = 1.2
OWN_ATTACK_SHARE = 0.5  # of own attacks, which come a turn later
THREAT_DECAY = 0.35  # what the second best enemy attack counts, and so on
ATTACK_DECAY = 0.4  # the same for own attacks
MAX_THREATS = 5
MAX_ATTACKS = 3


class VolleyExposure:
    """Evaluates the boards to which the moves of one situation lead."""

    def __init__(self, situation: Situation) -> None:
        self.situation = situation
        self.rules = situation.rules
        self.seat = situation.seat
        self.values = situation.values
        self.battles = situation.values.battles
        self.volleys = VolleyLosses(situation)
        self.tables = self.volleys.tables
        # An archer that has moved counts as revealed: it went up to enemies and attacked none.
        self.revealed = frozenset(
            unit.cell
            for unit in situation.own
            if unit.revealed or (unit.moved and unit.content and self.tables.shoots[unit.content])
        )
        self.cells = self._imagined_cells()
        names, rank_of = self.rules.board.names, self.rules.rank_of
        self.position = imagine(
            self.rules,
            situation.observation,
            {names[unit.cell]: rank_of(self.cells[unit.cell]) for unit in situation.enemies},
        )
        candidates = sum(not (unit.revealed or unit.moved or unit.marked) for unit in situation.own)
        self.flag_guess = min(MAX_FLAG_GUESS, MIN_FLAG_GUESS + FLAG_GUESS / max(1, candidates))
        self._likelihood = cache(self._attack_likelihood)
        self._losses: dict[tuple[int, int, int, bool], float] = {}
        self._gains: dict[tuple[int, int, int], float] = {}
        self.before = self._evaluate(self.cells, self.revealed)

    def _imagined_cells(self) -> bytes:
        """The board, with every unknown enemy as its likeliest content that can attack."""
        cells = bytearray(self.rules.board.blank)
        for unit in self.situation.own:
            cells[unit.cell] = unit.content or EMPTY
        some = piece(self.seat.other, self.rules.kinds[self.battles.mobile[0]])
        for unit in self.situation.enemies:
            contents = self.situation.contents[unit.cell]
            attackers = [
                pair for pair in contents if self.tables.attacks[pair[0]] and pair[1] > MIN_CHANCE
            ]
            likeliest = max(attackers or contents, key=lambda pair: pair[1], default=(some, 1.0))
            cells[unit.cell] = likeliest[0]
        return bytes(cells)

    # --- moves

    def added(self, source: int, stop: int, target: int | None) -> float:
        """How much a move adds to the exposure: from `source` to `stop`, attacking `target`."""
        return sum(
            chance * (self.before - self._evaluate(cells, revealed))
            for chance, cells, revealed in self._boards_after(source, stop, target)
        )

    def _boards_after(
        self, source: int, stop: int, target: int | None
    ) -> Iterator[tuple[float, bytes, frozenset[int]]]:
        """The likeliest boards after a move: chance, cells, and cells of revealed own pieces."""
        cells = bytearray(self.cells)
        content, cells[source] = cells[source], EMPTY
        revealed = self.revealed - {source}
        if target is None:
            cells[stop] = content
            is_revealed = source in self.revealed or self.tables.shoots[content]
            yield 1.0, bytes(cells), revealed | {stop} if is_revealed else revealed
            return
        chances: dict[tuple[int, int], float] = {}
        for enemy, chance in self.situation.contents[target]:
            result = self.battles.battle(content, enemy)
            # A match that has ended exposes nothing.
            if not result.winner:
                left = (
                    self._imagined(result.at_source, stop),
                    self._imagined(result.at_target, target),
                )
                chances[left] = chances.get(left, 0.0) + chance
        likeliest = sorted(chances.items(), key=lambda pair: (-pair[1], pair[0]))[:2]
        total = sum(chance for _, chance in likeliest)
        for (at_source, at_target), chance in likeliest:
            cells[target] = at_target
            if stop != target:
                cells[stop] = at_source
            yield chance / total, bytes(cells), revealed | {stop, target}

    def _imagined(self, content: int, cell: int) -> int:
        """What a battle leaves on a cell; of an enemy, its imagined content."""
        if not content or owner(content) is self.seat:
            return content
        return self.cells[cell] if self.cells[cell] and cell in self.situation.contents else content

    # --- boards

    def _evaluate(self, cells: bytes, revealed: frozenset[int]) -> float:
        """The value of a board by what happens on it next, in this order.

        The enemy's archers shoot, the enemy moves, the own archers shoot, this seat moves.
        """
        volleys = self.volleys
        hits = volleys.expected_hits(cells)
        capture_chances: dict[int, float] = {}  # of own archers
        losses: dict[int, float] = {}
        for source, target in self._attacks(cells, self.seat.other):
            content, loss = cells[target], 0.0
            for own, chance in volleys.after_volley(content, hits.get(target, 0.0)):
                loss += chance * self._loss(source, cells[source], own, revealed=target in revealed)
            losses[source] = max(losses.get(source, 0.0), loss)
            if self.tables.shoots[content]:
                captured = min(1.0, loss / self.values.table[content])
                capture_chances[target] = max(capture_chances.get(target, 0.0), captured)
        gains: dict[int, float] = {}
        for source, target in self._attacks(cells, self.seat):
            gain = 0.0
            for own, chance in volleys.after_volley(cells[source], hits.get(source, 0.0)):
                gain += chance * self._gain(own, target, cells[target])
            gains[source] = max(gains.get(source, 0.0), gain)
        value = volleys.enemy_loss(cells, hits, capture_chances) - volleys.own_loss(cells, hits)
        value -= _decaying_sum(losses.values(), MAX_THREATS, THREAT_DECAY)
        return value + OWN_ATTACK_SHARE * _decaying_sum(gains.values(), MAX_ATTACKS, ATTACK_DECAY)

    def _attacks(self, cells: bytes, seat: Seat) -> set[tuple[int, int]]:
        """The attacks that a side can make: cells of attacker and target."""
        position = self.position._replace(cells=cells, turn=seat, listed=None)
        return {
            (move.source, move.target)
            for move in self.rules.legal_moves(position, seat)
            if isinstance(move, Attack | Charge)
        }

    def _loss(self, source: int, content: int, own: int, *, revealed: bool) -> float:
        """What an own piece is expected to lose to an enemy that can attack it."""
        key = source, content, own, revealed
        expected = self._losses.get(key)
        if expected is None:
            is_flag = own & KIND in self.battles.flag_kinds
            expected = 0.0
            for enemy, chance in self.situation.contents.get(source) or [(content, 1.0)]:
                if not self.tables.attacks[enemy]:
                    continue
                loss = -self.values.gain(enemy, own)
                if is_flag:
                    loss, likelihood = WIN, self.flag_guess
                elif revealed:
                    likelihood = WINNING_ATTACK if loss > 0 else LOSING_ATTACK
                else:
                    likelihood = self._likelihood(enemy, marked=bool(own & MARKED))
                expected += chance * likelihood * loss
            self._losses[key] = expected
        return expected

    def _attack_likelihood(self, enemy: int, *, marked: bool) -> float:
        """How likely an enemy attacks a piece of which it knows only whether it is demoted."""
        candidates = [
            unit.content
            for unit in self.situation.own
            if unit.content
            and not unit.revealed
            and unit.marked is marked
            and unit.content & KIND not in self.battles.flag_kinds
        ]
        return attack_likelihood(self.values, enemy, candidates)

    def _gain(self, own: int, target: int, content: int) -> float:
        """What an own piece is expected to gain from an enemy that it can attack."""
        key = own, target, content
        gain = self._gains.get(key)
        if gain is None:
            enemy = self.situation.units.at.get(target)
            if enemy is None or enemy.seat is self.seat:  # An own piece that has changed sides.
                gain = self.values.gain(own, content)
            else:
                gain = self.situation.attack_value(own, enemy)
            self._gains[key] = gain
        return gain


def _decaying_sum(values: Iterable[float], most: int, decay: float) -> float:
    """The sum of the highest values, each multiplied by `decay` once more than the one before."""
    highest = sorted(values, reverse=True)[:most]
    return sum(value * decay**index for index, value in enumerate(highest))
