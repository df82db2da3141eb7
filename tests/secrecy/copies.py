"""One match in many copies, of which the opponent sees the same: where timing.py takes its samples.

In half of the copies the victim has hidden one and the same army, in each of the others another
one. Both kinds lie between each other in the database, and everything has been asked for before.
"""

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from random import Random

from accounts.models import User
from games.play import commands, sight
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.errors import Refusal
from games.rules.core.notation import write_move
from tests.play import tables
from tests.secrecy import chance
from tests.secrecy.browsers import Browser
from tests.secrecy.games import Game, random_game, twin
from tests.secrecy.scene import session

PLIES = 12  # after which South is to move, who is the opponent here
TRIES = 64  # impossible moves to choose from

Call = Callable[[], object]


@dataclass(frozen=True)
class Copies:
    """`numbers` of matches by class: all of those hide `game`, each of these one of `others`."""

    numbers: tuple[list[int], list[int]]
    game: Game
    others: list[Game]
    opponent: User
    browser: Browser
    ply: int
    playable: list[str]
    impossible: list[str]
    hidden: list[str]  # squares of pieces that the opponent does not know
    rng: Random

    def calls(self, act: Callable[["Copies", int], object]) -> tuple[Call, Call]:
        """An act of the opponent at any copy of either class, to be timed."""
        one, other = self.numbers
        for number in one + other:
            act(self, number)
        return (lambda: act(self, self.rng.choice(one)), lambda: act(self, self.rng.choice(other)))


def lay(
    preset: str, people: tables.People, each: int, rng: Random, *, alike: bool = False
) -> Copies:
    """So many copies of each class of a random match; if `alike`, all hide the same."""
    game, others = _truths(preset, each, rng)
    if alike:
        others = [game] * each
    numbers: tuple[list[int], list[int]] = ([], [])
    for other in others:
        for side, truth in rng.sample(list(enumerate((game, other))), 2):
            numbers[side].append(_live(truth, people))
    seen = sight.look(numbers[0][0], people.alice)
    playable = [write_move(seen.rules, move) for move in seen.observation.moves]
    theirs = [at for at, p in seen.observation.pieces.items() if p.seat is Seat.NORTH]
    return Copies(
        numbers=numbers,
        game=game,
        others=others,
        opponent=people.alice,
        browser=Browser(session(people.alice)),
        ply=seen.number,
        playable=playable,
        impossible=_impossible(seen, people.alice, theirs, rng),
        hidden=[at for at in theirs if seen.observation.pieces[at].rank is None],
        rng=rng,
    )


# --- what the opponent does


def view(copies: Copies, number: int) -> None:
    """Look at the board as it is."""
    sight.look(number, copies.opponent)


def page(copies: Copies, number: int) -> None:
    """Ask for the whole page."""
    copies.browser.get(f"/match/{number}/")


def attempt(copies: Copies, number: int) -> None:
    """Try an impossible move, to see whether it could be prepared."""
    with suppress(Refusal):
        commands.prepare_move(
            number, copies.opponent, copies.rng.choice(copies.impossible), copies.ply
        )


def prepare(copies: Copies, number: int) -> None:
    """Prepare a move that can be played, without sending it."""
    commands.prepare_move(number, copies.opponent, copies.rng.choice(copies.playable), copies.ply)


def reject(copies: Copies, number: int) -> None:
    """Send an impossible move."""
    with suppress(Refusal):
        commands.submit_move(
            number, copies.opponent, copies.rng.choice(copies.impossible), copies.ply
        )


ACTS: dict[str, Callable[[Copies, int], None]] = {
    act.__name__: act for act in (view, attempt, prepare, reject, page)
}


def _truths(preset: str, each: int, rng: Random) -> tuple[Game, list[Game]]:
    """A game, and so many twins of it."""
    while True:
        game = random_game(registry.ruleset(preset), rng, PLIES)
        others = [twin(game, Seat.NORTH, rng) for _ in range(each)]
        if game.outcome is None and None not in others:
            return game, [other for other in others if other]


def _live(game: Game, people: tables.People) -> int:
    """The number of a match in which all this has been played."""
    with chance.dealing(game.armies):
        match = tables.open_table(people, game.rules.key)
    for seat in Seat:
        text = game.armies[seat].text(game.rules, seat)
        commands.submit_move(match.pk, people[seat], text, None)
    match.refresh_from_db()
    for number, move in enumerate(game.moves):
        text, ply = write_move(game.rules, move), (match.opening or 0) + number
        commands.submit_move(match.pk, people[number % 2], text, ply)
    return match.pk


def _impossible(seen: sight.Look, user: User, theirs: list[str], rng: Random) -> list[str]:
    """Moves that are refused: from any square onto a piece of the victim, and to anywhere."""
    squares = seen.rules.board.squares
    found: list[str] = []
    while len(found) < TRIES:
        text = f"{rng.choice(squares)}x{rng.choice(theirs if rng.random() < 0.8 else squares)}"
        try:
            commands.prepare_move(seen.match.pk, user, text, seen.number)
        except Refusal:
            found.append(text)
    return found
