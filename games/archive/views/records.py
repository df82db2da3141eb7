"""Pages of imported records: list, import, replay, sharing; and the page of a shared link."""

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
from games.archive import importing, replay, shared_links, storage
from games.archive.forms import RecordForm
from games.archive.models import ImportedRecord
from games.archive.views.query_parameters import as_file, requested_ply, viewpoint
from games.idempotency.replay import command_transaction
from games.play.record.snapshot import NoSuchPly
from games.play.words.wording import refusal_text
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.viewpoint import Viewpoint

RECORDS_PER_PAGE = 50
MAX_NAMED_MOVES = 10  # in a message


@require_safe
@login_required
@never_cache
def index(request: PersonsRequest) -> HttpResponse:
    """The reader's imported records, newest first."""
    records = ImportedRecord.objects.filter(owner=request.user.pk).defer("text").order_by("-pk")
    page = Paginator(records, RECORDS_PER_PAGE).get_page(request.GET.get("page"))
    lines = [
        {
            "record": record,
            "names": " – ".join(storage.sides(record).values()),
            "ending": storage.ending(record) or _("without a result"),
        }
        for record in page
    ]
    context = {"page": page, "lines": lines, "most": importing.MAX_RECORDS}
    return render(request, "archive/records.html", context)


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def new(request: PersonsRequest) -> HttpResponse:
    """Import a record, as text or file; a refused record is shown again with the reason."""
    form = RecordForm(request.POST, request.FILES) if request.method == "POST" else RecordForm()
    status = 200
    if form.is_valid() and not ratelimit.consume(request, action="import_record"):
        form.add_error(None, _("You have imported many records. Please try again in an hour."))
        status = 429
    elif form.is_valid():
        try:
            result = importing.import_record(request.user, form.cleaned_data["text"])
        except Refusal as refusal:
            form.add_error(None, refusal_text(refusal))
        else:
            messages.success(request, _("Record imported: every move is legal."))
            if result.doubtful:
                messages.warning(request, _replaced_annotations(result.doubtful))
            return redirect(result.record)
    if form.errors and status == 200:
        status = 422
    return render(request, "archive/new_record.html", {"form": form}, status=status)


@require_safe
@login_required
@never_cache
def imported(request: PersonsRequest, record_id: int) -> HttpResponse:
    """The replay of one of the reader's records, with the forms to share or delete it."""
    record = own_record(request, record_id)
    context = {
        "mine": True,
        "address": shared_links.link_url(record),
        "file": reverse("archive:text", args=[record_id]),
    }
    return _replay(request, record, context)


@require_safe
@login_required
@never_cache
def text(request: PersonsRequest, record_id: int) -> HttpResponse:
    """One of the reader's records as a text file."""
    return _file(own_record(request, record_id))


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def change(request: PersonsRequest, record_id: int) -> HttpResponse:
    """Share a record by a link, revoke the link, or delete the record."""
    record = own_record(request, record_id)
    with command_transaction():
        match request.POST.get("do"):
            case "share":
                shared_links.share(record)
            case "take-back":
                shared_links.revoke(record)
                messages.success(request, _("Sharing stopped. The old link no longer works."))
            case "delete":
                record.delete()
                messages.success(request, _("Record deleted."))
                return redirect("archive:records")
    return redirect(record)


@require_safe
@never_cache
def shared(request: HttpRequest, token: str) -> HttpResponse:
    """The replay of a shared record."""
    file = reverse("archive:shared_text", args=[token])
    return _replay(request, shared_record(token), {"mine": False, "file": file})


@require_safe
@never_cache
def shared_text(request: HttpRequest, token: str) -> HttpResponse:
    """A shared record as a text file."""
    return _file(shared_record(token))


def own_record(request: PersonsRequest, record_id: int) -> ImportedRecord:
    """One of the reader's records, without its text; raises Http404."""
    own = ImportedRecord.objects.filter(owner=request.user.pk).defer("text")
    return get_object_or_404(own, pk=record_id)


def shared_record(token: str) -> ImportedRecord:
    """The record of a shared link, without its text; raises Http404."""
    if record := shared_links.find_record(token):
        return record
    raise Http404


def _replay(request: HttpRequest, record: ImportedRecord, more: dict[str, Any]) -> HttpResponse:
    try:
        view = storage.snapshot(
            record, requested_ply(request), viewpoint(request) or Viewpoint.OPEN
        )
    except NoSuchPly:
        raise Http404 from None
    context = replay.page(view, storage.VIEWPOINTS, (e for e in view.entries if e.number))
    context |= {"record": record, "result": storage.ending(record)}
    return render(request, "archive/imported.html", context | more)


def _file(record: ImportedRecord) -> HttpResponse:
    return as_file(record.text, f"record-{record.pk}.txt")


def _replaced_annotations(plies: list[int]) -> str:
    moves = sorted({move_number(ply) for ply in plies})
    named = ", ".join(map(str, moves[:MAX_NAMED_MOVES])) + (
        " …" if len(moves) > MAX_NAMED_MOVES else ""
    )
    return ngettext(
        "The annotations of one move do not fit the rules and were replaced: move %(moves)s.",
        "The annotations of %(count)s moves do not fit the rules and were replaced: %(moves)s.",
        len(moves),
    ) % {"count": len(moves), "moves": named}
