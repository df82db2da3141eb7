"""Handlers: list the lobby, find an opponent, offer a seat, challenge, join an invitation."""

import re
from collections.abc import Iterable
from dataclasses import replace

from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import admission, listing
from games.lobby.invitations.candidates import Candidate
from games.lobby.models import Invitation, InvitationKind
from games.mail.answering import refusal_answers
from games.mail.answering.actions import argument_sentences
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.mail.reading.grammar.command_words import FRIENDLY_WORDS, RATED_WORDS
from games.notifications.email.replies.answer_words import quoted
from games.people.blocking import challenges
from games.play import time_controls
from games.play.terms import DEFAULT_PACE, Terms
from games.play.words.times import span
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset
from lib.db_clock import now
from lib.spelling import typed_text

MAX_LISTED = 20
MIN_PREFIX_CHARACTERS = 4  # of an abbreviated game name
RATED = dict.fromkeys(RATED_WORDS.split(), True) | dict.fromkeys(FRIENDLY_WORDS.split(), False)
NOT_IN_KEYS = re.compile("[^a-z0-9-]")


def show_lobby(context: MessageContext, command: Command) -> Answer:
    """List challenges to the player, and open seats of others that the player may take."""
    reader = Candidate.of_user(context.user.pk, now())
    invitations = Invitation.objects.select_related("owner")
    challenges = list(invitations.challenges_to(context.user)[:MAX_LISTED])
    seats = list(invitations.seats_for(context.user).filter(reader.may_take())[:MAX_LISTED])
    empty = (_("None at the moment."),)
    parts = (
        (_("Challenges for you:"), _lines(challenges) or empty),
        (_("Open seats:"), _lines(seats) or empty),
    )
    words = [_("The lobby at the moment.")]
    if listed := [*challenges, *seats]:
        hint = _(
            "To accept an invitation, reply with “join %(number)s”, for example, on a line of its "
            "own."
        )
        words.append(hint % {"number": listed[0].pk})
    return Answer(MessageOutcome.SHOWN, tuple(words), parts=parts)


def play(context: MessageContext, command: Command) -> Answer:
    """Accept the open seat of somebody of the player's strength, or else offer one."""
    understood = quoted(f"play {command.argument}")
    terms = _read_terms(context, understood, command.argument.split())
    if isinstance(terms, Answer):
        return terms
    try:
        invitation = commands.find_opponent(context.user, terms.preset, terms.pace)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    if invitation.match_id is not None:
        return _begun(invitation.match_id)
    nobody = _("Nobody of your strength is waiting.")
    return Answer(MessageOutcome.OFFERED, (nobody, _offered(invitation)))


def offer_seat(context: MessageContext, command: Command) -> Answer:
    """Offer an open seat; the time control is three days per move by default."""
    return _offer(context, quoted(f"seat {command.argument}"), command.argument.split(), None)


def challenge(context: MessageContext, command: Command) -> Answer:
    """Challenge a player by username."""
    name, *words = command.argument.split()
    understood = quoted(f"challenge {command.argument}")
    guest = challenges.find(typed_text.plain(name).removeprefix("@"))
    if guest is None:
        sentence = _("There is no player called “%(handle)s”. Check the spelling.")
        return refusal_answers.refused(context, understood, sentence % {"handle": name})
    return _offer(context, understood, words, guest)


def join(context: MessageContext, command: Command) -> Answer:
    """Accept the open seat or challenge with the given number."""
    understood = quoted(f"join {command.argument}")
    try:
        match = commands.accept(int(command.argument), context.user)
    except Invitation.DoesNotExist:
        words = _("There is no invitation with that number for you to accept.")
        listed = _("Write “lobby” to get the list of those you can accept.")
        return refusal_answers.refused(context, understood, words, listed)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    return _begun(match.pk)


