"""Terms of an invitation in words: its rules, grouped by how they differ from the first edition.

Made from the switches that every rule set declares, so that a new game needs no change here.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.lobby.models import Invitation
from games.play.words import rulebook
from games.play.words.rulebook import differing
from games.rules import registry
from games.rules.core.ruleset.base import Ruleset
from lib.sentences import in_a_row


@dataclass(frozen=True)
class Terms:
    """A sentence for every switch of an invitation's rules, each in one of three lists."""

    title: str
    base: str  # the title of the game's first edition
    changed: list[str]  # rule options of this invitation
    edition: list[str]  # where the preset differs from the first edition
    common: list[str]  # the rest


def terms(invitation: Invitation) -> Terms:
    """The rules that a player agrees to by accepting."""
    rules, preset = invitation.rules, registry.ruleset(invitation.preset)
    first = registry.first_edition(preset)
    changed = differing(rules, preset)
    edition = [name for name in differing(rules, first) if name not in changed]
    common = [name for name in rules.switches if name not in changed and name not in edition]
    words = rulebook.sentences(rules)
    return Terms(
        title=_(rules.title),
        base=_(first.title),
        changed=[words[name] for name in changed],
        edition=[words[name] for name in edition],
        common=[words[name] for name in common],
    )


def summary(rules: Ruleset) -> str:
    """A short description of a preset; that of a first edition includes board and secrecy."""
    about = _(rules.about)
    if registry.first_edition(rules) is not rules:
        return about
    facts = {"files": rules.board.files, "ranks": rules.board.ranks}
    if rules.hidden:
        ground = _("%(files)s by %(ranks)s squares, and two armies with hidden ranks.") % facts
    else:
        ground = _("%(files)s by %(ranks)s points, with nothing hidden.") % facts
    return in_a_row([ground, about])
