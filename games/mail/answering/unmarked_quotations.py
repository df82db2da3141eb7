"""Unmarked quotations: recognizes text of our e-mails among the lines of a reply.

Mail programs may quote without marks and without blank lines. Then only the words distinguish the
e-mail from what the player wrote. Every e-mail ends with a sentence about its commands and one
about itself, so a complete quotation is recognized by these.
"""

import re
from collections.abc import Sequence
from functools import cache
from itertools import takewhile

from django.conf import settings
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, override

from games.notifications.email.replies import hints

# At the foot of every e-mail, see templates/mail/base.txt and base.html.
FOOT = gettext_noop("You get this e-mail because you play on Estafette.")
PLACEHOLDER = re.compile(r"%\(\w+\)s")
# Chinese has no blanks between words, so each of its characters counts as one.
WIDE = "\u2e80-\u9fff\uf900-\ufaff\uff00-\uffef"
WORD = re.compile(f"[{WIDE}]|[^\\s{WIDE}]+")


def words(text: str) -> str:
    """The words of a text in lower case, separated by single blanks, however it was wrapped."""
    return " ".join(WORD.findall(text.casefold()))


def is_within_one(lines: Sequence[str], own_words: str) -> bool:
    """Whether a reply quotes an e-mail of ours around the line that holds `own_words`.

    That is without marks, and without a blank line between it and that line.
    """
    place = next((number for number, line in enumerate(lines) if own_words in line), None)
    if place is None:
        return False
    above = takewhile(str.strip, reversed(lines[:place]))
    below = takewhile(str.strip, lines[place + 1 :])
    around = f" {words(' '.join([*reversed([*above]), *below]))} "
    return any(fixed in around for fixed in _fixed_words())


@cache
def _fixed_words() -> frozenset[str]:
    """The longest fixed parts of sentences that every answerable e-mail contains, by language."""
    fixed = set()
    for language, _name in settings.LANGUAGES:
        with override(language):
            for sentence in (hints.ALSO, hints.ANSWERS, FOOT):
                fixed.add(max(map(words, PLACEHOLDER.split(_(sentence))), key=len))
    return frozenset(f" {text} " for text in fixed)
