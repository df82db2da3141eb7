"""Rules of a match in sentences: what its options mean, and how they differ from the edition.

Made from the options that every game declares, so a new game needs no change here.
"""

from django.utils.translation import gettext

from games.play.words.wording import note_text
from games.rules import registry
from games.rules.core.basics.options import Letters, Option
from games.rules.core.basics.sentence import Sentence
from games.rules.core.ruleset.base import Ruleset


def differing(rules: Ruleset, other: Ruleset) -> list[str]:
    """The names of the options with other values."""
    return [name for name, value in rules.options.items() if value != other.options[name]]


def sentences(rules: Ruleset) -> dict[str, str]:
    """A sentence for each option, by its name, in the reader's language."""
    return {spec.name: _sentence(rules, spec) for spec in rules.option_specs}


def _sentence(rules: Ruleset, spec: Option) -> str:
    """The sentence of an option; pieces in it have their names, not their letters."""
    value = rules.options[spec.name]
    note = spec.say(value)
    if isinstance(spec, Letters) and note.values:
        names = ", ".join(gettext(rules.piece_names[letter]) for letter in str(value))
        note = Sentence(note.template, {"letters": names})
    return note_text(note)


def agreed(rules: Ruleset) -> list[str]:
    """What was agreed for this match: where its rules differ from their preset."""
    preset = registry.ruleset(rules.key)
    if rules is preset:
        return []
    words = sentences(rules)
    return [words[name] for name in differing(rules, preset)]


def summary(rules: Ruleset) -> str:
    """A short description of a preset; that of a first edition includes board and secrecy."""
    about = gettext(rules.about)
    if registry.first_edition(rules) is not rules:
        return about
    values = {"files": rules.board.files, "ranks": rules.board.ranks}
    if rules.hidden:
        ground = gettext("%(files)s by %(ranks)s squares, and two armies with hidden ranks.")
    else:
        ground = gettext("%(files)s by %(ranks)s points, with nothing hidden.")
    return f"{ground % values} {about}"
