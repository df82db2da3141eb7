"""The terms of a match in words: a line for each, and sentences about the rules.

The sentences are made from the options that every rule set declares, so a new game needs no change
here.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play.terms import Terms
from games.play.words import rulebook, times
from games.play.words.rulebook import differing
from games.rules import registry


class Line(NamedTuple):
    """A term: its name and a sentence. `on_match_page`: the match page shows it, too."""

    label: str
    sentence: str
    on_match_page: bool = False


@dataclass(frozen=True)
class Description:
    """All terms in words: the lines, and a sentence for each rule in one of three lists."""

    lines: list[Line]
    title: str
    base: str  # the title of the game's first edition
    changed: list[str]  # rule options of this match
    edition: list[str]  # where the preset differs from the first edition
    common: list[str]  # the others


def describe(terms: Terms) -> Description:
    """What a player agrees to by accepting, in the reader's language."""
    rules, preset = terms.rules, registry.ruleset(terms.preset)
    first = registry.first_edition(preset)
    changed = differing(rules, preset)
    edition = [name for name in differing(rules, first) if name not in changed]
    common = [name for name in rules.options if name not in changed and name not in edition]
    words = rulebook.sentences(rules)
    return Description(
        lines=lines(terms),
        title=_(rules.title),
        base=_(first.title),
        changed=[words[name] for name in changed],
        edition=[words[name] for name in edition],
        common=[words[name] for name in common],
    )


def lines(terms: Terms) -> list[Line]:
    """A line for each term that has a sentence; seat and rules have none."""
    return [line for say in LINES.values() if (line := say(terms)) is not None]


def _set_of_two(terms: Terms) -> Line | None:
    if not terms.as_set:
        return None
    sentence = _("Two matches at once with sides swapped, and one overall result.")
    return Line(_("Set of two"), sentence)


def _pace(terms: Terms) -> Line:
    return Line(_("Time control"), times.pace(terms.pace))


def _time_out(terms: Terms) -> Line:
    if terms.soft:
        sentence = _("The opponent may claim the win, give another day, or wait.")
    else:
        sentence = _("The match is lost.")
    return Line(_("When time runs out"), sentence)


def _vacations(terms: Terms) -> Line:
    if terms.vacations:
        sentence = _("Allowed: a deadline during a vacation moves to its end.")
    else:
        sentence = _("Not allowed in this match.")
    return Line(_("Vacations"), sentence)


def _memory_aid(terms: Terms) -> Line | None:
    if not terms.rules.hidden:
        return None
    if terms.memory_aid:
        return Line(_("Memory aid"), _("On: the match page remembers what you have seen."))
    sentence = _("Off: both players have to remember it themselves.")
    return Line(_("Memory aid"), sentence, on_match_page=True)


def _rated(terms: Terms) -> Line:
    if terms.rated:
        return Line(_("Rated"), _("Yes: the result counts for both ratings."), on_match_page=True)
    return Line(_("Rated"), _("No: a friendly match."))


def _listed(terms: Terms) -> Line | None:
    if terms.listed:
        return None
    return Line(_("Visitors"), _("The match is not listed while it is played."))


def _setup_pace(terms: Terms) -> Line:
    return Line(_("Time for the set-up"), times.setup_time(terms.setup_pace))


# By the names of the terms, in the order of the page.
LINES: dict[str, Callable[[Terms], Line | None]] = {
    "as_set": _set_of_two,
    "rated": _rated,
    "pace": _pace,
    "soft": _time_out,
    "vacations": _vacations,
    "memory_aid": _memory_aid,
    "setup_pace": _setup_pace,
    "listed": _listed,
}
