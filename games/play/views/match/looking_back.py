"""Earlier plies on the match page without reloading it: blocks of plies, and all battles."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.http import require_safe

from games.play.board import replay_blocks
from games.play.board.sidebar import battle, move_lines
from games.play.models.match import Match
from games.play.record import match_view
from games.play.record.snapshot import NoSuchPly
from games.play.views.match import blocks
from games.play.words import narration


@require_safe
def block(request: HttpRequest, match_id: int, block: int) -> HttpResponse:
    """Some consecutive plies as the match page shows them to this reader."""
    try:
        first, last = replay_blocks.plies_of(block)
        views = match_view.view_plies(match_id, request.user, first, last, whole=True)
    except (Match.DoesNotExist, NoSuchPly):
        raise Http404 from None
    parts = blocks.page_parts(lambda view: {"battle": battle(view)})
    content = replay_blocks.block_of(views, parts, move_lines(views[0], narration.aloud))
    return blocks.answer(request, content, kept=blocks.may_be_kept(request, views[0]))


@require_safe
def battles(request: HttpRequest, match_id: int) -> HttpResponse:
    """The plies with battles, which are public."""
    match = get_object_or_404(Match, pk=match_id, opening__isnull=False)
    return blocks.answer(request, match_view.battles(match))
