"""Words and figures of the table for templates."""

from datetime import datetime, timedelta
from functools import lru_cache

from django import template
from django.utils.formats import date_format
from django.utils.safestring import SafeString, mark_safe
from django.utils.timezone import localtime
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

from games.play import breaker, clock, library, narration, rulebook, sets, wording
from games.play.models.match import Match
from games.play.models.setup import SavedSetup
from games.play.models.time import Halt
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.note import Note
from games.rules.core.ruleset import Ruleset

register = template.Library()

SOON, URGENT = timedelta(days=1), timedelta(hours=6)


@register.simple_tag
def time_left(deadline: datetime | None, now: datetime) -> SafeString | str:
    """The time until a deadline in words, with the instant itself in the reader's zone."""
    if deadline is None:
        return ""
    left = deadline - now
    urgency = "urgent" if left < URGENT else "soon" if left < SOON else ""
    html = (
        f'<span class="clock {urgency}"><time datetime="{deadline.isoformat(timespec="seconds")}">'
        f'{in_words(left)}</time> <span class="at">({in_full(deadline)})</span></span>'
    )
    return mark_safe(html)  # noqa: S308 - numbers, and words of the catalogue


def in_full(instant: datetime) -> str:
    """An instant to the minute, by the reader's clocks."""
    minute = localtime(instant).replace(second=0, microsecond=0)
    # Equal instants in two zones are equal keys, and may be written otherwise.
    return _in_full(minute, minute.tzname(), minute.utcoffset(), get_language())


@lru_cache(maxsize=10_000)
def _in_full(minute: datetime, *_key: object) -> str:
    return date_format(minute, "DATETIME_FORMAT")


def in_words(left: timedelta) -> str:
    """A span of time in its two greatest units, rounded down: "2 days 4 hours"."""
    return _in_words(int(left.total_seconds() // 60), get_language())


@lru_cache(maxsize=10_000)
def _in_words(minutes: int, _language: str | None) -> str:
    if minutes < 0:
        return _("time is up")
    days, hours, minutes = minutes // 1440, minutes // 60 % 24, minutes % 60
    parts = [
        ngettext("%(n)d day", "%(n)d days", days) % {"n": days} if days else "",
        ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours} if hours else "",
        # A whole hour is no "1 hour 0 minutes"; and what is less than a minute is none.
        ngettext("%(n)d minute", "%(n)d minutes", minutes) % {"n": minutes}
        if not days and (minutes or not hours)
        else "",
    ]
    return " ".join(part for part in parts if part)


@register.filter
def game(match: Match) -> str:
    """The title of a match's rules, in the reader's language."""
    return _(match.rules.title)


@register.filter
def agreed(match: Match) -> list[str]:
    """What was agreed for it alone, in sentences; for whatever is played by rules of its own."""
    return rulebook.agreed(match.rules)


@register.filter
def numbered(match: Match) -> str:
    """What a match is called: "Match 17"."""
    return _("Match %(number)s") % {"number": match.pk}


@register.filter
def result(match: Match) -> str:
    """How a match ended, in words; it comes with its players."""
    return narration.result(match, {Seat(p.seat): str(p.user) for p in match.players.all()})


@register.simple_tag
def sweep_halt() -> Halt | None:
    """The stop of the sweep that waits for somebody of the office."""
    return breaker.standing()


@register.filter
def span(text: str) -> str:
    """A time control in a few words: "3 days", "1 day + 4 hours, at most 3 days", "no clock"."""
    control = clock.parse(text)
    if control.bank is None:
        return _("no clock")
    if not control.saves:
        return _length(control.bank)
    facts = {"bank": _length(control.bank), "increment": _length(control.increment)}
    if control.cap is None:
        return _("%(bank)s + %(increment)s") % facts
    return _("%(bank)s + %(increment)s, at most %(cap)s") % {**facts, "cap": _length(control.cap)}


@register.filter
def set_result(match: Match) -> str:
    """How the set of a match stands; "" for a single one. It comes with players and twin."""
    return sets.said(match, {Seat(p.seat): str(p.user) for p in match.players.all()})


@register.filter
def pace(text: str) -> str:
    """A time control in a sentence."""
    control = clock.parse(text)
    if control.bank is None:
        return _("No clock.")
    if not control.saves:
        return _("%(time)s for each action.") % {"time": _length(control.bank)}
    facts = {"bank": _length(control.bank), "increment": _length(control.increment)}
    if control.cap is None:
        return _("%(bank)s for the match, and %(increment)s more with each action.") % facts
    return _(
        "%(bank)s for the match, and %(increment)s more with each action, up to %(cap)s at a time."
    ) % {**facts, "cap": _length(control.cap)}


def _length(time: timedelta) -> str:
    """A time that somebody chose, in whole days where it is one, else in hours."""
    days, rest = divmod(time, clock.DAY)
    if not rest:
        return ngettext("%(n)d day", "%(n)d days", days) % {"n": days}
    hours = time // timedelta(hours=1)
    return ngettext("%(n)d hour", "%(n)d hours", hours) % {"n": hours}


@register.filter
def noted(note: Note) -> str:
    """A remark of the rules in the reader's language."""
    return wording.say_note(note)


@register.filter
def ground_name(rules: Ruleset) -> str:
    """A game and its board: "L'Attaque, 10 by 10"."""
    facts = {
        "game": _(registry.title(rules.family)),
        "files": rules.board.files,
        "ranks": rules.board.ranks,
    }
    return _("%(game)s, %(files)s × %(ranks)s") % facts


@register.filter
def board_name(saved: SavedSetup) -> str:
    """The game and board on which a saved set-up fits."""
    return ground_name(library.rules_of(saved))


@register.filter
def translated(text: str) -> str:
    """A word of the rules in the reader's language."""
    return _(text) if text else ""


@register.filter
def of(table: dict[object, object], key: object) -> object:
    """`table|of:key`, for a table by seat."""
    return table.get(key)
