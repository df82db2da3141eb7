"""Template tags that put days off, nights and vacations into words."""

from datetime import datetime

from django import template
from django.urls import reverse
from django.utils.dates import WEEKDAYS
from django.utils.formats import date_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.play.clocks import vacations
from games.play.clocks.rest import Rest
from games.play.models.match import Player
from lib.sentences import in_a_row

register = template.Library()


@register.simple_tag
def rest_in_words(rest: Rest) -> str:
    """A player's days off and nights as sentences."""
    sentences = []
    if rest.days:
        days = ", ".join(str(WEEKDAYS[day]) for day in sorted(rest.days))
        sentences.append(_("Days off: %(days)s.") % {"days": days})
    if rest.night is not None:
        begin, end = (f"{hour:02}:00" for hour in rest.night)
        sentences.append(_("Nights from %(begin)s until %(end)s.") % {"begin": begin, "end": end})
    if not sentences:
        return _("No days off and no nights.")
    return in_a_row([*sentences, _("Time zone: %(zone)s.") % {"zone": rest.zone}])


def away(player: Player, now: datetime) -> SafeString | str:
    """A badge for a player who is or will be on vacation; "" in matches without vacations."""
    match = player.match
    ahead = vacations.ahead(player.user, now) if match.vacations and match.is_live else ()
    if not ahead:
        return ""
    start, end = ahead[0]
    values = {
        "start": date_format(localtime(start), "DATETIME_FORMAT"),
        "end": date_format(localtime(end), "DATETIME_FORMAT"),
    }
    text = _("on vacation until %(end)s") if start <= now else _("away from %(start)s to %(end)s")
    address = reverse("play:time_off_of", args=[player.user.username])
    return format_html('<a class="badge note" href="{}">{}</a>', address, text % values)
