"""Films of open matches: requested by a user, made once by a worker, kept while there is room."""

from datetime import timedelta
from io import BytesIO

import pytest
from django.template import Context, Template
from django.test import Client, RequestFactory
from PIL.GifImagePlugin import GifImageFile
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.archive.films import files, making
from games.archive.models import Film, FilmEyes, FilmFile
from games.archive.tasks import make_film
from games.play.models.match import Match
from games.play.pictures import canvas, film
from games.play.record import match_view
from games.rules.core.basics.termination import OffBoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from lib.db_clock import frozen_at, now
from tests.archive.conftest import BATTLE
from tests.archive.shared_match import finished, played, who
from tests.play import match_helpers
from tests.play.match_helpers import People

__all__ = ["finished", "played", "who"]  # fixtures


def path(match: Match, eyes: str = "open") -> str:
    return f"/archive/{match.pk}/film-{eyes}.gif"


def order(client: Client, match: Match, eyes: str = "open") -> int:
    return client.post(f"/archive/{match.pk}/film/", {"eyes": eyes}).status_code


def opened(body: bytes) -> GifImageFile:
    return GifImageFile(BytesIO(body))


@pytest.mark.parametrize("eyes", ["open", "gallery"])
def test_a_film_is_made_once_when_it_is_requested(
    finished: Match, alice_client: Client, client: Client, eyes: str
) -> None:
    assert client.get(path(finished, eyes)).status_code == 404
    assert order(alice_client, finished, eyes) == 302
    assert client.get(path(finished, eyes)).status_code == 404
    make_film()
    answer = client.get(path(finished, eyes))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/gif"
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Vary" not in answer.headers
    again = client.get(path(finished, eyes), headers={"If-None-Match": answer.headers["ETag"]})
    assert (again.status_code, again.content) == (304, b"")
    # Asked for again, it is neither made nor stored again.
    made = FilmFile.objects.get()
    assert order(alice_client, finished, eyes) == 302
    assert not making.make_next()
    assert FilmFile.objects.get() == made


@pytest.mark.parametrize("eyes", ["open", "gallery"])
def test_each_frame_is_the_board_of_its_ply(finished: Match, eyes: str) -> None:
    image = opened(film.film(finished.pk, Viewpoint(eyes), 6))
    assert image.n_frames == 7
    waits = []
    for ply in range(7):
        image.seek(ply)
        waits.append(image.info["duration"])
        view = match_view.view_match(finished.pk, None, shown=ply, viewpoint=Viewpoint(eyes))
        board = canvas.draw_board(view.rules, canvas.looks(view), film.SQUARE_PX)
        assert image.convert("RGB").tobytes() == board.convert("RGB").tobytes()
    assert waits == [700, 700, 700, 700, 700, 1400, 4000]
    assert image.info["loop"] == 0


def test_south_is_at_the_bottom_on_every_readers_film(finished: Match) -> None:
    first = opened(film.film(finished.pk, Viewpoint.GALLERY, 0)).convert("RGB")
    width, height = first.size
    assert first.getpixel((10, height - 10)) == (165, 56, 43)
    assert first.getpixel((10, 10)) == (31, 66, 119)
    assert (width, height) == (400, 400)


def test_a_frame_contains_changed_squares_only(finished: Match) -> None:
    """A move forward by one square is a frame of its squares, and of those of the move before."""
    data = film.film(finished.pk, Viewpoint.GALLERY, 6)
    whole = film.film(finished.pk, Viewpoint.GALLERY, 0)
    assert len(data) - len(whole) < len(whole)


def test_running_matches_have_no_films(match: Match, alice_client: Client) -> None:
    match = match_helpers.play(match, *BATTLE)
    for eyes in FilmEyes:
        assert order(alice_client, match, eyes) == 404
    assert not Film.objects.exists()


def test_a_match_that_may_still_be_reopened_has_no_films(
    finished: Match, alice_client: Client
) -> None:
    Match.objects.filter(pk=finished.pk).update(reason=OffBoardTermination.TIME)
    assert order(alice_client, finished) == 404
    with frozen_at(now() + timedelta(hours=49)):
        assert order(alice_client, finished) == 302


@pytest.mark.parametrize("eyes", ["", "south", "north", "OPEN", "open.gif"])
def test_other_films_are_not_found(finished: Match, alice_client: Client, eyes: str) -> None:
    assert order(alice_client, finished, eyes) == 404
    assert alice_client.get(f"/archive/{finished.pk}/film-{eyes or 'x'}.gif").status_code == 404


