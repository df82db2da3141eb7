"""Leaks on the pages of a match."""

import logging
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pytest import MonkeyPatch

from games.play import boards, drafts, sight
from games.play.models.draft import Draft
from games.play.views import table
from games.rules.core import observation
from games.rules.core.army import Seat, is_piece, owner
from games.rules.core.errors import Refusal
from games.rules.core.moves import Attack
from games.rules.core.observation import SeenPiece, observe
from games.rules.core.position import Position
from games.rules.core.ruleset import Note
from games.rules.core.viewpoint import Viewpoint
from tests.secrecy.leaks.planting import (
    PLAY,
    WAITING,
    before,
    bit,
    change,
    digest,
    in_the_look,
    leak,
    on_the_page,
    position,
    rank_at,
    secret,
)


@leak()
def all_ranks_in_a_comment(monkeypatch: MonkeyPatch) -> None:
    on_the_page(monkeypatch, lambda look: f"<!-- {secret(look.match.pk)} -->")


@leak()
def a_hash_without_salt(monkeypatch: MonkeyPatch) -> None:
    on_the_page(monkeypatch, lambda look: f"<!-- {digest(look.match.pk)} -->")


@leak()
def one_blank_more(monkeypatch: MonkeyPatch) -> None:
    on_the_page(monkeypatch, lambda look: " " * bit(look.match.pk))


@leak()
def a_class_by_rank(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        cells = {square: truth.cells[rules.board.index[square]] for square in seen.pieces}
        pieces = {
            square: replace(piece, marks=frozenset([f"k{rules.rank_of(cells[square])}"]))
            for square, piece in seen.pieces.items()
        }
        return replace(seen, pieces=pieces)

    in_the_look(monkeypatch, spoil)


@leak()
def the_caption_read_aloud(monkeypatch: MonkeyPatch) -> None:
    change(monkeypatch, boards, "caption", lambda words, look: words + secret(look.match.pk)[-40:])


@leak()
def how_many_pieces_can_move(monkeypatch: MonkeyPatch) -> None:
    def tell(look: sight.Look) -> str:
        truth = position(look.match.pk)
        moves = [move for seat in Seat for move in look.rules.listing(truth.cells, seat)]
        return f"<b>{len(moves)}</b>"

    on_the_page(monkeypatch, tell)


@leak()
def the_order_of_the_moves_in_the_script(monkeypatch: MonkeyPatch) -> None:
    def spoil(doors: Any, look: sight.Look, *_: Any) -> Any:
        return replace(doors, moves=doors.moves[::-1] if bit(look.match.pk) else doors.moves)

    change(monkeypatch, table, "choices", spoil)


@leak("play:match")
def moves_that_cannot_succeed_are_not_offered(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        def hopeless(move: Any) -> bool:
            return isinstance(move, Attack) and rules.rank_of(truth.cells[move.target]) in "BMGCJ"

        return replace(seen, moves=tuple(move for move in seen.moves if not hopeless(move)))

    in_the_look(monkeypatch, spoil)


@leak()
def what_the_other_has_prepared(monkeypatch: MonkeyPatch) -> None:
    def tell(look: sight.Look) -> str:
        return "".join(map(drafts.read, look.players.values()))

    on_the_page(monkeypatch, tell)


@leak()
def that_the_other_has_prepared_something(monkeypatch: MonkeyPatch) -> None:
    def tell(look: sight.Look) -> str:
        return "." * Draft.objects.filter(player__match=look.match).count()

    on_the_page(monkeypatch, tell)


@leak("play:match", kinds=WAITING)
def the_squares_taken_while_armies_are_set_up(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        hidden = {
            rules.board.names[cell]: SeenPiece(owner(truth.cells[cell]), None)
            for cell in rules.board.cells
            if is_piece(truth.cells[cell])
        }
        return replace(seen, pieces=hidden | seen.pieces)

    in_the_look(monkeypatch, spoil)


@leak(preset="domino")
def the_tiles_that_were_not_dealt(monkeypatch: MonkeyPatch) -> None:
    def tell(look: sight.Look) -> str:
        truth = position(look.match.pk)
        return "".join(tile for seat in Seat for tile in look.rules.aside(truth, seat))

    on_the_page(monkeypatch, tell)


@leak(preset="domino")
def a_remark_on_what_is_in_play(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        dealt = "11" not in truth.memory[Seat.NORTH]
        note = Note("The 1-1 is in play: %(dealt)s", {"dealt": str(dealt)})
        return replace(seen, notes=(*seen.notes, note))

    in_the_look(monkeypatch, spoil)


@leak(preset="tactique")
def what_the_archers_shot(monkeypatch: MonkeyPatch) -> None:
    def spoil(_: Any, rules: Any, truth: Position, __: Any, seat: Seat) -> Any:
        return tuple(rank for rank, _ in rules.fallen(truth, seat))

    change(monkeypatch, observation, "_fallen", spoil)


@leak("play:match")
def looking_back_is_open(monkeypatch: MonkeyPatch) -> None:
    original = sight.look

    def spoilt(match_id: int, user: Any, **asked: Any) -> sight.Look:
        look = original(match_id, user, **asked)
        if asked.get("shown") is None:
            return look
        truth = position(match_id, look.number)
        return replace(look, observation=observe(look.rules, truth, Viewpoint.OPEN))

    monkeypatch.setattr(sight, "look", spoilt)


@leak("play:match")
def onlookers_see_everything(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        sight,
        "_eyes",
        lambda eyes, _match, seat, *_: Viewpoint.OPEN if seat is None else eyes,
    )


@leak("play:match")
def staff_see_everything(monkeypatch: MonkeyPatch) -> None:
    original = sight.look

    def spoilt(match_id: int, user: Any, **asked: Any) -> sight.Look:
        look = original(match_id, user, **asked)
        if not getattr(user, "is_staff", False):
            return look
        seen = observe(look.rules, position(match_id, look.number), Viewpoint.OPEN)
        return replace(look, observation=seen)

    monkeypatch.setattr(sight, "look", spoilt)


@leak("play:match", "archive:match")
def a_match_called_off_is_open(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        sight,
        "_eyes",
        lambda eyes, match, *_: eyes if match.is_live else Viewpoint.OPEN,
    )


@leak("play:match")
def a_page_is_kept_for_whoever_comes_next(monkeypatch: MonkeyPatch) -> None:
    original = sight.look

    @lru_cache
    def kept(match_id: int, shown: int | None, ply: int) -> Any:
        return original(match_id, kept.user, shown=shown).observation  # type: ignore[attr-defined]

    def spoilt(match_id: int, user: Any, **asked: Any) -> sight.Look:
        kept.user = user  # type: ignore[attr-defined]
        look = original(match_id, user, **asked)
        return replace(look, observation=kept(match_id, asked.get("shown"), look.number))

    monkeypatch.setattr(sight, "kept", kept, raising=False)
    monkeypatch.setattr(sight, "look", spoilt)


@leak("play:match", kinds=PLAY)
def a_hint_at_the_square_a_move_goes_to(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, request: Any, look: sight.Look) -> Any:
        chosen = request.GET.getlist("via")
        if chosen:
            response.content += f"<!-- {rank_at(look.match.pk, chosen[-1])} -->".encode()
        return response

    change(monkeypatch, table, "_page", spoil)


@leak(kinds=PLAY)
def what_was_typed_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def note(_: Any, match_id: int, __: Refusal, typed: str) -> None:
        logging.getLogger("games.play.views.table").debug("Refused in %s: %s", match_id, typed)

    before(monkeypatch, table, "_refused", note)
