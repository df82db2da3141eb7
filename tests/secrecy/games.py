"""Random games and their twins: two truths with the same public record. Pure.

In the twin of a game one side, the victim, has hidden other pieces on the same squares, and every
move, battle and ending is revealed as before: only the victim can know which of the two is true.
"""

from dataclasses import dataclass, replace
from random import Random

from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.moves import Attack, Charge, Move, Walk
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Outcome, Position
from games.rules.core.text.notation import read_setup, remarks

SHAKES = 16  # changes that are tried to make a twin
BATTLES = 0.4  # how often a battle is chosen if there is one
ONWARD = 0.6  # how often another move goes towards the enemy
FIXED_TILES = ("00", "66")  # in every domino army (D2)


@dataclass(frozen=True)
class Army:
    """What one side alone knows from the start: its set-up, and the tiles it was not dealt (D2)."""

    placed: Arrangement
    aside: tuple[Rank, ...] = ()

    def text(self, rules: Ruleset, seat: Seat) -> str:
        return arrangement.to_text(rules, seat, self.placed)


@dataclass(frozen=True)
class Game:
    """Armies, the moves, and what was public: `public_texts[0]` before the first move."""

    rules: Ruleset
    armies: BySeat[Army]
    moves: tuple[Move, ...] = ()
    public_texts: tuple[str, ...] = ()
    outcome: Outcome | None = None

    def with_army(self, seat: Seat, army: Army) -> "Game":
        return replace(self, armies=self.armies.put(seat, army))


def asides(armies: BySeat[Army]) -> BySeat[tuple[Rank, ...]]:
    """The tiles that a deal sets aside so that these armies are dealt."""
    return BySeat(*(tuple(sorted(army.aside)) for army in armies))


def random_game(rules: Ruleset, rng: Random, plies: int) -> Game:
    """A game of at most this many plies; battles are preferred, so that something is revealed."""
    game = Game(rules, BySeat(*(random_army(rules, seat, rng) for seat in Seat)))
    position, opening = stand(game)
    moves: list[Move] = []
    annotated = [opening]
    while position.outcome is None and len(moves) < plies:
        move = _choose(rules, position, rng)
        position, remark = _play(rules, position, move)
        moves.append(move)
        annotated.append(remark)
    return replace(
        game, moves=tuple(moves), public_texts=tuple(annotated), outcome=position.outcome
    )


def random_army(rules: Ruleset, seat: Seat, rng: Random) -> Army:
    position = begin(rules, rng)
    setup = rules.random_setup(seat, rng, position)
    aside = rules.deal.aside(position, seat) if rules.deal else ()
    return Army(arrangement.placed_by(rules, setup), aside)


def twin(game: Game, victim: Seat, rng: Random) -> Game | None:
    """The same game with another truth on the victim's side; None if none was found."""
    twin_game = game
    for _ in range(SHAKES):
        changed = twin_game.with_army(victim, shaken(twin_game.armies[victim], rng))
        if has_same_public_record(changed):
            twin_game = changed
    return None if twin_game.armies == game.armies else twin_game


def has_same_public_record(game: Game) -> bool:
    """Whether these armies can have played these moves with the same public record."""
    position, opening = stand(game)
    if opening != game.public_texts[0]:
        return False
    for move, annotated in zip(game.moves, game.public_texts[1:], strict=True):
        if position.outcome or not game.rules.is_legal(position, position.turn, move):
            return False
        position, remark = _play(game.rules, position, move)
        if remark != annotated:
            return False
    return position.outcome == game.outcome


def stand(game: Game) -> tuple[Position, str]:
    """The position after both set-ups, and what was public then."""
    rules, annotated = game.rules, ""
    position = begin(rules, None, asides(game.armies))
    for seat in position.awaited:
        setup = read_setup(rules, seat, game.armies[seat].text(rules, seat))
        position, events = advance(rules, position, seat, setup)
        annotated += remarks(witness(events, Viewpoint.GALLERY))
    return position, annotated


def end(game: Game) -> Position:
    """The position after the last move."""
    position, _ = stand(game)
    for move in game.moves:
        position, _ = game.rules.apply(position, position.turn, move)
    return position


def shaken(army: Army, rng: Random) -> Army:
    """Two pieces exchanged, a tile turned, or exchanged with one that was not dealt."""
    placed = dict(army.placed)
    one, other = rng.sample(sorted(placed), 2)
    tile = min(placed[one], placed[one][::-1])
    if not army.aside or rng.random() < 0.5:
        placed[one], placed[other] = placed[other], placed[one]
    elif tile in FIXED_TILES or rng.random() < 0.5:
        placed[one] = placed[one][::-1]
    else:
        chosen = rng.choice(army.aside)
        placed[one] = rng.choice((chosen, chosen[::-1]))
        return Army(placed, tuple(sorted({*army.aside, tile} - {chosen})))
    return Army(placed, army.aside)


def _play(rules: Ruleset, position: Position, move: Move) -> tuple[Position, str]:
    after, events = rules.apply(position, position.turn, move)
    return after, remarks(witness(events, Viewpoint.GALLERY))


def _choose(rules: Ruleset, position: Position, rng: Random) -> Move:
    moves = list(rules.legal_moves(position, position.turn))
    battles = [move for move in moves if isinstance(move, Attack | Charge)]
    if battles and rng.random() < BATTLES:
        return rng.choice(battles)
    way = 1 if position.turn is Seat.SOUTH else -1
    stride = rules.board.stride
    onward = [m for m in moves if isinstance(m, Walk) and (m.target - m.source) * way >= stride]
    return rng.choice(onward if onward and rng.random() < ONWARD else moves)
