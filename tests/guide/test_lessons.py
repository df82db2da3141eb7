"""Lessons: each can be completed, with or without an account, and shows what its side may see."""

import html
import re
from dataclasses import replace

import pytest
from django.test import Client
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.guide.lesson_view import address, view_lesson
from games.guide.lessons import registry as lessons
from games.guide.lessons.attempt import SEPARATOR, State, begin, replay
from games.guide.lessons.lesson import Lesson
from games.play.board.boards import draw
from games.play.board.choices import choices
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.observation import SeenPiece
from games.rules.core.text.notation import write_move
from tests.play.forms import client_of
from tests.play.match_helpers import People

WAYS = {
    "lattaque/moves": ["e4-e5", "e5xe6"],
    "lattaque/ranks": ["b3xb9", "e8xe9", "i7xi8"],
    "lattaque/flag": ["d8-e8", "e8xe9", "e9xe10"],
    "domino/moves": ["d4-d5", "d5xd6"],
    "domino/ranks": ["c5-c6", "c6xd6"],
    "domino/sixes": ["e7-e8", "e8xe9"],
    "tactique/charge": ["d2-d6xd7", "d6xd7"],
    "tactique/archers": ["d2-d4", "f2-f3"],
    "tactique/flag": ["d3-d8xe8"],
    "assaut/soldiers": ["d4-d5", "d3-d4", "c4-c5", "c3-c4", "e4-e5"],
    "assaut/officers": ["d6xd4xf4xd2"],
    "assaut/fortress": ["d5-d6", "d4-d5"],
}
LESSONS = lessons.all_lessons()
each_lesson = pytest.mark.parametrize("lesson", LESSONS, ids=lambda lesson: lesson.key)


def test_every_game_has_three_lessons() -> None:
    assert [len(lessons.lessons_of(family)) for family in registry.games] == [3, 3, 3, 3]
    assert {lesson.key for lesson in LESSONS} == WAYS.keys()


@each_lesson
def test_a_lesson_is_completed_by_its_last_move(lesson: Lesson) -> None:
    way = WAYS[lesson.key]
    states = [replay(lesson, way[:count]).state for count in range(len(way) + 1)]
    assert states == [State.OPEN] * len(way) + [State.DONE]


@each_lesson
def test_every_lesson_ends_whatever_is_played(lesson: Lesson) -> None:
    attempt = begin(lesson)
    for _turn in range(lesson.turns):
        if attempt.state is not State.OPEN:
            break
        moves = view_lesson(attempt).observation.moves
        assert moves
        # The last legal move each time; most of these attempts fail.
        attempt = attempt.play(max(write_move(lesson.rules, move) for move in moves))
    assert attempt.state is not State.OPEN
    with pytest.raises(Refusal, match="finished"):
        attempt.play("a1-a2")


@each_lesson
def test_a_lesson_shows_what_its_side_may_see(lesson: Lesson) -> None:
    seen = view_lesson(begin(lesson)).observation.pieces
    assert seen.keys() == lesson.pieces.keys()
    enemies = [piece for piece in seen.values() if piece.seat is not lesson.seat]
    assert enemies
    if lesson.rules.hidden:
        assert set(enemies) == {SeenPiece(Seat.NORTH, None)}


@pytest.mark.django_db
@each_lesson
def test_a_page_is_the_same_whatever_is_hidden(lesson: Lesson) -> None:
    """Two hidden pieces that have not fought are swapped; the page stays the same."""
    if not lesson.rules.hidden:
        return
    hidden = sorted(
        square for square, face in lesson.pieces.items() if face != face.upper() or "<" in face
    )
    pages = set()
    for turn in range(len(hidden)):
        ranks = [lesson.pieces[square] for square in hidden]
        shuffled = dict(zip(hidden, ranks[turn:] + ranks[:turn], strict=True))
        twin = replace(lesson, pieces={**lesson.pieces, **shuffled})
        view = view_lesson(begin(twin))
        options = choices(view)
        pages.add((str(draw(view, options.links, options.marks)), options.moves))
    assert len(pages) == 1


@pytest.mark.django_db
@each_lesson
def test_visitors_complete_a_lesson_with_its_forms(client: Client, lesson: Lesson) -> None:
    where = address(lesson)
    for move in WAYS[lesson.key]:
        page = html.unescape(client.get(where).content.decode())
        assert "Your task:" in page
        field = re.search(rf'action="({re.escape(where)}move/)"', page)
        assert field, page
        sent = client.post(field[1], {"move": move})
        assert sent.status_code == 302
        where = sent["Location"]
    page = html.unescape(client.get(where).content.decode())
    assert lesson.learnt in page and "Well done." in page
    assert 'id="move-form"' not in page
    assert User.objects.count() == 0


@pytest.mark.django_db
def test_a_move_is_previewed_before_it_is_sent(client: Client) -> None:
    where = address(lessons.lessons_of("lattaque")[0])
    page = client.get(where, {"from": "e4"}).content.decode()
    assert 'name="move" value="e4-e5"' in page
    shown = client.post(f"{where}prepare/", {"move": "e4-e5"})
    assert shown["Location"] == f"{where}?from=e4&via=e5"
    page = client.get(shown["Location"]).content.decode()
    assert "drafted" in page and 'value="e4-e5"' in page


@pytest.mark.django_db
def test_a_refused_move_is_explained_and_not_played(client: Client) -> None:
    where = address(lessons.lessons_of("lattaque")[0])
    answer = client.post(f"{where}move/", {"move": "e4-e9"})
    assert answer.status_code == 422
    assert 'role="alert"' in answer.content.decode()
    assert client.get(f"{where}move/")["Location"] == where


@pytest.mark.django_db
@pytest.mark.parametrize(
    "rest", ["e4-e9", "e4-e5.e4-e5", "e4-e5..e5xe6", "a" * 300 + "1", "e5xe6.e4-e5"]
)
def test_invalid_moves_in_a_url_are_not_found(client: Client, rest: str) -> None:
    where = address(lessons.lessons_of("lattaque")[0])
    assert client.get(f"{where}{rest}/").status_code == 404
    assert client.post(f"{where}{rest}/move/", {"move": "e4-e5"}).status_code == 404


@pytest.mark.django_db
def test_an_unknown_lesson_is_not_found(client: Client) -> None:
    assert client.get("/help/lessons/chess/moves/").status_code == 404
    assert client.get("/help/lessons/lattaque/castling/").status_code == 404


@pytest.mark.django_db
def test_completed_lessons_are_stored(who: People) -> None:
    reader, lesson = client_of(who.alice), lessons.lessons_of("domino")[0]
    *before, last = WAYS[lesson.key]
    where = address(lesson, tuple(before))
    assert reader.post(f"{where}move/", {"move": last}).status_code == 302
    who.alice.refresh_from_db()
    assert who.alice.lessons == ["domino/moves"]
    assert reader.get("/help/lessons/").content.decode().count("badge note") == 1
    # The link leads to the next lesson that is not completed.
    assert address(lessons.lessons_of("domino")[1]) in reader.get("/help/domino/").content.decode()


@pytest.mark.django_db
def test_a_lesson_page_makes_two_queries(
    who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    reader, lesson = client_of(who.alice), lessons.lessons_of("lattaque")[1]
    where = address(lesson, ("b3xb9", "e8xe9"))
    reader.get(where)
    with django_assert_num_queries(2):  # session with user, page header
        reader.get(where)


def test_no_move_contains_the_separator() -> None:
    assert all(SEPARATOR not in move for way in WAYS.values() for move in way)
