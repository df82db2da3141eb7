"""An opened bundle is played through the rules, from the command line."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest

from games.rules import __main__ as command_line
from games.rules.core.basics.pieces import Seat
from games.rules.proof.bundle import BadBundle
from games.rules.proof.replay import Mismatch, replay_bundle
from tests import tiers
from tests.rules.proof.matches import HIDDEN, PRESETS, Match, begun, played
from tests.rules.proof.tampering import Forger

Deed = Callable[[Forger], None]


def finished(match: Match) -> Match:
    return match if match.position.outcome else match.resign(match.position.turn)


@pytest.mark.parametrize("preset", tiers.editions(PRESETS))
def test_a_match_agrees_with_its_rules(preset: str) -> None:
    match = finished(played(preset, 200, seed=4))
    sentence = replay_bundle(match.bundle())
    assert sentence == f"Match 17: {match.plies} plies fit the rules of {preset}."


@pytest.mark.parametrize("preset", tiers.editions(HIDDEN))
def test_a_match_agrees_with_its_options(preset: str) -> None:
    replay_bundle(finished(played(preset, 100, seed=1, limit=30, two_square=3)).bundle())


def test_endings_off_the_board_agree() -> None:
    def match() -> Match:
        return played("tactique-step", 6, seed=2)

    for ended in (
        match().resign(Seat.NORTH),
        match().draw(),
        match().time(),
        match().time().reopen().look().play(2).draw(),
    ):
        replay_bundle(ended.bundle())


def test_a_match_ended_by_an_opening_volley_agrees() -> None:
    matches = (begun("tactique", seed, volley_flag=True).set_up() for seed in range(60))
    replay_bundle(next(match for match in matches if match.position.outcome).bundle())


def illegal(forger: Forger) -> None:
    ply = forger.first("move", "-")
    ply[3] = ply[3].split("-")[0] + "-j10"


def unannounced_volley(forger: Forger) -> None:
    ply = next(ply for ply in forger.plies if " ~" in ply[3])
    ply[3] = ply[3].split(" ~")[0]


def other_volley(forger: Forger) -> None:
    ply = next(ply for ply in forger.plies if " ~" in ply[3])
    ply[3] += "!"


def other_reason(forger: Forger) -> None:
    forger.plies[-1][5] = "S no mobile piece left"


def other_rules(forger: Forger) -> None:
    forger.rule["returns"] = "C"


def other_winner(forger: Forger) -> None:
    forger.plies[-1][5] = "draw resigned"


def unknown_option(forger: Forger) -> None:
    forger.start[3] = [["gravity", 5]]


def another_option(forger: Forger) -> None:
    forger.start[3] = [["limit", 1]]


@pytest.mark.parametrize(
    ("deed", "sentence"),
    [
        (illegal, "Ply [0-9]+: .*"),
        (unannounced_volley, "Ply [0-9]+ says “.*”, and the rules “.* ~.*”."),
        (other_volley, "Ply [0-9]+ says “.*!”, and the rules .*"),
        (other_reason, "Ply [0-9]+ says “S no mobile piece left”, and the rules “[SN] resigned”."),
        (other_winner, "Ply [0-9]+ says “draw resigned”, and the rules .*"),
        (other_rules, "The rules line is not that of tactique with these options."),
        (another_option, "Ply [0-9]+ says “no ending”, and the rules “draw no progress”."),
    ],
)
def test_a_contradiction_is_named(deed: Deed, sentence: str) -> None:
    matches = (played("tactique", 20, seed) for seed in range(50))
    match = next(
        one for one in matches if not one.position.outcome and " ~" in "".join(one.lines[3:])
    )
    forger = Forger(match.resign(Seat.SOUTH))
    deed(forger)
    with pytest.raises(Mismatch, match=f"^{sentence}$"):
        replay_bundle(forger.bundle(signed=True))


def test_an_unplayable_bundle_is_refused() -> None:
    with pytest.raises(BadBundle, match="armies are not open"):
        replay_bundle(played("lattaque-en", 10).bundle())
    forger = Forger(played("lattaque-en", 10).draw())
    unknown_option(forger)
    with pytest.raises(BadBundle, match="Ply 0: "):
        replay_bundle(forger.bundle(signed=True))
    for text in ("", "nothing", "estafette/proof/1 17\nend\n"):
        with pytest.raises(BadBundle, match="This is no bundle"):
            replay_bundle(text)
    bundle = played("lattaque-en", 10).draw().bundle()
    for line in ("ply []", "ply [1]", "ply " + "[" * 900, "ply nothing"):
        with pytest.raises(BadBundle, match="not in their form"):
            replay_bundle(re.sub("(?m)^ply .*", line, bundle))


def test_it_is_a_command(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "match-17.proof"
    match = played("lattaque-en", 10).draw()
    path.write_text("\ufeff" + match.bundle().replace("\n", "\r\n"))
    assert command_line.main(["proof", str(path)]) == 0
    assert capsys.readouterr().out == "Match 17: 13 plies fit the rules of lattaque-en.\n"
    forger = Forger(match)
    forger.plies[-1][5] = "S agreed"
    path.write_text(forger.bundle(signed=True))
    assert command_line.main(["proof", str(path)]) == 1
    assert "and the rules “draw agreed”" in capsys.readouterr().err
    path.write_text("x")
    assert command_line.main(["proof", str(path)]) == 2
    assert command_line.main(["proof", str(tmp_path / "missing")]) == 1
