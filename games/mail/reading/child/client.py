"""Reads a message in a limited child process, so that a hostile one can only harm the child.

The child answers in JSON; reading a message takes it a millisecond beside the fork (games/sandbox).
"""

from games.mail.reading.child import wire
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.message import Reading, read_head
from games.mail.reading.mime.limits import BROKEN, MAX_MESSAGE_BYTES, TOO_LARGE
from lib.child_processes import Child, ChildLost

PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.mail.reading.child.server import serve; serve()"
)
ANSWER_SECONDS = 30  # the server gives up a message long before

reader = Child(PROGRAM, ANSWER_SECONDS)


class ReaderLost(ChildLost):
    """There is nobody who could read it: no fault of the message."""


def read_in_child(raw: bytes, games: Vocabulary, max_bytes: int = MAX_MESSAGE_BYTES) -> Reading:
    """The reading of a message; one that kills or holds up its reader is "broken".

    Raises ReaderLost.
    """
    if len(raw) > max_bytes:
        return read_head(raw, TOO_LARGE)
    try:
        answer = reader.ask(wire.question(raw, games))
    except ChildLost:
        raise ReaderLost from None
    return wire.load(answer) or read_head(raw, BROKEN)


def stop() -> None:
    """End the server of this process, if there is one."""
    reader.stop()
