"""The message reader with the vocabulary of the registered games."""

from collections.abc import Sequence

from games.mail.answering.game_vocabulary import vocabulary
from games.mail.reading import parsed_message
from games.mail.reading.child import client
from games.mail.reading.commands import Command
from games.mail.reading.grammar import line_parser, set_up_blocks
from games.mail.reading.mime.limits import MAX_MESSAGE_BYTES
from games.mail.reading.parsed_message import ParsedMessage


def read(raw: bytes) -> ParsedMessage:
    return parsed_message.parse_message(raw, vocabulary())


def read_in_child(raw: bytes, max_bytes: int = MAX_MESSAGE_BYTES) -> ParsedMessage:
    return client.read_in_child(raw, vocabulary(), max_bytes)


def read_line(line: str) -> Command | None:
    return line_parser.read_line(line, vocabulary())


def read_lines(texts: Sequence[str | None], physical: Sequence[str] | None) -> list[Command]:
    return line_parser.read_lines(texts, physical, vocabulary())


def read_blocks(texts: Sequence[str | None], *, quoted: bool = False) -> list[Command]:
    return set_up_blocks.read_blocks(texts, vocabulary(), quoted=quoted)


def is_command(line: str) -> bool:
    """Whether a line by itself would be parsed as a command."""
    return line_parser.read_line(line, vocabulary()) is not None
