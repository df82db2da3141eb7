"""Matches: the asker's own, one of them, its plies and its record."""

from typing import Literal, cast

from django.http import HttpResponse

from games.api.gate.callers import READ, Request, TokenRequest
from games.api.gate.problems import not_found
from games.api.interface import api, plain, text_answer
from games.api.reading import cursors
from games.api.schemas.basics import Number
from games.api.schemas.boards import Kind, Plies, Ply
from games.api.schemas.matches import Match, Matches, match_of, seated
from games.play.lists import own_matches
from games.play.models import match as models
from games.play.record import match_queries, match_view
from games.play.record.match_queries import MatchRow
from games.rules.core.text.game_record import write_record

PLIES_PER_PAGE = 200
OWN = "matches"


@api.get("/matches", auth=READ, response=Matches)
def matches(
    request: TokenRequest,
    state: Literal["live", "finished"] | None = None,
    cursor: str | None = None,
) -> Matches:
    """The asker's matches, newest first

    `state=finished` lists those that are over, also without a result.
    """
    start = cursors.read(OWN, cursor)
    rows = own_matches.page(
        request.user.pk,
        live=None if state is None else state == "live",
        before=start and start.number,
        most=cursors.ROWS_PER_PAGE + 1,
    )
    return page(OWN, rows, request.user.pk)


@api.get("/matches/{number:match_id}", auth=None, response=Match)
def match(request: Request, match_id: Number) -> Match:
    """The public state of a match"""
    row = _fetch(match_id)
    return match_of(row.match, row.players, request.user.pk)


@api.get("/matches/{number:match_id}/plies", auth=None, response=Plies)
def plies(request: Request, match_id: Number, after: Number | None = None) -> Plies:
    """The public record, ply by ply

    At most 200 plies, those after the ply `after`; from ply 0 without it.
    """
    played = _fetch(match_id).match
    first = 0 if after is None else after + 1
    last = min(first + PLIES_PER_PAGE - 1, played.ply)
    letters = played.rules.seat_letters
    return Plies(
        match=played.pk,
        plies=[
            Ply(
                ply=entry.number,
                seat=None if entry.seat is None else letters[entry.seat],
                kind=cast(Kind, entry.kind.value),
                text=entry.text.strip(),
                at=entry.at,
            )
            for entry in (match_view.entries(played, first, last) if first <= last else ())
        ],
        next=last if last < played.ply else None,
    )


@api.get(
    "/matches/{number:match_id}/record",
    auth=None,
    openapi_extra=text_answer("text/plain", "a game record (docs/records.md)"),
)
def record(request: Request, match_id: Number) -> HttpResponse:
    """The game record as text

    Until both armies are public, it has the asker's own set-up alone.
    """
    try:
        game_record = match_view.record(match_id, request.user)
    except models.Match.DoesNotExist:
        raise not_found() from None
    return plain(write_record(game_record), "text/plain")


def page(name: str, rows: list[models.Match], reader_id: int | None) -> Matches:
    """A page of a list of matches, of which one more than fits was read.

    The list called "archive" is in the order of endings, others in that of beginnings.
    """
    listed = rows[: cursors.ROWS_PER_PAGE]
    more = len(rows) > len(listed)
    last = listed[-1] if more else None
    return Matches(
        matches=[match_of(each, seated(each), reader_id) for each in listed],
        next=cursors.write(name, last.finished_at or last.created_at, last.pk) if last else None,
    )


def _fetch(match_id: int) -> MatchRow:
    try:
        return match_queries.fetch_match(match_id)
    except models.Match.DoesNotExist:
        raise not_found() from None
