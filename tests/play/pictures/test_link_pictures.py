"""Pictures for link previews: PNG and SVG files that caches and other sites may keep."""

from io import BytesIO

import pytest
from django.test import Client
from PIL import Image
from PIL.PngImagePlugin import PngImageFile

from games.play.models.match import Match, by_seat
from games.play.pictures import canvas, link_pictures, sheet
from games.play.record import match_view
from games.play.views.match import pictures
from games.presentation import lattaque
from games.presentation import registry as presentations
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import SeenPiece
from tests import tiers
from tests.play import match_helpers
from tests.play.match_helpers import People

BATTLE = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")


def path(match: Match, ply: int, eyes: str = "", ending: str = "png") -> str:
    return f"/match/{match.pk}/picture/{ply}{eyes and f'-{eyes}'}.{ending}"


@pytest.fixture
def finished(who: People) -> Match:
    return match_helpers.finished_match(who, *BATTLE)


def opened(body: bytes) -> Image.Image:
    return Image.open(BytesIO(body))


def test_the_sprites_match_the_drawings() -> None:
    with PngImageFile(canvas.SHEET) as file:
        assert file.text["digest"] == sheet.digest(), "Draw them: manage.py draw_sprites"
        assert file.text["names"].split() == list(sheet.sprites())


def test_one_colour_is_reserved_for_unchanged_pixels() -> None:
    assert 100 < len(canvas._palette()) <= canvas.TRANSPARENT


def test_a_picture_has_the_size_and_headers_of_link_previews(match: Match, client: Client) -> None:
    answer = client.get(path(match, 0))
    assert answer.status_code == 200
    assert answer.headers["Content-Type"] == "image/png"
    assert opened(answer.content).size == (1200, 630)
    assert len(answer.content) < 50_000
    assert answer.headers["Cache-Control"] == "public, max-age=31536000, immutable"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "Vary" not in answer.headers
    again = client.get(path(match, 0), headers={"If-None-Match": answer.headers["ETag"]})
    assert again.status_code == 304


def test_players_and_others_get_the_same_bytes(
    match: Match, alice_client: Client, bob_client: Client
) -> None:
    for ending in ("png", "svg"):
        one, other = (
            browser.get(path(match, 0, ending=ending), headers={"Accept-Language": language})
            for browser, language in ((alice_client, "de"), (bob_client, "fr"))
        )
        assert one.status_code == 200
        assert one.content == other.content


def test_the_svg_shows_public_knowledge(match: Match, alice_client: Client) -> None:
    answer = alice_client.get(path(match, 0, ending="svg"))
    assert answer.headers["Content-Type"] == "image/svg+xml"
    assert answer.headers["Cross-Origin-Resource-Policy"] == "cross-origin"
    assert "<title>Alice – Bob</title>" in answer.text
    assert "<symbol" not in answer.text


def test_a_drawing_is_styled_when_it_is_opened_by_itself(match: Match, client: Client) -> None:
    for address in (f"/match/{match.pk}/small/0.svg", path(match, 0, ending="svg")):
        answer = client.get(address)
        assert "<style>" in answer.text
        policy = answer.headers["Content-Security-Policy"]
        assert policy == "default-src 'none'; style-src 'unsafe-inline'"


@pytest.mark.parametrize("eyes", ["open", "south", "north"])
def test_armies_are_shown_when_the_match_is_open(
    eyes: str, match: Match, alice_client: Client, client: Client
) -> None:
    for browser in (alice_client, client):
        assert browser.get(path(match, 0, eyes)).status_code == 404
    match_helpers.resign(match_helpers.play(match, *BATTLE[:2]), Seat.NORTH)
    answer = client.get(path(match, 0, eyes))
    assert answer.status_code == 200
    assert answer.content != client.get(path(match, 0)).content
    assert client.get(path(match, 9, eyes)).status_code == 404


@pytest.mark.parametrize("eyes", ["gallery", "nobody", "OPEN"])
def test_other_viewpoints_are_not_found(eyes: str, finished: Match, client: Client) -> None:
    assert client.get(path(finished, 0, eyes)).status_code == 404


def test_a_star_is_next_to_the_winner(finished: Match) -> None:
    def view_at(shown: int) -> match_view.MatchView:
        return match_view.view_match(finished.pk, None, shown=shown, viewpoint=Viewpoint.GALLERY)

    assert link_pictures.winner_at(view_at(6)) is Seat.SOUTH
    assert [link_pictures.winner_at(view_at(ply)) for ply in range(6)] == [None] * 6


def test_the_winner_on_the_board_gets_the_star(who: People) -> None:
    match = match_helpers.decided_match(who)
    assert link_pictures.winner_at(match_view.view_match(match.pk, None)) is Seat.SOUTH


def test_a_client_address_gets_thirty_pictures_a_minute(match: Match, client: Client) -> None:
    for _ in range(30):
        assert client.get(path(match, 0)).status_code == 200
    answer = client.get(path(match, 0))
    assert (answer.status_code, answer.headers["Retry-After"]) == (429, "60")
    assert answer.headers["Cache-Control"] == "no-store"
    other = client.get(path(match, 0), REMOTE_ADDR="203.0.113.9")
    assert other.status_code == 200


def test_a_process_draws_one_picture_at_a_time(
    match: Match, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pictures, "PATIENCE_SECONDS", 0.01)
    with pictures._drawing:
        answer = client.get(path(match, 0))
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "1")
    assert client.get(path(match, 0)).status_code == 200


@pytest.mark.parametrize("family", tiers.parameters(registry.games, fast=("lattaque", "tactique")))
def test_every_piece_of_every_game_can_be_drawn(family: str) -> None:
    rules = registry.games[family][0]
    everything = [
        canvas.Look(SeenPiece(seat, rank, frozenset(marks)), mark)
        for seat in Seat
        for rank in (None, *(troop.rank for troop in rules.army))
        for marks in ((), ("shown",))
        for mark in ("", *sheet.MARKS)
    ]
    square = rules.board.names[rules.board.cells[0]]
    tiles = {look: canvas.tile(rules, 40, square, look).tobytes() for look in everything}
    of_hidden = [body for look, body in tiles.items() if look.piece.rank is None]
    of_ranks = [body for look, body in tiles.items() if look.piece.rank is not None]
    assert set(of_hidden).isdisjoint(of_ranks)


def test_a_game_without_drawings_gets_letters(match: Match) -> None:
    view = match_view.view_match(match.pk, by_seat(match)[Seat.SOUTH].user)
    drawn = link_pictures.picture(view)
    presentations.withdraw("lattaque")
    canvas._tile.cache_clear()
    try:
        lettered = link_pictures.picture(view)
    finally:
        presentations.register(lattaque.PRESENTATION)
        canvas._tile.cache_clear()
    assert opened(lettered).size == (1200, 630)
    assert lettered != drawn


def test_a_long_name_fits(who: People, client: Client) -> None:
    who.alice.username = "W" * 20
    who.alice.save()
    match = match_helpers.finished_match(who)
    picture = opened(client.get(path(match, 3)).content).convert("RGB")
    edge = {picture.getpixel((1190, y)) for y in range(630)}
    assert edge == {(244, 236, 217)}
