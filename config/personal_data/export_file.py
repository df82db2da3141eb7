"""The export of a person's data as a file that only its owner can read, for operators."""

import os
from collections.abc import Callable, Iterator
from pathlib import Path

from accounts.models import User
from accounts.sign_in import security_log
from config.personal_data import exports
from lib.db_clock import now
from lib.exports.files import File
from lib.exports.zip_files import FILE_MODE, zip_pieces

PROGRESS_FILES = 500  # between two reports of progress

# Called with the number of files that are written so far.
Progress = Callable[[int], None]


def write(user: User, path: Path, progress: Progress) -> int:
    """Write the export of a user's data into a new file; returns its bytes.

    Raises OSError, FileExistsError if there is such a file. Nothing is left of a failed export.
    """
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, FILE_MODE)
    try:
        with os.fdopen(descriptor, "wb") as output:
            os.fchmod(descriptor, FILE_MODE)
            for piece in zip_pieces(_counted(user, progress), now()):
                output.write(piece)
            output.flush()
            os.fsync(descriptor)
            size = output.tell()
    except BaseException:
        path.unlink()
        raise
    security_log.note("exported the data of a person", None, user.pk)
    return size


def _counted(user: User, progress: Progress) -> Iterator[File]:
    for number, file in enumerate(exports.files(user), 1):
        yield file
        if number % PROGRESS_FILES == 0:
            progress(number)
