"""Messages between the reader of pasted texts and its parent process, as JSON."""

import json
from typing import Any

from games.rules.core.basics import refusals
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.ruleset.base import Ruleset


def setup_question(rules: Ruleset, seat: Seat, text: str) -> dict[str, Any]:
    """The question to the reader about a set-up."""
    switches = dict(rules.options)
    return {"setup": text, "preset": rules.key, "switches": switches, "seat": int(seat)}


def dump_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal as JSON, with its values and all the refusals it carries."""
    faults = refusal.faults if isinstance(refusal, BadSetup) else ()
    return {
        "kind": type(refusal).__name__,
        "template": refusal.template,
        "values": {name: _dump_value(value) for name, value in refusal.values.items()},
        # The first fault of a set-up carries all of them, including itself.
        "faults": [dump_refusal(fault) for fault in faults if fault is not refusal],
    }


def load_refusal(fields: dict[str, Any]) -> Refusal:
    """The refusal that `dump_refusal` wrote."""
    kind = getattr(refusals, fields["kind"])
    refusal: Refusal = kind.__new__(kind)
    values = {name: _load_value(value) for name, value in fields["values"].items()}
    Refusal.__init__(refusal, fields["template"], **values)
    if isinstance(refusal, BadSetup):
        refusal.faults = (refusal, *map(load_refusal, fields["faults"]))  # type: ignore[arg-type]
    return refusal


def dump(value: dict[str, Any]) -> bytes:
    return json.dumps(value, separators=(",", ":")).encode("ascii")


def load(text: bytes) -> dict[str, Any] | None:
    """The value that `dump` wrote; None for an empty text."""
    return dict(json.loads(text)) if text else None


def _dump_value(value: object) -> object:
    if isinstance(value, Refusal):
        return dump_refusal(value)
    return value if isinstance(value, int) else str(value)


def _load_value(value: object) -> object:
    return load_refusal(value) if isinstance(value, dict) else value
