"""Pictures of a match at one ply, the same for everybody."""

from hashlib import sha256
from threading import Lock

from allauth.core.internal import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from accounts.requests import for_everybody
from games.play.models.match import Match
from games.play.pictures import drawings, link_pictures, small_boards
from games.play.pictures.canvas import looks
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.snapshot import NoSuchPly
from games.presentation.pictures import Picture
from games.rules.core.basics.viewpoint import Viewpoint

KEPT_BY_ALL = "public, max-age=31536000, immutable"
OF_OPEN_MATCHES = {eyes.value: eyes for eyes in (Viewpoint.OPEN, Viewpoint.SOUTH, Viewpoint.NORTH)}
RETRY_SECONDS = {429: 60, 503: 1}
PATIENCE_SECONDS = 0.5  # to wait for the picture that another thread of this process draws

_drawing = Lock()


@for_everybody
@require_safe
def small(request: HttpRequest, match_id: int, ply: int) -> HttpResponse:
    """The small board of a match at a ply, for lists."""
    try:
        drawing = small_boards.small_board(match_id, ply)
    except (Match.DoesNotExist, NoSuchPly):
        raise Http404 from None
    return image(request, drawing, "image/svg+xml")


@for_everybody
@require_safe
def picture(request: HttpRequest, match_id: int, ply: int) -> HttpResponse:
    """What everybody knows of a match at a ply, as the PNG file of link previews."""
    return _drawn(request, match_id, ply, Viewpoint.GALLERY)


@for_everybody
@require_safe
def picture_of(request: HttpRequest, match_id: int, ply: int, eyes: str) -> HttpResponse:
    """A match that is open, at a ply, with both armies or as one side saw it; as a PNG file."""
    if eyes not in OF_OPEN_MATCHES:
        raise Http404
    return _drawn(request, match_id, ply, OF_OPEN_MATCHES[eyes])


@for_everybody
@require_safe
def picture_svg(request: HttpRequest, match_id: int, ply: int) -> HttpResponse:
    """What everybody knows of a match at a ply, as an SVG file."""
    view = _view(match_id, ply, Viewpoint.GALLERY)
    marks = {square: [look.mark] for square, look in looks(view).items() if look.mark}
    drawn = drawings.svg(Picture(view.rules, view.names, view.observation.pieces, marks))
    return embeddable(image(request, drawn.encode(), "image/svg+xml"))


def _drawn(request: HttpRequest, match_id: int, ply: int, viewpoint: Viewpoint) -> HttpResponse:
    """The PNG file; 429 if the address asked for many, 503 while another one is drawn."""
    view = _view(match_id, ply, viewpoint)
    if not ratelimit.consume(request, app="allauth.account", action="picture", limit_get=True):
        return _later(429)
    if not _drawing.acquire(timeout=PATIENCE_SECONDS):
        return _later(503)
    try:
        drawn = link_pictures.picture(view)
    finally:
        _drawing.release()
    return embeddable(image(request, drawn, "image/png"))


def _view(match_id: int, ply: int, viewpoint: Viewpoint) -> MatchView:
    try:
        return match_view.view_match(match_id, None, shown=ply, viewpoint=viewpoint)
    except (Match.DoesNotExist, NoSuchPly, match_view.ViewpointNotAllowed):
        raise Http404 from None


def _later(status: int) -> HttpResponse:
    """A refusal for programs; it is no picture, and nobody would read a page instead of one."""
    return HttpResponse(status=status, headers={"Retry-After": str(RETRY_SECONDS[status])})


def embeddable(response: HttpResponse) -> HttpResponse:
    """Let pages of other sites show an image."""
    response.headers["Cross-Origin-Resource-Policy"] = "cross-origin"
    return response


def image(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """A response that any cache may keep for good, or 304 if the reader has it already."""
    response = HttpResponse(body, content_type=content_type)
    response.headers["Cache-Control"] = KEPT_BY_ALL
    response.headers["ETag"] = quote_etag(sha256(body).hexdigest()[:32])
    known = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    return known or response
