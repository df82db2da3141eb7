"""Command words of answers, as e-mails name them in the active language."""

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from lib.mail_words import WORDS

LANGUAGES = ("de", "fr", "zh-hant")


def word(english: str) -> str:
    """The word to write in the active language, such as "draw?" or "wait 1d"."""
    language = (get_language() or "en").lower()
    if language not in LANGUAGES:
        return english
    name, *days = english.removesuffix("?").split()
    return " ".join([WORDS[name][1 + LANGUAGES.index(language)], *days])


def words(*english: str) -> str:
    """Several words, in quotation marks and separated by commas."""
    quoted = [_("“%(word)s”") % {"word": word(each)} for each in english]
    return pgettext("between the words of a list", ", ").join(quoted)
