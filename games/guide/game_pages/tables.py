"""Tables of a game: army, battles, editions and options, computed from the rules."""

from collections import Counter, defaultdict
from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

from django.utils.translation import gettext as _

from games.play.words import rulebook
from games.play.words.narration import piece_name
from games.presentation import rule_queries
from games.presentation.registry import presentation_of
from games.rules import registry
from games.rules.core.basics.options import Option, Value, write_value
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from lib.sentences import in_a_row


class Head(NamedTuple):
    """The head of a column or row: abbreviated and full name."""

    short: str
    full: str = ""


class Table(NamedTuple):
    """Rows of texts, each with a head."""

    caption: str
    heads: list[Head]
    rows: list[tuple[Head, list[str]]]
    signs: bool = False  # whether the cells are battle results in notation

    @property
    def used(self) -> set[str]:
        """The distinct texts of the cells."""
        return {cell for _head, cells in self.rows for cell in cells}


def tables(family: str, *, keyed: bool = False) -> dict[str, Table]:
    """The tables of a game, by name; with `keyed`, including the keys used in records."""
    rules = registry.games[family][0]
    by_name = {
        "army": _army(rules),
        "editions": _editions(family, keyed=keyed),
        "options": _keyed_options(rules) if keyed else _options(rules),
    }
    if rules.hidden:
        tiles = presentation_of(family).tiles
        by_name |= _tiles(rules) if tiles else {"battles": _battles(rules)}
    else:
        by_name["ways"] = _ways(rules)
    return by_name


def _army(rules: Ruleset) -> Table:
    heads = [Head(_("Letter")), Head(_("Piece")), Head(_("Number"))]
    rows = [(Head(troop.rank), [_(troop.name), str(troop.number)]) for troop in rules.army]
    total = sum(troop.number for troop in rules.army)
    return Table(_("The army: %(total)s pieces") % {"total": total}, heads, rows)


def _battles(rules: Ruleset) -> Table:
    """All attackers against all defenders."""
    names = rule_queries.ranks(rules)
    results = {pair: _result(rules, *pair) for pair in product(names, repeat=2)}
    fighting = [one for one in names if any(results[one, other] for other in names)]
    heads = [Head(name, _name(rules, name)) for name in names]
    rows = [
        (Head(one, _name(rules, one)), [results[one, other] for other in names]) for one in fighting
    ]
    caption = _("Battles: attackers on the left, defenders on top")
    return Table(caption, [Head(""), *heads], rows, signs=True)


def _result(rules: Ruleset, attacker: str, defender: str) -> str:
    battle = rule_queries.battle(rules, attacker, defender)
    return battle.result if battle else ""


def _name(rules: Ruleset, face: str) -> str:
    rank = face.removesuffix(rules.mark_sign) if rules.mark_sign else face
    return piece_name(rules, rank + "'" if rank != face else rank)


def _tiles(rules: Ruleset) -> dict[str, Table]:
    """Battles of tiles: a table by attack and defence number, and one of the exceptions."""
    results = {
        (one, other): _result(rules, f"[{one}]", f"[{other}]")
        for one, other in product(rules.kinds, repeat=2)
    }
    by_number: dict[tuple[str, str], Counter[str]] = defaultdict(Counter)
    for (one, other), result in results.items():
        by_number[one[0], other[1]][result] += 1
    usual = {numbers: counts.most_common(1)[0][0] for numbers, counts in by_number.items()}
    pips = sorted({attack for attack, _defence in usual})
    heads = [Head(""), *(Head(pip, _("defence %(number)s") % {"number": pip}) for pip in pips)]
    rows = [
        (
            Head(pip, _("attack %(number)s") % {"number": pip}),
            [usual[pip, defence] for defence in pips],
        )
        for pip in pips
    ]
    unusual = [pair for pair, result in results.items() if result != usual[pair[0][0], pair[1][1]]]
    return {
        "battles": Table(
            _("Battles: attack numbers on the left, defence numbers on top"),
            heads,
            rows,
            signs=True,
        ),
        "decisive": Table(
            _("The battles that decide a match"),
            [Head(_("Attacker")), Head(_("Defender")), Head(_("Result"))],
            [
                (Head(_tile(one)), [_tile(other), _verdict(rules, one, other)])
                for one, other in unusual
            ],
        ),
    }


def _ways(rules: Ruleset) -> Table:
    """The points that South's piece can reach from each point."""
    rank = rules.army[0].rank
    rows = [
        (Head(square), [", ".join(sorted(reached))])
        for square, reached in sorted(rule_queries.ways(rules, rank, Seat.SOUTH).items())
    ]
    caption = _("Where a %(piece)s can move from each point") % {"piece": _(rules.army[0].name)}
    return Table(caption, [Head(_("From")), Head(_("To"))], rows)


def _tile(rank: str) -> str:
    return f"{rank[0]}-{rank[1]}"


def _verdict(rules: Ruleset, attacker: str, defender: str) -> str:
    battle = rule_queries.battle(rules, f"[{attacker}]", f"[{defender}]")
    if battle is None or battle.winner is None:
        return _("Both sides lose their 6-6: a draw")
    return (
        _("The attacker's side wins")
        if battle.winner is Seat.SOUTH
        else _("The defender's side wins")
    )


def _editions(family: str, *, keyed: bool) -> Table:
    """All editions, with the options in which they differ from the first."""
    editions = registry.games[family]
    rows = []
    for rules in editions:
        sentences = rulebook.sentences(rules)
        differing = [sentences[name] for name in rulebook.differing(rules, editions[0])]
        words = in_a_row(differing) or _("The rules as described above.")
        rows.append((Head(_(rules.title)), [rules.key, words] if keyed else [words]))
    heads = [Head(_("Edition")), *([Head("Key")] if keyed else []), Head(_("What is different"))]
    return Table(_("Editions"), heads, rows)


def _options(rules: Ruleset) -> Table:
    """All options, with their choices."""
    rows = [(Head(_(spec.title)), [_(words)]) for spec, _value, words in _choices(rules)]
    return Table(_("Rules that can be changed"), [Head(_("Rule")), Head(_("Choice"))], rows)


def _keyed_options(rules: Ruleset) -> Table:
    """All options with names and values as in records; for docs, in English."""
    rows = [
        (Head(spec.name), [spec.title, write_value(value) or "-", words])
        for spec, value, words in _choices(rules)
    ]
    heads = [Head(word) for word in ("Option", "What it decides", "Value", "What it says")]
    return Table("Options", heads, rows)


def _choices(rules: Ruleset) -> Iterator[tuple[Option, Value, str]]:
    """All choices of all options; the value of the first edition comes first."""
    for spec in rules.option_specs:
        own = rules.options[spec.name]
        for value, words in sorted(spec.choices, key=lambda choice: choice[0] != own):
            yield spec, value, words
