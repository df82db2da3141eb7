"""Template filters and tags that format matches, deadlines and rules."""

from datetime import datetime

from django import template
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.values.usernames import is_bot, is_house
from games.play import ports
from games.play.clocks import breaker
from games.play.models.match import Match
from games.play.models.setup import SavedSetup
from games.play.models.time import Halt
from games.play.ports import EventLink
from games.play.record.move_numbers import turns_played
from games.play.setups import library
from games.play.terms import Terms
from games.play.words import narration, rulebook, sets, wording
from games.play.words.terms import Line, lines
from games.play.words.times import (
    SOON,
    URGENT,
    Locale,
    in_full,
    in_units,
    pace,
    reader_locale,
    setup_time,
    span,
)
from games.presentation import registry as presentations
from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.sentence import Sentence
from games.rules.core.ruleset.base import Ruleset
from lib.sentences import colon, without_blanks

register = template.Library()
register.filter("span", span)
register.filter("setup_time", setup_time)
register.filter("without_blanks", without_blanks, is_safe=True)
register.filter("pace", pace)
register.simple_tag(colon)


@register.simple_tag
def time_left(
    deadline: datetime | None, now: datetime, locale: Locale | None = None
) -> SafeString | str:
    """The time until a deadline in words, and the instant in the reader's time zone, as HTML."""
    if deadline is None:
        return ""
    left, locale = deadline - now, locale or reader_locale()
    urgency = "urgent" if left < URGENT else "soon" if left < SOON else ""
    # The smaller unit is a separate element, hidden next to a board if a name needs its space.
    words = " <span>".join(units := in_units(left, locale.language)) + "</span>" * (len(units) - 1)
    html = (
        f'<span class="clock {urgency}"><time datetime="{deadline.isoformat(timespec="seconds")}">'
        f'{words}</time> <span class="at">({in_full(deadline, locale)})</span></span>'
    )
    return mark_safe(html)  # noqa: S308 - numbers, and words of the catalogue


@register.filter
def house_badge(player: object) -> SafeString | str:
    """A badge after the name of a house opponent or a bot; nothing after a person's."""
    name = str(player)
    if is_house(name):
        return _badge(_("Computer opponent"), _("Computer"))
    return _badge(_("A member's program"), _("Bot")) if is_bot(name) else ""


def _badge(title: str, word: str) -> SafeString:
    return format_html(' <span class="badge note" title="{}">{}</span>', title, word)


@register.filter
def game(match: Match) -> str:
    """The title of a match's rules, in the reader's language."""
    return _(match.rules.title)


@register.filter
def event_link(match: Match) -> EventLink | None:
    """The ladder or tournament that opened a match, with its page; None for others."""
    return ports.event_of(match.event)


@register.filter
def agreed(match: Match) -> list[str]:
    """The rule options of a match that differ from its preset, as sentences."""
    return rulebook.agreed(match.rules)


@register.filter
def lines_on_match_page(terms: Terms) -> list[Line]:
    """The terms that the match page has a line of its own for."""
    return [line for line in lines(terms) if line.on_match_page]


@register.filter
def moves(turns: int) -> int:
    """Turns to moves: `record.plies|moves`."""
    return move_number(turns)


@register.filter
def move_count(match: Match) -> int:
    """How many moves a match has had, including one of which only South's turn was played."""
    return move_number(turns_played(match))


@register.filter
def numbered(match: Match) -> str:
    """The title of a match: "Match 17"."""
    return _("Match %(number)s") % {"number": match.pk}


@register.filter
def result(match: Match) -> str:
    """How a match ended, as a sentence; needs its players prefetched."""
    return narration.result(match, {Seat(p.seat): str(p.user) for p in match.players.all()})


@register.simple_tag
def sweep_halt() -> Halt | None:
    """The halt in force of the circuit breaker, for the admin pages; None if there is none."""
    return breaker.open_halt()


@register.filter
def set_result(match: Match) -> str:
    """The score of a set of two; "" for a single match. Needs players and twin prefetched."""
    return sets.score_text(match, {Seat(p.seat): str(p.user) for p in match.players.all()})


@register.filter
def noted(note: Sentence) -> str:
    """A remark of the rules in the reader's language."""
    return wording.note_text(note)


@register.filter
def ground_name(rules: Ruleset) -> str:
    """A game and its board: "L'Attaque, 10 by 10"."""
    values = {
        "game": _(registry.title(rules.family)),
        "files": rules.board.files,
        "ranks": rules.board.ranks,
    }
    return _("%(game)s, %(files)s × %(ranks)s") % values


@register.filter
def board_name(saved: SavedSetup) -> str:
    """The game and board on which a saved set-up fits."""
    return ground_name(library.rules_of(saved))


@register.filter
def translated(text: str) -> str:
    """Translate a word of the rules."""
    return _(text) if text else ""


@register.filter
def played_as(rules: Ruleset, seat: int) -> str:
    """A seat after "you play", in the reader's language."""
    return _(presentations.played_as(rules, Seat(seat)))


@register.filter
def lookup(table: dict[object, object], key: object) -> object:
    """`mapping|lookup:key`: look up a key, such as a seat."""
    return table.get(key)
