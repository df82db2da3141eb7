"""The URLs of pictures of matches, made without a query."""

from django.urls import reverse


def small_board_path(match_id: int, ply: int, opening: int | None) -> str:
    """The URL path of a match's small board; "" before both armies stand.

    `ply` is the number in the record, such as `Match.ply`; `opening` is `Match.opening`.
    """
    if opening is None or ply < opening:
        return ""
    return reverse("play:small", args=[match_id, ply - opening])
