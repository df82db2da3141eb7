"""The house is blind: if two truths look alike from its seat, it receives and does the same.

A pair is one match played twice by the real commands, with the same seed and other secrets of the
person who plays against the house. The input of the thinking process is compared byte by byte, and
so is all its output: its answer with the number of positions searched, the move, a resignation, the
answer to a draw.
"""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from games.house import house_accounts
from games.house.playing import offer_answers, turn_answers
from games.house.thinking import child_client
from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.record import seat_history
from games.rules import registry
from games.rules.core.basics.pieces import is_piece
from tests import tiers
from tests.floors import at_least
from tests.play.match_helpers import People
from tests.secrecy.house_stories import Mood, Story, pair, plan
from tests.secrecy.leaks.planting import bit, change

QUICK = registry.ruleset("tactique")  # in which one side has soon nearly lost
MOST_STORIES = 12  # until a leak must have been found
HIDDEN = [rules for rules in registry.editions() if rules.hidden]
PARTS = 60


def stories(part: int, *, few: bool = False) -> list[Story]:
    """One of every preset and one more, so that sixty parts are more than a thousand.

    One is nearly lost and one is ahead, another preset's in each part. `few`: those two, and one of
    each game with hidden ranks.
    """
    count = len(HIDDEN)
    moods = {part % count: Mood.LOST, (part + count // 2) % count: Mood.AHEAD}
    return [
        plan(
            HIDDEN[number % count if number < count else 5 * part % count],
            f"{part}/{number}",
            house_accounts.LEVELS[(part + number) % 3],
            moods.get(number, Mood.EVEN),
        )
        for number in range(count + 1)
        if not few or number in moods or HIDDEN[number % count].key in tiers.REPRESENTATIVES
    ]


def test_all_parts_have_more_than_a_thousand_pairs() -> None:
    assert len(HIDDEN) == 16
    assert PARTS * (len(HIDDEN) + 1) >= 1_000


@pytest.mark.long
@pytest.mark.parametrize(
    ("part", "few"),
    tiers.parameters([(0, True), *((part, False) for part in range(PARTS))], fast=[(0, True)]),
)
def test_other_secrets_change_neither_a_line_nor_an_answer(
    part: int, few: bool, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    for story in at_least(5, stories(part, few=few)):
        one, other = pair(story, who, monkeypatch)
        assert one == other, story
        assert len(one.received) > len(story.one.moves) + 2
        if story.mood is Mood.LOST:
            assert one.kind == (PlyKind.DRAW if story.considered else PlyKind.RESIGN), story.seed
        if story.mood is Mood.AHEAD:
            assert one.kind == PlyKind.MOVE, story.seed


def test_its_thoughts_are_the_same_for_a_pair_of_each_level(
    who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, level in enumerate(house_accounts.LEVELS):
        story = plan(HIDDEN[5 * number], f"{level}/{number}", level)
        one, other = pair(story, who, monkeypatch)
        assert one == other


# --- tests of the test itself


def newest() -> int:
    return int(Match.objects.latest("pk").pk)


def an_observation_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(seen: Any, rules: Any, truth: Any, *_: Any) -> Any:
        sum_of_ranks = sum(cell * place for place, cell in enumerate(truth.cells) if is_piece(cell))
        return replace(seen, quiet=sum_of_ranks % 50)

    change(patched, seat_history, "observe", spoil)


def a_move_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(thought: child_client.Thought, lines: Any, *_: Any) -> child_client.Thought:
        legal = lines[-1]["legal"]
        return thought._replace(move=legal[-1] if bit(newest()) else legal[0])

    change(patched, child_client, "think", spoil)


def a_count_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    def spoil(output: bytes, *_: Any) -> bytes:
        return output.replace(b'"nodes": ', b'"nodes": 1' if bit(newest()) else b'"nodes": ')

    change(patched, child_client.child, "ask", spoil)


def a_resignation_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    """Plays on when it has nearly lost, because of the truth."""
    change(patched, turn_answers, "is_lost", lambda lost, *_: lost and bit(newest()))


def a_draw_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    """Declines a draw that it would accept, because of the truth."""
    change(patched, offer_answers, "accepts_draw", lambda taken, *_: taken and bit(newest()))


def a_declined_draw_by_the_truth(patched: pytest.MonkeyPatch) -> None:
    """Accepts a draw although it is better, because of the truth."""
    change(patched, offer_answers, "accepts_draw", lambda taken, *_: taken or bit(newest()))


# What is planted, the house's chances in the stories that show it, and whether it thinks about a
# draw there.
LEAKS: list[tuple[Callable[[pytest.MonkeyPatch], None], Mood, bool]] = [
    (an_observation_by_the_truth, Mood.EVEN, False),
    (a_move_by_the_truth, Mood.EVEN, False),
    (a_count_by_the_truth, Mood.EVEN, False),
    (a_resignation_by_the_truth, Mood.LOST, False),
    (a_draw_by_the_truth, Mood.EVEN, True),
    (a_declined_draw_by_the_truth, Mood.AHEAD, True),
]


@pytest.mark.long
@pytest.mark.parametrize(
    ("leak", "mood", "considered"), tiers.parameters(LEAKS, fast=(LEAKS[1], LEAKS[5]))
)
def test_a_planted_leak_is_detected(
    leak: Callable[[pytest.MonkeyPatch], None],
    mood: Mood,
    considered: bool,
    who: People,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    house_stories = (
        plan(QUICK, f"leak/{number}", "recruit", mood, considered) for number in range(MOST_STORIES)
    )
    leaking = None
    for story in house_stories:
        with monkeypatch.context() as patched:
            leak(patched)
            one, other = pair(story, who, patched)
        if one != other:
            leaking = story
            break
    assert leaking
    one, other = pair(leaking, who, monkeypatch)
    assert one == other
