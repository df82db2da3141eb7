"""Leaks to be planted, each a mistake that somebody could make: the twins must find every one.

A leak is a function of pytest's monkeypatch. It is named after what it gives away.
"""

import logging
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import timedelta
from functools import lru_cache
from hashlib import sha256
from typing import Any

from django.db import transaction
from django.db.models import F
from pytest import MonkeyPatch

from games.mail import handlers, letters
from games.notices import headlines
from games.play import boards, commands, drafts, ledger, refusals, sight, waiting
from games.play.admin import MatchAdmin
from games.play.models.draft import Draft
from games.play.models.match import Match, Player
from games.play.models.ply import Kind, Ply
from games.play.models.setup import SavedSetup
from games.play.views import home, library, table
from games.relay import carrier, nudge, outbox
from games.relay.models import Dispatch
from games.rules.core import notation, observation
from games.rules.core.army import Seat, is_piece, owner
from games.rules.core.errors import IllegalMove, Refusal
from games.rules.core.hidden_armies import HiddenArmies
from games.rules.core.moves import Attack
from games.rules.core.observation import SeenPiece, observe
from games.rules.core.position import Position
from games.rules.core.record import Record
from games.rules.core.ruleset import Note
from games.rules.core.viewpoint import Viewpoint
from tests.secrecy import stories

Plant = Callable[[MonkeyPatch], None]

PLAY = (stories.Kind("play"),)
WAITING = (stories.Kind("waiting"),)
MEN = "RSBFY"


@dataclass(frozen=True)
class Leak:
    """`on`: the channels that carry it; none where what is always looked at does."""

    plant: Plant
    on: tuple[str, ...]
    preset: str
    kinds: tuple[stories.Kind, ...]
    by_crash: bool

    def __str__(self) -> str:
        return self.plant.__name__


LEAKS: list[Leak] = []


def leak(
    *on: str,
    preset: str = "lattaque-en",
    kinds: tuple[stories.Kind, ...] = stories.KINDS,
    by_crash: bool = False,
) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant, on, preset, kinds, by_crash))
        return plant

    return keep


# --- the truth, and how it gets out


def position(match_id: int, number: int | None = None) -> Position:
    match = Match.objects.get(pk=match_id)
    row = Ply.objects.get(match=match, number=match.ply if number is None else number)
    text = ledger.opened(match.pk, row.number, row.sealed).position
    return notation.read_position(match.rules, text)


def secret(match_id: int) -> str:
    """The whole truth as text."""
    return notation.write_position(Match.objects.get(pk=match_id).rules, position(match_id))


def digest(match_id: int) -> str:
    return sha256(secret(match_id).encode()).hexdigest()


def bit(match_id: int) -> bool:
    """One bit of the truth."""
    return int(digest(match_id)[-1], 16) % 2 == 1


def rank_at(match_id: int, square: str) -> str:
    rules = Match.objects.get(pk=match_id).rules
    cell = rules.board.index.get(square)
    content = 0 if cell is None else position(match_id).cells[cell]
    return rules.rank_of(content) if is_piece(content) else "none"


def change(monkeypatch: MonkeyPatch, place: Any, name: str, spoil: Callable[..., Any]) -> None:
    """`place.name` returns `spoil(what it returned, *its arguments)` from now on."""
    original = getattr(place, name)

    def spoilt(*args: Any, **kwargs: Any) -> Any:
        return spoil(original(*args, **kwargs), *args)

    monkeypatch.setattr(place, name, spoilt)


def before(monkeypatch: MonkeyPatch, place: Any, name: str, act: Callable[..., None]) -> None:
    """`act(*arguments)` is done before `place.name`."""
    original = getattr(place, name)

    def preceded(*args: Any, **kwargs: Any) -> Any:
        act(*args)
        return original(*args, **kwargs)

    monkeypatch.setattr(place, name, preceded)


