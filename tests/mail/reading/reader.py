"""The reader of messages as the service uses it: told of the games that are played here."""

from collections.abc import Sequence

from games.mail.answering.game_vocabulary import vocabulary
from games.mail.reading import message
from games.mail.reading.child import client
from games.mail.reading.commands import Command
from games.mail.reading.grammar import lines, set_up_blocks
from games.mail.reading.message import Reading
from games.mail.reading.mime.limits import MAX_MESSAGE_BYTES


def read(raw: bytes) -> Reading:
    return message.read(raw, vocabulary())


def read_in_child(raw: bytes, max_bytes: int = MAX_MESSAGE_BYTES) -> Reading:
    return client.read_in_child(raw, vocabulary(), max_bytes)


def read_line(line: str) -> Command | None:
    return lines.read_line(line, vocabulary())


def read_lines(texts: Sequence[str | None], physical: Sequence[str] | None) -> list[Command]:
    return lines.read_lines(texts, physical, vocabulary())


def read_blocks(texts: Sequence[str | None], *, quoted: bool = False) -> list[Command]:
    return set_up_blocks.read_blocks(texts, vocabulary(), quoted=quoted)


def is_command(line: str) -> bool:
    return lines.is_command(line, vocabulary())
