"""Flag safety: a move that can protect the flag is found, and guards stay where they are needed."""

from dataclasses import replace

import pytest

from games.bots.belief.tracked_units import TrackedUnits
from games.bots.evaluation.flag_safety import FlagSafety
from games.bots.evaluation.situation import Situation
from games.bots.levels import MARSHAL, SERGEANT, Level
from games.bots.player import choose
from games.protocol.reading import read_line
from games.protocol.writing import HeardActions, request_line
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.notation import annotate, read_move, read_position
from games.rules.registry import ruleset

# The file before the flag on f1 is empty as far as f8, from where any piece can charge along it.
GAP = "pfiiapiv/1i'avc1ip/4i2p/2w'5/2P5/AW'P5/VCV1W'2v'/IVIPIFIA S 26 0"


def can_be_lost_at_once(rules: Ruleset, position: Position) -> bool:
    """Whether the side to move can take the other's flag."""
    for move in rules.legal_moves(position, position.turn):
        after, _ = rules.apply(position, position.turn, move)
        if after.outcome and after.outcome.winner is position.turn:
            return True
    return False


# A marshal in a game for which it has no search.
SEARCHLESS = replace(MARSHAL, name="searchless", forced_win_moves=0)


@pytest.mark.parametrize("level", [SERGEANT, MARSHAL, SEARCHLESS], ids=lambda level: level.name)
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_an_open_line_to_the_flag_is_blocked(level: Level, seed: int) -> None:
    rules = ruleset("tactique")
    position = read_position(rules, GAP)
    passed = position._replace(turn=Seat.NORTH)
    assert can_be_lost_at_once(rules, passed)
    seen = observe(rules, position, Viewpoint.SOUTH)
    text = choose([request_line(rules, seen, Seat.SOUTH, [], 2.0)], seed, level)
    after, _ = rules.apply(position, Seat.SOUTH, read_move(rules, position, Seat.SOUTH, text))
    assert not can_be_lost_at_once(rules, after), text


def situation_of(preset: str, position: Position, heard: HeardActions) -> Situation:
    """South's situation in a position that was reached by these actions."""
    rules = ruleset(preset)
    seen = observe(rules, position, Viewpoint.SOUTH)
    request = read_line(request_line(rules, seen, Seat.SOUTH, heard, 2.0))
    units = TrackedUnits(rules, Seat.SOUTH)
    units.update(request.heard, request.observation)
    return Situation(units, request.observation)


# An unknown piece, a sapper, comes down the file at whose end the flag stands behind a mine. The
# general can stop it as long as he stays next to the file.
RAID = "4bfb3/5b4/10/7l2/2~~2~~2/e1~~2~~2/1G8/10/B9/FB3K4 S 101 0"
RAIDER = ("a6-a5", "a5-a4", "a4-a3", "a3xa2", "a2xa1")


@pytest.mark.soak
@pytest.mark.parametrize("seed", [1, 2, 3, 4])
def test_a_raid_on_the_flag_is_stopped_by_the_general(seed: int) -> None:
    rules = ruleset("lattaque-en")
    position = read_position(rules, RAID)
    heard: HeardActions = [("N", RAIDER[0])]
    lines = []
    for raid in RAIDER[1:]:
        seen = observe(rules, position, Viewpoint.SOUTH)
        lines.append(request_line(rules, seen, Seat.SOUTH, heard, 2.0))
        heard = []
        for seat, text in ((Seat.SOUTH, choose(lines, seed, MARSHAL)), (Seat.NORTH, raid)):
            try:
                move = read_move(rules, position, seat, text)
            except Refusal:
                assert seat is Seat.NORTH
                return  # The raider was taken.
            position, events = advance(rules, position, seat, move)
            action = annotate(rules, move, witness(events, Viewpoint.GALLERY))
            heard.append((rules.seat_letters[seat], action))
    pytest.fail("The flag was taken.")


@pytest.mark.parametrize(
    ("stop", "less_safe"),
    [("b5", True), ("c4", True), ("b3", False), ("a4", False)],
)
def test_a_guard_that_leaves_the_file_makes_the_flag_less_safe(stop: str, less_safe: bool) -> None:
    safety, index = safety_of(RAID)
    general = safety.situation.units.at[index["b4"]].content or 0
    assert (safety.added_threat(index["b4"], general, index[stop], None) > 0) is less_safe
    assert safety.added_threat(index["b4"], general, None, None) > 0


def test_a_piece_far_from_the_file_changes_nothing() -> None:
    safety, index = safety_of(RAID)
    captain = safety.situation.units.at[index["f1"]].content or 0
    assert safety.added_threat(index["f1"], captain, index["g1"], None) == 0


def safety_of(text: str) -> tuple[FlagSafety, dict[str, int]]:
    """South's flag safety after the raider's first move."""
    rules = ruleset("lattaque-en")
    position = read_position(rules, text)
    situation = situation_of("lattaque-en", position, [("N", RAIDER[0])])
    return FlagSafety(situation), rules.board.index