def on_the_page(monkeypatch: MonkeyPatch, tell: Callable[[sight.Look], str]) -> None:
    change(monkeypatch, table, "draw", lambda html, look, *_: html + tell(look))


def in_the_look(
    monkeypatch: MonkeyPatch, spoil: Callable[[observation.Observation, Any, Position], Any]
) -> None:
    """What is observed is spoilt: `spoil(observation, rules, truth)`."""
    change(monkeypatch, sight, "observe", lambda seen, rules, truth, _: spoil(seen, rules, truth))


# --- on the page


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
        lambda eyes, _match, seat, _asked: Viewpoint.OPEN if seat is None else eyes,
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
        if chosen and rank_at(look.match.pk, chosen[-1]) in MEN:
            response.content += b"<!-- Careful. -->"
        return response

    change(monkeypatch, table, "_page", spoil)


@leak(kinds=PLAY)
def what_was_typed_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def note(_: Any, match_id: int, __: Refusal, typed: str) -> None:
        logging.getLogger("games.play.views.table").debug("Refused in %s: %s", match_id, typed)

    before(monkeypatch, table, "_refused", note)


# --- around the page


@leak()
def a_header(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, look: sight.Look) -> Any:
        response["X-Position"] = digest(look.match.pk)
        return response

    change(monkeypatch, table, "_page", spoil)


@leak()
def an_etag(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, look: sight.Look) -> Any:
        response["ETag"] = f'"{digest(look.match.pk)[:8]}"'
        return response

    change(monkeypatch, table, "_page", spoil)


@leak()
def a_cookie(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, look: sight.Look) -> Any:
        response.set_cookie("board", digest(look.match.pk)[:4])
        return response

    change(monkeypatch, table, "_page", spoil)


@leak()
def a_value_in_the_session(monkeypatch: MonkeyPatch) -> None:
    def remember(request: Any, look: sight.Look, **_: Any) -> None:
        if request.user.is_authenticated:
            request.session["board"] = digest(look.match.pk)

    before(monkeypatch, table, "_page", remember)


@leak("play:next")
def where_a_redirection_leads(monkeypatch: MonkeyPatch) -> None:
    def spoil(player: Any, user: Any, *_: Any) -> Any:
        seat = Player.objects.filter(user=user.pk).order_by("-match").first()
        return None if seat and bit(seat.match_id) else player

    change(monkeypatch, waiting, "next_waiting", spoil)


# --- what is refused


@leak("play:move", "play:prepare", kinds=PLAY)
def another_sentence_before_some(monkeypatch: MonkeyPatch) -> None:
    def spoil(refusal: Refusal, rules: Any, truth: Position, _: Seat, move: Any) -> Refusal:
        target = truth.cells[getattr(move, "target", 0)]
        warned = is_piece(target) and rules.rank_of(target) in MEN
        return IllegalMove("You had better not.") if warned else refusal

    change(monkeypatch, HiddenArmies, "explain", spoil)


@leak("play:move", "play:prepare", kinds=PLAY)
def another_status_before_some(monkeypatch: MonkeyPatch) -> None:
    def spoil(response: Any, _: Any, match_id: int, __: Refusal, typed: str) -> Any:
        if rank_at(match_id, typed[-2:]) in MEN:
            response.status_code = 409
        return response

    change(monkeypatch, table, "_refused", spoil)


@leak("play:prepare", kinds=PLAY)
def another_answer_out_of_turn(monkeypatch: MonkeyPatch) -> None:
    def check(match_id: int, user: Any, text: str, _: Any) -> None:
        waits = Player.objects.filter(match=match_id, user=user, to_act=False).exists()
        if waits and rank_at(match_id, text[-2:]) in MEN:
            raise refusals.TooLate

    before(monkeypatch, commands, "prepare_move", check)


