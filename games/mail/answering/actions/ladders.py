"""Handlers: show a ladder, challenge one of its members."""

from django.utils.translation import gettext as _

from games.competitions.ladders import commands, limits, table
from games.competitions.ladders.models import Ladder, Member
from games.mail.answering import refusal_answers
from games.mail.answering.actions.lobby import game_named
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now

TOP_LISTED = 10
BELOW_LISTED = 2


def show_ladder(context: MessageContext, command: Command) -> Answer:
    """The first places of a ladder, and those around the reader."""
    understood = quoted(f"ladder {command.argument}")
    ladder = _find(command.argument)
    if ladder is None:
        return _none(context, understood, command.argument)
    members = Member.objects.filter(ladder=ladder).select_related("user").order_by("place")
    me = members.filter(user=context.user).first()
    shown = list(members[:TOP_LISTED])
    if me is not None:
        reach = limits.reach(Member.last_place(ladder))
        near = members.filter(place__gte=me.place - reach, place__lte=me.place + BELOW_LISTED)
        shown += [member for member in near if member.place > TOP_LISTED]
    lines = tuple(map(_listed, table.rows(ladder, shown, now())))
    words = _("The ladder of %(game)s at the moment.") % {"game": ladder.title}
    empty = (_("Nobody is on this ladder yet."),)
    return Answer(MessageOutcome.SHOWN, (words,), board="", parts=(("", lines or empty),))


def challenge(context: MessageContext, command: Command) -> Answer:
    """Challenge a member of a ladder."""
    name, _word, game = command.argument.split()
    understood = quoted(f"challenge {command.argument}")
    ladder = _find(game)
    if ladder is None:
        return _none(context, understood, game)
    try:
        match = commands.challenge(ladder.family, context.user, name.removeprefix("@"))
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    lines = [_("Challenged: match %(number)s begins.") % {"number": match.pk}]
    if ladder.rated and not match.rated:
        lines.append(table.friendly_sentence())
    return Answer(MessageOutcome.ACCEPTED, tuple(lines), match.pk)


def _find(game: str) -> Ladder | None:
    rules = game_named(game)
    return None if rules is None else Ladder.objects.filter(family=rules.family).first()


def _none(context: MessageContext, understood: str, game: str) -> Answer:
    families = Ladder.objects.order_by("family").values_list("family", flat=True)
    sentence = _("There is no ladder of “%(game)s”.") % {"game": game}
    if families:
        sentence = _("There is no ladder of “%(game)s”. Available: %(games)s.") % {
            "game": game,
            "games": ", ".join(families),
        }
    return refusal_answers.refused(context, understood, sentence)


def _listed(row: table.Row) -> str:
    values = {
        "place": row.member.place,
        "player": row.member.user,
        "rating": row.rating,
        "incoming": row.incoming,
        "outgoing": row.outgoing,
    }
    words = _(
        "Place %(place)s: %(player)s, rating %(rating)s; running challenges: %(incoming)s "
        "received, %(outgoing)s made."
    )
    return words % values
