"""Problems: what the API answers instead of what was asked for (RFC 9457).

`code` is for programs and never changes; `title` and `detail` are for people, in their language.
"""

from __future__ import annotations

import json
from typing import Any, NamedTuple

from django.conf import settings
from django.core.exceptions import DisallowedHost, SuspiciousOperation, TooManyFieldsSent
from django.http import HttpResponse
from django.utils.functional import Promise
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _

from games.api.gate.paths import REFERENCE

CONTENT_TYPE = "application/problem+json"
# Of every answer. A browser that is shown one loads and embeds nothing.
HEADERS = {
    "Cache-Control": "no-store",
    "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
}


class Kind(NamedTuple):
    """A kind of problem: its HTTP status, and English texts that are translated when shown."""

    status: int
    title: str
    detail: str  # unless a problem has a sentence of its own


KINDS = {
    "malformed": Kind(
        400,
        _("The request cannot be read"),
        _("The body is not valid JSON in UTF-8. Send one JSON object."),
    ),
    "unauthorized": Kind(
        401,
        _("No valid token"),
        _(
            "Send a valid token in the header “Authorization: Bearer TOKEN”. Tokens are made at "
            "/people/tokens/."
        ),
    ),
    "insufficient-scope": Kind(
        403,
        _("The token may not do this"),
        _("This needs a token with another permission. Make one at /people/tokens/."),
    ),
    "not-found": Kind(404, _("Not found"), _("There is nothing at this address.")),
    "method-not-allowed": Kind(
        405,
        _("Method not allowed"),
        _("This address does not take this method. The header “Allow” lists those it takes."),
    ),
    "stale-ply": Kind(
        409,
        _("The match has moved on"),
        _("Nothing was played. Read the match again, and choose a move for its newest ply."),
    ),
    "not-your-turn": Kind(409, _("Not your turn"), _("The other side is to act.")),
    "match-over": Kind(409, _("The match is over"), _("It can no longer be changed.")),
    "too-late": Kind(409, _("Too late"), _("This arrived after the time had run out.")),
    "not-now": Kind(409, _("Not possible now"), _("This does not fit the state of the match.")),
    "no-longer-open": Kind(
        409, _("No longer open"), _("This invitation can no longer be answered.")
    ),
    "limit-reached": Kind(409, _("Limit reached"), _("Close or finish something first.")),
    "too-large": Kind(
        413, _("The body is too large"), _("A body may have at most 16 KiB (16,384 bytes).")
    ),
    "unsupported-media-type": Kind(
        415,
        _("The body is not JSON"),
        _("Send the body as JSON, with the header “Content-Type: application/json”."),
    ),
    "invalid": Kind(
        422,
        _("Some values are invalid"),
        _("Correct the values that “errors” lists, and send the request again."),
    ),
    "unreadable-move": Kind(422, _("Not a move"), _("The text is no move of this game.")),
    "ambiguous-move": Kind(
        422, _("The move is ambiguous"), _("The text fits more than one legal move.")
    ),
    "illegal-move": Kind(422, _("Illegal move"), _("The rules do not allow this move.")),
    "bad-setup": Kind(422, _("Invalid set-up"), _("Correct what “faults” lists.")),
    "unknown-rules": Kind(
        422, _("Unknown rules"), _("There are no such rules; “/presets” lists those there are.")
    ),
    "refused": Kind(422, _("Refused"), _("This is not possible.")),
    "key-reused": Kind(
        422,
        _("The idempotency key was used for another request"),
        _("Make a new key for each request; repeat a key only with the same path and body."),
    ),
    "too-many-requests": Kind(
        429, _("Too many requests"), _("Wait for as many seconds as “retry_after” says.")
    ),
    "internal-error": Kind(
        500,
        _("Internal error"),
        _("Something went wrong on the server. The administrators have been notified."),
    ),
    "unavailable": Kind(
        503,
        _("Not available"),
        _("The service cannot answer at the moment. Try again in some minutes."),
    ),
}


class Problem(Exception):  # noqa: N818 -- an answer and no error.
    """A problem that ends a request; `members` are further members of the JSON object.

    `detail` is a translated sentence; without it, the kind's own is used.
    """

    def __init__(
        self,
        code: str,
        detail: str | Promise = "",
        *,
        headers: dict[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(code)
        self.code, self.detail, self.headers, self.members = code, detail, headers or {}, members

    def response(self) -> HttpResponse:
        """The response, in the active language."""
        kind = KINDS[self.code]
        content = {
            "type": f"{settings.SITE_URL}{REFERENCE}/#{self.code}",
            "title": gettext(kind.title),
            "status": kind.status,
            "detail": str(self.detail) or gettext(kind.detail),
            "code": self.code,
            **self.members,
        }
        return HttpResponse(
            json.dumps(content, ensure_ascii=False, separators=(",", ":")),
            status=kind.status,
            content_type=CONTENT_TYPE,
            headers=HEADERS | self.headers,
        )


def not_found() -> Problem:
    """Whatever does not exist, or is not for the asker: the same bytes for both."""
    return Problem("not-found")


def unauthorized() -> Problem:
    """No token where one is needed, or one that is not valid, whatever the reason."""
    return Problem("unauthorized", headers={"WWW-Authenticate": "Bearer"})


def suspicious(error: SuspiciousOperation) -> Problem:
    """A request that Django refuses to read."""
    if isinstance(error, DisallowedHost):
        return Problem("malformed", gettext("The header “Host” names another site."))
    if isinstance(error, TooManyFieldsSent):
        return Problem("malformed", gettext("There are too many parameters."))
    return Problem("malformed", gettext("The request is not in a form that this service reads."))


def invalid(where: str, detail: str) -> Problem:
    """One invalid value; `where` names it, such as "body.pace" or "query.cursor"."""
    return Problem("invalid", errors=[{"where": where, "detail": detail}])
