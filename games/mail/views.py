"""Confirmation page: shows the commands of a message, and carries them out once confirmed."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpResponse
from django.shortcuts import redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import PersonsRequest
from games.mail.answering import confirmation
from games.mail.models import MessageOutcome
from games.play.views import arrival

# A page of messages has room for the lines of a plan, and for what is wrong with them.
WITH_PARTS = (MessageOutcome.PLANNED, MessageOutcome.REFUSED)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def confirm(request: PersonsRequest, message_id: int) -> HttpResponse:
    """Show the message (GET) or carry out its commands (POST)."""
    question = confirmation.find(request.user, message_id)
    if question is None:
        raise Http404
    if request.method != "POST":
        return render(request, "mail/confirm.html", {"question": question})
    answer = confirmation.act(question, arrival.waited(request))
    if answer is None:
        messages.error(request, _("Nothing was done: the message contains no command."))
        return redirect("home")
    shown = answer.lines
    if answer.outcome in WITH_PARTS:
        shown += tuple(line for _heading, lines in answer.parts for line in lines)
    for line in shown:
        messages.info(request, line)
    if answer.match_id is None:
        return redirect("home")
    return redirect("play:match", answer.match_id)
