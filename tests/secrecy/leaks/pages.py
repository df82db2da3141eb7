"""Leaks on the pages of a match."""

import logging
from dataclasses import replace
from functools import lru_cache
from typing import Any

from pytest import MonkeyPatch

from games.archive.films import making, orders
from games.archive.views import plies
from games.guide import lesson_pages
from games.play.board import boards, replay_blocks
from games.play.lists import listing
from games.play.models.draft import Draft
from games.play.models.match import Match
from games.play.models.notebook import Notebook
from games.play.pictures import small_boards
from games.play.record import match_view
from games.play.record.sealed import drafts, notebooks
from games.play.templatetags import link_previews
from games.play.views.match import match_page, pictures, polling
from games.rules.core import observation
from games.rules.core.basics.moves import Attack
from games.rules.core.basics.pieces import Seat, is_piece, owner
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.sentence import Sentence
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.observation import SeenPiece, observe
from games.rules.core.state.position import Position
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
    on_the_page(monkeypatch, lambda view: f"<!-- {secret(view.match.pk)} -->")


@leak()
def a_hash_without_salt(monkeypatch: MonkeyPatch) -> None:
    on_the_page(monkeypatch, lambda view: f"<!-- {digest(view.match.pk)} -->")


@leak()
def one_blank_more(monkeypatch: MonkeyPatch) -> None:
    on_the_page(monkeypatch, lambda view: " " * bit(view.match.pk))


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


@leak("play:small", first=2)
def a_class_by_rank_on_a_small_board(monkeypatch: MonkeyPatch) -> None:
    def spoil(drawing: bytes, view: Any) -> bytes:
        ranks = [rank_at(view.match.pk, square) for square in sorted(view.observation.pieces)]
        kinds = "".join(f'<g class="k{rank}"/>' for rank in ranks)
        return drawing.replace(b"</svg>", kinds.encode() + b"</svg>")

    change(monkeypatch, small_boards, "draw", spoil)


@leak("play:picture", "play:picture_svg", first=2)
def a_picture_with_all_ranks(monkeypatch: MonkeyPatch) -> None:
    """The view of a picture is made from the whole position."""

    def spoil(view: match_view.MatchView, *_: Any) -> match_view.MatchView:
        truth = observe(view.rules, position(view.match.pk, view.number), Viewpoint.OPEN)
        return replace(view, observation=truth)

    change(monkeypatch, pictures, "_view", spoil)


@leak("play:picture_of", first=2)
def an_open_picture_before_its_time(monkeypatch: MonkeyPatch) -> None:
    change(monkeypatch, Match, "is_open", lambda *_: True)


@leak("archive:film_file", first=2)
def a_film_before_its_time(monkeypatch: MonkeyPatch) -> None:
    """Any match has films, and a worker makes them at once."""
    change(monkeypatch, Match, "is_open", lambda *_: True)
    change(monkeypatch, orders, "order", lambda film, *_: (film, making.make_next())[0])


@leak("play:match", first=2)
def a_link_preview_from_the_readers_own_view(monkeypatch: MonkeyPatch) -> None:
    """The description names the pieces as the player at the top of the board sees them."""

    def spoil(words: str, view: match_view.MatchView) -> str:
        own = match_view.view_match(view.match.pk, view.far.user).observation.pieces
        return words + "".join(piece.rank or "" for _, piece in sorted(own.items()))

    change(monkeypatch, link_previews, "_description", spoil)


@leak("archive:summary", kinds=PLAY)
def a_summary_before_the_match_is_open(monkeypatch: MonkeyPatch) -> None:
    def spoil(allowed: tuple[Viewpoint, ...], *_rest: Any) -> tuple[Viewpoint, ...]:
        return tuple(dict.fromkeys((*allowed, *Viewpoint)))

    change(monkeypatch, match_view, "viewpoints", spoil)


@leak("play:news")
def a_word_in_the_live_line(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        polling,
        "_sentence",
        lambda sentence, match, *_rest: sentence + digest(match.pk),
    )


@leak("lesson")
def a_lesson_that_knows_a_match(monkeypatch: MonkeyPatch) -> None:
    def spoil(context: list[str], _view: Any) -> list[str]:
        return [
            *context,
            *(digest(match.pk) for match in Match.objects.filter(opening__isnull=False)),
        ]

    change(monkeypatch, lesson_pages, "_happened", spoil)


