"""Table rows of the home page as HTML built in Python.

50 rows take 0.84 ms of processor time, and 4.5 ms as a template
(`python -m tests.bench.html_in_python`).
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _

from accounts.models import User
from games.play.lists.listing import ListedMatch
from games.play.models.match import Match, Status
from games.play.pictures import small_boards
from games.play.record.snapshot import Entry
from games.play.templatetags.formatting import house_badge, time_left
from games.play.words import narration, sets
from games.play.words.times import clock_time, reader_locale
from games.rules import registry
from games.rules.core.basics.pieces import Seat

register = template.Library()

MAX_SMALL_BOARDS = 20  # of each list: without scripts, browsers load them all at once

Whole = Mapping[int, Match]
NONE_YET: Mapping[int, Entry] = {}


@register.simple_tag
def running_rows(
    listed: Iterable[ListedMatch],
    whole: Whole,
    reader: User,
    now: datetime,
    last_moves: Mapping[int, Entry] = NONE_YET,
) -> SafeString:
    """Rows of live matches: opponent, game, whose turn and the last move, deadline."""
    head, paused, offered = _Head(), _badge(_("Paused")), _badge(_("Draw offered"))
    # By the player to act and whether they are setting up; fifty rows share these four.
    states = {
        (True, False): _("Your move"),
        (True, True): _("Set up your army"),
        (False, False): _("%(opponent)s to move"),
        (False, True): _("%(opponent)s is setting up"),
    }
    planned = _("Your plan answers at about %(time)s.")
    locale = reader_locale()
    rows = []
    for place, each in enumerate(listed):
        badges = paused if each.paused_at is not None else ""
        if each.draw_offer not in (None, each.seat):
            badges += offered
        state = states[each.to_act, each.status == Status.SETUP]
        if not each.to_act:
            state %= {"opponent": each.opponent}
        elif each.plan_answers_at is not None:
            state = planned % {"time": clock_time(each.plan_answers_at, now, locale)}
        left = time_left(each.deadline if each.to_act else each.opponent_deadline, now, locale)
        rows.append(
            f"<tr>{head.row(each, place)}{_set(each, whole, reader)}</td>"
            f'<td class="wide">{escape(state)}{badges}{_moved(each, last_moves, reader)}</td>'
            f'<td class="wide">{left}</td></tr>'
        )
    return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


@register.simple_tag
def finished_rows(listed: Iterable[ListedMatch], whole: Whole, reader: User) -> SafeString:
    """Rows of finished matches: opponent, game, result."""
    head = _Head()
    rows = []
    for place, each in enumerate(listed):
        result = narration.result(whole[each.number], _names(each, reader))
        rows.append(
            f"<tr>{head.row(each, place)}</td>"
            f'<td class="wide">{escape(result)}{_set(each, whole, reader)}</td></tr>'
        )
    return mark_safe("".join(rows))  # noqa: S308 - joined from escaped parts


class _Head:
    """Makes the first cells of each row; caches the translated texts that all rows share."""

    def __init__(self) -> None:
        self._before, self._after = reverse("play:match", args=[0]).split("0")
        self._label, self._changed = escape(_("Match:")), _badge(_("Custom rules"))
        self._written = _badge(_("Unread talk"))
        self._titles: dict[str, str] = {}  # by preset, as the next
        self._sizes: dict[str, str] = {}
        self._small = reverse("play:small", args=[0, 0]).split("0")

    def row(self, each: ListedMatch, place: int) -> str:
        """Small board, opponent, number and game; the last cell is left open."""
        address = f"{self._before}{each.number}{self._after}"
        game = self._titles.get(each.preset)
        if game is None:
            game = escape(_(registry.ruleset(each.preset).title))
            self._titles[each.preset] = game
        note = f'<br><span class="small">{escape(each.first_words)}</span>' if each.note else ""
        return (
            f'<th scope="row">{self._board(each, place)}'
            f'<a href="{address}">{escape(each.opponent)}</a>'
            f"{house_badge(each.opponent)}{self._written if each.talk_unread else ''}{note}</th>"
            f'<td data-label="{self._label}">{each.number}</td>'
            f'<td class="wide">{game}{self._changed if each.switches else ""}'
        )

    def _board(self, each: ListedMatch, place: int) -> str:
        """The small board of one of the first rows, once both armies stand."""
        if place >= MAX_SMALL_BOARDS or each.opening is None:
            return ""
        size = self._sizes.get(each.preset)
        if size is None:
            width, height = small_boards.size(registry.ruleset(each.preset))
            size = self._sizes[each.preset] = f'width="{width}" height="{height}"'
        before, between, after = self._small
        path = f"{before}{each.number}{between}{each.ply - each.opening}{after}"
        return f'<img class="small-board" src="{path}" {size} alt="" loading="lazy">'


def _moved(each: ListedMatch, last_moves: Mapping[int, Entry], reader: User) -> str:
    """The last move in words; "" before the first."""
    entry = last_moves.get(each.number)
    if entry is None:
        return ""
    rules = registry.ruleset(each.preset, each.switches)
    sentence = narration.entry_text(rules, entry, _names(each, reader))
    return f'<br><span class="small">{escape(sentence)}</span>'


def _set(each: ListedMatch, whole: Whole, reader: User) -> str:
    """The score of a set of two; "" for a single match."""
    if each.twin_id is None:
        return ""
    text = sets.score_text(whole[each.number], _names(each, reader))
    return f' <span class="small">{escape(text)}</span>'


def _names(each: ListedMatch, reader: User) -> dict[Seat, str]:
    seat = Seat(each.seat)
    return {seat: str(reader), seat.other: each.opponent}


def _badge(text: str) -> str:
    return f' <span class="badge note">{escape(text)}</span>'
