"""Server of the reader: reads one pasted text in each fork, within limits."""

from random import Random
from typing import Any

from games.play.pasted import wire
from games.play.pasted.records import check_record
from games.rules import registry
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import setup_aliases
from games.rules.core.text.game_record import Record, write_record
from lib import child_server

LIMITS = child_server.Limits(
    cpu_seconds=10,  # many times what the longest record takes
    wall_seconds=30,
    memory_bytes=256 * 1024 * 1024,
)


def serve() -> None:
    """Answer questions until standard input ends."""
    child_server.serve(answer, LIMITS, warm_up)


def answer(question: bytes) -> bytes:
    """The answer to a question: what the text contains, or why it is refused."""
    fields = wire.load(question)
    assert fields is not None  # noqa: S101 - there is no question without a text.
    try:
        return wire.dump(_read(fields))
    except Refusal as refusal:
        return wire.dump({"refused": wire.dump_refusal(refusal)})


def warm_up() -> None:
    """Use every import once: a fork cannot open files, so it cannot import anything."""
    dice = Random(0)  # noqa: S311 - no secret
    for rules in registry.editions():
        start = rules.start(dice)
        setups: BySeat[str | None] = BySeat(None, None)
        for seat in rules.seats_setting_up:
            setup = rules.setup_text(rules.random_setup(seat, dice, start))
            setups = setups.put(seat, setup)
            answer(wire.dump(wire.setup_question(rules, seat, setup)))
        record = write_record(Record(edition=rules.key, setups=setups))
        answer(wire.dump({"record": record}))


def _read(fields: dict[str, Any]) -> dict[str, Any]:
    if "record" in fields:
        return {"record": check_record(fields["record"])}
    rules = registry.ruleset(fields["preset"], fields["switches"])
    return {"setup": _setup_text(rules, Seat(fields["seat"]), fields["setup"])}


def _setup_text(rules: Ruleset, seat: Seat, text: str) -> str:
    setup, faults = rules.parse_setup(seat, setup_aliases.canonical(rules, seat, text))
    if faults:
        raise faults[0].combined(faults)
    return rules.setup_text(setup)
