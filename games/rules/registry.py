"""Registry of all games and their editions."""

from collections.abc import Mapping
from functools import lru_cache

from games.rules.core.basics.options import Value
from games.rules.core.basics.refusals import UnknownRuleset, gettext_noop
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import Record, at_tag, check
from games.rules.systems import domino
from games.rules.systems.assaut import game as assaut
from games.rules.systems.lattaque import game as lattaque
from games.rules.systems.tactique import game as tactique

games: dict[str, tuple[Ruleset, ...]] = {}  # the editions of each game, by its family key

_EDITIONS: dict[str, Ruleset] = {}


def register(of_one_game: tuple[Ruleset, ...]) -> None:
    """Add a game; its first edition is the one with which the others are compared."""
    games[of_one_game[0].family] = of_one_game
    _EDITIONS.update((rules.key, rules) for rules in of_one_game)


def withdraw(family: str) -> None:
    """Remove a game and all its editions."""
    for rules in games.pop(family):
        del _EDITIONS[rules.key]


register(lattaque.EDITIONS)
register(domino.EDITIONS)
register(tactique.EDITIONS)
register(assaut.EDITIONS)


def editions() -> tuple[Ruleset, ...]:
    """All editions, game by game."""
    return tuple(_EDITIONS.values())


def title(family: str) -> str:
    """The name of a game, whatever the edition."""
    return games[family][0].title


def first_edition(rules: Ruleset) -> Ruleset:
    """The first edition of the same game, with which the others are compared."""
    return games[rules.family][0]


def ruleset(key: str, options: Mapping[str, Value] | None = None) -> Ruleset:
    """An edition, with other values of some options; raises UnknownRuleset."""
    if not isinstance(key, str) or key not in _EDITIONS:
        raise UnknownRuleset(
            gettext_noop("There are no rules called %(key)s; there are %(keys)s."),
            key=str(key)[:40],
            keys=", ".join(_EDITIONS),
        )
    if not options:
        return _EDITIONS[key]
    # The values are admitted first: True and 1 would share an entry of the cache.
    wanted = _EDITIONS[key].with_options(options).options
    return _with_options(key, tuple(wanted.items()))


@lru_cache(maxsize=256)
def _with_options(key: str, options: tuple[tuple[str, Value], ...]) -> Ruleset:
    """One ruleset object for equal options, since each object makes its own tables."""
    rules = _EDITIONS[key].with_options(dict(options))
    return _EDITIONS[key] if rules == _EDITIONS[key] else rules


def canonical_edition(key: str, options: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """The shortest name of some rules: an edition, and the options that differ from it.

    Options that make another edition are that edition; raises UnknownRuleset.
    """
    rules = ruleset(key, options)
    for edition in games[rules.family]:
        if edition.options == rules.options:
            return edition.key, {}
    usual = _EDITIONS[key].options
    return key, {name: value for name, value in rules.options.items() if value != usual[name]}


def ruleset_of(record: Record) -> Ruleset:
    """The rules by which a recorded match was played; raises BadRecord."""
    tag = "System"
    try:
        ruleset(record.edition)
        tag = "Switches"
        return ruleset(record.edition, record.options)
    except UnknownRuleset as refusal:
        raise at_tag(record, tag, refusal) from refusal


def check_record(record: Record) -> Position:
    """The last position of a record that plays through; raises a Refusal that names the fault."""
    return check(ruleset_of(record), record)