def test_visitors_cannot_request_films(finished: Match, client: Client) -> None:
    client.post(f"/archive/{finished.pk}/film/", {"eyes": "open"})
    assert not Film.objects.exists()


def test_a_user_can_request_ten_films_an_hour(finished: Match, alice_client: Client) -> None:
    for _ in range(10):
        assert order(alice_client, finished) == 302
    answer = alice_client.post(f"/archive/{finished.pk}/film/", {"eyes": "gallery"})
    assert answer.status_code == 429
    assert 'role="alert"' in answer.text
    assert Film.objects.count() == 1


def test_a_long_match_gets_no_film(
    finished: Match, alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("games.archive.films.orders.MAX_PLIES", 5)
    answer = alice_client.post(f"/archive/{finished.pk}/film/", {"eyes": "open"})
    assert answer.status_code == 422
    assert "at most 5 moves" in answer.text
    assert 'role="alert"' in answer.text
    with pytest.raises(film.TooLong):
        film.film(finished.pk, Viewpoint.OPEN, film.MAX_PLIES + 1)


def test_a_film_that_would_be_too_large_is_not_stored(
    finished: Match, alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(film, "MAX_BYTES", 1000)
    order(alice_client, finished)
    assert making.make_next()
    assert not Film.objects.exists()


def test_a_film_that_fails_is_tried_three_times(
    finished: Match, alice_client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> bytes:
        raise RuntimeError

    monkeypatch.setattr(film, "film", fail)
    order(alice_client, finished)
    for minutes in (0, 3, 6):
        assert Film.objects.exists()
        with frozen_at(now() + timedelta(minutes=minutes)):
            assert making.make_next()
            assert not making.make_next(), "It is claimed for two minutes."
    assert not Film.objects.exists()


def test_a_film_of_a_killed_worker_is_made_by_another(
    finished: Match, alice_client: Client
) -> None:
    order(alice_client, finished)
    assert making._claim()
    assert making._claim() is None
    with frozen_at(now() + timedelta(minutes=3)):
        assert making.make_next()
    assert Film.objects.get().bytes > 0


def test_films_without_requests_are_deleted_first(
    who: People, alice_client: Client, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    matches = [match_helpers.finished_match(who, *BATTLE) for _ in range(3)]
    for hours, match in enumerate(matches[:2]):
        with frozen_at(now() + timedelta(hours=hours)):
            order(alice_client, match)
            making.make_next()
    one_film = FilmFile.objects.first()
    assert one_film
    with frozen_at(now() + timedelta(hours=3)):
        assert client.get(path(matches[0])).status_code == 200, "The older one is asked for again."
    monkeypatch.setattr(making, "KEPT_BYTES", int(2.5 * len(bytes(one_film.body))))
    with frozen_at(now() + timedelta(hours=4)):
        order(alice_client, matches[2])
        making.make_next()
    assert [client.get(path(match)).status_code for match in matches] == [200, 404, 200]
    assert FilmFile.objects.count() == 2


def test_requesting_a_film_often_writes_once_an_hour(
    finished: Match,
    alice_client: Client,
    client: Client,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    order(alice_client, finished)
    making.make_next()
    with frozen_at(now() + timedelta(hours=2)):
        with django_assert_num_queries(3):
            client.get(path(finished))
        with django_assert_num_queries(2):
            client.get(path(finished))


def test_a_page_lists_the_films(finished: Match, alice_client: Client, alice: User) -> None:
    def listed(user: User) -> str:
        view = match_view.view_match(finished.pk, None)
        request = RequestFactory().get("/")
        request.user = user
        text = "{% load films %}{% films view %}"
        return Template(text).render(Context({"view": view, "user": user, "request": request}))

    html = listed(alice)
    assert html.count("<form") == 2
    order(alice_client, finished)
    assert "It is being made" in listed(alice)
    making.make_next()
    html = listed(alice)
    assert f'href="{path(finished)}"' in html
    assert html.count("<form") == 1


def test_a_page_about_a_running_match_lists_no_films(match: Match) -> None:
    view = match_view.view_match(match.pk, None)
    request = RequestFactory().get("/")
    text = "{% load films %}{% films view %}"
    html = Template(text).render(Context({"view": view, "request": request}))
    assert html.strip() == ""
    assert files.states(match.pk) == {}
