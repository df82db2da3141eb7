"""Webhooks of mail providers: a message that they took for us, as it came, into the intake.

The library checks that it is the provider who calls. It would also parse the message, by a parser
that some messages keep busy for minutes; so the raw one is taken from the request, and read later.
"""

from __future__ import annotations

import json
import logging
from typing import Any, NamedTuple

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.mailgun import MailgunInboundWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.mail import intake

log = logging.getLogger(__name__)

FORBIDDEN, NOT_ACCEPTABLE, NOT_UNDERSTOOD, LATER = 403, 406, 400, 503


class Delivery(NamedTuple):
    """A message with its envelope; no sender is one that the provider does not tell."""

    raw: bytes
    recipient: str
    sender: str | None


class NotRaw(Exception):  # noqa: N818 - an answer to whoever brought it.
    """The request holds no raw message with its recipient."""


class Postmark:
    """Posts JSON; "Include raw email content" must be switched on. The secret is user:password."""

    refusal = FORBIDDEN  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        PostmarkInboundWebhookView(webhook_secret=secret).run_validators(request)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NotRaw."""
        try:
            told: dict[str, Any] = json.loads(request.body)
            raw, recipient = told["RawEmail"], told["OriginalRecipient"]
            first = (told.get("Headers") or [{}])[0]
            known = str(first.get("Name", "")).lower() == "return-path"
            sender = str(first.get("Value", "")) if known else None
            return Delivery(raw.encode("utf-8", "surrogateescape"), str(recipient), sender)
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            raise NotRaw from None


class Mailgun:
    """Posts a form, with the raw message where the address ends in mime/. The secret signs it."""

    refusal = NOT_ACCEPTABLE  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        MailgunInboundWebhookView(webhook_signing_key=secret).run_validators(request)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NotRaw."""
        try:
            raw, recipient = request.POST["body-mime"], request.POST["recipient"]
        except KeyError:
            raise NotRaw from None
        return Delivery(raw.encode("utf-8", "replace"), recipient, request.POST.get("sender"))


PROVIDERS: dict[str, type[Postmark] | type[Mailgun]] = {"postmark": Postmark, "mailgun": Mailgun}


@csrf_exempt
@require_POST
@never_cache
def receive(request: HttpRequest, name: str) -> HttpResponse:
    """200 once the message is stored; any answer of 500 and above means: try again later."""
    provider = PROVIDERS.get(name)
    if provider is None or name != settings.MAIL_PROVIDER or not settings.MAIL_PROVIDER_SECRET:
        raise Http404
    try:
        provider.check(request, settings.MAIL_PROVIDER_SECRET)
    except (AnymailWebhookValidationFailure, ValueError):
        log.warning("Somebody called the webhook of %s without its secret.", name)
        return HttpResponse("The secret is missing or wrong.\n", status=FORBIDDEN)
    try:
        delivery = provider.read(request)
    except NotRaw:
        log.error("%s sends no raw message; docs/play-by-mail.md says how it does.", name)
        return HttpResponse("There is no raw message in it.\n", status=NOT_UNDERSTOOD)
    return _store(delivery, provider.refusal)


def _store(delivery: Delivery, refusal: int) -> HttpResponse:
    try:
        intake.take(*delivery)
    except intake.NotOurs:
        return HttpResponse("That is no address of ours.\n", status=refusal)
    except intake.TooLarge:
        return HttpResponse("It is too large.\n", status=refusal)
    except Exception as error:
        # Its words may quote the message.
        log.error("A message was not stored (%s).", type(error).__name__)
        return HttpResponse("Not stored, try again later.\n", status=LATER)
    return HttpResponse("Stored.\n")
