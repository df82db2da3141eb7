"""Stories of matches against the house: planned with two truths, and lived by the real commands.

Most are of a dozen turns. In some one side has as good as lost, and in some the house thinks about
a draw however early it is, so that it does resign, and takes and declines draws.
"""

from enum import Enum
from random import Random
from typing import NamedTuple

import pytest
from django.db import transaction

from games.house import house_accounts
from games.house.playing import queue
from games.house.thinking import child_client, ending_decisions
from games.play.commands import endings, matches, moves
from games.play.models.kind import PlyKind
from games.play.models.ply import Ply
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import read_annotated, write_move
from tests.play.match_helpers import People
from tests.secrecy import chance
from tests.secrecy.games import Game, end, random_game, twin
from tests.secrecy.lopsided import lopsided_game

MOST_PLIES = 24
NEVER = 10_000  # turns before which it thinks about no draw
CONSIDERED = 0.25  # how often it thinks about a draw if neither side is better
# From where on it judges itself lost or better in these stories. Where that is otherwise has tests
# of its own; here both have to be crossed, in any game, before a story takes too long.
LOST, EVEN = -0.08, 0.08


class Mood(Enum):
    """The house's chances in a story."""

    EVEN = "even"
    LOST = "lost"
    AHEAD = "ahead"


class Story(NamedTuple):
    seed: str
    level: str
    mood: Mood
    considered: bool  # whether it thinks about the draw that it is offered
    victim: Seat
    one: Game
    other: Game


def plan(
    rules: Ruleset,
    seed: str,
    level: str,
    mood: Mood = Mood.EVEN,
    considered: bool | None = None,
) -> Story:
    """A match whose next move is the house's, with two truths on the other side."""
    rng = Random(seed)
    if considered is None:
        often = {Mood.EVEN: CONSIDERED, Mood.LOST: 0.5, Mood.AHEAD: 1.0}
        considered = rng.random() < often[mood]
    while True:
        victim = Seat(rng.randrange(2))
        game = begun(rules, rng, victim, mood)
        other = twin(game, victim, rng) if game.outcome is None else None
        if other is not None and public_state(game) == public_state(other):
            return Story(seed, level, mood, considered, victim, game, other)


def begun(rules: Ruleset, rng: Random, victim: Seat, mood: Mood) -> Game:
    """A game up to a turn of the seat that is not the victim's."""
    house = victim.other
    if mood is not Mood.EVEN:
        return lopsided_game(rules, rng, house if mood is Mood.AHEAD else victim, turn=house)
    return random_game(rules, rng, 2 * rng.randrange(1, MOST_PLIES // 2) + house)


def public_state(game: Game) -> tuple[object, ...]:
    position = end(game)
    return position.turn, position.ply, position.quiet, position.shuttles, position.outcome


def plain(rules: Ruleset, kind: str, text: str) -> str:
    """A move as it was sent, without its annotations."""
    return read_annotated(rules, text).text if kind == PlyKind.MOVE else text


class Lived(NamedTuple):
    """All input and output of the thinking process, and everything public about it."""

    received: list[bytes]
    kind: str  # of the house's answer: a move, a resignation, a draw


def live(story: Story, game: Game, who: People, monkeypatch: pytest.MonkeyPatch) -> Lived:
    received: list[bytes] = []
    ask = child_client.child.ask

    def overhear(question: bytes) -> bytes:
        answer = ask(question)
        received.extend((question, answer))
        return answer

    with transaction.atomic(), chance.tamed() as drawn, monkeypatch.context() as patched:
        patched.setattr(child_client.child, "ask", overhear)
        if story.mood is Mood.LOST:
            patched.setattr(ending_decisions, "LOST", LOST)
        if story.mood is Mood.AHEAD:
            patched.setattr(ending_decisions, "EVEN", EVEN)
        patched.setattr(ending_decisions, "TOO_EARLY_TURNS", 0 if story.considered else NEVER)
        drawn.begin(story.seed)
        house = house_accounts.opponent(story.level)
        with chance.dealing(game.armies):
            users = {story.victim: who.alice, story.victim.other: house}
            match = matches.open_match(Terms(game.rules.key), users)
        for seat in game.rules.seats_setting_up:
            army = game.armies[seat].text(game.rules, seat)
            moves.submit_move(match.pk, users[seat], army, None)
        match.refresh_from_db()
        for number, move in enumerate(game.moves):
            text = write_move(game.rules, move)
            moves.submit_move(
                match.pk, users[Seat(number % 2)], text, (match.opening or 0) + number
            )
        endings.offer_draw(match.pk, who.alice)
        queue.work()
        # What its move then opens to everybody may differ: the ranks that it meets are other ones.
        plies = Ply.objects.filter(match=match).order_by("number")
        rows = list(plies.values_list("number", "kind", "text"))
        received += [
            f"{number} {kind} {plain(game.rules, kind, text)}".encode()
            for number, kind, text in rows
        ]
        match.refresh_from_db()
        assert match.ply > (match.opening or 0) + len(game.moves), "It gave no answer."
        transaction.set_rollback(True)
    return Lived(received, rows[-1][1])


def pair(story: Story, who: People, monkeypatch: pytest.MonkeyPatch) -> list[Lived]:
    return [live(story, game, who, monkeypatch) for game in (story.one, story.other)]
