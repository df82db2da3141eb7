"""Pictures of a match at one ply, the same for everybody."""

from hashlib import sha256

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.views.decorators.http import require_safe

from accounts.requests import for_everybody
from games.play.models.match import Match
from games.play.pictures import small_boards
from games.play.record.snapshot import NoSuchPly

KEPT_BY_ALL = "public, max-age=31536000, immutable"


@for_everybody
@require_safe
def small(request: HttpRequest, match_id: int, ply: int) -> HttpResponse:
    """The small board of a match at a ply, for lists."""
    try:
        drawing = small_boards.small_board(match_id, ply)
    except (Match.DoesNotExist, NoSuchPly):
        raise Http404 from None
    return image(request, drawing, "image/svg+xml")


def image(request: HttpRequest, body: bytes, content_type: str) -> HttpResponse:
    """A response that any cache may keep for good, or 304 if the reader has it already."""
    response = HttpResponse(body, content_type=content_type)
    response.headers["Cache-Control"] = KEPT_BY_ALL
    response.headers["ETag"] = quote_etag(sha256(body).hexdigest()[:32])
    known = get_conditional_response(request, etag=response.headers["ETag"], response=response)
    return known or response
