"""Games that one side has nearly lost: both sides seek the battles that the other side wins."""

from collections.abc import Sequence
from dataclasses import replace
from random import Random

from games.rules.core.basics.moves import Attack, Charge, Move, Walk
from games.rules.core.basics.pieces import BySeat, Seat, is_piece, owner
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import remarks
from tests.secrecy.games import Game, random_army, stand

SHARE = 0.45  # the most pieces of a side that has nearly lost, as a share of the other side's
AFTERWARDS_PLIES = 12  # so that it has been nearly lost for some turns
MOST_PLIES = 400
STRAIGHT = 0.8  # how often a piece moves towards the nearest enemy


def lopsided_game(rules: Ruleset, rng: Random, winner: Seat, turn: Seat) -> Game:
    """A game that goes on, at that side's turn, in which the winner's enemy has few pieces left."""
    while True:
        game = _played(rules, rng, winner, turn)
        if game is not None:
            return game


def _played(rules: Ruleset, rng: Random, winner: Seat, turn: Seat) -> Game | None:
    game = Game(rules, BySeat(*(random_army(rules, seat, rng) for seat in Seat)))
    position, opening = stand(game)
    moves: list[Move] = []
    annotated = [opening]
    left = AFTERWARDS_PLIES
    while left > 0 or position.turn is not turn:
        move = _choose(rules, position, winner, rng)
        if move is None or len(moves) >= MOST_PLIES:
            return None
        position, events = rules.apply(position, position.turn, move)
        moves.append(move)
        annotated.append(remarks(witness(events, Viewpoint.GALLERY)))
        ours, theirs = _numbers(position, winner)
        left -= left < AFTERWARDS_PLIES or theirs <= SHARE * ours
    return replace(game, moves=tuple(moves), public_texts=tuple(annotated))


def _choose(rules: Ruleset, position: Position, winner: Seat, rng: Random) -> Move | None:
    """The battle that the winner gains most by, or a walk; never the end of the match."""
    lead = _lead(position, winner)
    best: list[Move] = []
    most = 0
    walks: list[Walk] = []
    for move in rules.legal_moves(position, position.turn):
        if not isinstance(move, Attack | Charge | Walk):
            continue
        after, _ = rules.apply(position, position.turn, move)
        gain = _lead(after, winner) - lead
        if after.outcome is not None or gain < most:
            continue
        if isinstance(move, Walk) and gain == most == 0:
            walks.append(move)
        elif gain > 0:
            best = [*(best if gain == most else ()), move]
            most = gain
    if best:
        return rng.choice(best)
    return _walk(rules, position, walks, rng) if walks else None


def _walk(rules: Ruleset, position: Position, walks: Sequence[Walk], rng: Random) -> Walk:
    """A walk, usually towards the nearest enemy."""
    if rng.random() > STRAIGHT:
        return rng.choice(walks)
    stride = rules.board.stride
    enemies = [
        divmod(cell, stride)
        for cell, content in enumerate(position.cells)
        if is_piece(content) and owner(content) is not position.turn
    ]

    def way(walk: Walk) -> tuple[int, float]:
        row, file = divmod(walk.target, stride)
        return min(abs(row - one) + abs(file - other) for one, other in enemies), rng.random()

    return min(walks, key=way)


def _lead(position: Position, winner: Seat) -> int:
    ours, theirs = _numbers(position, winner)
    return ours - theirs


def _numbers(position: Position, seat: Seat) -> tuple[int, int]:
    """The numbers of pieces of a side and of the other."""
    owners = [owner(content) for content in position.cells if is_piece(content)]
    return owners.count(seat), owners.count(seat.other)
