"""Query parameters of the archive's pages, and text file responses."""

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse

from games.play.converters import NO_ROW, read_number
from games.rules.core.basics.viewpoint import Viewpoint


def number(request: HttpRequest, name: str) -> int | None:
    """The number in a query parameter; None if it is missing or invalid."""
    value = read_number(request.GET.get(name, ""))
    return None if value == NO_ROW else value


def requested_ply(
    request: HttpRequest, ply_of_turn: Callable[[int], int] = lambda turn: turn
) -> int | None:
    """The ply requested, as a ply (`?ply=`) or as the first turn of a move (`?move=`)."""
    move = number(request, "move")
    return number(request, "ply") if move is None else ply_of_turn(max(0, 2 * move - 1))


def viewpoint(request: HttpRequest) -> Viewpoint | None:
    """The viewpoint in the query (`?eyes=`), if any; raises Http404 for an unknown one."""
    name = request.GET.get("eyes")
    try:
        return Viewpoint(name) if name else None
    except ValueError:
        raise Http404 from None


def as_file(text: str, name: str) -> HttpResponse:
    """A game record as a download."""
    return HttpResponse(
        text,
        content_type="text/plain; charset=utf-8",
        headers={"Content-Disposition": f'attachment; filename="{name}"'},
    )
