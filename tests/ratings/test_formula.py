"""The formula against the example of Glickman's paper, and what must hold for any result."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.ratings.glicko.formula import MAX_DEVIATION, SCALE, Result, State, aged, update

PAPER = State(1500, 200, 0.06)
RESULTS = [Result(1400, 30, 1), Result(1550, 100, 0), Result(1700, 300, 0)]


def test_the_example_of_the_paper_is_reproduced() -> None:
    state = update(PAPER, RESULTS, 1)
    assert state.rating == pytest.approx(1464.0507, abs=0.0001)
    assert state.deviation == pytest.approx(151.5165, abs=0.0001)
    assert state.volatility == pytest.approx(0.0599960, abs=0.0000001)


def test_without_results_only_the_deviation_grows() -> None:
    assert update(PAPER, [], 1) == aged(PAPER, 1)
    assert aged(PAPER, 1).deviation == pytest.approx(math.hypot(200, SCALE * 0.06))
    assert aged(PAPER, 0) == PAPER
    assert aged(PAPER, 10_000).deviation == MAX_DEVIATION


@pytest.mark.parametrize("rating", [-10_000, 10_000])
@pytest.mark.parametrize("deviation", [0.01, MAX_DEVIATION])
@pytest.mark.parametrize("volatility", [0.000001, 10])
@pytest.mark.parametrize("score", [0, 0.5, 1])
def test_values_accepted_by_the_command_do_not_overflow(
    rating: float, deviation: float, volatility: float, score: float
) -> None:
    for opponent in (Result(10_000, 0.01, score), Result(-10_000, MAX_DEVIATION, score)):
        state = update(State(rating, deviation, volatility), [opponent], 0)
        assert all(map(math.isfinite, (state.rating, state.deviation, state.volatility)))


states = st.builds(
    State,
    st.floats(100, 3500),
    st.floats(30, MAX_DEVIATION),
    st.floats(0.03, 0.12),
)


@given(states, states, st.floats(0, 500))
def test_a_win_raises_and_a_loss_lowers(one: State, other: State, periods: float) -> None:
    win, loss = (
        update(one, [Result(other.rating, other.deviation, score)], periods) for score in (1, 0)
    )
    # A sure result moves nothing, within the precision of floats.
    assert loss.rating - 1e-9 <= one.rating <= win.rating + 1e-9
    for state in (win, loss):
        assert 0 < state.deviation <= MAX_DEVIATION
        assert math.isfinite(state.rating)
        assert 0 < state.volatility < 1
