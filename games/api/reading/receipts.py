"""The receipt of the asker's own set-up, which opens its seals."""

from django.http import HttpResponse

from games.api.gate.callers import READ, TokenRequest
from games.api.gate.problems import not_found
from games.api.interface import api, plain, text_answer
from games.api.schemas.basics import Number
from games.play.models.match import Match
from games.play.record.proofs import receipts


@api.get(
    "/matches/{number:match_id}/receipt",
    auth=READ,
    openapi_extra=text_answer("text/plain", "a receipt (docs/proofs.md)"),
)
def receipt(request: TokenRequest, match_id: Number) -> HttpResponse:
    """The receipt of the asker's set-up, with the secret that seals it

    With it, `verify.py` proves the set-up without the service. Nobody else should see it before
    both armies are public. There is none before the set-up was sent.
    """
    try:
        text = receipts.receipt(match_id, request.user)
    except (Match.DoesNotExist, receipts.NoReceipt):
        raise not_found() from None
    return plain(text, "text/plain")
