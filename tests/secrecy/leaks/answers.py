"""Leaks around pages: headers, refusals, lists and records."""

from dataclasses import replace
from typing import Any

from django import shortcuts
from pytest import MonkeyPatch

from games.lobby.invitations import admission
from games.people.blocking import blocks
from games.people.models import Block
from games.play import refusals
from games.play.commands import moves
from games.play.lists import overview, own_data, waiting
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.models.setup import SavedSetup
from games.play.record import match_store, match_view
from games.play.record.sealed import notebooks
from games.play.setups import library as set_ups
from games.play.setups.thumbnail import thumbnail
from games.play.setups.usage import Tally
from games.play.views import setup_library
from games.play.views.match import match_page
from games.rules.core.basics.pieces import Seat, is_piece
from games.rules.core.basics.refusals import IllegalMove, Refusal
from games.rules.core.ruleset.hidden_armies import HiddenArmies
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import Record
from tests.secrecy.leaks.planting import MEN, PLAY, before, bit, change, digest, leak, rank_at

# --- a block


@leak("lobby:challenge")
def other_words_for_the_blocked(monkeypatch: MonkeyPatch) -> None:
    def say(guest: Any, owner: Any, _: Any) -> None:
        if blocks.has_blocked(guest.pk, owner.pk):
            raise IllegalMove("You are blocked.")

    before(monkeypatch, admission, "check_guest", say)


@leak("accounts:profile")
def a_button_that_knows_who_blocks_whom(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        blocks,
        "has_blocked",
        lambda allowed, one, other: allowed and not Block.objects.filter(owner=other, blocked=one),
    )


# --- around the page


@leak()
def a_header(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, view: match_view.MatchView) -> Any:
        response["X-Position"] = digest(view.match.pk)
        return response

    change(monkeypatch, match_page, "page", spoil)


@leak()
def an_etag(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, view: match_view.MatchView) -> Any:
        response["ETag"] = f'"{digest(view.match.pk)[:8]}"'
        return response

    change(monkeypatch, match_page, "page", spoil)


@leak()
def a_cookie(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, view: match_view.MatchView) -> Any:
        response.set_cookie("board", digest(view.match.pk)[:4])
        return response

    change(monkeypatch, match_page, "page", spoil)


@leak()
def a_value_in_the_session(monkeypatch: MonkeyPatch) -> None:
    def remember(request: Any, view: match_view.MatchView, **_: Any) -> None:
        if request.user.is_authenticated:
            request.session["board"] = digest(view.match.pk)

    before(monkeypatch, match_page, "page", remember)


@leak("play:next")
def where_a_redirection_leads(monkeypatch: MonkeyPatch) -> None:
    def spoil(player: Any, user: Any, *_: Any) -> Any:
        seat = Player.objects.filter(user=user.pk).order_by("-match").first()
        return None if seat and bit(seat.match_id) else player

    change(monkeypatch, waiting, "next_waiting", spoil)


# --- refusals


@leak("play:move", "play:prepare", kinds=PLAY, first=10)
def another_sentence_before_some(monkeypatch: MonkeyPatch) -> None:
    def spoil(refusal: Refusal, rules: Any, truth: Position, _: Seat, move: Any) -> Refusal:
        target = truth.cells[getattr(move, "target", 0)]
        warned = is_piece(target) and rules.rank_of(target) in MEN
        return IllegalMove("You had better not.") if warned else refusal

    change(monkeypatch, HiddenArmies, "explain", spoil)


@leak("play:move", "play:prepare", kinds=PLAY, first=2)
def another_status_before_some(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, match_id: int, __: Refusal, typed: str) -> Any:
        if rank_at(match_id, typed[-2:]) in MEN:
            response.status_code = 409
        return response

    change(monkeypatch, match_page, "_refused", spoil)


@leak("play:prepare", kinds=PLAY, first=1)
def another_answer_out_of_turn(monkeypatch: MonkeyPatch) -> None:
    def check(match_id: int, user: Any, text: str, _: Any) -> None:
        waits = Player.objects.filter(match=match_id, user=user, to_act=False).exists()
        if waits and rank_at(match_id, text[-2:]) in MEN:
            raise refusals.TooLate

    before(monkeypatch, moves, "prepare_move", check)


@leak("play:move", "play:prepare", kinds=PLAY, by_crash=True, first=2)
def a_crash_before_some(monkeypatch: MonkeyPatch) -> None:
    def check(_: Any, match_id: int, __: Refusal, typed: str) -> None:
        if rank_at(match_id, typed[-2:]) in MEN:
            raise ZeroDivisionError

    before(monkeypatch, match_page, "_refused", check)


# --- lists and records


@leak("play:setups")
def everybodys_library(monkeypatch: MonkeyPatch) -> None:
    original = shortcuts.render

    def spoilt(request: Any, template: str, context: Any, **kwargs: Any) -> Any:
        placed = {saved: set_ups.read(saved) for saved in SavedSetup.objects.order_by("pk")}
        context["rows"] = [
            (saved, thumbnail(set_ups.rules_of(saved), stands), Tally())
            for saved, stands in placed.items()
        ]
        return original(request, template, context, **kwargs)

    monkeypatch.setattr(setup_library, "render", spoilt)


@leak("archive:record")
def both_set_ups_in_the_record(monkeypatch: MonkeyPatch) -> None:
    def spoil(record: Record, number: int, _: Any) -> Record:
        for row in Ply.objects.filter(match=number, kind=PlyKind.SETUP):
            text = match_store.unseal_ply(number, row.number, row.sealed).private
            record = replace(record, setups=record.setups.put(Seat(row.seat), text))
        return record

    change(monkeypatch, match_view, "record", spoil)


@leak("accounts:export")
def both_notebooks_in_the_export(monkeypatch: MonkeyPatch) -> None:
    def spoilt(user: Any) -> Any:
        for seat in Player.objects.filter(match__players__user=user, notebook__isnull=False):
            yield seat.pk, {"note": repr(tuple(notebooks.read(seat.pk)))}

    monkeypatch.setattr(own_data, "notes", spoilt)


@leak("archive:record")
def the_newest_position_in_the_record(monkeypatch: MonkeyPatch) -> None:
    def spoil(record: Record, number: int, _: Any) -> Record:
        return replace(record, tags={**record.tags, "Checksum": digest(number)})

    change(monkeypatch, match_view, "record", spoil)


@leak("play:moves")
def what_moved_in_the_list_of_moves(monkeypatch: MonkeyPatch) -> None:
    def spoil(entries: Any, match: Match, *_: Any) -> Any:
        return tuple(
            replace(entry, text=entry.text + " ~a1" * (rank_at(match.pk, entry.text[3:5]) in MEN))
            for entry in entries
        )

    change(monkeypatch, match_view, "entries", spoil)


@leak("home")
def a_badge_in_the_list_of_matches(monkeypatch: MonkeyPatch) -> None:
    def spoil(lists: Any, _: Any) -> Any:
        for name in ("waiting", "running"):
            lists[name] = [
                row._replace(opponent=row.opponent + "!" * bit(row.number)) for row in lists[name]
            ]
        return lists

    change(monkeypatch, overview, "home_lists", spoil)
