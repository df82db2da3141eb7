"""Leaks of the API."""

from datetime import timedelta
from typing import Any

from django.http import HttpRequest, HttpResponse
from pytest import MonkeyPatch

from games.api.gate import etags
from games.api.playing import lines as lines_of_matches
from games.api.reading import boards, matches
from games.api.schemas.boards import Board
from games.api.schemas.matches import Match
from games.idempotency import client_keys
from games.play import refusals
from games.play.commands import moves as commands
from games.play.models import match as models
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.seat_history import SeatHistory
from games.rules.core.basics.refusals import IllegalMove
from games.rules.core.text.notation import write_move
from tests.secrecy.leaks.planting import PLAY, bit, change, digest, leak, position, rank_at
from tests.secrecy.stories import StoryKind

TIME = (StoryKind("play", "time"),)


@leak("api:match")
def a_rank_in_an_etag(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: HttpResponse, request: HttpRequest, *_: Any) -> HttpResponse:
        number = getattr(request.resolver_match, "kwargs", {}).get("match_id")
        if number and "ETag" in response:
            response["ETag"] = f'"{digest(number)}"'
        return response

    change(monkeypatch, etags, "conditional", spoil)


@leak("api:board")
def pieces_in_the_order_of_their_ranks(monkeypatch: MonkeyPatch) -> None:
    def spoil(board: Board, view: MatchView) -> Board:
        board.pieces.sort(key=lambda piece: rank_at(view.match.pk, piece.square))
        return board

    change(monkeypatch, boards, "_board", spoil)


@leak("api:board", kinds=PLAY)
def the_moves_of_the_other_side(monkeypatch: MonkeyPatch) -> None:
    def spoil(board: Board, view: MatchView) -> Board:
        truth, rules = position(view.match.pk), view.rules
        legal = rules.legal_moves(truth, truth.turn)
        board.legal = sorted(write_move(rules, move) for move in legal)
        return board

    change(monkeypatch, boards, "_board", spoil)


@leak("api:board")
def the_viewpoint_of_the_other_side(monkeypatch: MonkeyPatch) -> None:
    def unchecked(match: Any, seat: Any, wanted: Any, at: Any) -> Any:
        return wanted or match_view.viewpoints(match, seat, at)[0]

    monkeypatch.setattr(match_view, "_checked_viewpoint", unchecked)


@leak("api:match", kinds=TIME)
def the_instant_of_opening_by_rank(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: Match, match: Any, *_: Any) -> Match:
        if seen.opens_at is not None and bit(match.pk):
            seen.opens_at += timedelta(seconds=1)
        return seen

    change(monkeypatch, matches, "match_of", spoil)


@leak("api:lines", kinds=PLAY)
def a_rank_that_was_shown_later(monkeypatch: MonkeyPatch) -> None:
    def spoil(lines: list[dict[str, Any]], history: SeatHistory) -> list[dict[str, Any]]:
        for line in lines:
            line["fallen"] = digest(history.match.pk)
        return lines

    change(monkeypatch, lines_of_matches, "lines_to_continue", spoil)


@leak("api:play_move", kinds=PLAY)
def another_status_before_some_ranks(monkeypatch: MonkeyPatch) -> None:
    play = commands.submit_move

    def spoil(match_id: int, *arguments: Any, **more: Any) -> Any:
        try:
            return play(match_id, *arguments, **more)
        except IllegalMove:
            if bit(match_id):
                raise refusals.MatchMovedOn from None
            raise

    monkeypatch.setattr(commands, "submit_move", spoil)


@leak("api:play_move", kinds=PLAY)
def the_length_of_a_problem(monkeypatch: MonkeyPatch) -> None:
    play = commands.submit_move

    def spoil(match_id: int, *arguments: Any, **more: Any) -> Any:
        try:
            return play(match_id, *arguments, **more)
        except IllegalMove as refusal:
            refusal.template += " " * bit(match_id)
            raise

    monkeypatch.setattr(commands, "submit_move", spoil)


@leak("api:invite")
def a_board_in_a_kept_response(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: HttpResponse | None, *_: Any) -> HttpResponse | None:
        if response is not None:
            response["Location"] = digest(max(models.Match.objects.values_list("pk", flat=True)))
        return response

    change(monkeypatch, client_keys, "_replayed", spoil)
