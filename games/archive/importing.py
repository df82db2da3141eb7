"""Import of game records: read, replayed under the rules from the first ply to the last, stored.

Nothing is stored that the rules have not replayed. Annotations of the moves are replaced by those
that follow from the rules.
"""

from dataclasses import replace
from typing import NamedTuple

from accounts.models import User
from games.archive import storage
from games.archive.models import ImportedRecord
from games.outbox.db_clock import now
from games.play.refusals import NotNow
from games.rules import registry, setup_aliases
from games.rules.core import notation
from games.rules.core.errors import BadRecord, gettext_noop
from games.rules.core.moves import move_number
from games.rules.core.record import (
    Record,
    check_ending,
    read_record,
    remarked,
    replay,
    result_of,
    write_record,
)

MAX_RECORDS = 200  # of one player
MAX_RECORD_CHARACTERS = 256 * 1024  # of a record; also the limit of a file, in bytes
MAX_PLIES = 5_000


class ImportedResult(NamedTuple):
    """An imported record, and the plies whose annotations were wrong and have been replaced."""

    record: ImportedRecord
    doubtful: list[int]


def import_record(owner: User, text: str) -> ImportedResult:
    """Check a game record and store it for its owner; raises Refusal (BadRecord, NotNow)."""
    if ImportedRecord.objects.filter(owner=owner).count() >= MAX_RECORDS:
        raise NotNow(
            gettext_noop(
                "You have %(most)s imported records, which is the limit. Delete one first."
            ),
            most=MAX_RECORDS,
        )
    record = read_record(text)
    if len(record.moves) > MAX_PLIES:
        raise BadRecord(
            gettext_noop("The record has %(moves)s moves; the limit is %(most)s."),
            moves=move_number(len(record.moves)),
            most=move_number(MAX_PLIES),
        )
    rules = registry.ruleset_of(record)
    preset = registry.ruleset(record.system)
    record = replace(
        setup_aliases.in_canonical(rules, record),
        switches={
            name: value for name, value in rules.switches.items() if value != preset.switches[name]
        },
    )
    plies: list[storage.Ply] = []
    for step in replay(rules, record):
        position = step.position
        plies.append((remarked(rules, step), notation.write_position(rules, position)))
    check_ending(rules, record, position.outcome)
    if position.outcome:
        record = replace(
            record, result=result_of(rules, position.outcome), reason=position.outcome.reason
        )
    original = (record.opening, *record.moves)
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
    storage.store(imported, plies)
    return ImportedResult(
        imported, [ply for ply, words in enumerate(original) if _differ(words, plies[ply][0])]
    )


def _name(record: Record, tag: str) -> str:
    """The player's name in a tag of the record, without unprintable characters, 60 at most."""
    name = "".join(sign for sign in record.tags.get(tag, "") if sign.isprintable())
    return name.strip()[:60]


def _differ(original: str, checked: str) -> bool:
    """Whether a move has annotations that differ from those of the rules."""
    remarks = sorted(notation.REMARK.findall(original))
    return bool(remarks) and remarks != sorted(notation.REMARK.findall(checked))
