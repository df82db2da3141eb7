"""Questions and readings, between the parent and the child process that reads.

Not pickled: what a hostile message has made of the child must not run code in the parent.
"""

import json
from dataclasses import Field, asdict, fields
from typing import Any

from games.mail.reading.automatic_mail import Machine
from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.vocabulary import Vocabulary
from games.mail.reading.message import Reading


def question(raw: bytes, games: Vocabulary) -> bytes:
    """A message to be read, behind a line about the games that it may be about."""
    return json.dumps(asdict(games)).encode("ascii") + b"\n" + raw


def asked(question: bytes) -> tuple[bytes, Vocabulary]:
    """The message, and what is known of the games."""
    line, _, raw = question.partition(b"\n")
    facts = {name: _tuple(value) for name, value in json.loads(line).items()}
    return raw, Vocabulary(**facts)


def _tuple(value: Any) -> Any:
    return tuple(value) if isinstance(value, list) else value


def dump(reading: Reading) -> bytes:
    """A reading as JSON."""
    facts = _facts(reading)
    facts["machine"] = reading.machine.value
    facts["commands"] = [_facts(c) | {"verb": c.verb.value} for c in reading.commands]
    # A text may hold half of a surrogate pair, which only the escaped form can carry.
    return json.dumps(facts).encode("ascii")


def load(answer: bytes) -> Reading | None:
    """The reading of a JSON text; None if it is none."""
    try:
        facts = json.loads(answer)
        commands = tuple(
            Command(**_checked(Command, known | {"verb": Verb(known["verb"])}))
            for known in facts.pop("commands")
        )
        facts |= {"machine": Machine(facts["machine"]), "commands": commands}
        return Reading(**_checked(Reading, facts))
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        return None


def _facts(record: Reading | Command) -> dict[str, Any]:
    """The fields that are not as they are by default."""
    values = ((field, getattr(record, field.name)) for field in fields(record))
    return {field.name: value for field, value in values if value != field.default}


def _checked(kind: type[Reading] | type[Command], facts: dict[str, Any]) -> dict[str, Any]:
    """The facts with lists as tuples; raises TypeError where one is of another kind."""
    by_name = {field.name: field for field in fields(kind)}
    return {name: _value(by_name[name], value) for name, value in facts.items()}


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
