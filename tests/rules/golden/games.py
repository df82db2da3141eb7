"""Which games are kept: a seed for each preset, and what the game it leads to has to show."""

from collections.abc import Iterator
from pathlib import Path
from random import Random

from games.rules.core.army import Seat
from games.rules.core.engine import advance, begin
from games.rules.core.events import Event
from games.rules.core.moves import Capture, Move, Walk
from games.rules.core.position import Position
from games.rules.core.ruleset import Ruleset

FOLDER = Path(__file__).parent
EAGER = 0.6  # how often a player who can attack does

# Chosen for games of 30 to 120 turns in which the preset's own rules are seen at work.
SEEDS = {
    "lattaque-en": 293,
    "lattaque-en-forward": 3,
    "lattaque-zh": 2,
    "lattaque-zh-return": 13,
    "lattaque-gibson": 172,
    "lattaque-en-isf2sq": 53,
    "lattaque-en-shortscout": 0,
    "lattaque-zh-spyboth": 164,
    "domino": 0,
    "domino-return": 5,
    "tactique": 1,
    "tactique-step": 8,
    "tactique-convert": 0,
    "tactique-step-convert": 2,
    "tactique-straight": 1,
    "tactique-volley-all": 0,
    "assaut": 0,
    "assaut-noblock": 535,
    "assaut-free": 4,
    "assaut-free-noblock": 0,
    "assaut-compulsory": 0,
    "assaut-german": 0,
}

Turn = tuple[Seat, Move, Position, tuple[Event, ...]]


def file_of(rules: Ruleset) -> Path:
    """Where the game of a preset is kept."""
    return FOLDER / f"{rules.key}.txt"


def game(rules: Ruleset, rng: Random) -> Iterator[Turn]:
    """A whole game: the set-ups, drawn by lot, and the turns."""
    position = begin(rules, rng)
    while position.awaited:
        seat = position.awaited[0]
        setup = rules.random_setup(seat, rng, position)
        position, events = advance(rules, position, seat, setup)
        yield seat, setup, position, events
    yield from _turns(rules, position, rng)


def _turns(rules: Ruleset, position: Position, rng: Random) -> Iterator[Turn]:
    """Turns of players who like to attack and to go forward, until the game is over.

    Where going to and fro is forbidden, they dither at times until the rule stops them (C9).
    """
    back: dict[Seat, Walk | None] = dict.fromkeys(Seat)
    while position.outcome is None:
        seat = position.turn
        moves = tuple(rules.legal_moves(position, seat))
        move = back[seat]
        if move not in moves:
            move = rng.choice(_liked(moves, seat, rng))
        dithers = rules.switches.get("two_square") and (move == back[seat] or rng.random() < 0.1)
        back[seat] = _reverse(move) if dithers else None
        position, events = advance(rules, position, seat, move)
        yield seat, move, position, events


def _liked(moves: tuple[Move, ...], seat: Seat, rng: Random) -> list[Move]:
    """What a player chooses from: something that strikes, something that leads on, or anything."""
    strikes = [move for move in moves if not isinstance(move, Walk)]
    ahead = [move for move in moves if isinstance(move, Walk) and _leads_on(seat, move)]
    return _short(strikes if strikes and rng.random() < EAGER else ahead or list(moves))


def _reverse(move: Move) -> Walk | None:
    return Walk(move.target, move.source) if isinstance(move, Walk) else None


def _leads_on(seat: Seat, walk: Walk) -> bool:
    return walk.target > walk.source if seat is Seat.SOUTH else walk.target < walk.source


def _short(moves: list[Move]) -> list[Move]:
    """Without the long chains, of which there may be thousands."""
    chains = [move for move in moves if isinstance(move, Capture) and len(move.points) > 4]
    return [move for move in moves if move not in chains] or moves
