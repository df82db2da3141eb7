"""Reading of a message: its bytes become what counts of it, and nothing makes it fail."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from games.mail.reading.actions import is_action, meanings
from games.mail.reading.automatic_mail import Machine, machine_of
from games.mail.reading.commands import Command
from games.mail.reading.grammar.lines import read_lines
from games.mail.reading.grammar.set_up_blocks import read_blocks
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.mime import trace_fields
from games.mail.reading.mime.headers import message_id, read_headers
from games.mail.reading.mime.limits import BROKEN, MAX_HEADER_BYTES, MAX_MESSAGE_BYTES, problem_of
from games.mail.reading.mime.mailboxes import senders
from games.mail.reading.mime.parts import Parts, read_parts
from games.mail.reading.text import own_lines
from games.mail.reading.text.html_text import html_lines
from games.mail.reading.text.own_lines import Line

MAX_COMMANDS = 1_000


@dataclass(frozen=True)
class Reading:
    """What was read off a message.

    `problem` is empty, "too large", "too deep", "too many parts", "header too large" or "broken".
    `senders` are the mailboxes of all From fields; unless there is exactly one, nobody may act.
    `results` are the Authentication-Results that our own mail server may have written, `received`
    is its Received. `own` and `html_own` are the writer's own lines. `conflict` says that text and
    HTML ask for different actions; then none of the commands may be done.
    """

    problem: str = ""
    message_id: str = ""
    senders: tuple[str, ...] = ()
    machine: Machine = Machine.NO
    results: tuple[str, ...] = ()
    received: str = ""
    own: tuple[str, ...] = ()
    html_own: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    conflict: bool = False


def read(raw: bytes, games: Vocabulary, max_bytes: int = MAX_MESSAGE_BYTES) -> Reading:
    """The reading of a message as it came in."""
    if problem := problem_of(raw, max_bytes):
        return read_head(raw, problem)
    try:
        parts = read_parts(raw)
        known = read_head(raw, parts.problem, parts.content_types)
        return known if known.problem else _with_commands(known, parts, games)
    # Whatever a message makes the parser raise, MemoryError and RecursionError among it, is the
    # message's own fault; it is kept and said to be unreadable.
    except Exception:
        return read_head(raw, BROKEN)


def read_head(raw: bytes, problem: str, content_types: frozenset[str] = frozenset()) -> Reading:
    """What the header fields say, for who is to be told of a message that cannot be read.

    All of it is linear. Of a header that is too large the
    beginning is read.
    """
    headers = read_headers(raw[: MAX_HEADER_BYTES + 4])
    return Reading(
        problem=problem,
        message_id=message_id(headers),
        senders=senders(headers),
        machine=machine_of(headers, content_types),
        results=trace_fields.results(headers),
        received=trace_fields.received(headers),
    )


def _with_commands(known: Reading, parts: Parts, games: Vocabulary) -> Reading:
    text = own_lines.without_quotations(
        [line for part in parts.texts for line in own_lines.split(part)]
    )
    html = own_lines.without_quotations(
        [line for part in parts.html_texts for line in html_lines(part)]
    )
    in_text = _commands(text, games, wrapped=True)
    in_html = _commands(html, games, wrapped=False)
    # What stands in a quotation contradicts nobody.
    actions_in_text, actions_in_html = (
        meanings(command for command in commands if not command.quoted)
        for commands in (in_text, in_html)
    )
    return replace(
        known,
        own=own_lines.own(text),
        html_own=own_lines.own(html),
        commands=in_text or in_html,
        conflict=bool(actions_in_text and actions_in_html and actions_in_text != actions_in_html),
    )


def _commands(lines: Sequence[Line], games: Vocabulary, *, wrapped: bool) -> tuple[Command, ...]:
    """The commands of a part; set-ups within the quotation count if nothing else is asked for."""
    own = [line.text if line.is_own else None for line in lines]
    previous = [line.text for line in lines] if wrapped else None
    commands = [*read_lines(own, previous, games), *read_blocks(own, games)]
    if not any(is_action(command) for command in commands):
        quoted = [None if line.is_own else line.text for line in lines]
        commands += read_blocks(quoted, games, quoted=True)
    return tuple(sorted(commands, key=lambda command: command.line)[:MAX_COMMANDS])
