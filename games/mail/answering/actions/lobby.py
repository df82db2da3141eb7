"""Handlers: list the lobby, offer an open seat, challenge a player, join an invitation."""

import re

from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby import commands
from games.lobby.models import Invitation, InvitationKind
from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.play import time_controls
from games.play.terms import DEFAULT_PACE, Terms
from games.play.words.times import span
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset

MAX_LISTED = 20
MIN_PREFIX_CHARACTERS = 4  # of an abbreviated game name
NOT_IN_KEYS = re.compile("[^a-z0-9-]")


def show_lobby(context: MessageContext, command: Command) -> Answer:
    """List challenges to the player, and open seats of others."""
    invitations = Invitation.objects.select_related("owner")
    challenges = list(invitations.challenges_to(context.user)[:MAX_LISTED])
    seats = list(invitations.seats_for(context.user)[:MAX_LISTED])
    empty = (_("None at the moment."),)
    parts = (
        (_("Challenges for you:"), tuple(map(_listed, challenges)) or empty),
        (_("Open seats:"), tuple(map(_listed, seats)) or empty),
    )
    words = _("The lobby at the moment.")
    return Answer(MessageOutcome.SHOWN, (words,), parts=parts)


def offer_seat(context: MessageContext, command: Command) -> Answer:
    """Offer an open seat; the time control is three days per move by default."""
    return _offer(context, f"seat {command.argument}", command.argument.split(), None)


def challenge(context: MessageContext, command: Command) -> Answer:
    """Challenge a player by username."""
    name, *words = command.argument.split()
    understood = f"challenge {command.argument}"
    guest = User.objects.active().filter(username__iexact=name.removeprefix("@")).first()
    if guest is None:
        sentence = _("There is no player called “%(handle)s”. Check the spelling.")
        return refusal_answers.refused(context, understood, sentence % {"handle": name})
    return _offer(context, understood, words, guest)


def join(context: MessageContext, command: Command) -> Answer:
    """Accept the open seat or challenge with the given number."""
    understood = f"join {command.argument}"
    try:
        match = commands.accept(int(command.argument), context.user)
    except Invitation.DoesNotExist:
        words = _("There is no invitation with that number for you to accept.")
        return refusal_answers.refused(context, understood, words)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    words = _("Accepted: match %(number)s begins.") % {"number": match.pk}
    return Answer(MessageOutcome.ACCEPTED, (words,), match.pk)


def _offer(
    context: MessageContext, understood: str, words: list[str], guest: User | None
) -> Answer:
    game, *rest = words
    rules, pace = _preset(game, rest), _pace(rest)
    if rules is None:
        sentence = _("There is no game called “%(game)s”. Available: %(games)s.")
        values = {"game": game, "games": ", ".join(registry.games)}
        return refusal_answers.refused(context, understood, sentence % values)
    if pace is None:
        sentence = _("Write the time per move as 3d or 36h; “none” means no time limit.")
        return refusal_answers.refused(context, understood, sentence)
    kind = InvitationKind.SEAT if guest is None else InvitationKind.CHALLENGE
    try:
        offered = commands.offer(
            context.user,
            Terms(rules.key, pace=pace, as_set=rules.sets, vacations=True),
            kind=kind,
            guest=guest,
        )
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    if offered.match_id is not None:  # a house opponent accepts at once
        sentence = _("Accepted: match %(number)s begins.") % {"number": offered.match_id}
        return Answer(MessageOutcome.ACCEPTED, (sentence,), offered.match_id)
    terms = {"number": offered.pk, "game": _(rules.title), "pace": span(pace)}
    sentence = _("Offered: %(game)s, %(pace)s; it is number %(number)s in the lobby.") % terms
    return Answer(MessageOutcome.OFFERED, (sentence,))


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


def _listed(invitation: Invitation) -> str:
    values = {
        "number": invitation.pk,
        "owner": invitation.owner,
        "game": _(invitation.rules.title),
        "pace": span(invitation.pace),
    }
    return _("Number %(number)s: %(owner)s, %(game)s, %(pace)s.") % values
