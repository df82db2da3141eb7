"""The door of the workers, who ask whether a move could be played."""

from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.rehearsal import HEADER, password, rehearse


@require_safe
@never_cache
def rehearsal(request: HttpRequest) -> HttpResponse:
    """Nothing at all, if a move could be played; for those who know the service's secret."""
    if not constant_time_compare(request.headers.get(HEADER, ""), password()):
        raise Http404
    rehearse()
    return HttpResponse(status=204)
