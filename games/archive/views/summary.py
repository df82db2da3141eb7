"""The summary of an open match, and its chart."""

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import for_everybody
from games.archive.summary import chart, moments
from games.archive.summary.walk import Walk, walk
from games.play.board.boards import draw
from games.play.board.choices import last_action
from games.play.board.sidebar import losses, set_aside
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.snapshot import NoSuchPly
from games.play.views.match.pictures import image
from games.play.words import narration
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.viewpoint import Viewpoint

EVERY_MOVES = 10  # a row of the table


@require_safe
@never_cache
def page(request: HttpRequest, match_id: int) -> HttpResponse:
    """Charts, key moments, battles, fallen pieces, texts to share; 404 until the match is open."""
    try:
        view = match_view.view_match(match_id, request.user, viewpoint=Viewpoint.OPEN)
        walked = walk(match_id)
    except (Match.DoesNotExist, NoSuchPly, match_view.ViewpointNotAllowed):
        raise Http404 from None
    width, height = chart.size(walked)
    context = {
        "view": view,
        "match": view.match,
        "result": narration.ending(view),
        "width": width,
        "height": height,
        "rows": _rows(walked),
        "moments": moments.moments(walked),
        "battles": [
            {
                "ply": step.ply,
                "move": move_number(step.turn),
                "text": moments.sentence(walked, step),
            }
            for step in walked.battles
        ],
        "moves": [
            (step.entry.text, move_number(step.turn) if step.turn % 2 else None)
            for step in walked.steps
            if step.entry
        ],
        "board": draw(view, marks=last_action(view)),
        "losses": losses(view),
        "aside": set_aside(view),
    }
    return render(request, "archive/summary.html", context)


@for_everybody
@require_safe
def chart_file(request: HttpRequest, match_id: int) -> HttpResponse:
    """The chart as an SVG file, the same for everybody; 404 until the match is open."""
    try:
        drawn = chart.draw(walk(match_id))
    except (Match.DoesNotExist, NoSuchPly, match_view.ViewpointNotAllowed):
        raise Http404 from None
    return image(request, drawn, "image/svg+xml")


def _rows(walked: Walk) -> list[dict[str, Any]]:
    """The counts after every tenth move, and after the last turn."""
    chosen = [step for step in walked.steps if step.turn % (2 * EVERY_MOVES) == 0]
    if chosen[-1] is not walked.steps[-1]:
        chosen.append(walked.steps[-1])
    return [
        {"move": move_number(step.turn), "ply": step.ply, "left": step.left, "known": step.known}
        for step in chosen
    ]
