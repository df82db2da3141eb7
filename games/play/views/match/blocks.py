"""Blocks of plies as responses, and the parts of a page that change with the ply shown."""

import json
from collections.abc import Callable
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag

from games.play.board import replay_blocks
from games.play.board.sidebar import losses, set_aside
from games.play.record.match_view import MatchView
from games.play.record.snapshot import Snapshot
from games.play.words import narration
from lib.sentences import in_a_row

NEVER_KEPT = "no-store, private"
KEPT_FOR_GOOD = "private, max-age=31536000, immutable"
ASKED_AGAIN = "private, no-cache"


def page_parts(extra: Callable[[Snapshot], dict[str, Any]] | None = None) -> replay_blocks.Parts:
    """The parts of a page with a board, by the names that its template gives them.

    `extra` adds to the context of the panel "What happened". Captured pieces change at few plies,
    and are drawn only at these.
    """
    drawn: dict[object, str] = {}

    def parts(view: Snapshot) -> dict[str, str]:
        seen = view.observation
        captured = (seen.fallen, seen.aside)
        if captured not in drawn:
            context = {"view": view, "losses": losses(view), "aside": set_aside(view)}
            drawn[captured] = _render("play/_losses.html", context)
        happened = narration.sentences(view)
        more = extra(view) if extra else {}
        return {
            "happened": _render("play/_happened.html", {"happened": happened, **more}),
            "losses": drawn[captured],
            "notes": _render("play/_notes.html", {"view": view}) if seen.notes else "",
            "quiet": _render("play/_quiet.html", {"view": view}) if seen.quiet else "",
            "said": in_a_row(happened),
        }

    return parts


def may_be_kept(request: HttpRequest, view: MatchView) -> bool:
    """Whether a browser may cache what this reader is shown: it is public, and will not change."""
    return view.match.is_open(view.now) and request.GET.get("v") == replay_blocks.version(view)


def answer(request: HttpRequest, block: object, *, kept: bool = False) -> HttpResponse:
    """A block as JSON; one that may be cached has an ETag, any other is not cached."""
    body = json.dumps(block, ensure_ascii=False, separators=(",", ":")).encode()
    response = HttpResponse(body, content_type="application/json")
    if not kept:
        response.headers["Cache-Control"] = NEVER_KEPT
        return response
    # Without hashed names of static files, a changed drawing keeps its URL.
    response.headers["Cache-Control"] = KEPT_FOR_GOOD if settings.HASHED_STATIC else ASKED_AGAIN
    response.headers["ETag"] = quote_etag(sha256(body).hexdigest()[:32])
    known = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    return known or response


def _render(template: str, context: dict[str, Any]) -> str:
    return render_to_string(template, context).strip()
