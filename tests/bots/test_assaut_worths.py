"""Assaut: what positions are worth to the soldiers, without any search."""

import pytest

from games.bots.assaut.evaluation import evaluate
from games.rules.core.text.notation import read_position
from games.rules.registry import ruleset
from tests.bots.forced_wins import node_of

ASSAUT = ruleset("assaut")
BEGUN = "~~3~~/~~1o1~~/3o3/SSSSSSS/SSSSSSS/~~SSS~~/~~SSS~~"
CROWDED = "~~SSS~~/~~SoS~~/"  # an officer among soldiers in the fortress


def worth(board: str) -> int:
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
    assert worth(mirrored) == worth(board)


def test_a_soldier_that_is_gone_is_missed() -> None:
    assert worth(BEGUN.replace("~~SSS~~", "~~SS1~~", 1)) < worth(BEGUN)


def test_soldiers_are_glad_of_an_officer_less() -> None:
    assert worth(BEGUN.replace("3o3", "7")) > worth(BEGUN) + 200


def test_a_fortress_is_filled_around_both_officers_and_not_past_one_outside() -> None:
    """The one outside cannot be shut in, and takes soldiers from behind."""
    crowded = CROWDED.replace("SSS", "SS1")
    both_inside = crowded + "1SSoS2/1SSSS2/SSSS3/~~SSS~~/~~S2~~"
    one_outside = crowded + "1SS1S2/1SSSSo1/SSSS3/~~SSS~~/~~S2~~"
    assert worth(both_inside) > worth(one_outside) + 50
