"""Practice board page, by plain forms."""

import re
from random import Random

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.knowledge import marks
from games.play.knowledge.marks import Mark
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.practice import steps, stored
from games.play.record.sealed import drafts, plans
from tests import tiers
from tests.floors import at_least
from tests.play import forms, match_helpers
from tests.play.forms import alert, client_of
from tests.play.match_helpers import People
from tests.play.practice.practice_client import PracticeClient


@pytest.fixture
def board(match: Match, alice: User) -> PracticeClient:
    return PracticeClient(alice, match)


def options(text: str, name: str) -> list[str]:
    """The values of a select."""
    match = re.search(rf'<select id="{name}" name="{name}">(.*?)</select>', text, re.S)
    assert match, name
    return re.findall(r'<option value="([^"]*)"', match[1])


def choose(board: PracticeClient, rng: Random, begun: str = "") -> str:
    """A move that is chosen square by square, as the links and buttons of the page offer it."""
    text = board.page(begun)
    buttons = forms.buttons(text)
    huffs = re.findall(r'form="board" name="move" value="([^"]+)"', text)
    links = [link for link in forms.links(text).values() if len(link) > len(begun)]
    if begun and buttons and (not links or rng.random() < 0.7):
        moves = [*buttons.values(), *huffs]
        attacks = [move for move in moves if "x" in move]
        return str(rng.choice(attacks or moves))
    return choose(board, rng, rng.choice(links))


# --- who may practise, and when


def test_only_the_players_have_a_board_and_on_either_turn(match: Match, who: People) -> None:
    for moves in ((), ("a4-a5",)):
        match_helpers.play(match, *moves)
        for user in (who.alice, who.bob):
            text = PracticeClient(user, match).page()
            assert "Practice board" in text and 'data-square="a7"' in text
    stranger = client_of(who.charlie)
    assert stranger.get(f"/match/{match.pk}/practice/").status_code == 404
    assert stranger.post(f"/match/{match.pk}/practice/", {"do": "back"}).status_code == 404
    assert stranger.get("/match/999/practice/").status_code == 404
    assert Client().get(f"/match/{match.pk}/practice/").status_code == 302


def test_there_is_no_board_before_both_set_ups_or_after_the_end(who: People) -> None:
    match = match_helpers.new_match(who)
    client = client_of(who.alice)
    assert client.get(f"/match/{match.pk}/practice/").status_code == 404
    match_helpers.set_up(match)
    assert client.get(f"/match/{match.pk}/practice/").status_code == 200
    match_helpers.play(match, "a4-a5")
    endings.resign(match.pk, who.bob)
    assert client.get(f"/match/{match.pk}/practice/").status_code == 404
    assert client.post(f"/match/{match.pk}/practice/", {"do": "clear"}).status_code == 404


def test_only_players_see_a_link_on_the_match_page(match: Match, who: People) -> None:
    link = f'href="/match/{match.pk}/practice/"'
    assert link in forms.page(client_of(who.alice), match)
    assert link in forms.page(client_of(who.bob), match)
    assert link not in forms.page(client_of(who.charlie), match)
    assert link not in forms.page(Client(), match)


