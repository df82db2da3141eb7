"""The archive: finished matches of all players, found as on the site, and their records."""

import json
from typing import Annotated, Literal
from urllib.parse import urlencode

from django.conf import settings
from django.http import HttpResponse
from ninja import Query
from pydantic import Field

from games.api.gate.callers import Request
from games.api.gate.paths import VERSION
from games.api.gate.problems import Problem
from games.api.interface import LINES, api, plain, text_answer
from games.api.reading import cursors
from games.api.reading.matches import page
from games.api.schemas.basics import Body, write_instant
from games.api.schemas.matches import Matches
from games.archive import finished_matches
from games.archive.forms import SearchForm
from games.play.models.match import Match
from games.play.record import match_view
from games.rules.core.text.game_record import write_record

ARCHIVE = "archive"

NOT_BLANK = r"\S"  # an empty filter would list everything
Name = Annotated[str, Field(max_length=40, pattern=NOT_BLANK, description="a username")]
Day = Annotated[str, Field(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}$", examples=["2026-11-26"])]


class Search(Body):
    """What the archive is searched for; days are those of UTC."""

    player: Name | None = None
    opponent: Name | None = None
    preset: Annotated[str, Field(pattern=NOT_BLANK)] | None = None
    result: Literal["south", "north", "draw", "won", "lost"] | None = None
    since: Day | None = None
    until: Day | None = None
    cursor: str | None = None


@api.get("/archive", auth=None, response=Matches)
def archive(request: Request, search: Query[Search]) -> Matches:
    """Finished matches of all players, the newest first"""
    return page(ARCHIVE, _found(search), request.user.pk)


@api.get(
    "/archive/records",
    auth=None,
    openapi_extra=text_answer(LINES, "one object a line: match, record, finished_at"),
)
def records(request: Request, search: Query[Search]) -> HttpResponse:
    """The records of finished matches, one JSON object a line

    Each has `match`, `record` and `finished_at`. The header `Link` has the next page.
    """
    listed = page(ARCHIVE, _found(search), request.user.pk)
    texts = match_view.records([match.match for match in listed.matches], request.user)
    lines = [
        {
            "match": match.match,
            "record": write_record(texts[match.match]),
            "finished_at": match.finished_at and write_instant(match.finished_at),
        }
        for match in listed.matches
    ]
    response = plain("".join(f"{json.dumps(line, ensure_ascii=False)}\n" for line in lines), LINES)
    if listed.next is not None:
        query = urlencode(search.model_dump(exclude_none=True) | {"cursor": listed.next})
        address = f"{settings.SITE_URL}{VERSION}/archive/records?{query}"
        response["Link"] = f'<{address}>; rel="next"'
    return response


def _found(search: Search) -> list[Match]:
    """The matches of a page and, if there are more, the first of the next one."""
    start = cursors.read(ARCHIVE, search.cursor)
    form = SearchForm(search.model_dump(exclude_none=True))
    if not form.is_valid():
        raise _invalid(form)
    matches = finished_matches.with_players(form.matches())
    if start is not None:
        matches = finished_matches.older(matches, start.at, start.number)
    return list(matches[: cursors.ROWS_PER_PAGE + 1])


def _invalid(form: SearchForm) -> Problem:
    errors = [
        {"where": f"query.{name}", "detail": str(sentences[0])}
        for name, sentences in form.errors.items()
    ]
    return Problem("invalid", errors=errors)
