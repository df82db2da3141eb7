"""How the live matches of a player would end if their account were closed."""

from django.utils.translation import gettext as _

from games.play.models.match import Player

MAX_LISTED = 500  # more than any player has at once


def at_closing(user_id: int) -> list[tuple[str, str]]:
    """Each live match as a sentence with the URL path of its page; three queries."""
    mine = Player.objects.filter(user=user_id, live=True).select_related("match")
    found = mine.prefetch_related("match__players__user").order_by("match_id")[:MAX_LISTED]
    return [(_sentence(player), player.match.get_absolute_url()) for player in found]


def _sentence(player: Player) -> str:
    match = player.match
    other = next(one.user for one in match.players.all() if one.seat != player.seat)
    facts = {"number": match.pk, "opponent": other}
    if match.opening is None or match.ply == match.opening:
        return _("Match %(number)s against %(opponent)s would be aborted.") % facts
    return _("You would resign match %(number)s against %(opponent)s.") % facts
