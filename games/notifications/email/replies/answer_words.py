"""Command words of answers, as e-mails name them in the active language."""

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from lib.mail_words import WORDS

LANGUAGES = ("de", "fr", "zh-hant")


def word(english: str) -> str:
    """The command in the active language, such as "draw?" or "wait 1d"; arguments stay as given."""
    language = (get_language() or "en").lower()
    if language not in LANGUAGES:
        return english
    name, *arguments = english.removesuffix("?").split()
    return " ".join([WORDS[name][1 + LANGUAGES.index(language)], *arguments])


def quoted(english: str) -> str:
    """The command in the active language and its quotation marks."""
    return in_marks(word(english))


def in_marks(text: str) -> str:
    """A text as written, in the quotation marks of the active language."""
    return _("“%(word)s”") % {"word": text}


def words(*english: str) -> str:
    """Several commands, in quotation marks and separated by commas."""
    return pgettext("between the words of a list", ", ").join(map(quoted, english))
