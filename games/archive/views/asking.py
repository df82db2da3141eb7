"""What the queries of the archive's pages ask for, and the files that they answer with."""

from django.http import Http404, HttpRequest, HttpResponse

from games.play.converters import NOTHING, read_number
from games.rules.core.viewpoint import Viewpoint


def number(request: HttpRequest, name: str) -> int | None:
    """A number in the query; whatever else stands there counts for nothing."""
    found = read_number(request.GET.get(name, ""))
    return None if found == NOTHING else found


def eyes(request: HttpRequest) -> Viewpoint | None:
    """The viewpoint in the query, if any; one that does not exist is not found."""
    asked = request.GET.get("eyes")
    try:
        return Viewpoint(asked) if asked else None
    except ValueError:
        raise Http404 from None


def as_file(text: str, name: str) -> HttpResponse:
    """A game record to take away."""
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
