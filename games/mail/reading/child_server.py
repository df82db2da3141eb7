"""Server of read_in_child: reads one message in each fork, within limits."""

from games.mail.reading import wire
from games.mail.reading.charsets import CODECS
from games.mail.reading.message import read
from games.sandbox import server

LIMITS = server.Limits(
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


def serve() -> None:
    """Answer until standard input ends."""
    server.serve(_reading, LIMITS, _warm_up)


def _reading(raw: bytes) -> bytes:
    return wire.dump(read(raw, len(raw)))


def _warm_up() -> None:
    for codec in set(CODECS.values()):
        b"a".decode(codec, "replace")
    _reading(SAMPLE)
