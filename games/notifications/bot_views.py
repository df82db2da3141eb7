"""The page with the webhooks of a bot, for its owner."""

import secrets

from allauth.account.decorators import reauthentication_required
from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.notifications.channels import webhooks
from games.notifications.channels.safe_http import NotAllowed
from games.notifications.forms import WebhookForm
from games.notifications.models import Webhook
from games.outbox import publishing
from lib.admin_base import PRIMARY_KEY


@require_http_methods(["GET", "HEAD", "POST"])
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def bot(request: HttpRequest, handle: str) -> HttpResponse:
    """The webhooks of one's bot; a POST adds one, or tests or removes the named one."""
    account = get_object_or_404(User, owner=request.user.pk, username__iexact=handle)
    form = WebhookForm(request.POST if "url" in request.POST else None)
    if request.method == "POST" and (_act(request, account) or _add(request, account, form)):
        return redirect("notifications:bot", account.username)
    owned = Webhook.objects.filter(user=account).order_by("pk")
    context = {
        "bot": account,
        "form": form,
        "webhooks": [(webhook, webhooks.shown_secret(webhook)) for webhook in owned],
    }
    status = 422 if form.errors else 200
    return render(request, "notifications/bot.html", context, status=status)


def _act(request: HttpRequest, account: User) -> bool:
    """Test or remove a webhook; False if the form asks for neither."""
    for action in ("test", "remove"):
        number = request.POST.get(action, "")
        if not PRIMARY_KEY.fullmatch(number):
            continue
        if action == "remove":
            webhooks.remove(account, int(number))
            messages.success(request, _("Webhook removed."))
        else:
            _test(request, account, int(number))
        return True
    return False


def _test(request: HttpRequest, account: User, number: int) -> None:
    webhook = get_object_or_404(Webhook, user=account, pk=number)
    if not ratelimit.consume(request, action="notification_test"):
        messages.error(request, _("Too many tests. Wait an hour before the next one."))
        return
    # Unique, so that each test is a new row.
    ids = {"webhook": webhook.pk, "number": secrets.randbits(48)}
    with command_transaction():
        publishing.enqueue("trial-webhook", "trial", user=account, **ids)
    messages.success(request, _("The test is on its way. Come back in a minute to see the result."))


def _add(request: HttpRequest, account: User, form: WebhookForm) -> bool:
    if not form.is_valid():
        return False
    try:
        webhooks.add(account, **form.cleaned_data)
    except NotAllowed as refusal:
        form.add_error("url", str(refusal))
        return False
    messages.success(request, _("Webhook added. Send it a test to see whether it can be reached."))
    return True
