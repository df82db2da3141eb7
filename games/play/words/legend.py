"""Legend: what the letters of a game's pieces mean, and what beats what; asked of the rules.

The same for all matches under the same rules, so it is worked out once for each process.
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

# What the signs of the notation say of an attack, of the pieces that it is made on.
ATTACKS = {
    "#": gettext_noop("wins the match by taking %(pieces)s"),
    "+": gettext_noop("takes %(pieces)s"),
    "+d": gettext_noop("demotes %(pieces)s"),
    "=": gettext_noop("is removed together with %(pieces)s"),
    "-d": gettext_noop("is demoted by %(pieces)s"),
    "-": gettext_noop("loses to %(pieces)s"),
}
TILES_ASKED = 3  # for each pair of numbers; the few tiles that decide a match are outvoted


class Line(NamedTuple):
    """A kind of piece, and what its attacks lead to, in words."""

    letter: str
    name: str
    number: int  # of them in an army; 0 for what they may be demoted to
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
                if found := rule_queries.battle(rules, one, other):
                    results[found.result].append(other)
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
            asked = islice(pairs, TILES_ASKED)
            found = (rule_queries.battle(rules, f"[{one}]", f"[{other}]") for one, other in asked)
            signs = Counter(battle.result for battle in found if battle)
            results[signs.most_common(1)[0][0]].append(defence)
        name = _("attack %(number)s") % {"number": attack}
        yield Line("", name, 0, _attacks(results))


def _with(rules: Ruleset, half: int, pip: str) -> list[str]:
    """The tiles with that number, doubles last: they are the ones that may decide a match."""
    tiles = [rank for rank in rules.kinds if rank[half] == pip]
    return sorted(tiles, key=lambda rank: rank[0] == rank[1])


def _attacks(results: dict[str, list[str]]) -> str:
    parts = [
        _(words) % {"pieces": " ".join(results[sign])}
        for sign, words in ATTACKS.items()
        if results.get(sign)
    ]
    return pgettext("between the parts of a sentence", "; ").join(parts)
