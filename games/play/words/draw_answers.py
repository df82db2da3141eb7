"""The sentence for a player whose draw offer was declined.

The match stores open offers only; the outbox keeps the event that one was declined.
"""

from django.utils.translation import gettext as _

from games.outbox import publishing
from games.outbox.events import Person
from games.play.events import DrawDeclined
from games.play.models.match import Match, Player
from games.play.record import match_view


def declined(match: Match, me: Player | None, opponent: object) -> str:
    """That the opponent has declined this player's draw, until they have moved; else "".

    One query, only in matches in which a draw has been offered; two if staff have looked.
    """
    if me is None or not match.is_live or match.draw_offer is not None or not match.draws_offered:
        return ""
    plies = range(_own_ply(match, me), match.ply + 1)
    concerned = (Person(me.user_id),)
    answers = [
        DrawDeclined(match=match.pk, ply=ply, offer=match.draws_offered, people=concerned)
        for ply in plies
    ]
    if not publishing.was_published(answers):
        return ""
    return _("%(opponent)s declined the draw.") % {"opponent": opponent}


def _own_ply(match: Match, me: Player) -> int:
    """The ply that ended the player's last turn; a query if they act and staff have looked."""
    if not me.to_act:
        return match.turn_ply
    before = match.turn_ply - 1
    if not match.looks:
        return before
    entries = match_view.entries(match, before - match.looks, before)
    return max((entry.number for entry in entries if entry.seat == me.seat), default=before)
