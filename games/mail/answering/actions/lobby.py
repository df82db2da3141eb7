"""The lobby by mail: what is open, an open seat of one's own, a challenge, a seat taken."""

import re

from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby import commands
from games.lobby.forms.time_control import default_setup_days
from games.lobby.models import Invitation, InvitationKind
from games.mail.answering import refusing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.play import time_controls
from games.play.words.times import span
from games.rules import registry
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset

MAX_LISTED = 20
DEFAULT_PACE = "3d"
MIN_LETTERS = 4  # of a game's name that is cut short
SIGNS = re.compile("[^a-z0-9-]")


def show(case: Case, command: Command) -> Answer:
    """The open seats of others, and the challenges to this player."""
    invitations = Invitation.objects.select_related("owner")
    asked = list(invitations.challenges_to(case.user)[:MAX_LISTED])
    seats = list(invitations.seats_for(case.user)[:MAX_LISTED])
    empty = (_("None at the moment."),)
    parts = (
        (_("Challenges for you:"), tuple(map(_listed, asked)) or empty),
        (_("Open seats:"), tuple(map(_listed, seats)) or empty),
    )
    words = _("The lobby at the moment.")
    return Answer(MessageOutcome.SHOWN, (words,), parts=parts, lobby=True)


def offer_seat(case: Case, command: Command) -> Answer:
    """Offer an open seat: a game, and a time control if it is not three days a move."""
    return _offer(case, f"seat {command.argument}", command.argument.split(), None)


def challenge(case: Case, command: Command) -> Answer:
    """Challenge a player by their name."""
    name, *words = command.argument.split()
    understood = f"challenge {command.argument}"
    guest = User.objects.active().filter(username__iexact=name.removeprefix("@")).first()
    if guest is None:
        told = _("There is no player called “%(handle)s”. Check the spelling.")
        return refusing.refused(case, understood, told % {"handle": name})
    return _offer(case, understood, words, guest)


def join(case: Case, command: Command) -> Answer:
    """Take an open seat, or accept a challenge, by its number."""
    understood = f"join {command.argument}"
    try:
        match = commands.accept(int(command.argument), case.user)
    except Invitation.DoesNotExist:
        words = _("There is no invitation with that number for you to accept.")
        return refusing.refused(case, understood, words)
    except Refusal as refusal:
        return refusing.of(case, understood, refusal)
    words = _("Accepted: match %(number)s begins.") % {"number": match.pk}
    return Answer(MessageOutcome.ACCEPTED, (words,), match.pk)


def _offer(case: Case, understood: str, words: list[str], guest: User | None) -> Answer:
    game, *rest = words
    rules, pace = _preset(game, rest), _pace(rest)
    if rules is None:
        told = _("There is no game called “%(game)s”. Available: %(games)s.")
        known = {"game": game, "games": ", ".join(registry.systems)}
        return refusing.refused(case, understood, told % known)
    if pace is None:
        told = _("Write the time per move as 3d or 36h; “none” means no time limit.")
        return refusing.refused(case, understood, told)
    kind = InvitationKind.SEAT if guest is None else InvitationKind.CHALLENGE
    try:
        offered = commands.offer(
            case.user,
            kind=kind,
            guest=guest,
            preset=rules.key,
            pace=pace,
            setup_pace=f"{default_setup_days(pace)}d",
            as_set=rules.sets,
            vacations=True,
        )
    except Refusal as refusal:
        return refusing.of(case, understood, refusal)
    if offered.match_id is not None:  # by a house opponent
        told = _("Accepted: match %(number)s begins.") % {"number": offered.match_id}
        return Answer(MessageOutcome.ACCEPTED, (told,), offered.match_id)
    facts = {"number": offered.pk, "game": _(rules.title), "pace": span(pace)}
    told = _("Offered: %(game)s, %(pace)s; it is number %(number)s in the lobby.") % facts
    return Answer(MessageOutcome.OFFERED, (told,), lobby=True)


def _preset(game: str, rest: list[str]) -> Ruleset | None:
    """The edition that is named whole ("lattaque-zh", "lattaque zh"), else the game's first."""
    plain = SIGNS.sub("", game.lower())
    keys = {rules.key: rules for rules in registry.presets()}
    if rest and (found := keys.get(f"{plain}-{rest[0].lower()}")):
        del rest[0]
        return found
    if plain in keys:
        return keys[plain]
    # Without its article, or cut short.
    meant = [key for key in registry.systems if plain in key and len(plain) >= MIN_LETTERS]
    return registry.systems[meant[0]][0] if len(meant) == 1 else None


def _pace(rest: list[str]) -> str | None:
    if not rest:
        return DEFAULT_PACE
    try:
        time_controls.parse(rest[0].lower())
    except ValueError:
        return None
    return rest[0].lower() if len(rest) == 1 else None


def _listed(invitation: Invitation) -> str:
    facts = {
        "number": invitation.pk,
        "owner": invitation.owner,
        "game": _(invitation.rules.title),
        "pace": span(invitation.pace),
    }
    return _("Number %(number)s: %(owner)s, %(game)s, %(pace)s.") % facts
