"""Tracked units and rank belief: what a seat works out, and samples that agree with it."""

from collections import Counter
from random import Random

import pytest

from games.bots.arena.match import Referee
from games.bots.belief.rank_belief import RankBelief
from games.bots.belief.tracked_units import TrackedUnits
from games.bots.heuristics.base import heuristics_of
from games.bots.levels import SERGEANT
from games.bots.player import Player
from games.bots.search.hidden_ranks_brain import HiddenRanksBrain
from games.protocol.lines import Line
from games.protocol.reading import read_line
from games.rules.core.basics.pieces import KIND, MARKED, Seat
from games.rules.core.state.position import Position
from games.rules.registry import ruleset
from tests import tiers
from tests.bots.seats import LocalPlayer, match

ATTAQUE: Line = {
    "ask": "move",
    "preset": "lattaque-en",
    "seat": "S",
    "phase": "play",
    "to_act": ["S"],
    "turn": "S",
    "ply": 0,
    "quiet": 0,
    "board": "?" * 10 + "/4??????/" + "?" * 10 + "/" + "?" * 10 + "/2~~2~~2/2~~2~~2/"
    "RRRRRRRR2/MGCCJJKK2/KKLLLLSSSS/EEEEYBBBBF",
    "fallen": {"S": [], "N": []},
    "heard": [],
    "legal": [],
}


def units_after(*heard: tuple[str, str], **changed: object) -> TrackedUnits:
    """The units of a seat that saw the first board, and then these actions."""
    units = TrackedUnits(ruleset("lattaque-en"), read_line(ATTAQUE).seat)
    first = read_line(ATTAQUE)
    units.update(first.heard, first.observation)
    then = read_line({**ATTAQUE, **changed, "heard": list(heard)})
    units.update(then.heard, then.observation)
    return units


def cell(square: str) -> int:
    return ruleset("lattaque-en").board.index[square]


def belief_of(units: TrackedUnits, ply: int = 10) -> RankBelief:
    return RankBelief(units, heuristics_of(units.rules.family), ply)


MOVED = (
    ATTAQUE["board"]
    .replace("/2~~2~~2/2~~", "/?1~~2~~2/2~~")
    .replace("?" * 10 + "/?1~~", "1" + "?" * 9 + "/?1~~")
)
FAR = (
    ATTAQUE["board"]
    .replace("2~~2~~2/RRRR", "?1~~2~~2/RRRR")
    .replace("?" * 10 + "/2~~2~~2/?1", "1" + "?" * 9 + "/2~~2~~2/?1")
)


def test_a_piece_that_has_moved_is_neither_a_bomb_nor_the_flag() -> None:
    chances = belief_of(units_after(("N", "a7-a6"), board=MOVED)).by_square()["a6"]
    assert "B" not in chances
    assert "F" not in chances
    assert chances["R"] > 0.1


def test_a_piece_that_moved_far_is_a_scout() -> None:
    assert belief_of(units_after(("N", "a7-a5"), board=FAR)).by_square()["a5"] == {"R": 1.0}


def test_the_flag_is_likelier_at_the_back() -> None:
    chances = belief_of(units_after()).by_square()
    assert chances["b10"]["F"] > 5 * chances["b7"]["F"]


def test_a_survivor_is_remembered() -> None:
    board = MOVED.replace("RRRRRRRR2", "1RRRRRRR2")
    units = units_after(
        ("N", "a7-a6"), ("S", "a4xa6[RvK]-"), board=board, fallen={"S": ["R"], "N": []}
    )
    assert belief_of(units).by_square()["a6"] == {"K": 1.0}
    assert units.unidentified_ranks()["K"] == 3


