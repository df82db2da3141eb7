"""Set-up aliases: set-ups in other notations become canonical text before anything reads them.

Only set-ups that somebody brings along may be aliases; moves, positions and the referee know none.
"""

from dataclasses import replace

from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.row_text import typed_rows
from games.rules.core.ruleset.armies import LONGEST_SETUP_CHARACTERS
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.game_record import SETUP_TAGS, Record, at_tag


def canonical(rules: Ruleset, seat: Seat, text: str) -> str:
    """The canonical set-up text of an alias; any other text as it is.

    Raises BadSetup for a text that is meant as an alias and is not a correct one.
    """
    # A text that is too long is refused where it is read.
    if rules.setup_aliases is None or len(text) > LONGEST_SETUP_CHARACTERS:
        return text
    return rules.setup_aliases.canonical(rules, seat, typed_rows(text))


def in_canonical(rules: Ruleset, record: Record) -> Record:
    """A record with its set-ups in canonical text; raises BadRecord."""
    setups: BySeat[str | None] = record.setups
    for seat, text in zip(Seat, record.setups, strict=True):
        try:
            setups = setups.put(seat, text and canonical(rules, seat, text))
        except Refusal as refusal:
            raise at_tag(record, SETUP_TAGS[seat], refusal) from refusal
    return replace(record, setups=setups)
