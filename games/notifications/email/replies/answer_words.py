"""Words of answers: what a reader may write to an e-mail, in each language of the interface.

games/mail reads all of them whatever the reader's language; here they are named and filled in.
"""

from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

# By the English word: German, French, Traditional Chinese.
WORDS = {
    "resign": ("aufgeben", "abandonner", "認輸"),
    "draw?": ("remis", "nulle", "提和"),
    "accept": ("annehmen", "accepter", "接受"),
    "decline": ("ablehnen", "refuser", "婉拒"),
    "board": ("brett", "plateau", "棋盤"),
    "moves": ("züge", "coups", "棋步"),
    "rules": ("regeln", "règles", "規則"),
    "help": ("hilfe", "aide", "說明"),
    "matches": ("partien", "parties", "對局"),
    "wait 1d": ("warten 1d", "attendre 1d", "等待 1d"),
    "random": ("zufällig", "hasard", "隨機"),
    "keep": ("behalten", "garder", "保留"),
    "rematch": ("revanche", "revanche", "再戰"),
    "abort": ("abbrechen", "annuler", "取消"),
    "yes": ("ja", "oui", "是"),
    "no": ("nein", "non", "否"),
}
LANGUAGES = ("de", "fr", "zh-hant")


def word(english: str) -> str:
    """The word to write, in the language that is active."""
    language = (get_language() or "en").lower()
    if language not in LANGUAGES:
        return english
    return WORDS[english][LANGUAGES.index(language)]


def words(*english: str) -> str:
    """Several of them, in quotation marks, between commas."""
    quoted = [_("“%(word)s”") % {"word": word(each)} for each in english]
    return pgettext("between the words of a list", ", ").join(quoted)
