"""Pages of reports: reporting something, one's own reports, decisions about oneself, answers."""

from __future__ import annotations

from typing import cast

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.models import User
from games.people import ports
from games.people.models import ReportReason, Subject
from games.people.moderation import answers, listing, reporting
from games.people.moderation.forms import AnswerForm, ReportForm
from games.people.moderation.reporting import Reported
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal

form_methods = require_http_methods(["GET", "HEAD", "POST"])


@form_methods
@never_cache
@login_required
def report_profile(request: HttpRequest, handle: str) -> HttpResponse:
    """Report a player for their profile, which is their name."""
    person = get_object_or_404(User, username__iexact=handle, pending=False)
    return report_page(request, Reported(person, Subject.PROFILE))


@form_methods
@never_cache
@login_required
def report_line(request: HttpRequest, match_id: int, line: int) -> HttpResponse:
    """Report a line of talk in one's own match; it and those before it are copied."""
    lines = ports.excerpt(match_id, line, cast(User, request.user))
    if not lines:
        raise Http404
    person = get_object_or_404(User, pk=lines[-1].author)
    return report_page(request, Reported(person, Subject.LINE, lines, match=match_id, line=line))


def report_page(request: HttpRequest, reported: Reported) -> HttpResponse:
    """The form of a report by a signed-in user, for every room that has something to report."""
    form = ReportForm(request.POST or None)
    if form.is_valid():
        reason = ReportReason(form.cleaned_data["reason"])
        words = form.cleaned_data["words"]
        try:
            reporting.report(cast(User, request.user), reported, reason, words)
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Thank you. A moderator will look at it."))
            return redirect("moderation:own")
    context = {
        "form": form,
        "person": reported.person,
        "subject": reported.subject.label,
        "text": reported.copy[-1].text if reported.copy else "",
    }
    status = 422 if request.method == "POST" else 200
    return render(request, "people/report.html", context, status=status)


@require_safe
@never_cache
@login_required
def own(request: HttpRequest) -> HttpResponse:
    """The reader's reports with what became of them, and the decisions about the reader."""
    reader = cast(User, request.user)
    context = {"reports": listing.made_by(reader.pk), "decisions": listing.about(reader.pk)}
    return render(request, "people/reports.html", context)


@form_methods
@never_cache
def decision(request: HttpRequest, token: str) -> HttpResponse:
    """A decision with its reason, and the form to answer it; for anyone with the link."""
    decided = answers.read(token)
    if decided is None:
        raise Http404
    form = AnswerForm(request.POST or None)
    if form.is_valid():
        try:
            answers.answer(decided, form.cleaned_data["answer"])
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Thank you. A moderator will read your answer."))
            return redirect(answers.path(decided.pk))
    context = {
        "form": form,
        "decision": decided,
        "concerned": listing.concerned(decided.report),
        "may_answer": answers.may_answer(decided),
        "is_answered": decided.report.answered_at is not None,
    }
    status = 422 if request.method == "POST" else 200
    response = render(request, "people/decision.html", context, status=status)
    response["X-Robots-Tag"] = "noindex, nofollow"
    return response
