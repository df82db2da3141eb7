"""The referee accepts moves and set-ups in canonical text only."""

import pytest

from games.rules.referee import answer

SETUP = [
    "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
    "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR",
]


def ask(*moves: str) -> dict[str, object]:
    return answer(
        {"preset": "lattaque-en", "setup": SETUP, "moves": list(moves), "want": ["annotated"]}
    )


@pytest.mark.parametrize("text", ["a4xa5", "a4-a7", "a4a5", "a4 a5", "a4->a5"])
def test_a_move_in_another_form_is_refused_with_the_canonical_one(text: str) -> None:
    answered = ask(text)
    assert answered["at"] == 0
    assert "a4-a5" in str(answered["error"]) or "a4xa7" in str(answered["error"])


def test_annotations_of_a_record_are_ignored() -> None:
    assert ask("a4xa7[MvR]+") == {"annotated": ["a4xa7[RvM]-"]}


def test_a_question_may_have_further_keys() -> None:
    question = {"preset": "lattaque-en", "setup": SETUP, "want": ["status"], "id": 7}
    assert answer(question) == {"status": None}
