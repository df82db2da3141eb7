"""The method of timing.py works: a delay by rank is found, and noise is not.

How long the real responses take is measured by hand (docs/secrecy.md), since machines differ.
"""

from random import Random
from statistics import median
from time import thread_time_ns
from typing import Any

import pytest

from games.play.models.match import Match, Player
from games.play.models.plan import Plan
from games.play.record import match_store, match_view
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text import notation
from tests import tiers
from tests.secrecy.copies import (
    PLAN,
    Act,
    Copies,
    api_move,
    attempt,
    delete,
    lay,
    plan,
    receipt,
    reject,
    rolled_back,
    view,
)
from tests.secrecy.games import end
from tests.secrecy.leaks.planting import before
from tests.secrecy.scene import Scene
from tests.secrecy.welch import BOUND, FEW, Ordered, finest, largest_t, sample

pytestmark = pytest.mark.long


def rank_at(rules: Ruleset, truth: Position, square: str) -> str:
    return rules.rank_of(truth.cells[rules.board.index[square]])


def telling_square(copies: Copies) -> tuple[str, str]:
    """A square on which the two truths differ, and the rank there in the first."""
    rules, (one, other) = copies.truths[0].rules, map(end, copies.truths)
    for square in copies.hidden:
        rank = rank_at(rules, one, square)
        if rank != rank_at(rules, other, square):
            return square, rank
    raise AssertionError("The two truths should differ.")


@pytest.mark.parametrize("act", tiers.parameters((view, attempt, reject, receipt), fast=(reject,)))
def test_a_delay_by_rank_is_detected(
    act: Act, scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = lay("lattaque-en", scene.people, 4, Random("delay"))
    square, rank = telling_square(copies)
    usual = median(sample(copies.drawing(act), FEW // 5)[0])

    def dawdle(rules: Ruleset, truth: Position, *_: Any) -> None:
        # As long again as the whole response takes, on any machine.
        begun = thread_time_ns()
        while rank_at(rules, truth, square) == rank and thread_time_ns() - begun < usual:
            pass

    if act is view:
        before(monkeypatch, match_view, "observe", dawdle)
    else:
        before(monkeypatch, notation, "read_move", dawdle)
    assert abs(largest_t(sample(copies.drawing(act), 2 * FEW))) > BOUND


def test_acts_have_their_effect_and_leave_nothing(scene: Scene) -> None:
    copies = lay("lattaque-en", scene.people, 1, Random("acts"), PLAN)
    number = copies.numbers[1][0]
    player = Player.objects.get(match=number, user=copies.opponent)
    for act, state in ((api_move, None), (plan, "standing"), (delete, "deleted")):
        with rolled_back():
            act(copies, number)()
            while act is plan and not played(copies, number):  # a few are refused
                act(copies, number)()
            assert played(copies, number) == (act is not delete), act
            assert Plan.objects.filter(player=player, state=state).exists() == bool(state), act
        assert not played(copies, number)
        assert not Plan.objects.filter(player=player).exists()


def played(copies: Copies, number: int) -> bool:
    return Match.objects.get(pk=number).ply == copies.ply + 1


@pytest.mark.soak
def test_a_delay_by_a_waiting_plan_is_detected(
    scene: Scene, monkeypatch: pytest.MonkeyPatch
) -> None:
    copies = lay("lattaque-en", scene.people, 2, Random("plan"), PLAN)
    usual = median(sample(copies.drawing(api_move), FEW // 5, rolled_back)[0])

    def dawdle(match_id: int, *_: Any, **__: Any) -> None:
        # As long again as the whole response takes, on any machine.
        begun = thread_time_ns()
        waits = Plan.objects.filter(player__match=match_id, player__to_act=False).exists()
        while waits and thread_time_ns() - begun < usual:
            pass

    before(monkeypatch, match_store, "load_match", dawdle)
    assert abs(largest_t(sample(copies.drawing(api_move), FEW, rolled_back))) > BOUND


def test_rare_interruptions_hide_no_difference() -> None:
    rng = Random(0)

    def taken(usual: int) -> int:
        return usual + rng.randrange(100) + (10**6 if rng.random() < 0.01 else 0)

    one, other = ([taken(usual) for _ in range(2000)] for usual in (1000, 1010))
    assert abs(Ordered(one).welch(Ordered(other), 10**7)) < BOUND < abs(largest_t((one, other)))


def test_noise_is_no_difference_and_a_delay_within_it_is_one() -> None:
    rng = Random(0)
    one, other = ([rng.randrange(10**6) for _ in range(2000)] for _ in range(2))
    assert abs(largest_t((one, other))) < BOUND
    delay = finest((one, other))
    delayed = [taken + delay for taken in other]
    assert abs(largest_t((one, delayed))) >= BOUND


def test_t_is_computed_as_by_welch() -> None:
    assert Ordered([1, 2, 3]).welch(Ordered([2, 4, 6, 8]), 8) == pytest.approx(-2.121, abs=0.001)
