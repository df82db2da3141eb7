"""Views of tokens and bots. Each asks for a fresh sign-in, also before it lists anything."""

from allauth.account.adapter import get_adapter
from allauth.account.decorators import reauthentication_required
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.models import User
from accounts.people import bots as bot_accounts
from accounts.people.bots import BotRefused
from accounts.people.erasure import erase, losses
from accounts.programs.forms import CloseBotForm, NewBotForm, NewTokenForm
from accounts.sign_in import security_log
from accounts.tokens import making, revoking
from accounts.tokens.making import NewToken, TokenRefused
from lib.admin_base import PRIMARY_KEY
from lib.db_clock import now

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@form_methods
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def tokens(request: HttpRequest) -> HttpResponse:
    """The tokens of the account and its bots; a POST makes one, or revokes the named one.

    The answer that makes a token is the only page with its text.
    """
    user = get_object_or_404(User, pk=request.user.pk)
    if number := request.POST.get("revoke", ""):
        return _revoke(request, user, number)
    form = NewTokenForm(user, request.POST or None)
    made = _make(request, user, form) if form.is_valid() else None
    context = {
        "tokens": revoking.valid_of(user),
        "form": NewTokenForm(user) if made else form,
        "made": made,
        "most": making.MAX_TOKENS,
    }
    return render(request, "accounts/tokens.html", context, status=422 if form.errors else 200)


def _make(request: HttpRequest, user: User, form: NewTokenForm) -> NewToken | None:
    """Make the token of a valid form and e-mail its owner; None, with an error, if refused."""
    name, scopes = form.cleaned_data["name"], form.cleaned_data["scopes"]
    try:
        made = making.create(form.holder, name, scopes, now() + form.term)
    except TokenRefused as refused:
        form.add_error("name", str(refused))
        return None
    security_log.note(f"made token {made.token.pk}", request, user.pk)
    context = {"token": made.token, "bot": form.holder if form.holder.is_bot else None}
    get_adapter().send_notification_mail("account/email/token_made", user, context)
    return made


def _revoke(request: HttpRequest, user: User, number: str) -> HttpResponse:
    token = None
    if PRIMARY_KEY.fullmatch(number):
        token = revoking.valid_of(user).filter(pk=int(number)).first()
    if token is not None and revoking.revoke(token):
        security_log.note(f"revoked token {number}", request, user.pk)
        messages.success(request, _("The token no longer works."))
    return redirect("accounts:tokens")


@form_methods
@never_cache
@login_required
@reauthentication_required(app="allauth.account")
def bots(request: HttpRequest) -> HttpResponse:
    """The bots of a person; a POST adds one, or closes one for good."""
    user = get_object_or_404(User, pk=request.user.pk)
    closes = "bot" in request.POST
    closing = CloseBotForm(request.POST if closes else None)
    form = NewBotForm(None if closes else request.POST or None)
    if closing.is_valid():
        return _close(request, user, closing.cleaned_data["bot"])
    if form.is_valid():
        try:
            bot = bot_accounts.create(user, form.cleaned_data["name"])
        except BotRefused as refused:
            form.add_error("name", str(refused))
        else:
            security_log.note(f"made bot {bot.pk}", request, user.pk)
            messages.success(request, _("%(bot)s is added. Now make it a token.") % {"bot": bot})
            return redirect("accounts:bots")
    owned = list(user.bots.order_by("pk"))
    chosen = closing.data.get("bot", "")
    context = {
        "bots": [
            (bot, losses(bot), closing if str(bot.pk) == chosen else CloseBotForm(auto_id=False))
            for bot in owned
        ],
        "form": form,
        "most": bot_accounts.MAX_BOTS,
        "full": len(owned) >= bot_accounts.MAX_BOTS,
    }
    failed = form.errors or (closes and closing.errors)
    return render(request, "accounts/bots.html", context, status=422 if failed else 200)


def _close(request: HttpRequest, user: User, number: int) -> HttpResponse:
    bot: User = get_object_or_404(User, owner=user, pk=number)
    name = bot.username
    erase(bot)
    security_log.note(f"closed bot {number}", request, user.pk)
    messages.success(request, _("%(bot)s is closed.") % {"bot": name})
    return redirect("accounts:bots")
