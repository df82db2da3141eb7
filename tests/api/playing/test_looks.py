"""Looks of staff and programs: plies and lines from before a look still count."""

from games.play.record.seat_history import seat_history
from games.rules.core.basics.pieces import Seat
from tests.api.client import Program, code, json_of
from tests.api.playing.test_lines import lines
from tests.api.playing.test_moves import move, setup
from tests.play import match_helpers
from tests.play.match_helpers import People, as_is
from tests.play.staff_looks import looked


def test_a_move_for_the_ply_before_the_look_is_played_once(
    who: People, alice_program: Program
) -> None:
    match = match_helpers.running_match(who)
    looked(match)
    looked(match)
    for repeated in (False, True):
        answer = json_of(move(alice_program, match, "a4-a5", 2))
        assert (answer["ply"], answer["repeated"]) == (5, repeated)
    assert code(move(alice_program, match, "b4-b5", 2)) == (409, "stale-ply")


def test_a_move_for_an_older_ply_is_stale_and_names_the_newest(
    who: People, alice_program: Program
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    looked(match)
    answer = move(alice_program, match, "b4-b5", 2)
    assert (code(answer), json_of(answer)["ply"]) == ((409, "stale-ply"), 5)


def test_a_move_before_the_set_up_is_refused_as_such_despite_looks(
    who: People, alice_program: Program
) -> None:
    match = match_helpers.new_match(who)
    before = code(move(alice_program, match, "a4-a5", 0))
    looked(match)
    for ply in (0, 1):
        assert code(move(alice_program, match, "a4-a5", ply)) == before
    assert (
        json_of(setup(alice_program, match, match_helpers.SETUPS["lattaque-10x10"][Seat.SOUTH]))[
            "ply"
        ]
        == 2
    )


def test_offers_can_be_accepted_after_the_look(
    who: People, alice_program: Program, bob_program: Program
) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    actions = f"/matches/{match.pk}/actions"
    assert alice_program.send("POST", actions, {"action": "offer-draw"}).status_code == 200
    looked(match)
    assert bob_program.send("POST", actions, {"action": "accept-draw"}).status_code == 200
    assert as_is(match).result == "draw"


def test_a_look_adds_no_line_and_changes_none(who: People, alice_program: Program) -> None:
    match = match_helpers.running_match(who, "a4-a5", "j7-j6")
    every = lines(alice_program, match)
    looked(match)
    assert lines(alice_program, match) == every
    assert lines(alice_program, match, "?after=4") == []
    match_helpers.play(match, "b4-b5", "j6-j7")
    looked(match)
    heard, answered, question = lines(alice_program, match)
    assert heard == every[0]
    assert (answered["ask"], answered["answer"], answered["at"]) == ("hear", "b4-b5", 4)
    assert (question["at"], question["heard"]) == (7, [["S", "b4-b5"], ["N", "j6-j7"]])
    for after in range(match.ply + 2):
        expected = [line for line in (heard, answered, question) if line["at"] > after]
        assert lines(alice_program, match, f"?after={after}") == expected
    history = seat_history(match.pk, who.alice, after=4)
    whole = seat_history(match.pk, who.alice)
    assert history and whole
    assert history.head_before == whole.turns[1].head
