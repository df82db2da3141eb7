"""Search in one sampled position (a world): captures, escapes from capture, parries, passing."""

from collections.abc import Sequence

from games.bots.brains.fields import Fields
from games.bots.brains.oneply import parts_of
from games.bots.brains.situation import Situation
from games.bots.brains.values import WIN
from games.rules.core.imagine import Imagined
from games.rules.core.moves import Attack, Charge, Move, Walk

LOST = 1e9  # below any value
ENDED = 100.0  # what the end of a match is worth beside the piece that decided it
BUDGET = 1_200  # legal moves that are looked at for one move in one world
A_POSITION = 15  # legal moves whose price is that of making one position and weighing it
MAX_CAPTURES = 3  # of one position that are tried, and as many threats that are answered
MAX_FLIGHTS = 2  # squares that a threatened piece tries
MAX_PARRIES = 3  # of a threat to what decides the match
MAX_STRIKES = 3  # captures that open the way to it
SOON = 0.8  # of a capture that is left to make when the search ends
_CAPTURES = (Attack, Charge)


class Search:
    """Searches worlds of one situation; what it has seen in one it keeps for the next."""

    def __init__(self, situation: Situation, fields: Fields) -> None:
        self.situation = situation
        self.fields = fields
        self.rules = situation.rules
        self.seat = situation.seat
        self.swing = situation.values.swing
        # For each cell the worth of every content there.
        self.tables: list[tuple[float, ...]] = list(zip(*fields.worths(), strict=True))
        self.left = 0  # legal moves that may still be looked at for this move in this world
        self.looked = 0  # at legal moves, in all worlds; positions count as some
        self.blind: dict[int, bool] = {}
        self.listed: dict[tuple[bytes, int], list[tuple[float, Move]]] = {}

    def value(self, position: Imagined) -> float:
        """What a position is worth to this seat as it stands."""
        value = sum(
            [row[content] for row, content in zip(self.tables, position.cells, strict=True)]
        )
        if position.outcome is None:
            return value
        if position.outcome.winner is None:
            return value + self.situation.values.draw
        return value + ENDED if position.outcome.winner is self.seat else value - ENDED

    def passed(self, position: Imagined) -> Imagined:
        """The same board with the other side to move: what a move elsewhere comes to."""
        return position._replace(turn=position.turn.other, listed=None)

    def search(
        self, position: Imagined, depth: int, low: float = -LOST, high: float = LOST
    ) -> float:
        """The value of a position to this seat after so many more plies of what hangs."""
        self.looked += A_POSITION
        if position.outcome is not None:
            return self.value(position)
        mine = position.turn is self.seat
        if depth <= 0 or self.left <= 0:
            return self._settled(position, mine)
        best = self.search(self.passed(position), depth - 1, low, high)
        for move in self.tries(position):
            if mine:
                low = max(low, best)
            else:
                high = min(high, best)
            if low >= high:
                break
            after, _ = self.rules.apply(position, position.turn, move)
            value = self.search(after, depth - 1, low, high)
            best = max(best, value) if mine else min(best, value)
        return best

    def _settled(self, position: Imagined, mine: bool) -> float:
        """The value of a position with the best capture of the side to move made at once."""
        value = self.value(position)
        captures = self.captures(position)
        if not captures:
            return value
        gain = captures[0][0] * SOON
        return value + gain if mine else value - gain

    # --- the moves that are tried

    def tries(self, position: Imagined) -> list[Move]:
        """The moves that change what hangs: captures that gain, then answers to captures."""
        moves = [move for _, move in self.captures(position)[:MAX_CAPTURES]]
        threats = self.captures(self.passed(position))[:MAX_CAPTURES]
        for gain, threat in threats:
            if gain > WIN / 2:
                moves += [move for move in self._parries(position, threat) if move not in moves]
            else:
                moves += self._flights(position, threat)
        return moves

    def _flights(self, position: Imagined, threat: Move) -> Sequence[Move]:
        """Where the piece that a capture threatens may go, the best squares first."""
        hanging = parts_of(threat)[2]
        content = position.cells[hanging] if hanging is not None else 0
        flights = [
            move
            for move in self.rules.legal_moves(position, position.turn)
            if isinstance(move, Walk) and move.source == hanging
        ]
        flights.sort(key=lambda move: -self.tables[move.target][content])
        return flights[:MAX_FLIGHTS]

    def _parries(self, position: Imagined, threat: Move) -> list[Move]:
        """What ends a threat to what decides the match, at the least cost.

        A piece steps into the way of whoever makes it, or attacks it, even where that is a loss.
        """
        source, stop, target = parts_of(threat)
        way = {stop, *self._between(source, stop), *self._between(stop, target or stop)}
        cells = position.cells
        sign = 1.0 if position.turn is self.seat else -1.0
        found: list[tuple[float, int, Move]] = []
        strikers: set[int] = set()
        for number, move in enumerate(self.rules.legal_moves(position, position.turn)):
            if isinstance(move, Walk) and move.target in way:
                found.append((abs(self.tables[move.target][cells[move.source]]), number, move))
            elif isinstance(move, _CAPTURES) and move.target == source:
                if move.source not in strikers:  # The same battle from another square.
                    found.append(
                        (-sign * self.swing(cells[move.source], cells[source]), number, move)
                    )
                strikers.add(move.source)
        return [move for _, _, move in sorted(found)[:MAX_PARRIES]]

    def _between(self, one: int, other: int) -> range:
        """The cells between two of a row or a file."""
        low, high = sorted((one, other))
        stride = self.rules.board.stride
        step = 1 if high - low < stride else stride
        return range(low + step, high, step)

    def captures(self, position: Imagined) -> list[tuple[float, Move]]:
        """The captures of the side to move that gain something at once, the best first."""
        key = (position.cells, position.turn)
        found = self.listed.get(key)
        if found is None:
            found = self.listed[key] = self._gains(position)
        return found

    def threatens(self, position: Imagined) -> bool:
        """Whether the side to move can take what decides the match at once."""
        captures = self.captures(position)
        return bool(captures) and captures[0][0] > WIN / 2

    def strikes(self, world: Imagined) -> list[Move]:
        """The enemy's captures after which it threatens what decides the match, the best first.

        They may gain too little by themselves to be among those that are tried.
        """
        turned = self.passed(world)
        found: list[tuple[float, int, Move]] = []
        for number, (gain, move) in enumerate(self._battles(turned)):
            after, _ = self.rules.apply(turned, turned.turn, move)
            self.looked += A_POSITION
            if not after.outcome and self.threatens(self.passed(after)):
                found.append((-gain, number, move))
        return [move for _, _, move in sorted(found)[:MAX_STRIKES]]

    def _gains(self, position: Imagined) -> list[tuple[float, Move]]:
        mine = position.turn is self.seat
        found = []
        for gain, move in self._battles(position):
            source, _, target = parts_of(move)
            if gain > 0.5 and not (mine and self._blind(position.cells[source], target or 0)):
                found.append((gain, move))
        found.sort(key=lambda one: -one[0])
        return found

    def _battles(self, position: Imagined) -> list[tuple[float, Move]]:
        """Every battle that the side to move can begin, once, and what it gains by it."""
        cells = position.cells
        sign = 1.0 if position.turn is self.seat else -1.0
        found: list[tuple[float, Move]] = []
        seen: set[tuple[int, int]] = set()
        listed = tuple(self.rules.legal_moves(position, position.turn))
        self.left -= len(listed)
        self.looked += len(listed)
        for move in listed:
            if not isinstance(move, _CAPTURES):
                continue
            source, target = move.source, move.target
            if (source, target) in seen:
                continue  # The same battle from another square.
            seen.add((source, target))
            found.append((sign * self.swing(cells[source], cells[target]), move))
        return found

    def _blind(self, content: int, target: int) -> bool:
        """Whether a capture pays in this world alone, and not by what is believed."""
        key = content << 8 | target
        found = self.blind.get(key)
        if found is None:
            found = self.blind[key] = self._unwise(content, target)
        return found

    def _unwise(self, content: int, target: int) -> bool:
        foe = self.situation.units.at.get(target)
        if foe is None or foe.content is not None or foe.seat is self.seat:
            return False
        contents = self.situation.contents[target]
        hope = self.situation.crown_chance(content, contents)
        return self.situation.values.expected(content, contents) - WIN * hope <= 0.5