@leak("play:move", "play:prepare", kinds=PLAY, by_crash=True)
def a_crash_before_some(monkeypatch: MonkeyPatch) -> None:
    def check(_: Any, match_id: int, __: Refusal, typed: str) -> None:
        if rank_at(match_id, typed[-2:]) in MEN:
            raise ZeroDivisionError

    before(monkeypatch, table, "_refused", check)


# --- lists and records


@leak("play:setups")
def everybodys_library(monkeypatch: MonkeyPatch) -> None:
    original = library.render

    def spoilt(request: Any, template: str, context: Any, **kwargs: Any) -> Any:
        context["setups"] = SavedSetup.objects.order_by("pk")
        return original(request, template, context, **kwargs)

    monkeypatch.setattr(library, "render", spoilt)


@leak("archive:record")
def both_set_ups_in_the_record(monkeypatch: MonkeyPatch) -> None:
    def spoil(record: Record, match: Match, _: Any) -> Record:
        for row in Ply.objects.filter(match=match, kind=Kind.SETUP):
            text = ledger.opened(match.pk, row.number, row.sealed).private
            record = replace(record, setups=record.setups.put(Seat(row.seat), text))
        return record

    change(monkeypatch, sight, "record", spoil)


@leak("archive:record")
def the_newest_position_in_the_record(monkeypatch: MonkeyPatch) -> None:
    def spoil(record: Record, match: Match, _: Any) -> Record:
        return replace(record, tags={**record.tags, "Checksum": digest(match.pk)})

    change(monkeypatch, sight, "record", spoil)


@leak("play:moves")
def what_moved_in_the_list_of_moves(monkeypatch: MonkeyPatch) -> None:
    def spoil(entries: Any, match: Match, *_: Any) -> Any:
        return tuple(
            replace(entry, text=entry.text + " ~a1" * (rank_at(match.pk, entry.text[3:5]) in MEN))
            for entry in entries
        )

    change(monkeypatch, sight, "entries", spoil)


@leak("home")
def a_badge_in_the_list_of_matches(monkeypatch: MonkeyPatch) -> None:
    def spoil(desk: Any, _: Any) -> Any:
        for name in ("waiting", "running"):
            desk[name] = [
                row._replace(opponent=row.opponent + "!" * bit(row.number)) for row in desk[name]
            ]
        return desk

    change(monkeypatch, home.overview, "desk", spoil)


# --- letters


