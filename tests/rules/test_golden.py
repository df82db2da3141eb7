"""Golden games: a game of every edition is played and seen as in its stored transcript."""

from difflib import unified_diff

import pytest

from games.rules.core.ruleset.base import Ruleset
from games.rules.registry import editions
from tests.rules.golden.games import FOLDER, file_of
from tests.rules.golden.transcript import transcript

REWRITE = "python -m tests.rules.golden --write"


@pytest.mark.parametrize("rules", editions(), ids=lambda rules: rules.key)
def test_a_golden_game_matches_its_transcript(rules: Ruleset) -> None:
    file = file_of(rules)
    kept = file.read_text(encoding="utf-8").splitlines() if file.exists() else []
    diff = list(
        unified_diff(kept, transcript(rules).splitlines(), "kept", "played now", lineterm="", n=4)
    )
    if diff:
        first = "\n".join(diff[:60])
        pytest.fail(
            f"{file.name} differs. If the change is meant, rewrite the games ({REWRITE}) and read"
            f" what has changed.\n{first}",
            pytrace=False,
        )


def test_there_is_one_golden_game_for_each_edition() -> None:
    kept = {file.stem for file in FOLDER.glob("*.txt")}
    assert kept == {rules.key for rules in editions()}
