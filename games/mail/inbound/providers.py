"""Webhooks of mail providers: checks the caller, and stores the raw message through the intake.

The library checks that it is the provider who calls. It would also parse the message, by a parser
that some messages keep busy for minutes; so the raw one is taken from the request, and read later.
"""

from __future__ import annotations

import json
import logging
import re
from base64 import b64decode
from typing import Any, NamedTuple

from anymail.exceptions import AnymailWebhookValidationFailure
from anymail.webhooks.mailgun import MailgunInboundWebhookView
from anymail.webhooks.postmark import PostmarkInboundWebhookView
from django.conf import settings
from django.core.mail import mail_admins
from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_POST

from games.mail import intake

log = logging.getLogger(__name__)

NOT_UNDERSTOOD, WHO_ARE_YOU, FORBIDDEN, NOT_ACCEPTABLE, LATER = 400, 401, 403, 406, 503
# What is raised by a request that is built in some other way than the provider's are.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
# A page of Amazon's that is opened to say that its messages are wanted.
CONFIRMATION = re.compile(r"https://sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/\S+")


class Delivery(NamedTuple):
    """A message with its envelope; no sender is one that the provider does not tell."""

    raw: bytes
    recipient: str
    sender: str | None


class ToConfirm(Exception):  # noqa: N818 - answered as a success.
    """The provider asks whether its messages are wanted; a person opens its page to say so."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page


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
        except MALFORMED:
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


class AmazonSes:
    """Posts JSON through a topic of its SNS, the message in it. The secret is user:password."""

    refusal = FORBIDDEN  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        # The library's own view of it needs Amazon's kit; both want a user and a password.
        Postmark.check(request, secret)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NotRaw, and ToConfirm once, before the first message."""
        try:
            said: dict[str, Any] = json.loads(request.body)
            if said["Type"] == "SubscriptionConfirmation":
                if CONFIRMATION.fullmatch(said["SubscribeURL"]):
                    raise ToConfirm(said["SubscribeURL"])
                raise NotRaw
            told: dict[str, Any] = json.loads(said["Message"])
            content, receipt = told["content"], told["receipt"]
            raw = content.encode("utf-8", "surrogateescape")
            if receipt["action"].get("encoding") == "BASE64":
                raw = b64decode(raw, validate=True)
            # A copy may have gone to another address of the domain; ours has a token.
            recipient = max(map(str, receipt["recipients"]), key=lambda address: "+" in address)
            return Delivery(raw, recipient, str(told["mail"]["source"]))
        except MALFORMED:
            raise NotRaw from None


PROVIDERS: dict[str, type[Postmark] | type[Mailgun] | type[AmazonSes]] = {
    "postmark": Postmark,
    "mailgun": Mailgun,
    "ses": AmazonSes,
}


@csrf_exempt
@require_POST
@never_cache
def receive(request: HttpRequest, name: str) -> HttpResponse:
    """200 once the message is stored; any answer of 500 and above means: try again later."""
    provider = PROVIDERS.get(name)
    if provider is None or name != settings.MAIL_PROVIDER or not settings.MAIL_PROVIDER_SECRET:
        raise Http404
    if provider is AmazonSes and not request.headers.get("Authorization"):
        # It tells its password only when it is asked for it.
        return HttpResponse(status=WHO_ARE_YOU, headers={"WWW-Authenticate": 'Basic realm="mail"'})
    try:
        provider.check(request, settings.MAIL_PROVIDER_SECRET)
    except (AnymailWebhookValidationFailure, *MALFORMED):
        log.warning("Somebody called the webhook of %s without its secret.", name)
        return HttpResponse("The secret is missing or wrong.\n", status=FORBIDDEN)
    try:
        delivery = provider.read(request)
    except ToConfirm as asked:
        _have_confirmed(asked.page)
        return HttpResponse("The administrators are asked.\n")
    except NotRaw:
        log.error("%s sends no raw message; docs/play-by-mail.md says how it does.", name)
        return HttpResponse("There is no raw message in it.\n", status=NOT_UNDERSTOOD)
    return _store(delivery, provider.refusal)


def _have_confirmed(page: str) -> None:
    """Ask ADMINS to open a page, whose address holds a token that no log may have."""
    log.warning("Amazon asks for a confirmation; the page to open is e-mailed to ADMINS.")
    try:
        mail_admins(
            "Amazon SES wants to bring mail",
            f"Open this page once, so that Amazon brings the answers of players here:\n{page}",
        )
    except Exception as error:
        log.error("ADMINS could not be written to (%s).", type(error).__name__)


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