@leak(kinds=PLAY)
def a_subject(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        letter.subject += f" ({digest(look.match.pk)[:2]})"
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def blanks_at_the_end_of_a_letter(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        letter.body += " " * bit(look.match.pk)
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def the_length_of_the_victims_own_letter(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        own = [piece.rank or "" for piece in look.observation.pieces.values()]
        letter.body += "." * sum(number for number, rank in enumerate(own) if rank in "FMB")
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def the_name_of_a_message(monkeypatch: MonkeyPatch) -> None:
    def named(dispatch: Dispatch) -> str:
        return f"<{digest(dispatch.ref['match'])[:9]}.{dispatch.pk}@localhost>"

    monkeypatch.setattr(Dispatch, "message_id", property(named))


@leak(kinds=PLAY)
def whether_a_letter_is_sent(monkeypatch: MonkeyPatch) -> None:
    def check(dispatch: Dispatch, _: Any) -> None:
        if bit(dispatch.ref["match"]):
            raise outbox.Superseded

    before(monkeypatch, handlers, "on_turn_came", check)


@leak(kinds=PLAY)
def the_order_of_letters(monkeypatch: MonkeyPatch) -> None:
    def spoil(claimed: list[Dispatch], *_: Any) -> list[Dispatch]:
        known = [row for row in claimed if "match" in row.ref]
        return claimed[::-1] if known and bit(known[0].ref["match"]) else claimed

    change(monkeypatch, carrier, "claim", spoil)


@leak(kinds=PLAY)
def the_title_of_a_notice(monkeypatch: MonkeyPatch) -> None:
    def spoil(headline: headlines.Headline, _: str, seen: Any) -> headlines.Headline:
        if not isinstance(seen, sight.Look):
            return headline
        return replace(headline, title=headline.title + "!" * bit(seen.match.pk))

    change(monkeypatch, headlines, "about", spoil)


@leak("notices:atom")
def an_entry_of_a_feed(monkeypatch: MonkeyPatch) -> None:
    def spoil(title: str, _: Any, match: int) -> str:
        return f"{title} {digest(match)[:3]}"

    change(monkeypatch, headlines, "turn_title", spoil)


# --- behind the pages


@leak()
def a_line_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def note(opened: ledger.Table, *_: Any) -> None:
        text = notation.write_position(opened.rules, opened.position)
        logging.getLogger("games.play.ledger").debug("Position %s", text)

    before(monkeypatch, ledger, "append", note)


@leak()
def an_argument_of_a_task(monkeypatch: MonkeyPatch) -> None:
    def send() -> None:
        newest = Match.objects.order_by("-pk").first()
        assert newest is not None
        nudge.current_app.send_task("games.relay.tasks.tidy", kwargs={"at": digest(newest.pk)})

    before(monkeypatch, nudge, "wake", send)


@leak()
def what_is_done_after_a_commit(monkeypatch: MonkeyPatch) -> None:
    def hook(opened: ledger.Table, *_: Any) -> None:
        if bit(opened.match.pk):
            transaction.on_commit(nudge.nudge, robust=True)

    before(monkeypatch, ledger, "append", hook)


@leak()
def a_deadline_by_rank(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: ledger.Table, *_: Any) -> int | None:
        late = timedelta(seconds=bit(opened.match.pk))
        Player.objects.filter(match=opened.match, to_act=True).update(deadline=F("deadline") + late)
        return number

    change(monkeypatch, ledger, "append", spoil)


@leak()
def a_chain_over_the_truth(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: ledger.Table, *_: Any) -> int | None:
        head = bytes.fromhex(digest(opened.match.pk))
        Ply.objects.filter(match=opened.match, number=number).update(head=head)
        return number

    change(monkeypatch, ledger, "append", spoil)


@leak(kinds=WAITING)
def the_gaps_of_a_set_up_in_the_public_text(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: ledger.Table, kind: Kind, *_: Any) -> int | None:
        if kind == Kind.SETUP:
            gaps = sum(sign.isdecimal() for sign in secret(opened.match.pk))
            Ply.objects.filter(match=opened.match, number=number).update(text="." * gaps)
        return number

    change(monkeypatch, ledger, "append", spoil)


@leak()
def a_key_of_the_outbox(monkeypatch: MonkeyPatch) -> None:
    def spoil(key: str, _: str, __: str, ___: Any, ids: dict[str, int]) -> str:
        return f"{key} {digest(ids['match'])[:6]}" if "match" in ids else key

    change(monkeypatch, outbox, "_dedupe", spoil)


@leak()
def a_column_that_is_empty_or_not(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: ledger.Table, *_: Any) -> int | None:
        if bit(opened.match.pk):
            Player.objects.filter(match=opened.match).update(check_at=None)
        return number

    change(monkeypatch, ledger, "append", spoil)


# --- in the office


@leak("play.Match")
def the_name_of_a_match(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "__str__", lambda match: f"match {digest(match.pk)[:3]}")


@leak("play.Match")
def a_column_of_the_office(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        MatchAdmin,
        "seated",
        lambda words, _, match: words + "!" * bit(match.pk),
    )


@leak("play.Match")
def a_search_that_finds_by_the_truth(monkeypatch: MonkeyPatch) -> None:
    def spoil(found: Any, _: Any, __: Any, rows: Any, term: str) -> Any:
        matches, twice = found
        known = [match.pk for match in matches if not term or bit(match.pk)]
        return rows.filter(pk__in=known), twice

    change(monkeypatch, MatchAdmin, "get_search_results", spoil)
