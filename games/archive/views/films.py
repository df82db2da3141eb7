"""Films of open matches: the order, and the files."""

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest, for_everybody
from games.archive.films import files, orders
from games.archive.models import FilmEyes
from games.idempotency.replay import command_transaction
from games.play.models.match import Match
from games.play.views.form_only import form_only
from games.play.views.match.pictures import KEPT_BY_ALL, embeddable
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal


@form_only
@login_required
@never_cache
def order(request: PersonsRequest, match_id: int) -> HttpResponse:
    """Ask for a film (`eyes`: open or gallery); a worker makes it within seconds."""
    eyes = _eyes(request.POST.get("eyes", ""))
    if not ratelimit.consume(request, action="film"):
        words = _("You have asked for many films. Please try again in an hour.")
        return _refused(request, match_id, words, status=429)
    try:
        with command_transaction():
            film = orders.order(match_id, eyes)
    except (Match.DoesNotExist, orders.NotOpen):
        raise Http404 from None
    except Refusal as refusal:
        return _refused(request, match_id, refusal_text(refusal), status=422)
    if not film.bytes:
        messages.success(request, _("The film is being made. It will be there in a minute."))
    return redirect("archive:match", match_id)


@for_everybody
@require_safe
def file(request: HttpRequest, match_id: int, eyes: str) -> HttpResponse:
    """The GIF file of a film that is made."""
    film = files.find(match_id, _eyes(eyes))
    if film is None:
        raise Http404
    etag = quote_etag(f"{film.pk}-{film.bytes}")
    known = get_conditional_response(request, etag=etag, response=HttpResponse())
    if isinstance(known, HttpResponseNotModified):
        response: HttpResponse = known
    elif (body := files.body(film)) is not None:
        response = HttpResponse(body, content_type="image/gif")
    else:
        raise Http404
    response.headers["Cache-Control"] = KEPT_BY_ALL
    response.headers["ETag"] = etag
    return embeddable(response)


def _eyes(name: str) -> FilmEyes:
    try:
        return FilmEyes(name)
    except ValueError:
        raise Http404 from None


def _refused(request: HttpRequest, match_id: int, words: str, status: int) -> HttpResponse:
    context = {"refusal": words, "address": reverse("archive:match", args=[match_id])}
    return render(request, "archive/film_refused.html", context, status=status)
