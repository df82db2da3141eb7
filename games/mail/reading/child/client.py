"""Client of the parser process: a hostile message can harm only a limited child process.

The child answers in JSON. Parsing takes about a millisecond, plus the fork (lib/child_processes).
"""

from games.mail.reading.child import wire_format
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.mime.limits import BROKEN, MAX_MESSAGE_BYTES, TOO_LARGE
from games.mail.reading.parsed_message import ParsedMessage, parse_header
from lib.child_processes import Child, ChildLost

PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.mail.reading.child.server import serve; serve()"
)
ANSWER_SECONDS = 30  # the child gives up on a message much earlier

reader = Child(PROGRAM, ANSWER_SECONDS)


class ReaderLost(ChildLost):
    """The parser process is not available; the message is not at fault."""


def read_in_child(
    raw: bytes, vocabulary: Vocabulary, max_bytes: int = MAX_MESSAGE_BYTES
) -> ParsedMessage:
    """Parse a message in the child; one that crashes it or takes too long is "broken".

    Raises ReaderLost.
    """
    if len(raw) > max_bytes:
        return parse_header(raw, TOO_LARGE)
    try:
        answer = reader.ask(wire_format.encode_request(raw, vocabulary))
    except ChildLost:
        raise ReaderLost from None
    return wire_format.decode_parsed(answer) or parse_header(raw, BROKEN)


def stop() -> None:
    """Stop the child process, if one is running."""
    reader.stop()
