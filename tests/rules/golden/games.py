"""Golden games: a seed for each edition, and the players that play from it."""

from collections.abc import Iterator
from functools import partial
from pathlib import Path
from random import Random

from games.rules.core.basics.moves import Capture, Move, Walk
from games.rules.core.basics.pieces import Seat
from games.rules.core.engine import advance, begin
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.text.notation import write_move

FOLDER = Path(__file__).parent
EAGER = 0.6  # how often a player who can attack does

# Chosen for games of 30 to 120 turns in which the preset's own rules are seen at work.
SEEDS = {
    "lattaque-en": 180,
    "lattaque-en-forward": 7,
    "lattaque-zh": 39,
    "lattaque-zh-return": 3,
    "lattaque-gibson": 33,
    "lattaque-en-isf2sq": 43,
    "lattaque-en-shortscout": 0,
    "lattaque-zh-spyboth": 204,
    "domino": 40,
    "domino-return": 5,
    "tactique": 0,
    "tactique-step": 2,
    "tactique-convert": 0,
    "tactique-step-convert": 2,
    "tactique-straight": 3,
    "tactique-volley-all": 0,
    "assaut": 3,
    "assaut-noblock": 123,
    "assaut-free": 2,
    "assaut-free-noblock": 7,
    "assaut-compulsory": 0,
    "assaut-german": 1,
}

Turn = tuple[Seat, Move, Position, tuple[Event, ...]]


def file_of(rules: Ruleset) -> Path:
    """The file with the transcript of a preset's game."""
    return FOLDER / f"{rules.key}.txt"


def game(rules: Ruleset, rng: Random) -> Iterator[Turn]:
    """A complete game: random set-ups, and the turns."""
    position = begin(rules, rng)
    while position.awaited:
        seat = position.awaited[0]
        setup = rules.random_setup(seat, rng, position)
        position, events = advance(rules, position, seat, setup)
        yield seat, setup, position, events
    yield from _turns(rules, position, rng)


def _turns(rules: Ruleset, position: Position, rng: Random) -> Iterator[Turn]:
    """Turns of players who like to attack and to go forward, until the game is over.

    Where moving back and forth is forbidden, they sometimes do so until the rule stops them (C9).
    """
    back: dict[Seat, Move | None] = dict.fromkeys(Seat)
    while position.outcome is None:
        seat = position.turn
        # Sorted by text, since the rules may list them in any order.
        moves = sorted(rules.legal_moves(position, seat), key=partial(write_move, rules))
        move = back[seat]
        if move not in moves:
            move = rng.choice(_liked(moves, seat, rng))
        dithers = rules.options.get("two_square") and (move == back[seat] or rng.random() < 0.1)
        back[seat] = _reverse(move) if dithers else None
        position, events = advance(rules, position, seat, move)
        yield seat, move, position, events


def _liked(moves: list[Move], seat: Seat, rng: Random) -> list[Move]:
    """The moves a player chooses from: attacks, moves forward, or else all."""
    strikes = [move for move in moves if not isinstance(move, Walk)]
    ahead: list[Move] = [move for move in moves if isinstance(move, Walk) and _leads_on(seat, move)]
    return _short(strikes if strikes and rng.random() < EAGER else ahead or moves)


def _reverse(move: Move) -> Walk | None:
    return Walk(move.target, move.source) if isinstance(move, Walk) else None


def _leads_on(seat: Seat, walk: Walk) -> bool:
    return walk.target > walk.source if seat is Seat.SOUTH else walk.target < walk.source


def _short(moves: list[Move]) -> list[Move]:
    """The moves without long capture chains, of which there may be thousands."""
    chains = [move for move in moves if isinstance(move, Capture) and len(move.points) > 4]
    return [move for move in moves if move not in chains] or moves
