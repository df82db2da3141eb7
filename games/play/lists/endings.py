"""What of a player runs, and how it would end if their account were closed."""

from django.db.models import OuterRef, Subquery
from django.urls import reverse
from django.utils.translation import gettext as _

from games.play.models.match import Match, Player

MAX_LISTED = 500  # more than any player has at once


def at_closing(user_id: int) -> list[tuple[str, str]]:
    """Each live match as a sentence with the URL path of its page; one query."""
    other = Player.objects.filter(match=OuterRef("match")).exclude(seat=OuterRef("seat"))
    own_seats = Player.objects.filter(user=user_id, live=True).order_by("match_id")
    # Of columns: the models of hundreds of matches and players take most of a second to make.
    rows = own_seats.values_list(
        "match_id", "match__opening", "match__ply", Subquery(other.values("user__username"))
    )
    return [
        (_sentence(number, opponent, begun=opening is not None and ply != opening), _path(number))
        for number, opening, ply, opponent in rows[:MAX_LISTED]
    ]


def is_playing(user_id: int) -> bool:
    """Whether a user has a match that is not over, or whose ending may still be taken back."""
    seats = Player.objects.filter(user=user_id)
    if seats.filter(live=True).exists():
        return True
    over = Match.objects.filter(is_final=False, finished_at__isnull=False)
    return over.filter(players__user=user_id).exists()


def _path(number: int) -> str:
    return reverse("play:match", args=[number])


def _sentence(number: int, opponent: str, *, begun: bool) -> str:
    values = {"number": number, "opponent": opponent}
    if not begun:
        return _("Match %(number)s against %(opponent)s would be aborted.") % values
    return _("You would resign match %(number)s against %(opponent)s.") % values
