"""JSON for replays without a page load per ply: blocks of plies, and the plies with battles."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from accounts.requests import PersonsRequest
from games.archive import replay, storage
from games.archive.models import ImportedRecord
from games.archive.views.query_parameters import viewpoint
from games.archive.views.records import own_record, shared_record
from games.play.board import replay_blocks
from games.play.models.match import Match, Status
from games.play.record import match_view
from games.play.record.snapshot import NoSuchPly
from games.play.views.match import blocks
from games.rules.core.basics.viewpoint import Viewpoint


@require_safe
def of_match(request: HttpRequest, match_id: int, block: int) -> HttpResponse:
    """A block of plies of a finished match, from one viewpoint (`?eyes=`)."""
    match = get_object_or_404(Match, pk=match_id, status=Status.FINISHED)
    try:
        first, last = replay_blocks.plies_of(block)
        views = match_view.view_plies(
            match.pk, request.user, first, last, viewpoint=viewpoint(request)
        )
    except (NoSuchPly, match_view.ViewpointNotAllowed):
        raise Http404 from None
    first_move = (match.opening or 0) + 1
    entries = match_view.entries(match, max(views[0].number, first_move), views[-1].number)
    lines = replay.rendered_lines(views[0], entries)
    block_data = replay_blocks.block_of(views, blocks.page_parts(), lines)
    return blocks.answer(request, block_data, kept=blocks.may_be_kept(request, views[0]))


@require_safe
def battles_of_match(request: HttpRequest, match_id: int) -> HttpResponse:
    """The plies of a finished match with battles; they are public."""
    match = get_object_or_404(Match, pk=match_id, status=Status.FINISHED)
    return blocks.answer(request, match_view.battles(match))


@require_safe
@login_required
def of_own(request: PersonsRequest, record_id: int, block: int) -> HttpResponse:
    """A block of plies of one of the reader's imported records."""
    return _of_record(request, own_record(request, record_id), block)


@require_safe
@login_required
def battles_of_own(request: PersonsRequest, record_id: int) -> HttpResponse:
    """The plies with battles of one of the reader's imported records."""
    return blocks.answer(request, storage.battles(own_record(request, record_id)))


@require_safe
def of_shared(request: HttpRequest, token: str, block: int) -> HttpResponse:
    """A block of plies of a shared record."""
    return _of_record(request, shared_record(token), block)


@require_safe
def battles_of_shared(request: HttpRequest, token: str) -> HttpResponse:
    """The plies with battles of a shared record."""
    return blocks.answer(request, storage.battles(shared_record(token)))


def _of_record(request: HttpRequest, record: ImportedRecord, block: int) -> HttpResponse:
    try:
        first, last = replay_blocks.plies_of(block)
        views = storage.snapshots(record, first, last, viewpoint(request) or Viewpoint.OPEN)
    except NoSuchPly:
        raise Http404 from None
    listed = (entry for entry in views[0].entries if first <= entry.number <= last)
    lines = replay.rendered_lines(views[0], [entry for entry in listed if entry.number])
    return blocks.answer(request, replay_blocks.block_of(views, blocks.page_parts(), lines))