# --- moves


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(("lattaque-en", "domino", "tactique", "assaut"), fast=("tactique",)),
)
def test_both_sides_move_by_links_and_buttons_in_every_game(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    board, rng = PracticeClient(who.bob, match), Random(preset)
    chosen = 0
    for _ in range(12):
        move = choose(board, rng)
        response = board.send("move", move=move)
        if response.status_code == 422:
            ranks = options(response.content.decode(), "as")
            assert f'name="move" value="{move}"' in response.content.decode()
            response = board.send("move", move=move, **{"as": rng.choice(ranks)})
            chosen += 1
        assert response.status_code == 302
        if "The game would be over here." in board.page():
            board.do("clear")
    assert board.line
    # In the other games chance does not bring the pieces together so soon.
    assert chosen or preset != "tactique"
    assert Ply.objects.filter(match=match).count() == match.ply + 1


def test_the_rank_of_a_domino_is_asked_in_its_orientation(who: People) -> None:
    board = PracticeClient(who.alice, match_helpers.running_match(who, preset="domino"))
    board.try_moves("c3-c4", "c8-c7", "c4-c5", "c7-c6")
    ranks = options(board.send("move", move="c5xc6").content.decode(), "as")
    assert "04" in ranks and "40" in ranks and "66" in ranks
    board.do("move", move="c5xc6", **{"as": "40"})
    assert "v40]" in board.line[-1]


def test_the_practice_board_sends_nothing(board: PracticeClient, match: Match) -> None:
    before = Dispatch.objects.count()
    board.try_moves("a4-a5", "j7-j6", "b4-b5")
    assert match_helpers.as_is(match).ply == match.ply
    assert Dispatch.objects.count() == before


def test_the_page_shows_the_line_and_who_moves(board: PracticeClient) -> None:
    assert "Alice moves" in board.page()
    text = board.try_moves("a4 a5")
    assert "Bob moves" in text and "Alice moved from a4 to a5." in text
    assert '<span class="notation">a4-a5</span>' in text
    assert forms.states(text, "a5") == {"last-to"}
    assert "South Scout" in forms.cell(text, "a5")


def test_a_move_is_begun_for_the_opponent_too(board: PracticeClient) -> None:
    board.try_moves("a4-a5")
    text = board.page("?from=j7")
    assert "Chosen: j7." in text
    assert forms.buttons(text)["j6"] == "j7-j6"


def test_a_battle_asks_for_the_rank_of_the_hidden_piece(board: PracticeClient) -> None:
    response = board.send("move", move="a4xa7")
    assert response.status_code == 422
    assert "The piece on a7 fights in this move: choose what it is." in alert(response)
    assert set(options(response.content.decode(), "as")) == set("MGCJKLSERYBF")
    assert board.send("move", move="a4xa7", **{"as": "Q"}).status_code == 422
    text = board.do("move", move="a4xa7", **{"as": "M"})
    assert "Scout against Marshal" in text
    assert "North Marshal, guessed" in forms.cell(text, "a7")
    assert board.line == ["a4xa7[RvM]-"]


@pytest.mark.parametrize(
    "move",
    tiers.parameters(
        ["", "nonsense", "a4-a9", "a9-a8", "c3-c4", "a4-z9", "x" * 5_000],
        fast=["", "a4-a9", "x" * 5_000],
    ),
)
def test_an_invalid_move_is_refused_with_a_sentence(board: PracticeClient, move: str) -> None:
    response = board.send("move", move=move)
    assert response.status_code == 422
    assert len(alert(response)) > 10
    assert board.line == []


def test_moves_are_undone_one_by_one_or_all_at_once(board: PracticeClient) -> None:
    board.try_moves("a4-a5", "j7-j6", "b4-b5")
    board.do("back")
    assert board.line == ["a4-a5", "j7-j6"]
    board.do("clear")
    assert board.line == []
    board.do("back")


@pytest.mark.soak
def test_a_line_has_at_most_sixty_moves(board: PracticeClient) -> None:
    for _ in range(15):
        board.try_moves("a4-a5", "j7-j6", "a5-a4", "j6-j7")
    response = board.send("move", move="a4-a5")
    assert response.status_code == 422
    assert "at most 60 moves" in alert(response)


# --- guesses


def test_a_guess_is_shown_and_binding(board: PracticeClient) -> None:
    text = board.do("guess", square="j7", rank="B")
    assert "North Bomb, guessed" in forms.cell(text, "j7")
    board.try_moves("a4-a5")
    response = board.send("move", move="j7-j6")
    assert response.status_code == 422
    assert "The Bomb on j7 cannot move." in alert(response)
    board.do("guess", square="j7", rank="")
    board.try_moves("j7-j6")


def test_a_mark_is_the_guess_until_another_is_made(board: PracticeClient) -> None:
    marks.put(board.player.pk, "j7", Mark("E", "sure", ""))
    assert "North Miner, guessed" in forms.cell(board.page(), "j7")
    assert "hidden" in forms.cell(board.do("guess", square="j7", rank=""), "j7")


def test_a_guess_of_more_pieces_than_the_army_has_left_is_refused(board: PracticeClient) -> None:
    board.do("guess", square="a7", rank="M")
    response = board.send("guess", square="b7", rank="M")
    assert response.status_code == 422
    assert "no more pieces of this kind" in alert(response)
    for square in ("c7", "d7"):
        board.do("guess", square=square, rank="C")
    assert board.send("guess", square="e7", rank="C").status_code == 422


@pytest.mark.parametrize(
    ("square", "rank"),
    tiers.parameters(
        [
            *(("a4", "M"), ("a5", "M"), ("", ""), ("z9", "M")),
            *(("j7", "Q"), ("j7", "M'"), ("j7", "x" * 999)),
        ],
        fast=[("a4", "M"), ("z9", "M"), ("j7", "Q")],
    ),
)
def test_an_empty_guess_is_refused(board: PracticeClient, square: str, rank: str) -> None:
    assert board.send("guess", square=square, rank=rank).status_code == 422
    assert board.stored.guesses == {}


def test_a_guess_that_does_not_fit_the_line_is_refused(board: PracticeClient) -> None:
    board.try_moves("a4-a5", "j7-j6")
    response = board.send("guess", square="j6", rank="F")
    assert response.status_code == 422
    assert "With this guess, the line is not possible" in alert(response)
    board.do("guess", square="j6", rank="K")
    assert board.line == ["a4-a5", "j7-j6"]
    # The guess stays with the piece, wherever the line begins.
    assert "North Captain, guessed" in forms.cell(board.do("clear"), "j7")


# --- lines that are kept


def test_a_line_is_saved_loaded_and_deleted(board: PracticeClient) -> None:
    board.do("guess", square="j7", rank="R")
    board.try_moves("a4-a5", "j7-j5")
    text = board.do("keep", name="  By the  right <i> ")
    assert "By the right &lt;i&gt;" in text.replace("<i>", "&lt;i&gt;")
    board.do("clear")
    board.do("guess", square="j7", rank="")
    board.do("load", line="1")
    assert board.line == ["a4-a5", "j7-j5"]
    assert board.stored.guesses == {"j7": "R"}
    board.do("drop", line="1")
    assert board.stored.kept == () and board.line


@pytest.mark.parametrize("name", ["", "   ", "n" * 61])
def test_a_line_needs_a_name_of_sixty_characters_at_most(board: PracticeClient, name: str) -> None:
    board.try_moves("a4-a5")
    response = board.send("keep", name=name)
    assert response.status_code == 422
    assert "a name of at most 60 characters" in alert(response)
    board.do("keep", name="n" * 60)


@pytest.mark.parametrize("most", tiers.parameters([3, 20], fast=[3]))
def test_empty_lines_are_not_saved_and_there_are_at_most_twenty(
    board: PracticeClient, most: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert stored.MAX_LINES == 20
    monkeypatch.setattr(steps, "MAX_LINES", most)
    assert board.send("keep", name="Nothing").status_code == 422
    board.try_moves("a4-a5")
    for number in range(most):
        board.do("keep", name=f"Line {number}")
    response = board.send("keep", name="One more")
    assert response.status_code == 422
    assert f"at most {most} lines" in alert(response)


@pytest.mark.parametrize("do", ["load", "drop"])
@pytest.mark.parametrize(
    "line", tiers.parameters(["", "0", "2", "-1", "x", "9" * 40], fast=["2", "x"])
)
def test_an_unknown_line_is_refused(board: PracticeClient, do: str, line: str) -> None:
    board.try_moves("a4-a5")
    board.do("keep", name="The only one")
    assert board.send(do, line=line).status_code == 422


def test_saved_lines_follow_the_match_or_stay_behind(board: PracticeClient, match: Match) -> None:
    board.try_moves("a4-a5", "j7-j6")
    board.do("keep", name="Right")
    board.do("clear")
    board.try_moves("b4-b5")
    board.do("keep", name="Left")
    match_helpers.play(match, "a4-a5")
    text = board.page()
    assert "as of move 0; the match took another way" in text
    response = board.send("load", line="2")
    assert response.status_code == 422
    assert "The match has taken another way" in alert(response)
    board.do("load", line="1")
    assert board.line == ["j7-j6"]
    board.do("drop", line="2")
    assert [line.name for line in board.stored.kept] == ["Right"]


# --- the draft of the match page


def test_the_first_move_becomes_the_draft_of_the_match_page(
    board: PracticeClient, match: Match, alice_client: Client
) -> None:
    board.try_moves("a4-a5", "j7-j6")
    response = board.send("draft")
    assert response.status_code == 302 and response["Location"] == f"/match/{match.pk}/"
    assert drafts.read(board.player, match.ply) == "a4-a5"
    assert "Not sent yet: a4-a5" in re.sub("<[^>]+>", "", forms.page(alice_client, match))
    assert match_helpers.as_is(match).ply == match.ply


def test_there_is_no_draft_on_the_opponents_turn_or_without_a_move(
    board: PracticeClient, match: Match
) -> None:
    assert board.send("draft").status_code == 422
    match_helpers.play(match, "a4-a5")
    board.page()
    board.try_moves("j7-j6")
    response = board.send("draft")
    assert response.status_code == 422
    assert "It is your opponent's turn" in alert(response)
    assert "Prepare the first move" not in board.page()


# --- a plan


def test_a_line_is_added_to_the_plan_on_the_opponents_turn(
    board: PracticeClient, match: Match
) -> None:
    match_helpers.play(match, "a4-a5")
    board.try_moves("j7-j6", "b4-b5")
    for moves in (("i7-i6", "b4-b5"), ("j7-j6", "b4-b6")):
        response = board.send("plan", shows="any")
        assert response.status_code == 302
        assert response["Location"] == f"/match/{match.pk}/plan/"
        board.do("clear")
        board.try_moves(*moves)
    board.send("plan", shows="result")
    plan = plans.read(board.player.pk)
    assert plan is not None
    # The newer answer to the same move replaces the older one.
    assert set(plan.contents.lines) == {"if j7-j6 then b4-b6", "if i7-i6 then b4-b5"}
    assert match_helpers.as_is(match).ply == match.ply


def test_a_line_that_is_no_plan_leaves_the_plan_unchanged(
    board: PracticeClient, match: Match
) -> None:
    match_helpers.play(match, "a4-a5")
    board.try_moves("j7-j6", "b4-b5")
    board.send("plan", shows="rank")
    before = plans.read(board.player.pk)
    assert board.send("plan", shows="all").status_code == 422
    # More answers than a line of a plan may have.
    for _ in range(5):
        board.try_moves("j6-j7", "b5-b4", "j7-j6", "b4-b5")
    response = board.send("plan", shows="any")
    assert response.status_code == 422 and len(alert(response)) > 20
    board.do("clear")
    board.try_moves("j7-j6")
    response = board.send("plan", shows="any")
    assert response.status_code == 422
    assert "make both first" in alert(response)
    assert plans.read(board.player.pk) == before


def test_no_plan_is_offered_on_the_own_turn(board: PracticeClient) -> None:
    board.try_moves("a4-a5", "j7-j6")
    response = board.send("plan", shows="any")
    assert response.status_code == 422
    assert "it is your turn" in alert(response)
    assert "Add to your plan" not in board.page()


# --- two pages at once


def test_a_page_of_an_earlier_ply_or_version_changes_nothing(
    board: PracticeClient, match: Match
) -> None:
    old = board.fields()
    board.try_moves("a4-a5")
    response = board.send("clear", **old)
    assert response.status_code == 409
    assert "changed elsewhere" in alert(response)
    assert board.line == ["a4-a5"]
    match_helpers.play(match, "a4-a5")
    response = board.send("move", move="j7-j6")
    assert response.status_code == 409
    assert "The match has moved on" in alert(response)
    board.page()
    for field in ("ply", "version"):
        assert board.send("clear", **{field: "x"}).status_code == 409
    assert board.send("nothing").status_code == 422


# --- what it is made of


def test_a_players_board_does_not_affect_the_opponents(
    board: PracticeClient, match: Match, bob: User
) -> None:
    other = PracticeClient(bob, match)
    before = other.page()
    board.do("guess", square="j7", rank="R")
    board.try_moves("a4-a5", "j7-j5")
    board.do("keep", name="A secret")
    hide = r'name="(csrfmiddlewaretoken|idempotency_key)" value="[^"]*"'
    assert re.sub(hide, "", other.page()) == re.sub(hide, "", before)


def test_it_costs_one_query_more_than_the_match_page(
    board: PracticeClient, match: Match, alice_client: Client
) -> None:
    board.try_moves("a4-a5", "j7-j6")
    board.do("keep", name="One")
    forms.page(alice_client, match)
    with CaptureQueriesContext(
        connection,
    ) as page:
        forms.page(alice_client, match)
    with CaptureQueriesContext(connection) as practice:
        board.page()
    assert len(practice) <= len(page) + 1


def test_every_field_has_a_label_and_the_page_has_no_script_of_its_own(
    board: PracticeClient,
) -> None:
    board.try_moves("a4-a5")
    board.do("keep", name="One")
    text = board.page()
    ids = re.findall(r'<(?:input|select)[^>]* id="(\w+)"', text)
    for name in at_least(5, ids):
        assert f'for="{name}"' in text, name
    assert "style=" not in text and "onclick" not in text
    assert "board.js" not in text
