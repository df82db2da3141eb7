"""Sentences that say what has to follow a command word."""

from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from games.mail.reading.commands import Verb
from games.notifications.email.replies.answer_words import word
from games.rules import registry

# A mail program may wrap a quoted sentence, and a part of it must not read as a command. So these
# are too short to be wrapped, or name their command near the beginning.
_OF_GAME = (
    gettext_lazy("A game has to follow: “seat domino 3d” is an example."),
    gettext_lazy("After “challenge” a player is named before the game."),
)
_OF_MATCH = (gettext_lazy("Only the number of a match can follow: “board 7”."),)
_OF_INVITATION = (
    gettext_lazy("The number of an invitation has to follow: “join 12”."),
    gettext_lazy("Write “lobby” to get the list of those you can accept."),
)
_OF_TOURNAMENT = (gettext_lazy("The number of a tournament has to follow: “enter 7”."),)
_OF_WORDS = (gettext_lazy("Your own words have to follow on the same line."),)
SENTENCES: dict[Verb, tuple[Promise, ...]] = {
    **dict.fromkeys((Verb.SEAT, Verb.PLAY, Verb.CHALLENGE, Verb.LADDER), _OF_GAME),
    **dict.fromkeys((Verb.BOARD, Verb.MOVES, Verb.RULES, Verb.PLAN), _OF_MATCH),
    **dict.fromkeys((Verb.JOIN, Verb.WITHDRAW), _OF_INVITATION),
    **dict.fromkeys((Verb.ENTER, Verb.LEAVE), _OF_TOURNAMENT),
    **dict.fromkeys((Verb.SAY, Verb.NOTE), _OF_WORDS),
    Verb.WAIT: (gettext_lazy("One day at a time can be given: “wait 1d”."),),
    Verb.SETUP: (gettext_lazy("A colon and the name of a saved set-up have to follow."),),
}
OF_GAMES = frozenset((Verb.SEAT, Verb.PLAY, Verb.CHALLENGE, Verb.LADDER))
OF_TOURNAMENTS = frozenset((Verb.ENTER, Verb.LEAVE))
OF_THE_LOBBY = OF_GAMES | OF_TOURNAMENTS | {Verb.JOIN, Verb.WITHDRAW}


def sentences(verb: Verb, *, in_lobby: bool) -> tuple[str, ...]:
    """What is missing after a command word, in the active language, with the names of the games.

    `in_lobby`: whether the e-mail that was answered takes commands about the lobby.
    """
    return (
        _("One line begins like a command, but is none."),
        *map(str, SENTENCES[verb]),
        *(names() if verb in OF_GAMES else ()),
        *((list_of_tournaments(),) if verb in OF_TOURNAMENTS else ()),
        *((where_to_write(),) if verb in OF_THE_LOBBY and not in_lobby else ()),
    )


def names() -> tuple[str, str]:
    """The names of games, and of their editions, that commands take."""
    editions = (rules.key for rules in registry.editions() if rules.key not in registry.games)
    return (
        _("Names of games: %(games)s.") % {"games": ", ".join(registry.games)},
        _("Names of their editions: %(editions)s.") % {"editions": ", ".join(editions)},
    )


def list_of_tournaments() -> str:
    """How to get the list of tournaments."""
    return _("Write “%(tournaments)s” to get their list.") % {"tournaments": word("tournaments")}


def where_to_write() -> str:
    """Where commands about the lobby, ladders and tournaments are sent."""
    sentence = _("Write “%(matches)s” first, and send it as a reply to the list that you get.")
    return sentence % {"matches": word("matches")}
