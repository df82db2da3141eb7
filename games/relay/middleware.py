"""Forms that carry a key act once, whichever page they are from."""

from collections.abc import Callable
from hashlib import sha256

from django.contrib import messages
from django.core.files.uploadedfile import UploadedFile
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, UnreadablePostError
from django.shortcuts import render
from django.utils.translation import gettext as _

from games.relay import once
from games.relay.once import AnsweredMeanwhile, Slip, UsedOtherwise

FIELD = "once"
# A new seal is laid over the same secret with every page, so it says nothing of what is asked.
APART = (FIELD, "csrfmiddlewaretoken")


class AnswersOnce:
    """Answers a form as it was answered before, or has the view answer it and notes what it said.

    What is noted is a redirection by the view. A page that says what is wrong with the form is not:
    that form has changed nothing, and may be mended and sent again. Nor is what another middleware
    makes of an exception, such as the way to sign in anew: the form has still to act. That one
    comes first here, so this stands last among the middlewares.
    """

    def __init__(self, answer: Callable[[HttpRequest], HttpResponse]) -> None:
        self._answer = answer

    def __call__(self, request: HttpRequest) -> HttpResponse:
        key = _key(request)
        if key is None or (user_id := request.user.pk) is None:
            return self._answer(request)
        if not once.WELL_FORMED.fullmatch(key):
            return _refused(request)
        slip = once.slip(user_id, key, _said(request))
        try:
            return _before(request, slip) or self._now(request, slip)
        except UsedOtherwise:
            return _refused(request)

    def _now(self, request: HttpRequest, slip: Slip) -> HttpResponse:
        try:
            with once.under(slip):
                response = self._answer(request)
                if isinstance(response, HttpResponseRedirect) and not slip.void:
                    once.settle(slip, response.status_code, response["Location"])
                    return response
        except AnsweredMeanwhile:
            return _before(request, slip) or self._answer(request)
        # Refused perhaps because the very same form has acted since it was looked for.
        return _before(request, slip) or response

    def process_exception(self, request: HttpRequest, exception: Exception) -> None:
        """The view has failed: what it did is undone, and what others make of that is no answer."""
        once.undo(exception)


def _key(request: HttpRequest) -> str | None:
    if request.method != "POST":
        return None
    try:
        return request.POST.get(FIELD)
    except UnreadablePostError:
        # The line broke. The check of the form's seal finds none, and turns it away.
        return None


def _said(request: HttpRequest) -> str:
    """Everything that the form says and where it was sent."""
    fields = [(name, values) for name, values in request.POST.lists() if name not in APART]
    files = [
        (name, [(file.name, file.size, _digest(file)) for file in sent])
        for name, sent in request.FILES.lists()
    ]
    return repr((request.path, sorted(fields), sorted(files)))


def _digest(file: UploadedFile) -> str:
    """SHA-256 of what the file holds; it is left at its beginning."""
    digest = sha256()
    for chunk in file.chunks():
        digest.update(chunk)
    file.seek(0)
    return digest.hexdigest()


def _before(request: HttpRequest, slip: Slip) -> HttpResponse | None:
    answer = once.earlier(slip)
    if answer is None:
        return None
    messages.info(request, _("This form had been sent before; it counts once."))
    return HttpResponse(status=answer.status, headers={"Location": answer.location})


def _refused(request: HttpRequest) -> HttpResponse:
    return render(request, "sent_before.html", status=422)
