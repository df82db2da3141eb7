"""A person's own matches, records, notebooks and plans, one by one, for the export of data.

Of a running match only what the person sees: their own set-up, and the moves that everybody sees.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any

from django.db.models import Prefetch

from games.play.models.match import Player
from games.play.practice import stored
from games.play.record import match_view
from games.play.record.proofs import receipts
from games.play.record.sealed import notebooks, plans
from games.rules.core.text.game_record import write_record
from lib.exports.files import in_batches, values

if TYPE_CHECKING:
    from accounts.models import User

MATCH_COLUMNS = (
    *("id", "preset", "switches", "pace", "setup_pace", "soft", "vacations", "memory_aid"),
    *("rated", "listed", "status", "result", "reason", "ply", "opening", "draw_offer"),
    *("pause_offer", "paused_at", "rematch_of", "twin", "created_at", "finished_at"),
    *("forfeited_by", "is_final", "event"),
)
PLAYER_COLUMNS = (
    *("seat", "to_act", "bank", "since", "deadline", "turns", "moved_at", "missed_at"),
    *("missed_deadline", "talk_lines", "talk_unread", "talk_muted", "unseen"),
)
HEADER = ("match", "game", "opponent", *MATCH_COLUMNS[1:], *PLAYER_COLUMNS)
SEATS = ("draw_offer", "pause_offer", "seat")  # columns with a seat
MARK = ("guess", "word", "colour")


def matches(user: User) -> Iterator[tuple[Any, ...]]:
    """A row of HEADER for each match, the oldest first."""
    both = Prefetch("match__players", Player.objects.select_related("user"))
    seats = Player.objects.filter(user=user).select_related("match").prefetch_related(both)
    for player in in_batches(seats.order_by("match_id")):
        match = player.match
        opponent = next(each.user for each in match.players.all() if each.seat != player.seat)
        row = values(match, MATCH_COLUMNS) | values(player, PLAYER_COLUMNS)
        row["switches"] = json.dumps(row["switches"])
        for name in SEATS:
            row[name] = None if row[name] is None else match.rules.seat_names[row[name]]
        row["forfeited_by"] = " ".join(match.rules.seat_names[s] for s in sorted(match.forfeiters))
        yield (match.pk, match.rules.family, opponent.username, *(row[n] for n in HEADER[3:]))


def records(user: User) -> Iterator[tuple[int, str]]:
    """The game record of each match with its number: whole where it is open, else the own view."""
    for match_id in _numbers(user):
        yield match_id, write_record(match_view.record(match_id, user))


def receipts_of(user: User) -> Iterator[tuple[int, str]]:
    """The receipt of each match in which the person has set up, with its number."""
    for match_id in _numbers(user):
        with suppress(receipts.NoReceipt):
            yield match_id, receipts.receipt(match_id, user)


def notes(user: User) -> Iterator[tuple[int, dict[str, Any]]]:
    """Notebook of each match that has one, with the number of the match."""
    own_seats = Player.objects.filter(user=user, notebook__isnull=False).only("id", "match_id")
    for player in in_batches(own_seats.order_by("match_id")):
        pages = notebooks.read(player.pk)
        marks = json.loads(pages.marks or "{}")
        yield (
            player.match_id,
            {
                "ply": pages.ply,
                "memory": pages.memory,
                "marks": {
                    square: dict(zip(MARK, mark, strict=True)) for square, mark in marks.items()
                },
                "note": pages.note,
                "practice": _practice(player.pk),
            },
        )


def planned(user: User) -> Iterator[tuple[int, dict[str, Any]]]:
    """The plan of each match that has one, with the number of the match."""
    own_seats = Player.objects.filter(user=user, plan__isnull=False).only("id", "match_id")
    for player in in_batches(own_seats.order_by("match_id")):
        plan = plans.read(player.pk)
        if plan is not None:
            row, contents = plan.row, plan.contents
            instants = {"due_at": row.due_at, "counts_at": row.counts_at}
            fields = {"ply": row.ply, "state": row.state.value, "played": row.played}
            fields |= {name: at and at.isoformat() for name, at in instants.items()}
            yield player.match_id, fields | contents._asdict()


def _practice(player_id: int) -> dict[str, Any]:
    """The practice board of a match: guesses, the line on the board, and the lines kept."""
    board = stored.read(player_id)
    return {
        "ply": board.ply,
        "guesses": dict(board.guesses),
        "line": [step.text for step in board.steps],
        "kept": [
            {
                "name": line.name,
                "ply": line.ply,
                "guesses": dict(line.guesses),
                "line": [step.text for step in line.steps],
                "outdated": line.outdated,
            }
            for line in board.kept
        ],
    }


def _numbers(user: User) -> list[int]:
    own_seats = Player.objects.filter(user=user).order_by("match_id")
    return list(own_seats.values_list("match_id", flat=True))
