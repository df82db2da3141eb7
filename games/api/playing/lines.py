"""The lines of a match for the asker's program (docs/bots.md)."""

import json

from django.http import HttpResponse

from games.api.gate.callers import READ, TokenRequest
from games.api.gate.problems import not_found
from games.api.interface import LINES, api, plain, text_answer
from games.api.schemas.basics import Number
from games.play.models.match import Match
from games.play.record.seat_history import seat_history
from games.play.record.seat_lines import lines_to_continue


@api.get(
    "/matches/{number:match_id}/lines",
    auth=READ,
    openapi_extra=text_answer(LINES, "lines of the protocol for programs (docs/bots.md)"),
)
def lines(request: TokenRequest, match_id: Number, after: Number | None = None) -> HttpResponse:
    """What the asker's program has to know, one JSON object a line

    First each earlier turn of the asker's seat (`hear`), to which nothing is answered. Then what is
    asked (`setup`, `move`), or how the match has ended (`end`); nothing while the other side is to
    act. `at` is the ply to send with the answer. `after`, the `at` of a line that was heard, leaves
    that line and earlier ones out.
    """
    try:
        history = seat_history(match_id, request.user, after=-1 if after is None else after)
    except Match.DoesNotExist:
        raise not_found() from None
    if history is None:
        raise not_found()
    text = "".join(
        json.dumps(line, ensure_ascii=False, separators=(",", ":")) + "\n"
        for line in lines_to_continue(history)
    )
    return plain(text, LINES)
