"""The rules of an invitation in words: as in the first edition of the game, except.

Made from the switches that every rule system declares, so that a new game needs nothing here.
"""

from dataclasses import dataclass

from django.utils.translation import gettext as _

from games.lobby.models import Invitation
from games.play import rulebook
from games.play.rulebook import differing
from games.rules import registry
from games.rules.core.ruleset import Ruleset


@dataclass(frozen=True)
class Terms:
    """Sentences about every switch of an invitation's rules, each in one of three lists."""

    title: str
    base: str  # the title of the game's first edition
    changed: list[str]  # agreed for this match alone
    edition: list[str]  # in what the preset differs from the first edition
    common: list[str]  # the rest


def terms(invitation: Invitation) -> Terms:
    """What somebody who accepts agrees to."""
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
    """What to know of a preset before choosing it: what is particular, and the first's ground."""
    about = _(rules.about)
    if registry.first_edition(rules) is not rules:
        return about
    facts = {"files": rules.board.files, "ranks": rules.board.ranks}
    if rules.hidden:
        ground = _("%(files)s by %(ranks)s squares, and two armies whose ranks are secret.") % facts
    else:
        ground = _("%(files)s by %(ranks)s points, and nothing is secret.") % facts
    return f"{ground} {about}"