class Checked(Referee):
    """Compares what each player has worked out with the position, at each of its turns."""

    identified = 0

    def _turn(self, position: Position, seat: Seat) -> Position:
        units_after = super()._turn(position, seat)
        player = self.players[seat]
        assert isinstance(player, LocalPlayer)
        if isinstance(player.player.brain, HiddenRanksBrain):
            units = player.player.brain.units
            assert units is not None
            assert {unit.cell for unit in units.at.values()} == {
                cell for cell in self.rules.board.cells if position.cells[cell]
            }
            for unit in units.at.values():
                content = position.cells[unit.cell]
                demoted = bool(content & MARKED) and self.rules.mark == "demoted"
                rank = self.rules.enlisted_as(self.rules.rank_of(content), marked=demoted)
                assert rank in unit.ranks
                assert unit.content in (None, content)
                self.identified += unit.seat is not seat and unit.content is not None
        return units_after


@pytest.mark.parametrize(
    ("preset", "matches"),
    tiers.parameters(
        (
            ("tactique-convert", 1),
            ("tactique", 4),
            ("tactique-convert", 4),
            ("tactique-straight", 4),
            ("tactique-volley-all", 4),
            ("domino", 4),
            ("lattaque-zh", 4),
        ),
        fast=[("tactique-convert", 1)],
    ),
)
def test_excluded_ranks_are_never_true(preset: str, matches: int) -> None:
    identified = 0
    for seed in range(matches):
        players = (LocalPlayer(seed, "recruit", 30), LocalPlayer(seed + 50, "recruit", 30))
        referee = Checked(ruleset(preset), players, 60)
        referee.play(seed)
        identified += referee.identified
    assert identified > 5 * matches


DOMINO: Line = {
    **ATTAQUE,
    "preset": "domino",
    "board": "/".join(["<??>" * 8] * 3) + "/8/8/8/8/"
    "[61][12][33][13][43][35][45][55]/[00][01][02][03][04][11][14][15]/"
    "[22][23][24][25][34][44][60][66]",
    "aside": ["05", "26", "36", "46"],
}
WALKED = (("S", "a3-a4"), ("N", "a8-a7"), ("S", "a4-a5"), ("N", "a7-a6"), ("S", "a5xa6[61v22]+"))


def test_a_tile_that_approaches_a_strong_one_is_not_the_6_6() -> None:
    """The 6-6 would beat nearly every tile, but stays home while its army is large."""
    first = read_line(DOMINO)
    units = TrackedUnits(first.rules, first.seat)
    units.update(first.heard, first.observation)
    rows = str(DOMINO["board"]).split("/")
    rows[2:5] = ["1<??>1" + "<??>" * 5, "2<??>5", "[61]7"]
    rows[7] = rows[7].replace("[61]", "1")
    heard = [*WALKED, ("N", "c8-c7")]
    then = read_line({**DOMINO, "board": "/".join(rows), "heard": heard, "ply": 6})
    units.update(then.heard, then.observation)
    chances = belief_of(units).by_square()
    assert 0 < chances["c7"]["66"] < chances["d10"]["66"] / 20


def where_the_6_6_is(*rows: tuple[int, str], heard: list[tuple[str, str]]) -> dict[str, float]:
    """By square, the chance of the 6-6 after these actions; `rows` are new board rows, 0 on top."""
    first = read_line(DOMINO)
    units = TrackedUnits(first.rules, first.seat)
    units.update(first.heard, first.observation)
    board = str(DOMINO["board"]).split("/")
    for number, row in rows:
        board[number] = row
    then = read_line({**DOMINO, "board": "/".join(board), "heard": heard, "ply": len(heard)})
    units.update(then.heard, then.observation)
    belief = belief_of(units)
    names, column = units.rules.board.names, belief.ranks.index("66")
    return {
        names[unit.cell]: row[column]
        for unit, row in zip(belief.unknown, belief.chances, strict=True)
    }


def test_a_tile_that_stayed_home_is_likelier_the_6_6_than_one_that_advanced() -> None:
    heard = [("S", "b3-b4"), ("N", "c8-c7"), ("S", "b4-b3"), ("N", "c9-c8"), ("S", "b3-b4")]
    heard += [("N", "c10-c9"), ("S", "b4-b3"), ("N", "d10-c10")]
    left = "<??>" * 3 + "1" + "<??>" * 4
    chances = where_the_6_6_is((0, left), (3, "2<??>5"), heard=heard)
    # Both were set up in the last row; the one on c10 has gone aside.
    assert 0 < chances["c9"] < chances["c10"] < chances["h10"] / 2


