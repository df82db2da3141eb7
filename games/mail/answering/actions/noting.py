"""Notes by mail: a line of the player's own words is added to the private notes on the match."""

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.play.commands import notes
from games.rules.core.basics.refusals import Refusal


def note(case: Case, command: Command) -> Answer:
    """Keep a note on the match of the e-mail; the receipt does not repeat its words."""
    if case.match_id is None:
        words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        return refusing.refused(case, "note", words)
    try:
        notes.add_to_note(case.match_id, case.user, command.argument)
    except Refusal as refusal:
        return refusing.of(case, "note", refusal)
    words = _("Added to your private notes on the match.")
    return Answer(MessageOutcome.NOTED, (words,), case.match_id)
