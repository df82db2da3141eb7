"""Translation of texts of the rules: refusals and notes in the reader's language."""

from collections.abc import Mapping

from django.utils.translation import gettext

from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.basics.sentence import Sentence


def refusal_text(refusal: Refusal) -> str:
    """The sentence of a refusal, translated, including those of its values that are words."""
    return _say(refusal.template, refusal.values)


def note_text(note: Sentence) -> str:
    """A remark of the rules on a position, translated."""
    return _say(note.template, note.values)


def refusal_texts(refusal: Refusal) -> list[str]:
    """All sentences of a refusal: a set-up may have several faults."""
    faults = refusal.faults if isinstance(refusal, BadSetup) else ()
    return [refusal_text(fault) for fault in faults or (refusal,)]


def _say(template: str, values: Mapping[str, object]) -> str:
    return gettext(template) % {name: _word(fact) for name, fact in values.items()}


def _word(fact: object) -> object:
    if isinstance(fact, Refusal):
        # A record's refusal names the place, and its reason is the refusal of the rules.
        return refusal_text(fact)
    return gettext(fact) if isinstance(fact, str) and fact else fact
