"""Small boards in lists of matches."""

from functools import cache

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString

from games.play.pictures import small_boards
from games.play.pictures.addresses import small_board_path
from games.rules import registry

register = template.Library()


@register.simple_tag
def small_board(match_id: int, ply: int, opening: int | None, preset: str) -> SafeString | str:
    """A match's small board as an image without a query; "" before both armies stand.

    `ply` is the number in the record, such as `Match.ply`. The row says in words what the image
    shows, so the image has no text.
    """
    path = small_board_path(match_id, ply, opening)
    if not path:
        return ""
    return format_html(
        '<img class="small-board" src="{}" width="{}" height="{}" alt="" loading="lazy">',
        path,
        *_size(preset),
    )


@cache
def _size(preset: str) -> tuple[int, int]:
    return small_boards.size(registry.ruleset(preset))
