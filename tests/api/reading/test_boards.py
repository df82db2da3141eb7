"""Boards: what each viewpoint gets, and pieces by square."""

from random import Random

import pytest
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.play.commands import endings
from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.text.notation import board_text, write_move
from tests import tiers
from tests.api.client import Program, code
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.postgresql_soak


def test_players_see_their_own_army_and_visitors_none(
    alice_program: Program, bob_program: Program, visitor: Program, match: Match
) -> None:
    path = f"/matches/{match.pk}/board"
    for program, viewpoint, known in (
        (alice_program, "south", {"S"}),
        (bob_program, "north", {"N"}),
        (visitor, "gallery", set()),
    ):
        board = program.read(path)
        assert (board["viewpoint"], board["phase"], board["ply"]) == (viewpoint, "play", 2)
        ranks = {piece["seat"] for piece in board["pieces"] if piece["rank"] is not None}
        assert ranks == known
        assert len(board["pieces"]) == 72
        assert (board["turn"], board["to_act"]) == ("S", ["S"])
        assert board["fallen"] == {"S": [], "N": []}
    assert alice_program.read(path)["hand"] == []
    assert visitor.read(path)["hand"] is None


def test_the_texts_are_those_of_the_rules(
    alice_program: Program, match: Match, alice: User
) -> None:
    board = alice_program.read(f"/matches/{match.pk}/board")
    seen = match_view.view_match(match.pk, alice)
    assert board["board"] == board_text(seen.rules, seen.observation)
    assert board["legal"] == sorted(write_move(seen.rules, m) for m in seen.observation.moves)
    assert board["legal"]


def test_pieces_are_given_by_square(alice_program: Program, match: Match) -> None:
    board = alice_program.read(f"/matches/{match.pk}/board")
    squares = [piece["square"] for piece in board["pieces"]]
    order = {name: at for at, name in enumerate(match.rules.board.names)}
    assert squares == sorted(squares, key=order.__getitem__)


def test_only_the_player_to_move_gets_legal_moves(
    alice_program: Program, bob_program: Program, visitor: Program, match: Match
) -> None:
    path = f"/matches/{match.pk}/board"
    assert alice_program.read(path)["legal"]
    assert bob_program.read(path)["legal"] == visitor.read(path)["legal"] == []
    match_helpers.play(match, "a4-a5")
    assert alice_program.read(path)["legal"] == []
    assert bob_program.read(path)["legal"]
    # An earlier board is a memory: nothing can be played there.
    assert alice_program.read(f"{path}?ply=2")["legal"] == []


def test_other_viewpoints_are_allowed_once_the_match_is_open(
    alice_program: Program, bob_program: Program, visitor: Program, match: Match, alice: User
) -> None:
    path = f"/matches/{match.pk}/board"
    nothing = visitor.get("/matches/99/board").content
    for program, own in ((alice_program, "south"), (bob_program, "north"), (visitor, "gallery")):
        for viewpoint in ("south", "north", "gallery", "open"):
            answer = program.get(f"{path}?viewpoint={viewpoint}")
            assert answer.status_code == (200 if viewpoint == own else 404)
            assert viewpoint == own or answer.content == nothing
    assert code(visitor.get(f"{path}?viewpoint=east")) == (422, "invalid")
    match_helpers.play(match, "a4-a5", "j7-j6", "a5-a6", "j6-j5")
    endings.resign(match.pk, alice)
    assert [each.read(path)["viewpoint"] for each in (alice_program, bob_program, visitor)] == [
        *("south", "north", "open")
    ]
    everything = alice_program.read(f"{path}?viewpoint=open")
    assert all(piece["rank"] for piece in everything["pieces"])
    assert everything["to_act"] == everything["legal"] == []


def test_an_earlier_ply_has_the_number_of_the_record(visitor: Program, match: Match) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6")
    path = f"/matches/{match.pk}/board"
    seen = [visitor.read(f"{path}?ply={ply}") for ply in range(5)]
    assert [board["phase"] for board in seen] == ["setup", "setup", "play", "play", "play"]
    assert [board["to_act"] for board in seen] == [["S", "N"], ["N"], ["S"], ["N"], ["S"]]
    assert seen[4] == visitor.read(path)
    assert code(visitor.get(f"{path}?ply=5")) == (404, "not-found")


def test_fallen_pieces_are_named_if_they_were_seen(alice_program: Program, match: Match) -> None:
    match_helpers.play(match, "a4-a5", "j7-j6", "a5-a6", "j6-j7", "a6xa7")
    fallen = alice_program.read(f"/matches/{match.pk}/board")["fallen"]
    assert sum(map(len, fallen.values())) >= 1


@pytest.mark.parametrize("preset", tiers.editions())
def test_every_edition_has_a_board(visitor: Program, who: People, preset: str) -> None:
    """Program.read checks the answers against the document."""
    match = match_helpers.new_match(who, preset)
    programs = [Program(who.alice), Program(who.bob), visitor]
    boards = [each.read(f"/matches/{match.pk}/board") for each in programs]
    assert {board["phase"] for board in boards} == {"setup"}
    if match.rules.deal:
        assert boards[0]["hand"] and boards[0]["aside"]
    match_helpers.set_up(match)
    rng = Random(preset)
    for _ in range(6):
        mover = match.players.select_related("user").get(to_act=True)
        program = programs[mover.seat]
        board = program.read(f"/matches/{match.pk}/board")
        match_helpers.play(match, rng.choice(board["legal"]))
        if not match.is_live:
            break
    for program in programs:
        program.read(f"/matches/{match.pk}/board")
        program.read(f"/matches/{match.pk}/plies")


def test_a_board_costs_two_queries(
    visitor: Program, match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        visitor.read(f"/matches/{match.pk}/board")
    with django_assert_num_queries(2):
        visitor.read(f"/matches/{match.pk}/board?ply=0")
