"""The rules of an invitation in words: as in the first edition of the game, except.

Made from the switches that every rule system declares, so that a new game needs nothing here.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.lobby.models import Invitation
from games.rules import registry
from games.rules.core.ruleset import Ruleset
from games.rules.core.switches import Switch, Value, write_value


@dataclass(frozen=True)
class Terms:
    """Sentences about every switch of an invitation's rules, each in one of three lists."""

    title: str
    base: str  # the title of the game's first edition
    changed: list[str]  # agreed for this match alone
    edition: list[str]  # in what the preset differs from the first edition
    common: list[str]  # the rest


def terms(invitation: Invitation) -> Terms:
    """What somebody who accepts agrees to."""
    rules, preset = invitation.rules, registry.ruleset(invitation.preset)
    first = first_edition(preset)
    changed = _differing(rules, preset)
    edition = [name for name in _differing(rules, first) if name not in changed]
    common = [name for name in rules.switches if name not in changed and name not in edition]
    words = _words(rules)
    return Terms(
        title=_(rules.title),
        base=_(first.title),
        changed=[words[name] for name in changed],
        edition=[words[name] for name in edition],
        common=[words[name] for name in common],
    )


def summary(rules: Ruleset) -> str:
    """What to know of a preset before choosing it: its ground, or in what it differs."""
    first = first_edition(rules)
    differing = _differing(rules, first)
    if differing:
        words = {
            spec.name: sentence(spec, rules.switches[spec.name]) for spec in rules.switch_specs
        }
        return " ".join(words[name] for name in differing)
    facts = {"files": rules.board.files, "ranks": rules.board.ranks}
    if rules.hidden:
        return _("%(files)s by %(ranks)s squares, and two armies whose ranks are secret.") % facts
    return _("%(files)s by %(ranks)s points, and nothing is secret.") % facts


def first_edition(rules: Ruleset) -> Ruleset:
    """The preset of the same game that the others are told apart from."""
    return next(other for other in registry.presets() if other.family == rules.family)


def sentence(spec: Switch, value: Value) -> str:
    """What a switch says at this value; its name and value where the rules have no words for it."""
    for known, words in spec.choices:
        if type(known) is type(value) and known == value:
            return _(words)
    return f"{spec.name}: {write_value(value)}"


def _words(rules: Ruleset) -> dict[str, str]:
    """A sentence for each switch, by its name."""
    return {spec.name: sentence(spec, rules.switches[spec.name]) for spec in rules.switch_specs}


def _differing(rules: Ruleset, other: Ruleset) -> list[str]:
    """The names of the switches that stand otherwise."""
    return [name for name, value in rules.switches.items() if value != other.switches[name]]
