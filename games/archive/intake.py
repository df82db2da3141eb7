"""How a game record comes in: read, played through by the rules from the first ply to the last, and
kept.

The one rule: nothing is kept that the rules have not played, and nothing of it is believed that
they cannot check. What the record remarks on its moves is replaced by what the rules say.
"""

from dataclasses import replace
from typing import NamedTuple

from accounts.models import User
from games.archive import shelf
from games.archive.models import ImportedRecord
from games.play.refusals import NotNow
from games.relay.moment import now
from games.rules import aliases, registry
from games.rules.core import notation
from games.rules.core.errors import BadRecord, gettext_noop
from games.rules.core.record import (
    Record,
    check_ending,
    read_record,
    remarked,
    replay,
    result_of,
    write_record,
)

MOST = 200  # records that a player may keep
LONGEST = 256 * 1024  # characters of a record, and bytes of a file
MOST_PLIES = 5_000


class Kept(NamedTuple):
    """An imported record, and the plies at which its remarks were others than the rules'."""

    record: ImportedRecord
    doubtful: list[int]


def keep(owner: User, text: str) -> Kept:
    """Check the record that a text holds and keep it for its owner; raises Refusal."""
    if ImportedRecord.objects.filter(owner=owner).count() >= MOST:
        raise NotNow(
            gettext_noop(
                "You keep %(most)s imported records, which is as many as you can; delete one first."
            ),
            most=MOST,
        )
    record = read_record(text)
    if len(record.moves) > MOST_PLIES:
        raise BadRecord(
            gettext_noop("The record has %(plies)s plies; %(most)s is as many as can be kept."),
            plies=len(record.moves),
            most=MOST_PLIES,
        )
    rules = registry.ruleset_of(record)
    preset = registry.ruleset(record.system)
    record = replace(
        aliases.in_canonical(rules, record),
        switches={
            name: value for name, value in rules.switches.items() if value != preset.switches[name]
        },
    )
    plies: list[shelf.Ply] = []
    for step in replay(rules, record):
        position = step.position
        plies.append((remarked(rules, step), notation.write_position(rules, position)))
    check_ending(rules, record, position.outcome)
    if position.outcome:
        record = replace(
            record, result=result_of(rules, position.outcome), reason=position.outcome.reason
        )
    told = (record.opening, *record.moves)
    opening, *moves = (text for text, _position in plies)
    checked = replace(record, opening=opening, moves=tuple(moves))
    imported = ImportedRecord(
        owner=owner,
        preset=record.system,
        switches=dict(record.switches),
        south=_name(record, "South"),
        north=_name(record, "North"),
        result=record.result,
        reason=record.reason if record.result != "*" else "",
        plies=len(moves),
        text=write_record(checked),
        created_at=now(),
    )
    shelf.put(imported, plies)
    return Kept(imported, [ply for ply, words in enumerate(told) if _differ(words, plies[ply][0])])


def _name(record: Record, tag: str) -> str:
    """Who a record says has played; whatever cannot be seen is left out of the name."""
    name = "".join(sign for sign in record.tags.get(tag, "") if sign.isprintable())
    return name.strip()[:60]


def _differ(told: str, checked: str) -> bool:
    """Whether a move has remarks that are not those of the rules; most records have none."""
    remarks = sorted(notation.REMARK.findall(told))
    return bool(remarks) and remarks != sorted(notation.REMARK.findall(checked))
