"""The page /metrics, for monitors that send METRICS_TOKEN; without that setting, a 404."""

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.utils.crypto import constant_time_compare
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe


@require_safe
@never_cache
def metrics(request: HttpRequest) -> HttpResponse:
    """The metrics of the service; 401 without the right bearer token."""
    if not settings.METRICS_TOKEN:
        raise Http404
    scheme, _, token = request.headers.get("Authorization", "").partition(" ")
    known = constant_time_compare(token.strip(), settings.METRICS_TOKEN)
    if not known or scheme.lower() != "bearer":
        return HttpResponse(status=401, headers={"WWW-Authenticate": "Bearer"})
    # Imported here: most processes never need the library.
    from config.watch import metrics

    return HttpResponse(metrics.text(), content_type=metrics.CONTENT_TYPE)
