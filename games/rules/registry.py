"""Registry of all games and their presets."""

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

systems: dict[str, tuple[Ruleset, ...]] = {}

_PRESETS: dict[str, Ruleset] = {}


def register(editions: tuple[Ruleset, ...]) -> None:
    """Add a game; its first edition is the one with which the others are compared."""
    systems[editions[0].family] = editions
    _PRESETS.update((rules.key, rules) for rules in editions)


def withdraw(family: str) -> None:
    """Remove a game and all its editions."""
    for rules in systems.pop(family):
        del _PRESETS[rules.key]


register(lattaque.EDITIONS)
register(domino.EDITIONS)
register(tactique.EDITIONS)
register(assaut.EDITIONS)


def presets() -> tuple[Ruleset, ...]:
    """All presets, family by family."""
    return tuple(_PRESETS.values())


def title(family: str) -> str:
    """The name of a game, whatever the edition."""
    return systems[family][0].title


def first_edition(rules: Ruleset) -> Ruleset:
    """The first preset of the same game, with which the others are compared."""
    return systems[rules.family][0]


def ruleset(key: str, switches: Mapping[str, Value] | None = None) -> Ruleset:
    """A preset, with some switches set otherwise; raises UnknownRuleset."""
    if not isinstance(key, str) or key not in _PRESETS:
        raise UnknownRuleset(
            gettext_noop("There are no rules called %(key)s; there are %(keys)s."),
            key=str(key)[:40],
            keys=", ".join(_PRESETS),
        )
    if not switches:
        return _PRESETS[key]
    # The values are admitted first: True and 1 would share a place in the cache.
    wanted = _PRESETS[key].with_switches(switches).switches
    return _switched(key, tuple(wanted.items()))


@lru_cache(maxsize=256)
def _switched(key: str, switches: tuple[tuple[str, Value], ...]) -> Ruleset:
    """One ruleset object for equal switches, since its tables are made once for each object."""
    rules = _PRESETS[key].with_switches(dict(switches))
    return _PRESETS[key] if rules == _PRESETS[key] else rules


def canonical_preset(key: str, switches: Mapping[str, Value]) -> tuple[str, dict[str, Value]]:
    """The shortest name of a set of rules: a preset, and the switches that differ from it.

    Switches that make another preset of these rules are that preset; raises UnknownRuleset.
    """
    rules = ruleset(key, switches)
    for preset in systems[rules.family]:
        if preset.switches == rules.switches:
            return preset.key, {}
    usual = _PRESETS[key].switches
    return key, {name: value for name, value in rules.switches.items() if value != usual[name]}


def ruleset_of(record: Record) -> Ruleset:
    """The rules by which a recorded match was played; raises BadRecord."""
    tag = "System"
    try:
        ruleset(record.system)
        tag = "Switches"
        return ruleset(record.system, record.switches)
    except UnknownRuleset as refusal:
        raise at_tag(record, tag, refusal) from refusal


def check_record(record: Record) -> Position:
    """The last position of a record that plays through; raises a Refusal that says where not."""
    return check(ruleset_of(record), record)
