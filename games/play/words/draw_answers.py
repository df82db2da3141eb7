"""The sentence for a player whose draw offer was declined.

The match stores open offers only; the outbox keeps the event that one was declined.
"""

from django.utils.translation import gettext as _

from games.outbox import publishing
from games.outbox.events import Person
from games.play.events import DrawDeclined
from games.play.models.match import Match, Player


def declined(match: Match, me: Player | None, opponent: object) -> str:
    """That the opponent has declined this player's draw, until they have moved; else "".

    One query, only in matches in which a draw has been offered.
    """
    if me is None or not match.is_live or match.draw_offer is not None or not match.draws_offered:
        return ""
    # The player to act has not moved since their opponent did.
    plies = range(match.turn_ply - me.to_act, match.ply + 1)
    concerned = (Person(me.user_id),)
    answers = [
        DrawDeclined(match=match.pk, ply=ply, offer=match.draws_offered, people=concerned)
        for ply in plies
    ]
    if not publishing.was_published(answers):
        return ""
    return _("%(opponent)s declined the draw.") % {"opponent": opponent}
