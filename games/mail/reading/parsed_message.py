"""Parses a raw message into a ParsedMessage; never raises, however broken the message is."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from games.mail.reading.action_grouping import action_meanings, is_action
from games.mail.reading.automatic_mail import Automatic, automatic_status
from games.mail.reading.commands import Command
from games.mail.reading.grammar.line_parser import read_lines
from games.mail.reading.grammar.proof_lines import proof_lines
from games.mail.reading.grammar.set_up_blocks import read_blocks
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.mime import trace_fields
from games.mail.reading.mime.from_field import from_addresses
from games.mail.reading.mime.headers import message_id, read_headers, with_known_fields
from games.mail.reading.mime.limits import BROKEN, MAX_HEADER_BYTES, MAX_MESSAGE_BYTES, find_problem
from games.mail.reading.mime.parts import Parts, read_parts
from games.mail.reading.text import own_lines
from games.mail.reading.text.html_text import html_lines
from games.mail.reading.text.own_lines import MAX_LINES, Line

MAX_COMMANDS = 1_000


@dataclass(frozen=True)
class ParsedMessage:
    """A message as parsed.

    `problem`: empty, "too large", "too deep", "too many parts", "header too large" or "broken".
    `from_addresses`: the mailboxes of all From fields; unless there is exactly one, nobody may act.
    `results`: the Authentication-Results fields that our own mail server may have written.
    `received`: its Received field. `own_lines`, `html_own_lines`: the lines that the sender wrote,
    in the text and in the HTML. `conflict`: text and HTML ask for different actions, so no command
    may be carried out; `commands` are those of both then.
    """

    problem: str = ""
    message_id: str = ""
    from_addresses: tuple[str, ...] = ()
    automatic: Automatic = Automatic.NO
    results: tuple[str, ...] = ()
    received: str = ""
    own_lines: tuple[str, ...] = ()
    html_own_lines: tuple[str, ...] = ()
    commands: tuple[Command, ...] = ()
    conflict: bool = False


def parse_message(
    raw: bytes, vocabulary: Vocabulary, max_bytes: int = MAX_MESSAGE_BYTES
) -> ParsedMessage:
    """Parse a raw message."""
    known = with_known_fields(raw)
    # What is parsed has to be within the limits, and so has what was received.
    if problem := find_problem(raw, max_bytes) or find_problem(known, len(raw)):
        return parse_header(raw, problem)
    try:
        parts = read_parts(known)
        parsed = parse_header(raw, parts.problem, parts.content_types)
        return parsed if parsed.problem else _with_commands(parsed, parts, vocabulary)
    # A message may make the parser raise anything, including MemoryError and RecursionError.
    # It is kept, and its sender gets a receipt that it cannot be read.
    except Exception:
        return parse_header(raw, BROKEN)


def parse_header(
    raw: bytes, problem: str = "", content_types: frozenset[str] = frozenset()
) -> ParsedMessage:
    """Parse the header alone: to decide whether the body counts, or since it cannot be read.

    Takes linear time. Of a header that is too large only the beginning is parsed.
    """
    headers = read_headers(raw[: MAX_HEADER_BYTES + 4])
    return ParsedMessage(
        problem=problem,
        message_id=message_id(headers),
        from_addresses=from_addresses(headers),
        automatic=automatic_status(headers, content_types),
        results=trace_fields.results(headers),
        received=trace_fields.received(headers),
    )


def _with_commands(parsed: ParsedMessage, parts: Parts, vocabulary: Vocabulary) -> ParsedMessage:
    # One budget for all parts: twenty parts take no more time than one.
    text = _split(parts.texts, own_lines.split, MAX_LINES)
    html = _split(parts.html_texts, html_lines, MAX_LINES - len(text))
    text, html = own_lines.without_quotations(text), own_lines.without_quotations(html)
    in_text = _commands(text, vocabulary, wrapped=True)
    in_html = _commands(html, vocabulary, wrapped=False)
    # Commands in a quotation do not count as a conflict.
    actions_in_text, actions_in_html = (
        action_meanings(command for command in commands if not command.quoted)
        for commands in (in_text, in_html)
    )
    conflict = bool(actions_in_text and actions_in_html and actions_in_text != actions_in_html)
    return replace(
        parsed,
        own_lines=own_lines.own_texts(text),
        html_own_lines=own_lines.own_texts(html),
        commands=(*in_text, *in_html) if conflict else in_text or in_html,
        conflict=conflict,
    )


def _split(
    parts: Sequence[str], split: Callable[[str, int], list[Line]], max_lines: int
) -> list[Line]:
    """The first `max_lines` lines of some parts, in order."""
    lines: list[Line] = []
    for part in parts:
        if len(lines) < max_lines:
            lines += split(part, max_lines - len(lines))
    return lines


def _commands(
    lines: Sequence[Line], vocabulary: Vocabulary, *, wrapped: bool
) -> tuple[Command, ...]:
    """The commands of a part; set-ups in the quotation count if there is no other action."""
    proofs = proof_lines([line.text for line in lines])
    free = [None if number in proofs else line for number, line in enumerate(lines)]
    own = [line.text if line and line.is_own else None for line in free]
    previous = [line.text for line in lines] if wrapped else None
    commands = [*read_lines(own, previous, vocabulary), *read_blocks(own, vocabulary)]
    if not any(is_action(command) for command in commands):
        quoted = [None if line is None or line.is_own else line.text for line in free]
        commands += read_blocks(quoted, vocabulary, quoted=True)
    return tuple(sorted(commands, key=lambda command: command.line)[:MAX_COMMANDS])
