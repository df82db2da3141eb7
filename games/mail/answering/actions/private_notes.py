"""Handler: add a line to the player's private notes on the match."""

from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted
from games.play.commands import notes
from games.rules.core.basics.refusals import Refusal


def add_note(context: MessageContext, command: Command) -> Answer:
    """Add a note to the match of the e-mail; the receipt does not repeat its text."""
    if context.match_id is None:
        words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        return refusal_answers.refused(context, quoted("note"), words)
    try:
        notes.add_to_note(context.match_id, context.user, command.argument)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, quoted("note"), refusal)
    words = _("Added to your private notes on the match.")
    return Answer(MessageOutcome.NOTED, (words,), context.match_id)
