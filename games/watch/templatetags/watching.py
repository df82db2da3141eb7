"""`{% live_board %}` on front pages, and `{% follow_button view %}` on the page of a match."""

from typing import Any

from django import template

from games.play.record.match_view import MatchView
from games.watch import following
from games.watch import live_board as boards

register = template.Library()


@register.inclusion_tag("watch/_live_board.html")
def live_board() -> dict[str, Any]:
    """The board of a running match, which a script keeps up to date; empty if there is none."""
    board = boards.shown()
    if board is None:
        return {}
    width, height = board.size
    return {"board": board, "width": width, "height": height}


@register.inclusion_tag("watch/_follow.html", takes_context=True)
def follow_button(context: template.Context, view: MatchView) -> dict[str, Any]:
    """The form by which a signed-in onlooker follows a live match; empty for everybody else.

    A query for those who see it.
    """
    request = context["request"]
    if not request.user.is_authenticated or view.seat is not None or not view.match.is_live:
        return {}
    return {
        "request": request,
        "csrf_token": context.get("csrf_token"),
        "match": view.match,
        "follows": following.follows(view.match.pk, request.user.pk),
    }
