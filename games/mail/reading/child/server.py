"""Server of read_in_child: reads one message in each fork, within limits."""

from games.mail.reading.child import wire
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.message import read
from games.mail.reading.mime.charsets import CODECS
from lib import child_server

LIMITS = child_server.Limits(
    cpu_seconds=2,
    wall_seconds=10,  # nothing in it sleeps
    memory_bytes=256 * 1024 * 1024,
    open_files=32,
)

# Read once before the first fork, so that none has to import what the parser takes on its way.
SAMPLE = (
    b"From: a@example.org\nSubject: =?utf-8?b?YQ==?=\n"
    b"Content-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Transfer-Encoding: base64\n\nYQ==\n"
    b"--b\nContent-Type: text/html; charset*=utf-8''utf-8\n"
    b"Content-Transfer-Encoding: quoted-printable\n\n<p>&amp;=20a</p>\n--b--\n"
)


NO_GAME = Vocabulary(names=("none",), files=(8, 8), rows=(3, 3), pieces="F", army=24)


def serve() -> None:
    """Answer until standard input ends."""
    child_server.serve(_reading, LIMITS, _warm_up)


def _reading(question: bytes) -> bytes:
    raw, games = wire.asked(question)
    return wire.dump(read(raw, games, len(raw)))


def _warm_up() -> None:
    for codec in set(CODECS.values()):
        b"a".decode(codec, "replace")
    _reading(wire.question(SAMPLE, NO_GAME))
