"""Sentences that say what has to follow a command word."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.mail.reading.commands import Verb
from games.notifications.email.replies.answer_words import word
from games.rules import registry

_GAME = gettext_lazy(
    "After “seat”, “play” or “ladder” the name of a game has to follow, as in “seat domino 3d”; "
    "after “challenge” a player and a game, as in “challenge clara assaut”."
)
_OF_MATCH = gettext_lazy(
    "After “board”, “moves”, “rules” or “plan” nothing can follow but the number of a match, as in "
    "“board 7”; your matches are listed if you write “matches”."
)
_OF_INVITATION = gettext_lazy(
    "After “join” or “withdraw” the number of an invitation has to follow, as in “join 12”; the "
    "open ones are listed if you write “lobby”."
)
_OF_TOURNAMENT = gettext_lazy(
    "After “enter” or “leave” the number of a tournament has to follow, as in “enter 7”; they are "
    "listed if you write “tournaments”."
)
_WORDS = gettext_lazy(
    "After “say” your words to the opponent have to follow on the same line, after “note” those "
    "for your private notes."
)
SENTENCES: dict[Verb, Promise | str] = {
    **dict.fromkeys((Verb.SEAT, Verb.PLAY, Verb.CHALLENGE, Verb.LADDER), _GAME),
    **dict.fromkeys((Verb.BOARD, Verb.MOVES, Verb.RULES, Verb.PLAN), _OF_MATCH),
    **dict.fromkeys((Verb.JOIN, Verb.WITHDRAW), _OF_INVITATION),
    **dict.fromkeys((Verb.ENTER, Verb.LEAVE), _OF_TOURNAMENT),
    **dict.fromkeys((Verb.SAY, Verb.NOTE), _WORDS),
    Verb.WAIT: gettext_lazy(
        "You can give one day at a time, with “wait 1d”; you may send it again."
    ),
    Verb.SETUP: gettext_lazy(
        "After “set-up:” the name of one of your saved set-ups has to follow; or send the rows "
        "themselves, as the e-mail of the match shows them."
    ),
}
OF_GAMES = frozenset((Verb.SEAT, Verb.PLAY, Verb.CHALLENGE, Verb.LADDER))
OF_THE_LOBBY = OF_GAMES | {Verb.JOIN, Verb.WITHDRAW, Verb.ENTER, Verb.LEAVE}


def sentences(verb: Verb, *, in_lobby: bool) -> tuple[str, ...]:
    """What is missing after a command word, in the active language; with the names of the games.

    `in_lobby`: whether the e-mail that was answered takes commands about the lobby.
    """
    of_games = (names(),) if verb in OF_GAMES else ()
    elsewhere = (where_to_write(),) if verb in OF_THE_LOBBY and not in_lobby else ()
    return (str(SENTENCES[verb]), *of_games, *elsewhere)


def names() -> str:
    """The names of games and of their editions that commands take."""
    words = _("Names of games: %(games)s. Names of their editions: %(editions)s.")
    editions = (rules.key for rules in registry.editions() if rules.key not in registry.games)
    return words % {"games": ", ".join(registry.games), "editions": ", ".join(editions)}


def where_to_write() -> str:
    """Where commands about the lobby, ladders and tournaments are sent."""
    sentence = _("Write “%(matches)s” first, and send it as a reply to the list that you get.")
    return sentence % {"matches": word("matches")}
