"""Records that players bring along: their owner's pages, and the page behind a shared link."""

from typing import Any

from allauth.core import ratelimit
from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from accounts.requests import PersonsRequest
from games.archive import intake, links, replay, shelf
from games.archive.forms import RecordForm
from games.archive.models import ImportedRecord
from games.archive.views.asking import as_file, eyes, number
from games.play.scene import NoSuchPly
from games.play.wording import say
from games.relay.once import deed
from games.rules.core.errors import Refusal
from games.rules.core.viewpoint import Viewpoint

PAGE = 50
NAMED = 10  # plies in a message


@require_safe
@login_required
@never_cache
def index(request: PersonsRequest) -> HttpResponse:
    """The reader's imported records, the newest first."""
    mine = ImportedRecord.objects.filter(owner=request.user.pk).defer("text").order_by("-pk")
    page = Paginator(mine, PAGE).get_page(request.GET.get("page"))
    lines = [
        {
            "record": record,
            "names": " – ".join(shelf.sides(record).values()),
            "ending": shelf.ending(record) or _("without a result"),
        }
        for record in page
    ]
    context = {"page": page, "lines": lines, "most": intake.MOST}
    return render(request, "archive/records.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new(request: PersonsRequest) -> HttpResponse:
    """A record as a text or a file; a bad one comes back with the reason and is not lost."""
    form = RecordForm(request.POST, request.FILES) if request.method == "POST" else RecordForm()
    status = 200
    if form.is_valid() and not ratelimit.consume(request, action="import_record"):
        form.add_error(None, _("You have sent many records; send this one again in an hour."))
        status = 429
    elif form.is_valid():
        try:
            kept = intake.keep(request.user, form.cleaned_data["text"])
        except Refusal as refusal:
            form.add_error(None, say(refusal))
        else:
            messages.success(request, _("The rules have played the record through."))
            if kept.doubtful:
                messages.warning(request, _doubts(kept.doubtful))
            return redirect(kept.record)
    if form.errors and status == 200:
        status = 422
    return render(request, "archive/new_record.html", {"form": form}, status=status)


@require_safe
@login_required
@never_cache
def imported(request: PersonsRequest, record_id: int) -> HttpResponse:
    """A record of the reader's at one ply, through somebody's eyes, and what to do with it."""
    record = _own(request, record_id)
    facts = {"address": links.address(record), "file": reverse("archive:text", args=[record_id])}
    return _replay(request, record, {"mine": True, **facts})


@require_safe
@login_required
@never_cache
def text(request: PersonsRequest, record_id: int) -> HttpResponse:
    """The record as a text file."""
    return _file(_own(request, record_id))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def change(request: PersonsRequest, record_id: int) -> HttpResponse:
    """Share a record by its link, take the link back, or delete the record."""
    record = _own(request, record_id)
    with deed():
        match request.POST.get("do"):
            case "share":
                links.share(record)
            case "take-back":
                links.take_back(record)
                messages.success(request, _("The link is taken back; it opens nothing any more."))
            case "delete":
                record.delete()
                messages.success(request, _("The record is deleted."))
                return redirect("archive:records")
    return redirect(record)


@require_safe
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The same for whoever has the link."""
    file = reverse("archive:shared_text", args=[token])
    return _replay(request, _shared(token), {"mine": False, "file": file})


@require_safe
@never_cache
def shared_text(request: HttpRequest, token: str) -> HttpResponse:
    return _file(_shared(token))


def _own(request: PersonsRequest, record_id: int) -> ImportedRecord:
    mine = ImportedRecord.objects.filter(owner=request.user.pk).defer("text")
    return get_object_or_404(mine, pk=record_id)


def _shared(token: str) -> ImportedRecord:
    if record := links.read(token):
        return record
    raise Http404


def _replay(request: HttpRequest, record: ImportedRecord, facts: dict[str, Any]) -> HttpResponse:
    viewpoint = eyes(request) or Viewpoint.OPEN
    try:
        look = shelf.scene(record, number(request, "ply"), viewpoint)
    except NoSuchPly:
        raise Http404 from None
    context = replay.page(look, shelf.VIEWPOINTS, (e for e in look.entries if e.number))
    context |= {"record": record, "result": shelf.ending(record)}
    return render(request, "archive/imported.html", context | facts)


def _file(record: ImportedRecord) -> HttpResponse:
    return as_file(record.text, f"record-{record.pk}.txt")


def _doubts(plies: list[int]) -> str:
    named = ", ".join(map(str, plies[:NAMED])) + (" …" if len(plies) > NAMED else "")
    return ngettext(
        "At %(count)s ply the remarks of the record are not those of the rules, which stand here"
        " now: %(plies)s.",
        "At %(count)s plies the remarks of the record are not those of the rules, which stand here"
        " now: %(plies)s.",
        len(plies),
    ) % {"count": len(plies), "plies": named}
