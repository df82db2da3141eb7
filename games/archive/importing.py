"""Import of game records: replayed under the rules in a limited child process, then stored.

Only plies that the rules have replayed are stored. Annotations of the moves are replaced by those
that follow from the rules.
"""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import NamedTuple

from accounts.models import User
from games.archive import storage
from games.archive.models import ImportedRecord
from games.play.pasted import reader
from games.play.refusals import NotNow
from games.rules.core.basics.refusals import gettext_noop
from lib.db_clock import now

MAX_RECORDS = 200  # of one player
MAX_RECORD_CHARACTERS = 256 * 1024  # of a record; also the limit of a file, in bytes

_importing: set[int] = set()  # the players for whom a record is being read in this process
_lock = threading.Lock()


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
    with _one_at_a_time(owner):
        checked = reader.read_record(text)
    imported = ImportedRecord(
        owner=owner,
        preset=checked.preset,
        switches=dict(checked.switches),
        south=checked.south,
        north=checked.north,
        result=checked.result,
        reason=checked.reason,
        plies=len(checked.plies) - 1,
        text=checked.text,
        created_at=now(),
    )
    storage.store(imported, checked.plies)
    return ImportedResult(imported, checked.doubtful)


@contextmanager
def _one_at_a_time(owner: User) -> Iterator[None]:
    """Allow one import per player at a time, so that a player cannot occupy several threads."""
    with _lock:
        if owner.pk in _importing:
            raise NotNow(
                gettext_noop("Another of your records is being read. Try again when it is done.")
            )
        _importing.add(owner.pk)
    try:
        yield
    finally:
        with _lock:
            _importing.discard(owner.pk)
