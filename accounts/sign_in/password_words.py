"""Words of this service in passwords: a password of such words alone is easy to guess here."""

import unicodedata

from django.core.exceptions import ValidationError
from django.utils.translation import gettext as _

# Names of the service, its games and its roles, and words of what it is about.
OWN_WORDS = (
    *("estafette", "lattaque", "attaque", "stratego", "domino", "tactique", "assaut"),
    *("correspondence", "password", "passwort", "match", "board", "game", "play"),
    *("flag", "drapeau", "fahne", "marshal", "general", "spy", "scout", "miner", "bomb", "mine"),
    *("admin", "administrator", "staff", "moderator", "operator", "organiser", "house", "bot"),
)


def is_own_words(password: str) -> bool:
    """Whether the letters of a password, without accents, form words of this service alone."""
    plain = unicodedata.normalize("NFKD", password).casefold()
    letters = "".join(filter(str.isalpha, plain))
    ends = {0}  # the lengths of beginnings that consist of such words
    for start in range(len(letters)):
        if start in ends:
            ends |= {start + len(word) for word in OWN_WORDS if letters.startswith(word, start)}
    return bool(letters) and len(letters) in ends


class OwnWordsValidator:
    """Refuses passwords of OWN_WORDS; named by AUTH_PASSWORD_VALIDATORS."""

    def validate(self, password: str, user: object = None) -> None:
        if is_own_words(password):
            raise ValidationError(
                _("This password consists of words of this site. Add words that are your own."),
                code="password_of_own_words",
            )

    def get_help_text(self) -> str:
        return _("Your password can’t consist only of words of this site.")
