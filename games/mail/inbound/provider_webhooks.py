"""Webhooks of mail providers: authenticate the caller and store the raw message.

The library authenticates the request. It would also parse the message, which takes minutes for
some; so the raw message is taken from the request and parsed later.
"""

from __future__ import annotations

import json
import logging
import re
from base64 import b64decode
from contextlib import suppress
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
from games.mail.models import WayIn
from games.outbox.delivery.admin_emails import send_to_admins

log = logging.getLogger(__name__)

BAD_REQUEST, UNAUTHORIZED, FORBIDDEN, NOT_ACCEPTABLE, UNAVAILABLE = 400, 401, 403, 406, 503
# Exceptions for a malformed request.
MALFORMED = (ValueError, KeyError, TypeError, AttributeError, RecursionError)
# Amazon's page that confirms a subscription.
CONFIRMATION_URL = re.compile(r"https://sns\.[a-z0-9-]+\.amazonaws\.com(?:\.cn)?/\S+")


class Delivery(NamedTuple):
    """A message with its envelope; sender None means that the provider does not tell it."""

    raw: bytes
    recipients: tuple[str, ...]
    sender: str | None


class ConfirmationWanted(Exception):  # noqa: N818
    """The provider asks to confirm the subscription; an administrator must open `page`."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.page = page


class NoRawMessage(Exception):  # noqa: N818
    """The request has no raw message with a recipient."""


class Postmark:
    """Postmark posts JSON; "Include raw email content" must be on. The secret is user:password."""

    refusal = FORBIDDEN  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        PostmarkInboundWebhookView(webhook_secret=secret).run_validators(request)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NoRawMessage."""
        try:
            body: dict[str, Any] = json.loads(request.body)
            raw, recipient = body["RawEmail"], body["OriginalRecipient"]
            first = (body.get("Headers") or [{}])[0]
            is_return_path = str(first.get("Name", "")).lower() == "return-path"
            sender = str(first.get("Value", "")) if is_return_path else None
            return Delivery(raw.encode("utf-8", "surrogateescape"), (str(recipient),), sender)
        except MALFORMED:
            raise NoRawMessage from None


class Mailgun:
    """Mailgun posts a form, with the raw message if the URL ends in mime/. The secret signs it."""

    refusal = NOT_ACCEPTABLE  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        MailgunInboundWebhookView(webhook_signing_key=secret).run_validators(request)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NoRawMessage."""
        try:
            raw, recipient = request.POST["body-mime"], request.POST["recipient"]
        except KeyError:
            raise NoRawMessage from None
        return Delivery(raw.encode("utf-8", "replace"), (recipient,), request.POST.get("sender"))


class AmazonSes:
    """Amazon SES posts JSON with the message through an SNS topic. The secret is user:password."""

    refusal = FORBIDDEN  # after which it does not try again

    @staticmethod
    def check(request: HttpRequest, secret: str) -> None:
        """Raises AnymailWebhookValidationFailure."""
        # The library's view for SES requires Amazon's SDK; both use HTTP basic authentication.
        Postmark.check(request, secret)

    @staticmethod
    def read(request: HttpRequest) -> Delivery:
        """Raises NoRawMessage, and ConfirmationWanted once, before the first message."""
        try:
            notification: dict[str, Any] = json.loads(request.body)
            if notification["Type"] == "SubscriptionConfirmation":
                if CONFIRMATION_URL.fullmatch(notification["SubscribeURL"]):
                    raise ConfirmationWanted(notification["SubscribeURL"])
                raise NoRawMessage
            event: dict[str, Any] = json.loads(notification["Message"])
            content, receipt = event["content"], event["receipt"]
            raw = content.encode("utf-8", "surrogateescape")
            if receipt["action"].get("encoding") == "BASE64":
                raw = b64decode(raw, validate=True)
            recipients = tuple(map(str, receipt["recipients"]))
            # A copy may have gone to another address of the domain; ours have a "+" and a token.
            ours = tuple(address for address in recipients if "+" in address)
            return Delivery(raw, ours or recipients, str(event["mail"]["source"]))
        except MALFORMED:
            raise NoRawMessage from None


PROVIDERS: dict[str, type[Postmark] | type[Mailgun] | type[AmazonSes]] = {
    "postmark": Postmark,
    "mailgun": Mailgun,
    "ses": AmazonSes,
}


@csrf_exempt
@require_POST
@never_cache
def receive(request: HttpRequest, name: str) -> HttpResponse:
    """200 once the message is stored; the provider retries after a status of 500 or above."""
    provider = PROVIDERS.get(name)
    if provider is None or name != settings.MAIL_PROVIDER or not settings.MAIL_PROVIDER_SECRET:
        raise Http404
    if provider is AmazonSes and not request.headers.get("Authorization"):
        # Amazon sends credentials only after a challenge.
        return HttpResponse(status=UNAUTHORIZED, headers={"WWW-Authenticate": 'Basic realm="mail"'})
    try:
        provider.check(request, settings.MAIL_PROVIDER_SECRET)
    except (AnymailWebhookValidationFailure, *MALFORMED):
        log.warning("Somebody called the webhook of %s without its secret.", name)
        return HttpResponse("The secret is missing or wrong.\n", status=FORBIDDEN)
    try:
        delivery = provider.read(request)
    except ConfirmationWanted as wanted:
        _ask_admins_to_confirm(wanted.page)
        return HttpResponse("The administrators are asked.\n")
    except NoRawMessage:
        log.error("%s sends no raw message; docs/play-by-mail.md says how it does.", name)
        return HttpResponse("There is no raw message in it.\n", status=BAD_REQUEST)
    return _store(delivery, provider.refusal)


def _ask_admins_to_confirm(page: str) -> None:
    """Ask ADMINS by e-mail to open a page; its URL has a token that must not be logged."""
    log.warning("Amazon asks for a confirmation; the page to open is e-mailed to ADMINS.")
    try:
        send_to_admins(
            "Amazon SES wants to bring mail",
            f"Open this page once, so that Amazon brings the answers of players here:\n{page}",
        )
    except Exception as error:
        log.error("ADMINS could not be written to (%s).", type(error).__name__)


def _store(delivery: Delivery, refusal: int) -> HttpResponse:
    """Store the message once for each of its recipients that is an address of ours."""
    stored = 0
    try:
        for recipient in delivery.recipients:
            with suppress(intake.UnknownRecipient):
                intake.store_message(delivery.raw, recipient, delivery.sender, way_in=WayIn.WEBHOOK)
                stored += 1
    except intake.MessageTooLarge:
        return HttpResponse("It is too large.\n", status=refusal)
    except Exception as error:
        # The exception text may quote the message.
        log.error("A message was not stored (%s).", type(error).__name__)
        return HttpResponse("Not stored, try again later.\n", status=UNAVAILABLE)
    if not stored:
        return HttpResponse("That is no address of ours.\n", status=refusal)
    return HttpResponse("Stored.\n")