@leak(first=2)
def the_caption_read_aloud(monkeypatch: MonkeyPatch) -> None:
    change(monkeypatch, boards, "caption", lambda words, view: words + secret(view.match.pk)[-40:])


@leak()
def how_many_pieces_can_move(monkeypatch: MonkeyPatch) -> None:
    def tell(view: match_view.MatchView) -> str:
        truth = position(view.match.pk)
        rules: Any = view.rules  # of a game that has such moves
        moves = [move for seat in Seat for move in rules.pseudo_legal_moves(truth.cells, seat)]
        return f"<b>{len(moves)}</b>"

    on_the_page(monkeypatch, tell)


@leak()
def the_order_of_the_moves_in_the_script(monkeypatch: MonkeyPatch) -> None:
    def spoil(doors: Any, view: match_view.MatchView, *_: Any) -> Any:
        return replace(doors, moves=doors.moves[::-1] if bit(view.match.pk) else doors.moves)

    change(monkeypatch, match_page, "choices", spoil)


@leak("play:match")
def moves_that_cannot_succeed_are_not_offered(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        def hopeless(move: Any) -> bool:
            return isinstance(move, Attack) and rules.rank_of(truth.cells[move.target]) in "BMGCJ"

        return replace(seen, moves=tuple(move for move in seen.moves if not hopeless(move)))

    in_the_look(monkeypatch, spoil)


@leak(first=2)
def what_the_other_has_prepared(monkeypatch: MonkeyPatch) -> None:
    def tell(view: match_view.MatchView) -> str:
        return "".join(map(drafts.read, view.players.values()))

    on_the_page(monkeypatch, tell)


@leak(first=2)
def what_the_other_has_noted(monkeypatch: MonkeyPatch) -> None:
    def tell(view: match_view.MatchView) -> str:
        return "".join(notebooks.read(player.pk).note for player in view.players.values())

    on_the_page(monkeypatch, tell)


@leak(first=2)
def what_the_other_has_marked(monkeypatch: MonkeyPatch) -> None:
    def tell(view: match_view.MatchView) -> str:
        return "".join(notebooks.read(player.pk).marks for player in view.players.values())

    on_the_page(monkeypatch, tell)


@leak("home")
def how_the_notes_of_the_other_begin(monkeypatch: MonkeyPatch) -> None:
    def tell(listed: listing.ListedMatch) -> str:
        others = Notebook.objects.filter(player__match=listed.number)
        return "".join(notebooks.read(row.pk).note for row in others.order_by("pk"))

    monkeypatch.setattr(listing.ListedMatch, "first_words", property(tell))
    monkeypatch.setattr(listing.ListedMatch, "note", b".")


@leak()
def a_memory_that_began_with_everything(monkeypatch: MonkeyPatch) -> None:
    def spoil(state: tuple[Any, str], view: match_view.MatchView) -> Any:
        first, text = state
        truth = observe(view.rules, position(view.match.pk, view.opening), Viewpoint.OPEN)
        return replace(first, pieces=truth.pieces), text

    change(monkeypatch, match_view, "opening_board", spoil)


@leak(first=2)
def that_the_other_has_prepared_something(monkeypatch: MonkeyPatch) -> None:
    def tell(view: match_view.MatchView) -> str:
        return "." * Draft.objects.filter(player__match=view.match).count()

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
    def tell(view: match_view.MatchView) -> str:
        truth = position(view.match.pk)
        return "".join(tile for seat in Seat for tile in view.rules.deal.aside(truth, seat))

    on_the_page(monkeypatch, tell)


@leak(preset="domino")
def a_remark_on_what_is_in_play(monkeypatch: MonkeyPatch) -> None:
    def spoil(seen: observation.Observation, rules: Any, truth: Position) -> Any:
        dealt = "11" not in truth.memory[Seat.NORTH]
        note = Sentence("The 1-1 is in play: %(dealt)s", {"dealt": str(dealt)})
        return replace(seen, notes=(*seen.notes, note))

    in_the_look(monkeypatch, spoil)


@leak(preset="tactique", first=7)
def what_the_archers_shot(monkeypatch: MonkeyPatch) -> None:
    def spoil(_: Any, rules: Any, truth: Position, __: Any, seat: Seat) -> Any:
        return tuple(rank for rank, _ in rules.fallen(truth, seat))

    change(monkeypatch, observation, "_fallen", spoil)


@leak("play:match", first=9)
def looking_back_is_open(monkeypatch: MonkeyPatch) -> None:
    original = match_view.view_match

    def spoilt(match_id: int, user: Any, **options: Any) -> match_view.MatchView:
        view = original(match_id, user, **options)
        if options.get("shown") is None:
            return view
        truth = position(match_id, view.number)
        return replace(view, observation=observe(view.rules, truth, Viewpoint.OPEN))

    monkeypatch.setattr(match_view, "view_match", spoilt)


@leak("play:plies", kinds=PLAY)
def blocks_of_the_past_are_open(monkeypatch: MonkeyPatch) -> None:
    def spoil(views: Any, match_id: int, *_: Any) -> Any:
        return tuple(
            replace(
                view,
                observation=observe(view.rules, position(match_id, view.number), Viewpoint.OPEN),
            )
            for view in views
        )

    change(monkeypatch, match_view, "view_plies", spoil)


@leak("play:plies", kinds=PLAY)
def a_block_is_a_blank_longer(monkeypatch: MonkeyPatch) -> None:
    def spoil(result: Any, views: Any, *_: Any) -> Any:
        return result | {"lines": [*result["lines"], *[""] * bit(views[0].match.pk)]}

    change(monkeypatch, replay_blocks, "block_of", spoil)


@leak("archive:plies", "archive:match", first=2)
def a_match_called_off_has_open_blocks(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(plies, "get_object_or_404", lambda _, pk, **__: Match.objects.get(pk=pk))
    change(
        monkeypatch,
        match_view,
        "viewpoints",
        lambda eyes, match, *_: eyes if match.is_live else (Viewpoint.OPEN,),
    )


@leak("play:match")
def onlookers_see_everything(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        match_view,
        "_checked_viewpoint",
        lambda eyes, _match, seat, *_: Viewpoint.OPEN if seat is None else eyes,
    )


@leak("play:match")
def staff_see_everything(monkeypatch: MonkeyPatch) -> None:
    original = match_view.view_match

    def spoilt(match_id: int, user: Any, **options: Any) -> match_view.MatchView:
        view = original(match_id, user, **options)
        if not getattr(user, "is_staff", False):
            return view
        seen = observe(view.rules, position(match_id, view.number), Viewpoint.OPEN)
        return replace(view, observation=seen)

    monkeypatch.setattr(match_view, "view_match", spoilt)


@leak("play:match", "archive:match", first=2)
def a_match_called_off_is_open(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        match_view,
        "_checked_viewpoint",
        lambda eyes, match, *_: eyes if match.is_live else Viewpoint.OPEN,
    )


@leak("play:match")
def a_page_is_cached_for_other_readers(monkeypatch: MonkeyPatch) -> None:
    original = match_view.view_match

    @lru_cache
    def kept(match_id: int, shown: int | None, ply: int) -> Any:
        return original(match_id, kept.user, shown=shown).observation  # type: ignore[attr-defined]

    def spoilt(match_id: int, user: Any, **options: Any) -> match_view.MatchView:
        kept.user = user  # type: ignore[attr-defined]
        view = original(match_id, user, **options)
        return replace(view, observation=kept(match_id, options.get("shown"), view.number))

    monkeypatch.setattr(match_view, "kept", kept, raising=False)
    monkeypatch.setattr(match_view, "view_match", spoilt)


@leak("play:match", kinds=PLAY, first=1)
def a_hint_at_the_square_a_move_goes_to(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, request: Any, view: match_view.MatchView) -> Any:
        chosen = request.GET.getlist("via")
        if chosen:
            response.content += f"<!-- {rank_at(view.match.pk, chosen[-1])} -->".encode()
        return response

    change(monkeypatch, match_page, "page", spoil)


@leak(kinds=PLAY, first=2)
def what_was_typed_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def note(_: Any, match_id: int, __: Refusal, typed: str) -> None:
        logging.getLogger("games.play.views.match.match_page").debug(
            "Refused in %s: %s", match_id, typed
        )

    before(monkeypatch, match_page, "_refused", note)
