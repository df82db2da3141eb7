"""The rows of a player's front page, joined in Python: fifty of them cost a template too much."""

from collections.abc import Iterable
from datetime import datetime
from html import escape

from django import template
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.models.match import Player, Status
from games.play.templatetags.matches import game, outcome, set_outcome, time_left

register = template.Library()


@register.simple_tag
def running_rows(players: Iterable[Player], reader: User, now: datetime) -> SafeString:
    """Live matches: what they wait for, and until when."""
    offered = f' <span class="badge note">{escape(_("Draw offered"))}</span>'
    rows = []
    for player in players:
        actor = player if player.to_act else player.opponent
        offer = offered if player.match.draw_offer == player.opponent.seat else ""
        rows.append(
            f'<tr>{_head(player)}<td class="wide">{escape(_state(player))}{offer}</td>'
            f'<td class="wide">{time_left(actor.deadline, now)}</td></tr>'
        )
    return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


@register.simple_tag
def finished_rows(players: Iterable[Player], reader: User) -> SafeString:
    """Matches that have ended, and how."""
    rows = [
        f'<tr>{_head(player)}<td class="wide">{escape(outcome(player, reader))}</td></tr>'
        for player in players
    ]
    return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


def _head(player: Player) -> str:
    match = player.match
    return (
        f'<th scope="row"><a href="{match.get_absolute_url()}">'
        f"{escape(player.opponent.handle)}</a></th>"
        f'<td data-label="{escape(_("Match:"))}">{match.pk}</td>'
        f'<td class="wide">{escape(game(match))}</td>'
    )


def _state(player: Player) -> str:
    """Who is to do what."""
    setting_up = player.match.status == Status.SETUP
    if player.to_act:
        return _("Set up your army") if setting_up else _("Your move")
    words = _("%(opponent)s is setting up") if setting_up else _("%(opponent)s is to move")
    return words % {"opponent": player.opponent.handle}
