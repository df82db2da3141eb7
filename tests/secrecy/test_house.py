"""The house is blind: where two truths look alike from its seat, it is told and does the same.

A pair is one match lived twice by the real commands, with the same seed and other secrets of the
person who plays against the house. What goes to the thinking process is compared to the byte, and
so is all that comes of it: the move, a resignation, the answer to a draw.
"""

from collections.abc import Callable
from dataclasses import replace
from random import Random
from typing import Any, NamedTuple

import pytest
from django.db import transaction

from games.house import players, thinking, work
from games.play.commands import endings, matches, moves
from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record import seat_history
from games.rules import registry
from games.rules.core.notation import read_annotated, write_move
from games.rules.core.pieces import Seat, is_piece
from games.rules.core.ruleset import Ruleset
from tests.play.match_helpers import People
from tests.secrecy import chance
from tests.secrecy.games import Game, end, random_game, twin
from tests.secrecy.leaks.planting import bit, change

HIDDEN = [rules for rules in registry.presets() if rules.hidden]
PARTS = 60
OF_EACH_PRESET = 1  # pairs, in each part: a thousand in all of them
MOST_PLIES = 24


class Story(NamedTuple):
    seed: str
    level: str
    victim: Seat
    one: Game
    other: Game


def plan(rules: Ruleset, seed: str, level: str) -> Story:
    """A match whose next move is the house's, with two truths on the other side."""
    rng = Random(seed)
    while True:
        victim = Seat(rng.randrange(2))
        # After so many plies the seat that is not the victim's is to move.
        plies = 2 * rng.randrange(1, MOST_PLIES // 2) + victim.other
        game = random_game(rules, rng, plies)
        other = twin(game, victim, rng) if game.outcome is None else None
        if other is not None and facts(game) == facts(other):
            return Story(seed, level, victim, game, other)


def facts(game: Game) -> tuple[object, ...]:
    position = end(game)
    return position.turn, position.ply, position.quiet, position.shuttles, position.outcome


def plain(rules: Ruleset, kind: str, text: str) -> str:
    """A move as it was sent, without what came of it."""
    return read_annotated(rules, text).text if kind == PlyKind.MOVE else text


def live(story: Story, game: Game, who: People, monkeypatch: pytest.MonkeyPatch) -> list[bytes]:
    """All that went to the thinking process, and all that everybody could see of its answer."""
    received: list[bytes] = []
    ask = thinking.mind.ask

    def overhear(question: bytes) -> bytes:
        received.append(question)
        return ask(question)

    with transaction.atomic(), chance.tamed() as drawn, monkeypatch.context() as patched:
        patched.setattr(thinking.mind, "ask", overhear)
        drawn.begin(story.seed)
        house = players.opponent(story.level)
        with chance.dealing(game.armies):
            match = matches.open_match(
                preset=game.rules.key,
                switches={},
                seats={story.victim: who.alice, story.victim.other: house},
                pace="3d",
                setup_pace="3d",
            )
        users = {story.victim: who.alice, story.victim.other: house}
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
        work.work()
        # What its move then opens to everybody may differ: the ranks that it meets are other ones.
        received += [
            f"{number} {kind} {plain(game.rules, kind, text)}".encode()
            for number, kind, text in Ply.objects.filter(match=match)
            .order_by("number")
            .values_list("number", "kind", "text")
        ]
        match.refresh_from_db()
        assert match.ply > (match.opening or 0) + len(game.moves), "It gave no answer."
        transaction.set_rollback(True)
    return received


def pair(story: Story, who: People, monkeypatch: pytest.MonkeyPatch) -> list[list[bytes]]:
    return [live(story, game, who, monkeypatch) for game in (story.one, story.other)]


@pytest.mark.long
@pytest.mark.rotated(PARTS)
@pytest.mark.parametrize("part", range(PARTS))
def test_other_secrets_change_neither_a_line_nor_a_move(
    part: int, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rules in HIDDEN:
        for number in range(OF_EACH_PRESET):
            level = players.LEVELS[(part + number) % 3]
            story = plan(rules, f"{rules.key}/{part}/{number}", level)
            one, other = pair(story, who, monkeypatch)
            assert one == other, story.seed
            assert len(one) > len(story.one.moves) + 2


def test_what_it_thinks_is_the_same_for_a_pair_of_each_level(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, level in enumerate(players.LEVELS):
        story = plan(HIDDEN[5 * number], f"{level}/{number}", level)
        one, other = pair(story, who, monkeypatch)
        assert one == other


# --- the test itself is tested


def an_observation_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(seen: Any, rules: Any, truth: Any, *_: Any) -> Any:
        sum_of_ranks = sum(cell * place for place, cell in enumerate(truth.cells) if is_piece(cell))
        return replace(seen, quiet=sum_of_ranks % 50)

    change(patched, seat_history, "observe", spoil)


def a_move_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(thought: thinking.Thought, lines: Any, *_: Any) -> thinking.Thought:
        legal = lines[-1]["legal"]
        newest = Match.objects.latest("pk")
        return thought._replace(move=legal[-1] if bit(newest.pk) else legal[0])

    change(patched, thinking, "think", spoil)


def a_resignation_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(thought: thinking.Thought, *_: Any) -> thinking.Thought:
        lost = bit(Match.objects.latest("pk").pk)
        return thought._replace(standings=(-1.0,) * 6 if lost else ())

    change(patched, thinking, "think", spoil)


@pytest.mark.rotated(3)
@pytest.mark.long
@pytest.mark.parametrize(
    "leak", [an_observation_by_the_truth, a_move_by_the_truth, a_resignation_by_the_truth]
)
def test_a_planted_leak_is_found(
    leak: Callable[[pytest.MonkeyPatch], None], who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    stories = [plan(HIDDEN[0], f"leak/{number}", "recruit") for number in range(12)]
    with monkeypatch.context() as patched:
        leak(patched)
        found = [story for story in stories if len({*map(tuple, pair(story, who, patched))}) > 1]
    assert found
    one, other = pair(found[0], who, monkeypatch)
    assert one == other
