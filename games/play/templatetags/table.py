"""Parts of the page of a match that are joined in Python; as templates they cost thrice as much."""

from datetime import datetime
from functools import cache, lru_cache

from django import template
from django.templatetags.static import static
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.play import adjustments
from games.play.adjustments import sentence
from games.play.boards import SIDES
from games.play.models.match import Player
from games.play.scene import Scene
from games.play.sight import Look
from games.play.templatetags.matches import in_words, time_left
from games.play.templatetags.resting import away
from games.rules.core.army import Seat

register = template.Library()


@register.simple_tag
def nameplate(player: Player, now: datetime) -> SafeString:
    """Who sits on a side of the board, and the time they have if it is their turn."""
    classes = "seat south" if player.seat == Seat.SOUTH else "seat north"
    name, seat = _name(player.user.username), escape(_(player.seat_name()))
    state = " to-act" if player.to_act else ""
    html = (
        f'<p class="{classes}{state}">{name} <span class="muted">{seat}</span> '
        f"{_time_of(player, now)} {away(player, now)}</p>"
    )
    return mark_safe(html)  # noqa: S308 - joined from escaped parts


@lru_cache(maxsize=1000)
def _name(handle: str) -> SafeString:
    """A player's name that leads to their page."""
    address = reverse("accounts:profile", args=[handle])
    return format_html('<a class="name" href="{}">{}</a>', address, handle)


def _time_of(player: Player, now: datetime) -> SafeString | str:
    """The time until the deadline of whoever is to act; of the other, what they have saved."""
    if player.match.paused_at is not None and player.bank is not None:
        said = _("paused with %(time)s left") % {"time": in_words(player.bank)}
        return format_html('<span class="clock">{}</span>', said)
    if player.to_act:
        return time_left(player.deadline, now)
    if player.bank is None or not player.match.is_live or not player.match.budget().saves:
        return ""
    said = _("%(time)s in the bank") % {"time": in_words(player.bank)}
    return format_html('<span class="clock">{}</span>', said)


@register.simple_tag
def nametag(look: Scene, seat: Seat) -> SafeString:
    """A side of the board by a name that is nobody's here: no page and no clock belong to it."""
    return format_html(
        '<p class="seat {}"><span class="name">{}</span> <span class="muted">{}</span></p>',
        SIDES[seat],
        look.sides[seat],
        _(look.rules.seat_names[seat]),
    )


@register.simple_tag
def clock_steps(look: Look) -> SafeString:
    """What the reader may do for the clocks now; each leads to a page that asks."""
    match, other = look.match, look.opponent
    if other is None or not match.is_live or not look.is_newest:
        return SafeString()
    steps = []
    if match.paused_at is not None:
        steps.append(_step(look, "resume", _("End the pause")))
    if other.deadline is not None:
        said = _("One day more for %(opponent)s") % {"opponent": other.user}
        steps.append(_step(look, "give-day", said))
    if look.may_offer_pause:
        steps.append(_step(look, "offer-pause", _("Offer a pause")))
    if match.pause_offer == look.seat:
        steps.append(format_html('<span class="badge note">{}</span>', _("Pause offered")))
    return mark_safe(" ".join(steps))  # noqa: S308 - joined from escaped parts


def _step(look: Look, name: str, said: str) -> str:
    return f'<a class="button small quiet" href="{look.address}{name}/">{escape(said)}</a>'


@register.simple_tag
def clock_log(look: Look) -> SafeString:
    """What was done to the clocks of a match, the newest first; nothing for most."""
    if not look.match.adjusted:
        return SafeString()
    log = adjustments.newest(look.match)
    names = {int(seat): str(player.user) for seat, player in look.players.items()}
    lines = format_html_join(
        "",
        '<li><time datetime="{}">{}</time>: {}</li>',
        (
            (
                one.at.isoformat(timespec="seconds"),
                date_format(localtime(one.at), "DATETIME_FORMAT"),
                sentence(one, names, in_words(one.span) if one.span else ""),
            )
            for one in log
        ),
    )
    said = _("What was done to the clocks")
    return format_html('<h3>{}</h3><ul class="small">{}</ul>', said, lines)


@register.simple_tag
def look_back(look: Scene, suffix: str = "") -> SafeString:
    """The links to the plies before and after; `suffix` is the rest of their query."""
    if look.opening is None:
        return SafeString()
    at, last, rest = look.shown_ply, look.shown_last, escape(suffix)
    here = escape(_("ply %(at)s of %(last)s") % {"at": at, "last": last})
    links = [
        _link("first", _("First"), 0, rest, off=look.at_first),
        _link("prev", _("Previous"), look.shown_before, rest, off=look.at_first),
        f'<span class="at">{here}</span>',
        _link("next", _("Next"), look.shown_after, rest, off=look.at_last),
        _link("last", _("Last"), last, rest, off=look.at_last),
    ]
    name, inside = escape(_("Look back")), " ".join(links)
    return mark_safe(f'<nav class="replay" aria-label="{name}">{inside}</nav>')  # noqa: S308 - joined from escaped parts


def _link(rel: str, name: str, ply: int, rest: str, *, off: bool) -> str:
    """One of them; where it would lead nowhere it cannot be followed."""
    to = 'role="link" aria-disabled="true"' if off else f'rel="{rel}" href="?ply={ply}{rest}"'
    return f'<a class="button small" {to}>{_icon(rel, name)}</a>'


@cache
def _icon(rel: str, name: str) -> SafeString:
    return format_html(
        '<svg class="icon" aria-hidden="true"><use href="{}#i-{}"/></svg>'
        '<span class="visually-hidden">{}</span>',
        static("svg/army.svg"),
        rel,
        name,
    )
