"""What goes between the reader of pasted texts and its parent, as JSON."""

import json
from typing import Any

from games.rules.core.basics import refusals
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal
from games.rules.core.ruleset.base import Ruleset


def setup_question(rules: Ruleset, seat: Seat, text: str) -> dict[str, Any]:
    """What the reader is asked about a set-up."""
    switches = dict(rules.options)
    return {"setup": text, "preset": rules.key, "switches": switches, "seat": int(seat)}


def dump_refusal(refusal: Refusal) -> dict[str, Any]:
    """A refusal, its facts and all that it carries."""
    faults = refusal.faults if isinstance(refusal, BadSetup) else ()
    return {
        "kind": type(refusal).__name__,
        "template": refusal.template,
        "facts": {name: _dump_fact(fact) for name, fact in refusal.facts.items()},
        # A set-up's first fault carries them all, itself as well.
        "faults": [dump_refusal(fault) for fault in faults if fault is not refusal],
    }


def load_refusal(said: dict[str, Any]) -> Refusal:
    """What `dump_refusal` wrote."""
    kind = getattr(refusals, said["kind"])
    refusal: Refusal = kind.__new__(kind)
    facts = {name: _load_fact(fact) for name, fact in said["facts"].items()}
    Refusal.__init__(refusal, said["template"], **facts)
    if isinstance(refusal, BadSetup):
        refusal.faults = (refusal, *map(load_refusal, said["faults"]))  # type: ignore[arg-type]
    return refusal


def dump(said: dict[str, Any]) -> bytes:
    return json.dumps(said, separators=(",", ":")).encode("ascii")


def load(said: bytes) -> dict[str, Any] | None:
    """What `dump` wrote; None of nothing."""
    return dict(json.loads(said)) if said else None


def _dump_fact(fact: object) -> object:
    if isinstance(fact, Refusal):
        return dump_refusal(fact)
    return fact if isinstance(fact, int) else str(fact)


def _load_fact(fact: object) -> object:
    return load_refusal(fact) if isinstance(fact, dict) else fact
