"""What proves a match: a page about it, the bundle for everybody, and a player's own receipt."""

from allauth.core.internal import ratelimit
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.proofs import bundles, receipts
from games.play.record.proofs.signing import has_proofs
from games.play.words.proofs import proof_facts

RETRY_SECONDS = 60
TEXT = "text/plain; charset=utf-8"  # the words for a deal are the only part that is not ASCII


@require_safe
@never_cache
def proof(request: HttpRequest, match_id: int) -> HttpResponse:
    """What is proved of a match and what is not, in plain words, with the files to download."""
    try:
        view = match_view.view_newest(match_id, request.user)
        match = view.match if view else Match.objects.get(pk=match_id)
    except Match.DoesNotExist:
        raise Http404 from None
    summary = proof_facts(view) if view and view.fingerprint else None
    context = {"view": view, "match": match, "proof": summary, "has_proofs": has_proofs(match)}
    return render(request, "play/proof.html", context)


@require_safe
@never_cache
def bundle(request: HttpRequest, match_id: int) -> HttpResponse:
    """The bundle of a match; 404 if it began before proofs, 429 if the address asked for many."""
    if not ratelimit.consume(request, app="allauth.account", action="bundle", limit_get=True):
        response = HttpResponse(status=429)
        response.headers["Retry-After"] = str(RETRY_SECONDS)
        return response
    try:
        text = bundles.bundle(match_id)
    except (Match.DoesNotExist, bundles.NoProof):
        raise Http404 from None
    return _file(text, bundles.file_name(match_id))


@require_safe
@never_cache
def receipt(request: HttpRequest, match_id: int) -> HttpResponse:
    """The reader's own receipt; 404 for everybody else, and before they have set up."""
    if not request.user.is_authenticated:
        raise Http404
    try:
        text = receipts.receipt(match_id, request.user)
    except (Match.DoesNotExist, receipts.NoReceipt):
        raise Http404 from None
    return _file(text, receipts.file_name(match_id))


def _file(text: str, name: str) -> HttpResponse:
    headers = {"Content-Disposition": f'attachment; filename="{name}"'}
    return HttpResponse(text, content_type=TEXT, headers=headers)
