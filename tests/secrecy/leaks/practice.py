"""Leaks of the practice board: it knows what its reader does not."""

from dataclasses import replace
from typing import Any

from pytest import MonkeyPatch

from games.play.models.match import Player
from games.play.practice import line, practice_board, stored
from games.play.practice.hidden_pieces import HiddenArmy
from games.play.practice.line import Start
from games.play.record import match_view
from tests.secrecy.leaks.planting import PLAY, change, leak, rank_at


@leak("play:practice", kinds=PLAY)
def practice_moves_by_the_true_rank(monkeypatch: MonkeyPatch) -> None:
    def spoil(army: HiddenArmy, view: match_view.MatchView, *_: Any) -> HiddenArmy:
        true = {at: rank_at(view.match.pk, at) for at in army.pieces}
        # They look hidden still, and move as what they are.
        pieces = {at: piece._replace(ranks=(true[at],) * 2) for at, piece in army.pieces.items()}
        return army._replace(pieces=pieces)

    change(monkeypatch, practice_board, "hidden_army", spoil)


@leak("play:practice", kinds=PLAY, preset="tactique")
def a_guess_from_the_truth(monkeypatch: MonkeyPatch) -> None:
    def spoil(start: Start, view: match_view.MatchView, *_: Any) -> Start:
        return replace(start, ranks={at: rank_at(view.match.pk, at) for at in start.army.pieces})

    change(monkeypatch, practice_board, "start_of", spoil)


@leak("play:practice", kinds=PLAY)
def how_often_the_other_has_practised(monkeypatch: MonkeyPatch) -> None:
    def spoil(stored_practice: stored.Practice, player_id: int) -> stored.Practice:
        seat = Player.objects.get(pk=player_id)
        other = Player.objects.filter(match=seat.match_id).exclude(pk=player_id).get()
        return stored_practice._replace(
            version=stored_practice.version + read_alone(other.pk).version
        )

    read_alone = stored.read
    change(monkeypatch, stored, "read", spoil)


@leak("play:practice", kinds=PLAY, preset="tactique")
def a_filler_from_the_truth(monkeypatch: MonkeyPatch) -> None:
    seen: list[int] = []

    def remember(start: Start, view: match_view.MatchView, *_: Any) -> Start:
        seen.append(view.match.pk)
        return start

    # True archers shoot, and no guess is shown anywhere.
    def spoil(guesses: dict[str, str], *_: Any) -> dict[str, str]:
        return {at: rank_at(seen[-1], at) for at in guesses}

    change(monkeypatch, practice_board, "start_of", remember)
    change(monkeypatch, line, "fillers", spoil)
