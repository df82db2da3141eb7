"""The rules of a match in sentences: what its switches say, and in what they differ.

Made from the switches that every rule system declares, so that a new game needs nothing here.
"""

from games.play.wording import say_note
from games.rules import registry
from games.rules.core.ruleset import Ruleset


def differing(rules: Ruleset, other: Ruleset) -> list[str]:
    """The names of the switches that stand otherwise."""
    return [name for name, value in rules.switches.items() if value != other.switches[name]]


def sentences(rules: Ruleset) -> dict[str, str]:
    """A sentence for each switch, by its name, in the reader's language."""
    values = rules.switches
    return {spec.name: say_note(spec.say(values[spec.name])) for spec in rules.switch_specs}


def agreed(rules: Ruleset) -> list[str]:
    """What was agreed for one match alone: where its rules differ from their preset."""
    preset = registry.ruleset(rules.key)
    if rules is preset:
        return []
    words = sentences(rules)
    return [words[name] for name in differing(rules, preset)]
