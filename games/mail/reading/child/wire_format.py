"""Wire format between parent and parser process: requests and parsed messages as JSON.

Not pickle: a child that a hostile message has taken over must not run code in the parent.
"""

import json
from dataclasses import Field, asdict, fields
from typing import Any

from games.mail.reading.automatic_mail import Automatic
from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.parsed_message import ParsedMessage


def encode_request(raw: bytes, vocabulary: Vocabulary) -> bytes:
    """A line of JSON with the vocabulary, then the raw message."""
    return json.dumps(asdict(vocabulary)).encode("ascii") + b"\n" + raw


def decode_request(request: bytes) -> tuple[bytes, Vocabulary]:
    """The raw message and the vocabulary."""
    line, _, raw = request.partition(b"\n")
    values = {name: _tuple(value) for name, value in json.loads(line).items()}
    return raw, Vocabulary(**values)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def encode_parsed(parsed: ParsedMessage) -> bytes:
    """A parsed message as JSON."""
    values = _changed_values(parsed)
    values["automatic"] = parsed.automatic.value
    values["commands"] = [_changed_values(c) | {"verb": c.verb.value} for c in parsed.commands]
    # Text may contain a lone surrogate, which only escaped JSON can represent.
    return json.dumps(values).encode("ascii")


def decode_parsed(answer: bytes) -> ParsedMessage | None:
    """A parsed message from JSON; None if the JSON is invalid."""
    try:
        values = json.loads(answer)
        commands = tuple(
            Command(**_checked(Command, each | {"verb": Verb(each["verb"])}))
            for each in values.pop("commands")
        )
        values |= {"automatic": Automatic(values["automatic"]), "commands": commands}
        return ParsedMessage(**_checked(ParsedMessage, values))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _changed_values(record: ParsedMessage | Command) -> dict[str, Any]:
    """The fields whose values differ from the defaults."""
    values = ((field, getattr(record, field.name)) for field in fields(record))
    return {field.name: value for field, value in values if value != field.default}


def _checked(kind: type[ParsedMessage] | type[Command], values: dict[str, Any]) -> dict[str, Any]:
    """The values with lists as tuples; raises TypeError where a type is wrong."""
    by_name = {field.name: field for field in fields(kind)}
    return {name: _value(by_name[name], value) for name, value in values.items()}


def _value(field: Field[Any], value: Any) -> Any:
    if isinstance(value, list):
        value = tuple(value)
        if not all(isinstance(item, str | int) for item in value):
            raise TypeError
    if field.name == "match" or field.name == "verb":
        return value
    if type(value) is not type(field.default):
        raise TypeError
    return value
