"""Small boards: what everybody knows, the same bytes for all, kept by any cache."""

import re
from xml.etree import ElementTree

import pytest
from django.template import Context, Template
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from games.play.models.match import Match
from games.play.pictures import small_boards
from games.play.pictures.addresses import small_board_path
from games.play.record import match_view
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from tests.play import match_helpers
from tests.play.match_helpers import People

SVG = "{http://www.w3.org/2000/svg}"
BATTLE = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")  # the marshal on a7 wins
SQUARES = re.compile(r"M([\d.]+) ([\d.]+)h0")


def path(match: Match, ply: int) -> str:
    return f"/match/{match.pk}/small/{ply}.svg"


def squares(drawing: bytes, kind: str, ranks: int = 10) -> set[str]:
    """The squares of one kind of dots: s and n for pieces, u for those face up, w for lakes."""
    root = ElementTree.fromstring(drawing)
    paths = [node.get("d", "") for node in root.iter(f"{SVG}path") if node.get("class") == kind]
    return {
        f"{'abcdefghij'[int(float(x)) // 10]}{ranks - int(float(y)) // 10}"
        for d in paths
        for x, y in SQUARES.findall(d)
    }


def test_it_shows_where_pieces_are(match: Match, client: Client) -> None:
    match = match_helpers.play(match, *BATTLE)
    drawing = client.get(path(match, 5)).content
    seen = match_view.view_match(match.pk, None, shown=5).observation.pieces
    for seat, kind in ((Seat.SOUTH, "s"), (Seat.NORTH, "n")):
        assert squares(drawing, kind) == {k for k, piece in seen.items() if piece.seat is seat}
    assert squares(drawing, "w") == match.rules.board.blocked
    assert b"<text" not in drawing


def test_it_does_not_depend_on_ranks_that_only_a_player_knows(
    match: Match, alice_client: Client
) -> None:
    drawing = alice_client.get(path(match, 0)).content
    assert not squares(drawing, "u")
    seen = match_view.view_match(match.pk, None, viewpoint=Viewpoint.GALLERY)
    assert drawing == small_boards.draw(seen)


def test_a_piece_that_is_face_up_has_a_dot(who: People, client: Client) -> None:
    terms = match_helpers.new_match(who, switches={"faceup": True})
    match = match_helpers.play(match_helpers.set_up(terms), *BATTLE)
    assert squares(client.get(path(match, 5)).content, "u") == {"a7"}
    assert not squares(client.get(path(match, 4)).content, "u")


def test_it_is_the_same_for_all_readers_and_languages(
    match: Match, alice_client: Client, client: Client
) -> None:
    match = match_helpers.play(match, "a4-a5")
    answers = [
        browser.get(path(match, 1), headers={"Accept-Language": language})
        for browser, language in ((alice_client, "de"), (client, "fr"), (client, "en"))
    ]
    small_boards.small_board.cache_clear()
    answers.append(alice_client.get(path(match, 1)))
    for answer in answers:
        assert answer.status_code == 200
        assert answer.content == answers[0].content
        assert dict(answer.headers) == dict(answers[0].headers) | {
            "X-Request-ID": answer.headers["X-Request-ID"]
        }
        assert not answer.cookies
    headers = answers[0].headers
    assert headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert headers["Content-Type"] == "image/svg+xml"
    assert "Vary" not in headers
    assert "Content-Language" not in headers
    again = client.get(path(match, 1), headers={"If-None-Match": headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")


def test_there_is_none_before_both_set_ups(who: People, client: Client) -> None:
    match = match_helpers.new_match(who)
    match_helpers.send_setup(match, Seat.SOUTH)
    for ply in (0, 1):
        answer = client.get(path(match, ply))
        assert answer.status_code == 404
        assert answer.headers["Cache-Control"] == "no-store"


def test_there_is_none_after_the_newest_ply(match: Match, client: Client) -> None:
    assert client.get(path(match, 1)).status_code == 404
    match_helpers.play(match, "a4-a5")
    assert client.get(path(match, 1)).status_code == 200
    assert client.get("/match/999999/small/0.svg").status_code == 404


def test_it_stays_the_same_when_the_match_continues_and_ends(match: Match, client: Client) -> None:
    match = match_helpers.play(match, *BATTLE)
    before = [client.get(path(match, ply)).content for ply in range(6)]
    match = match_helpers.resign(match_helpers.play(match, "j5-j4"), Seat.NORTH)
    small_boards.small_board.cache_clear()
    assert [client.get(path(match, ply)).content for ply in range(6)] == before
    # The newest ply is a resignation, after the move j5-j4: nothing has moved since.
    assert client.get(path(match, 7)).content == client.get(path(match, 6)).content


def test_a_cached_board_costs_no_query(
    match: Match, client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    with django_assert_num_queries(2):
        client.get(path(match, 0))
    with django_assert_num_queries(0):
        client.get(path(match, 0))
    assert small_boards.small_board.cache_info().maxsize == 500


@pytest.mark.parametrize("preset", [editions[0].key for editions in registry.games.values()])
def test_it_takes_at_most_two_kilobytes(preset: str, who: People, client: Client) -> None:
    match = match_helpers.running_match(who, preset=preset)
    answer = client.get(path(match, 0))
    assert 500 < len(answer.content) <= 2_000
    board = match.rules.board
    root = ElementTree.fromstring(answer.content)
    assert root.get("width") == str(board.files * 10)
    assert root.get("height") == str(board.ranks * 10)
    pieces = match_view.view_match(match.pk, None).observation.pieces
    drawn = squares(answer.content, "s", board.ranks) | squares(answer.content, "n", board.ranks)
    assert drawn == pieces.keys()


def test_lists_show_it_without_a_query(
    match: Match, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    text = "{% load small_boards %}{% small_board m.pk m.ply m.opening m.preset %}"
    with django_assert_num_queries(0):
        html = Template(text).render(Context({"m": match}))
    assert f'src="{path(match, 0)}"' in html
    assert 'width="100" height="100" alt="" loading="lazy"' in html


def test_a_match_without_set_ups_has_no_url(match: Match) -> None:
    assert small_board_path(match.pk, match.ply, match.opening) == path(match, 0)
    assert small_board_path(match.pk, 1, None) == ""


def test_a_match_number_with_too_many_digits_is_no_url(client: Client) -> None:
    assert client.get(f"/match/1/small/{'9' * 30}.svg").status_code == 404


def test_files_with_captions_still_depend_on_the_language(client: Client, db: None) -> None:
    """The pictures of the rules have captions, so they are not the same for everybody."""
    answer = client.get("/help/lattaque/board.svg", headers={"Accept-Language": "de"})
    assert answer.headers["Content-Language"] == "de"
    assert "Accept-Language" in answer.headers["Vary"]