def _offer(
    context: MessageContext, understood: str, words: list[str], guest: User | None
) -> Answer:
    choices = [RATED[word.lower()] for word in words if word.lower() in RATED]
    if len(set(choices)) > 1:
        sentence = _("Write either “rated” or “friendly”.")
        return refusal_answers.refused(context, understood, sentence)
    terms = _read_terms(context, understood, [w for w in words if w.lower() not in RATED])
    if isinstance(terms, Answer):
        return terms
    rated = choices[0] if choices else admission.may_be_rated(terms, context.user, guest)
    kind = InvitationKind.SEAT if guest is None else InvitationKind.CHALLENGE
    try:
        offered = commands.offer(context.user, replace(terms, rated=rated), kind=kind, guest=guest)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    if offered.match_id is not None:  # a house opponent accepts at once
        return _begun(offered.match_id)
    return Answer(MessageOutcome.OFFERED, (_offered(offered),))


def _read_terms(context: MessageContext, understood: str, words: list[str]) -> Terms | Answer:
    """The terms of a game, an edition and a time control, or the answer that refuses them."""
    game, *rest = words
    rules, pace = _preset(game, rest), _pace(rest)
    if rules is None:
        sentence = _("There is no game called “%(game)s”.") % {"game": game}
        return refusal_answers.refused(context, understood, sentence, *argument_sentences.names())
    if pace is None:
        sentences = [_("Write the time per move as 3d or 36h; “none” means no time limit.")]
        if NOT_IN_KEYS.sub("", rest[0].lower()).isalpha():  # rather an edition
            sentences += argument_sentences.names()
        return refusal_answers.refused(context, understood, *sentences)
    return Terms(rules.key, pace=pace, as_set=rules.sets, vacations=True)


def _begun(match_id: int) -> Answer:
    words = _("Accepted: match %(number)s begins.") % {"number": match_id}
    return Answer(MessageOutcome.ACCEPTED, (words,), match_id)


def _offered(invitation: Invitation) -> str:
    values = {
        "number": invitation.pk,
        "game": _(invitation.rules.title),
        "pace": span(invitation.pace),
        "kind": _kind(invitation),
    }
    words = _("Offered: %(game)s, %(pace)s, %(kind)s; it is number %(number)s in the lobby.")
    return words % values


def _kind(invitation: Invitation) -> str:
    return _("rated") if invitation.rated else _("friendly")


def game_named(game: str) -> Ruleset | None:
    """An edition of the game with this name, key or abbreviation; None if there is none."""
    return _preset(game, [])


def _preset(game: str, rest: list[str]) -> Ruleset | None:
    """The edition by full name ("lattaque-zh", "lattaque zh"), else the game's first edition."""
    plain = NOT_IN_KEYS.sub("", game.lower())
    keys = {rules.key: rules for rules in registry.editions()}
    if rest and (edition := keys.get(f"{plain}-{rest[0].lower()}")):
        del rest[0]
        return edition
    if plain in keys:
        return keys[plain]
    # The name without its article, or abbreviated.
    matching = [
        key for key in registry.games if plain in key and len(plain) >= MIN_PREFIX_CHARACTERS
    ]
    return registry.games[matching[0]][0] if len(matching) == 1 else None


def _pace(rest: list[str]) -> str | None:
    if not rest:
        return DEFAULT_PACE
    try:
        time_controls.parse(rest[0].lower())
    except ValueError:
        return None
    return rest[0].lower() if len(rest) == 1 else None


def _lines(invitations: Iterable[Invitation]) -> tuple[str, ...]:
    """A line for each invitation of others."""
    words = _("Number %(number)s: %(owner)s, %(game)s, %(pace)s, %(kind)s; rating %(rating)s.")
    return tuple(
        words
        % {
            "number": row.invitation.pk,
            "owner": row.invitation.owner,
            "game": _(row.invitation.rules.title),
            "pace": span(row.invitation.pace),
            "kind": _kind(row.invitation),
            "rating": row.rating,
        }
        for row in listing.rows(invitations, None, now())
    )
