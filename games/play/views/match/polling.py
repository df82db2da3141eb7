"""Polling: a script on an open match page asks from time to time whether the match has changed.

It sends the version of the page as an ETag, so nearly every answer is a 304 without a body, and
costs one query in addition to those for the session and the user. The answer contains only public
facts of the match, how many matches wait for the reader, and whether their opponent has written.
"""

from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified, JsonResponse
from django.utils.http import quote_etag
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.converters import read_number
from games.play.models.match import Match, Player
from games.play.record.match_queries import fetch_match_for_page
from games.play.words import draw_answers


@require_safe
@never_cache
def news(request: HttpRequest, match_id: int) -> HttpResponse:
    """304 if the match is unchanged since the page was loaded; else what is new, in a sentence."""
    try:
        match, players, _at = fetch_match_for_page(match_id, request.user.pk)
    except Match.DoesNotExist:
        raise Http404 from None
    me = next((one for one in players.values() if one.user_id == request.user.pk), None)
    current = quote_etag(match.version_for(me))
    if request.headers.get("If-None-Match") == current:
        response: HttpResponse = HttpResponseNotModified()
    else:
        seen = read_number(request.GET.get("ply", ""))
        names = [str(one.user) for one in players.values() if one is not me]
        sentence = _sentence(match, me, names[0], moved=seen is None or match.turn_ply > seen)
        response = JsonResponse({"sentence": sentence, "waiting": me.waiting if me else 0})
    response.headers["ETag"] = current
    return response


def _sentence(match: Match, me: Player | None, opponent: str, *, moved: bool) -> str:
    """What is new, from public facts and what the opponent wrote to the reader."""
    values = {"opponent": opponent}
    if not match.is_live:
        return _("The match is over.")
    if me is None:
        return _("There is a new move.") if moved else _("Something has changed in this match.")
    if moved and me.to_act:
        return _("%(opponent)s has moved.") % values
    # The page that asks had no unread lines, while an offer may be older than the page.
    if me.talk_unread:
        return _("%(opponent)s has written to you.") % values
    if match.draw_offer not in (None, me.seat):
        return _("%(opponent)s offers you a draw.") % values
    if match.pause_offer not in (None, me.seat):
        return _("%(opponent)s offers you a pause.") % values
    if not moved and (declined := draw_answers.declined(match, me, opponent)):
        return declined
    return _("Something has changed in this match.")
