"""Game records: parsed, replayed under the rules, and annotated."""

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.options import Value
from games.rules.core.basics.refusals import BadRecord, gettext_noop
from games.rules.core.text import notation, setup_aliases
from games.rules.core.text.game_record import (
    LONGEST_RECORD_PLIES,
    Record,
    check_ending,
    read_record,
    remarked,
    replay,
    result_of,
    write_record,
)

MAX_NAME_CHARACTERS = 60


class CheckedRecord(NamedTuple):
    """A record that the rules have replayed, with the annotations that the rules give.

    `plies` holds the annotated text of each move and the position after it; the first entry is the
    set-ups. `doubtful` are the plies whose annotations were wrong and have been replaced.
    """

    preset: str
    switches: Mapping[str, Value]
    south: str
    north: str
    result: str
    reason: str
    text: str
    plies: list[tuple[str, str]]
    doubtful: list[int]


def check_record(text: str) -> CheckedRecord:
    """The checked record of a text; raises BadRecord with the line and the reason."""
    record = read_record(text)
    if len(record.moves) > LONGEST_RECORD_PLIES:
        raise BadRecord(
            gettext_noop("The record has %(moves)s moves; the limit is %(most)s."),
            moves=move_number(len(record.moves)),
            most=move_number(LONGEST_RECORD_PLIES),
        )
    rules = registry.ruleset_of(record)
    preset = registry.ruleset(record.edition)
    record = replace(
        setup_aliases.in_canonical(rules, record),
        options={
            name: value for name, value in rules.options.items() if value != preset.options[name]
        },
    )
    plies: list[tuple[str, str]] = []
    for step in replay(rules, record):
        position = step.position
        plies.append((remarked(rules, step), notation.write_position(rules, position)))
    check_ending(rules, record, position.outcome)
    if position.outcome:
        record = replace(
            record, result=result_of(rules, position.outcome), reason=position.outcome.reason
        )
    original = (record.opening, *record.moves)
    opening, *moves = (words for words, _position in plies)
    checked = replace(record, opening=opening, moves=tuple(moves))
    return CheckedRecord(
        preset=record.edition,
        switches=dict(record.options),
        south=_name(record, "South"),
        north=_name(record, "North"),
        result=record.result,
        reason=record.reason if record.result != "*" else "",
        text=write_record(checked),
        plies=plies,
        doubtful=[
            ply for ply, words in enumerate(original) if annotations_differ(words, plies[ply][0])
        ],
    )


def annotations_differ(original: str, checked: str) -> bool:
    """Whether a move has annotations that differ from those of the rules."""
    remarks = sorted(notation.REMARK.findall(original))
    return bool(remarks) and remarks != sorted(notation.REMARK.findall(checked))


def _name(record: Record, tag: str) -> str:
    """The player's name in a tag of the record, without unprintable characters."""
    name = "".join(sign for sign in record.tags.get(tag, "") if sign.isprintable())
    return name.strip()[:MAX_NAME_CHARACTERS]
