"""Rules line: what a verifier needs to know of some rules, as one line of JSON.

The battles are played by the rules themselves on an empty board, so no game writes a table for it.
"""

from functools import lru_cache
from typing import Any

from games.rules.core.basics.moves import Attack
from games.rules.core.basics.pieces import KIND, MARKED, NORTHERN, Rank, Seat, owner
from games.rules.core.knowledge.rule_probes import RuleProbes
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Clashed, Converted
from games.rules.proof import deal
from games.rules.proof.chain import encode

FORMAT = "estafette/rules/1"


@lru_cache(maxsize=64)
def rules_line(rules: Ruleset) -> str:
    """The line; the same for equal rules."""
    return encode(rules_fields(rules))


def rules_fields(rules: Ruleset) -> dict[str, Any]:
    """The fields of the line, in their order; `docs/proofs.md` explains each."""
    fields: dict[str, Any] = {"format": FORMAT, "preset": rules.key}
    if not rules.hidden:
        return fields
    lot, aside = deal.lot_of(rules), deal.aside_count(rules)
    fields["zone"] = {
        rules.seat_letters[seat]: " ".join(rules.zone(seat)) for seat in rules.seats_setting_up
    }
    fields["pieces"] = sum(troop.number for troop in rules.army) - aside
    fields["army"] = {troop.rank: troop.number for troop in rules.army}
    fields |= battle_fields(rules)
    if lot:
        fields |= {"lot": " ".join(lot), "aside": aside}
    return fields


def battle_fields(rules: Ruleset) -> dict[str, Any]:
    """What battles do: who goes back, who is demoted to what, who changes sides, and the table."""
    probes = RuleProbes(rules)
    source, target = probes.middle
    attack = Attack(source, target)
    returns: list[Rank] = []
    table: dict[Rank, list[str]] = {}
    convert = False
    fighters = declared_ranks(rules)
    for attacker, content in fighters.items():
        for enemy in fighters.values():
            cells = bytearray(rules.board.blank)
            cells[source], cells[target] = content, enemy | NORTHERN
            position = probes.board_of(bytes(cells), Seat.SOUTH)
            if attack not in rules.legal_moves(position, Seat.SOUTH):
                continue
            after, events = rules.apply(position, Seat.SOUTH, attack)
            clash = next(event for event in events if isinstance(event, Clashed))
            table.setdefault(attacker, []).append(clash.result)
            convert = convert or any(isinstance(event, Converted) for event in events)
            stays = owner(after.cells[source]) is Seat.SOUTH and after.cells[source] & KIND
            if clash.result in ("+", "#") and stays and attacker not in returns:
                returns.append(attacker)
    return {
        "returns": " ".join(returns),
        "lower": lower_ranks(rules),
        "convert": convert,
        "against": " ".join(fighters),
        "battle": {attacker: " ".join(signs) for attacker, signs in table.items()},
    }


def declared_ranks(rules: Ruleset) -> dict[Rank, int]:
    """South's piece for each rank that a battle may show; the demoted ones are last."""
    south = {content: text for text, content in rules.faces.items() if not owner(content)}
    fresh = [content for content in south if not content & MARKED]
    demoted = [content for content in south if content & MARKED and rules.mark == "demoted"]
    ranked = sorted(fresh) + sorted(demoted)
    return {
        rules.rank_of(content) + rules.mark_sign * bool(content & MARKED): content
        for content in ranked
    }


def lower_ranks(rules: Ruleset) -> dict[Rank, Rank]:
    """The rank to which each line of the army list is demoted, as a battle shows it."""
    if rules.mark != "demoted":
        return {}
    return {
        troop.rank: lower + rules.mark_sign
        for troop in rules.army
        for lower in rules.stands_as(troop.rank, marked=True)
    }