def test_a_tile_that_spares_a_tile_that_a_6_6_would_beat_is_unlikely_the_6_6() -> None:
    cases = {
        "b6": ("b8-b7", "b7-b6", "2" + "<??>" * 4 + "1<??>", "[61]<??>6"),
        "c6": ("c8-c7", "c7-c6", "1<??>1" + "<??>" * 3 + "1<??>", "[61]1<??>5"),
    }
    chances = {}
    for square, (first, second, front, row_with_61) in cases.items():
        heard = [*WALKED, ("N", first), ("S", "h3-h4"), ("N", second), ("S", "h4-h5")]
        rows = [(2, front), (3, "6<??>1"), (4, row_with_61), (5, "7[55]")]
        rows.append((7, "1[12][33][13][43][35][45]1"))
        chances[square] = where_the_6_6_is(*rows, heard=[*heard, ("N", "g8-g7")])[square]
    assert 0 < chances["b6"] < chances["c6"] / 2


TACTIQUE: Line = {
    **ATTAQUE,
    "preset": "tactique-volley-all",
    "board": "????????/????????/????????/8/2V1A1P1/CVVVPPPP/PPPIIIII/IIIAAAFC",
}


def belief_after_opening(board: str, *heard: tuple[str, str]) -> dict[str, dict[str, float]]:
    """The belief at a first board of Tactique, after these shots."""
    line = read_line({**TACTIQUE, "board": board, "heard": list(heard)})
    units = TrackedUnits(line.rules, line.seat)
    units.update(line.heard, line.observation)
    return belief_of(units, 0).by_square()


def test_an_enemy_that_own_archers_do_not_hit_is_the_flag() -> None:
    assert belief_after_opening(TACTIQUE["board"])["e6"] == {"F": 1.0}


def test_the_only_enemy_that_can_have_shot_is_an_archer() -> None:
    board = TACTIQUE["board"].replace("2V1A1P1", "2P'1P1P1").replace("IAAAFC", "AAAAFC")
    assert belief_after_opening(board, ("*", "~c4"))["c6"] == {"A": 1.0}


def test_samples_agree_with_counts_and_facts() -> None:
    units = units_after(("N", "a7-a6"), board=MOVED)
    belief, rules = belief_of(units), units.rules
    samples = [belief.sample(Random(seed)) for seed in range(40)]
    army = Counter({troop.rank: troop.number for troop in rules.army})
    for sample in samples:
        assert Counter(rules.rank_of(content) for content in sample.values()) == army
        assert rules.rank_of(sample[cell("a6")]) not in "BF"
    assert len({tuple(sorted(sample.items())) for sample in samples}) == len(samples)


@pytest.mark.soak
def test_samples_of_a_played_match_agree_with_the_army_list() -> None:
    for preset in ("domino", "tactique", "tactique-convert", "lattaque-zh"):
        played = match(preset, ("recruit", "recruit"), seed=8, answers=25)
        player = Player(8, SERGEANT)
        for line in played.lines[0]:
            player.update(line)
        brain = player.brain
        assert isinstance(brain, HiddenRanksBrain)
        units = brain.units
        assert units is not None
        belief = RankBelief(units, heuristics_of(units.rules.family), 30)
        pool = units.unidentified_ranks()
        for seed in range(10):
            sample = belief.sample(Random(seed))
            guessed = Counter(
                units.rules.enlisted_as(
                    units.rules.rank_of(sample[unit.cell]),
                    marked=unit.marked and units.rules.mark == "demoted",
                )
                for unit in belief.unknown
            )
            assert guessed <= pool
            assert all(content & KIND for content in sample.values())
