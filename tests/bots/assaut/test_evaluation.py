"""Evaluation of Assaut: the value of positions to the soldiers, without search."""

import pytest

from games.bots.assaut.evaluation import evaluate
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset
from tests.bots.assaut.forced_wins import node_of

ASSAUT = ruleset("assaut")
BEGUN = "~~3~~/~~1o1~~/3o3/SSSSSSS/SSSSSSS/~~SSS~~/~~SSS~~"
CROWDED = "~~SSS~~/~~SoS~~/"  # an officer among soldiers in the fortress


def value(board: str) -> int:
    return evaluate(node_of(read_position(ASSAUT, f"{board} S 0 60 0 -")))


@pytest.mark.parametrize(
    "board",
    [
        BEGUN.replace("1o1", "2o"),
        CROWDED + "SSSoSS1/SSSS3/SSS1SSS/~~S2~~/~~S2~~",
        "~~o2~~/~~3~~/S6/o6/7/~~3~~/~~3~~",
    ],
)
def test_both_wings_are_alike(board: str) -> None:
    mirrored = "/".join(row[::-1] for row in board.split("/"))
    assert mirrored != board
    assert value(mirrored) == value(board)


def test_a_lost_soldier_costs() -> None:
    assert value(BEGUN.replace("~~SSS~~", "~~SS1~~", 1)) < value(BEGUN)


def test_soldiers_gain_when_an_officer_is_gone() -> None:
    assert value(BEGUN.replace("3o3", "7")) > value(BEGUN) + 200


def test_filling_the_fortress_gains_more_with_both_officers_inside() -> None:
    """An officer outside cannot be shut in, and captures from behind."""
    crowded = CROWDED.replace("SSS", "SS1")
    both_inside = crowded + "1SSoS2/1SSSS2/SSSS3/~~SSS~~/~~S2~~"
    one_outside = crowded + "1SS1S2/1SSSSo1/SSSS3/~~SSS~~/~~S2~~"
    assert value(both_inside) > value(one_outside) + 50
