"""The sixth game on the command line: the referee plays what a test has registered."""

from pathlib import Path

import pytest

from games.rules import registry
from games.rules.__main__ import main
from games.rules.core.basics.refusals import UnknownRuleset
from games.rules.proof import verify
from games.rules.referee import answer, answer_line
from tests.rules.proof.matches import begun
from tests.sixth_game.outpost import EDITIONS, PLAIN

SETUP = ["HHHGGG/1III1F", "F1III1/GGGHHH"]


def ask(preset: str = "outpost", **question: object) -> dict[str, object]:
    return answer({"preset": preset, **question})


def test_a_match_runs_from_the_set_ups_to_its_end() -> None:
    moves = ["a2-a3", "a5-a4", "a3xa4", "b5-b4", "a4-a5", "b4-b3", "a5xa6"]
    reply = ask(setup=SETUP, moves=moves, want=["annotated", "status", "views", "position"])
    assert reply["annotated"] == [*moves[:2], "a3xa4[HvG]+", *moves[3:6], "a5xa6[HvF]#"]
    assert reply["status"] == ["S", "outpost taken"]
    assert reply["views"] == [
        "H1???1/2????/6/1?4/1HHGGG/1III1F",
        "?1iii1/2ghhh/6/1g4/1?????/1???1?",
    ]
    assert str(reply["position"]).endswith("over=S:outpost_taken")


def test_each_arm_beats_one_loses_to_another_and_ties_with_its_own() -> None:
    for attacker, defender, result in ("HG+", "GI+", "IH+", "GH-", "HI-", "II=", "HF#"):
        position = f"6/6/2{defender.lower()}h2/2{attacker}3/F5/6 S 0 0"
        reply = ask(position=position, moves=["c3xc4"], want=["annotated"])
        assert reply["annotated"] == [f"c3xc4[{attacker}v{defender}]{result}"]


def test_the_other_edition_is_the_first_with_an_option_set() -> None:
    position = "6/6/2gh2/2H3/F5/6 S 0 0"
    views = [
        ask(preset, switches=switches, position=position, moves=["c3xc4"], want=["views"])
        for preset, switches in (("outpost", {"faceup": True}), ("outpost-open", {}))
    ]
    assert views[0] == views[1] != ask(position=position, moves=["c3xc4"], want=["views"])
    assert "H!" in str(views[0])


def test_a_bad_move_is_refused_with_a_sentence() -> None:
    reply = ask(setup=SETUP, moves=["a2-a4"])
    assert reply == {"error": "A piece moves one square, and a4 is farther from a2.", "at": 0}
    line = b'{"preset": "outpost", "setup": ["HHHGGG/1III1F", "F1III1/GGGHH1"]}'
    assert answer_line(line) == {"error": "One Hussar is left to place."}


def test_an_unregistered_game_is_unknown_again() -> None:
    assert registry.ruleset("outpost") is PLAIN
    assert registry.first_edition(EDITIONS[1]) is PLAIN
    registry.withdraw("outpost")
    with pytest.raises(UnknownRuleset):
        registry.ruleset("outpost")
    registry.register(EDITIONS)


def test_its_matches_are_proved_and_replayed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    match = begun("outpost").set_up().play(40)
    if not match.position.outcome:
        match.draw()
    path = tmp_path / "match-17.proof"
    path.write_text(match.bundle())
    assert verify.main([str(path)]) == 0
    assert main(["proof", str(path)]) == 0
    assert f"{match.plies} plies fit the rules of outpost." in capsys.readouterr().out
