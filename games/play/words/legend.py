"""Legend: the meaning of a game's letters, and the results of battles, as the rules compute them.

The same for all matches under the same rules, so it is computed once for each process.
"""

from collections import Counter, defaultdict
from collections.abc import Iterable
from functools import lru_cache
from itertools import islice, product
from typing import NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language, pgettext
from django.utils.translation import gettext as _

from games.play.words.narration import piece_name
from games.presentation import rule_queries
from games.presentation.registry import presentation_of
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset

# The notation's signs of a battle, as phrases about the attacked pieces.
ATTACKS = {
    "#": gettext_noop("wins the match by taking %(pieces)s"),
    "+": gettext_noop("takes %(pieces)s"),
    "+d": gettext_noop("demotes %(pieces)s"),
    "=": gettext_noop("is removed together with %(pieces)s"),
    "-d": gettext_noop("is demoted by %(pieces)s"),
    "-": gettext_noop("loses to %(pieces)s"),
}
# For each pair of numbers; the majority outvotes the few tiles that decide a match.
TILES_ASKED = 3


class Line(NamedTuple):
    """A kind of piece, and the results of its attacks, in words."""

    letter: str
    name: str
    number: int  # how many an army has; 0 for ranks that pieces are demoted to
    attacks: str


def legend(rules: Ruleset) -> SafeString:
    """The legend of a game as HTML."""
    return _legend(rules, get_language() or "")


@lru_cache(maxsize=500)
def _legend(rules: Ruleset, _language: str) -> SafeString:
    lines = _tiles(rules) if presentation_of(rules.family).tiles else _pieces(rules)
    return render_to_string("play/_legend.html", {"rules": rules, "lines": list(lines)})


def _pieces(rules: Ruleset) -> Iterable[Line]:
    numbers = {troop.rank: troop.number for troop in rules.army}
    names = rule_queries.ranks(rules)
    for one in names:
        results: dict[str, list[str]] = defaultdict(list)
        if rules.hidden:
            for other in names:
                if fought := rule_queries.battle(rules, one, other):
                    results[fought.result].append(other)
        rank = one.removesuffix(rules.mark_sign) if rules.mark_sign else one
        name = piece_name(rules, one if rank == one else rank + "'")
        attacks = _attacks(results) or (_("never attacks") if rules.hidden else "")
        yield Line(one, name, numbers.get(one, 0), attacks)


def _tiles(rules: Ruleset) -> Iterable[Line]:
    """Tiles fight by one number each: a line for each number of the attack."""
    pips = sorted({rank[0] for rank in rules.kinds})
    for attack in pips:
        results: dict[str, list[str]] = defaultdict(list)
        for defence in pips:
            pairs = product(_with(rules, 0, attack), _with(rules, 1, defence))
            sampled = islice(pairs, TILES_ASKED)
            battles = (
                rule_queries.battle(rules, f"[{one}]", f"[{other}]") for one, other in sampled
            )
            signs = Counter(battle.result for battle in battles if battle)
            results[signs.most_common(1)[0][0]].append(defence)
        name = _("attack %(number)s") % {"number": attack}
        yield Line("", name, 0, _attacks(results))


def _with(rules: Ruleset, half: int, pip: str) -> list[str]:
    """The tiles with that number, doubles last, as these may decide a match."""
    tiles = [rank for rank in rules.kinds if rank[half] == pip]
    return sorted(tiles, key=lambda rank: rank[0] == rank[1])


def _attacks(results: dict[str, list[str]]) -> str:
    parts = [
        _(words) % {"pieces": " ".join(results[sign])}
        for sign, words in ATTACKS.items()
        if results.get(sign)
    ]
    return pgettext("between the parts of a sentence", "; ").join(parts)
