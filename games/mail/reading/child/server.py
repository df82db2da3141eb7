"""Parser process: parses each message in a fork with limits on CPU, time and memory."""

from games.mail.reading.child import wire_format
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.mime.charsets import CODECS
from games.mail.reading.parsed_message import parse_message
from lib import child_server

LIMITS = child_server.Limits(
    cpu_seconds=2,
    wall_seconds=10,  # parsing never sleeps
    memory_bytes=256 * 1024 * 1024,
)

# Parsed before the first fork: a fork can open no file, so the parser's lazy imports come before.
SAMPLE = (
    b"From: a@example.org\nSubject: =?utf-8?b?YQ==?=\n"
    b"Content-Type: multipart/mixed; boundary=b\n\n"
    b"--b\nContent-Transfer-Encoding: base64\n\nYQ==\n"
    b"--b\nContent-Type: text/html; charset*=utf-8''utf-8\n"
    b"Content-Transfer-Encoding: quoted-printable\n\n<p>&amp;=20a</p>\n--b--\n"
)


PLACEHOLDER_VOCABULARY = Vocabulary(names=("none",), files=(8, 8), rows=(3, 3), pieces="F", army=24)


def serve() -> None:
    """Serve requests until standard input ends."""
    child_server.serve(_parse, LIMITS, _warm_up)


def _parse(request: bytes) -> bytes:
    raw, vocabulary = wire_format.decode_request(request)
    return wire_format.encode_parsed(parse_message(raw, vocabulary, len(raw)))


def _warm_up() -> None:
    for codec in set(CODECS.values()):
        b"a".decode(codec, "replace")
    _parse(wire_format.encode_request(SAMPLE, PLACEHOLDER_VOCABULARY))
