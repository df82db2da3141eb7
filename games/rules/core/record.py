"""Game records: a match as a text that can be kept, sent and played through again.

The one rule: what a record says is believed only after `check` has played it.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace

from games.rules.core.army import BySeat, Seat
from games.rules.core.engine import advance, begin
from games.rules.core.errors import BadRecord, Refusal, gettext_noop
from games.rules.core.events import Event
from games.rules.core.notation import annotate, read_move, read_setup, remarks
from games.rules.core.observation import witness
from games.rules.core.position import Outcome, Position
from games.rules.core.ruleset import Ruleset
from games.rules.core.switches import Value, read_value, write_value
from games.rules.core.viewpoint import Viewpoint

TAG = re.compile(r'(?:\s|;[^\n]*)*\[([A-Za-z]+) "((?:[^"\\\n]|\\[^\n])*)"\]')
COMMENT = re.compile(r";[^\n]*")
NUMBER = re.compile(r"[0-9]+\.+")
LINE = 80

RULE_TAGS = ("System", "Switches", "SetupS", "SetupN", "Result", "Reason")
RESULTS = ("S", "N", "O", "draw", "*")
# The reasons that no position shows: the players or the clock ended the match.
OUTSIDE_REASONS = ("resigned", "agreed", "time")

UNTOLD: BySeat[str | None] = BySeat(None, None)


@dataclass(frozen=True)
class Record:
    """A match on paper.

    `switches` holds what differs from the preset, `tags` everything else in brackets (names,
    dates), `setups` None for a side that kept its own secret, `moves` the texts as played, with or
    without annotations, `result` one of RESULTS, `opening` the remarks before the first move.
    """

    system: str
    switches: Mapping[str, Value] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    setups: BySeat[str | None] = UNTOLD
    moves: tuple[str, ...] = ()
    result: str = "*"
    reason: str = ""
    opening: str = ""


def write_record(record: Record) -> str:
    """The text of a record; read_record gives the same record back."""
    tags = {"System": record.system}
    if record.switches:
        tags["Switches"] = ", ".join(
            f"{name}={write_value(value)}" for name, value in record.switches.items()
        )
    tags |= {name: value for name, value in record.tags.items() if name not in RULE_TAGS}
    for seat, name in zip(Seat, ("SetupS", "SetupN"), strict=True):
        setup = record.setups[seat]
        if setup is not None:
            tags[name] = setup
    tags["Result"] = record.result
    if record.reason:
        tags["Reason"] = record.reason
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    words = [record.opening] if record.opening else []
    for number, move in enumerate(record.moves):
        words += [f"{number // 2 + 1}.", move] if number % 2 == 0 else [move]
    return "\n".join([*lines, "", *_wrapped([*words, record.result]), ""])


def read_record(text: str) -> Record:
    """The record that a text holds; raises BadRecord."""
    tags: dict[str, str] = {}
    end = 0
    text = text.strip()
    while tag := TAG.match(text, end):
        tags[tag.group(1)] = re.sub(r"\\(.)", r"\1", tag.group(2))
        end = tag.end()
    if "System" not in tags:
        raise BadRecord(gettext_noop("A record begins with the system: [System “...”]."))
    opening, moves, result = _read_moves(COMMENT.sub("", text[end:]))
    if tags.get("Result", result) != result:
        raise BadRecord(
            gettext_noop("The record gives two results, %(one)s and %(other)s."),
            one=tags["Result"],
            other=result,
        )
    return Record(
        system=tags["System"],
        switches=_read_switches(tags.get("Switches", "")),
        tags={name: value for name, value in tags.items() if name not in RULE_TAGS},
        setups=BySeat(tags.get("SetupS"), tags.get("SetupN")),
        moves=moves,
        result=result,
        reason=tags.get("Reason", ""),
        opening=opening,
    )


def replay(rules: Ruleset, record: Record) -> Iterator[tuple[Position, tuple[Event, ...]]]:
    """The positions of a record from the set-ups on, each with the events that led to it.

    Raises BadSetup, or BadRecord that names the first move which the rules do not allow.
    """
    position = begin(rules, None)
    for seat in position.to_act:
        text = record.setups[seat]
        if text is None:
            raise BadRecord(gettext_noop("The record lacks a set-up, so it cannot be replayed."))
        position, events = advance(rules, position, seat, read_setup(rules, seat, text))
    yield position, events
    for number, text in enumerate(record.moves):
        try:
            move = read_move(rules, position, position.turn, text)
            position, events = advance(rules, position, position.turn, move)
        except Refusal as refusal:
            raise BadRecord(
                gettext_noop("Move %(number)s, %(text)s, cannot be played: %(refusal)s"),
                number=number // 2 + 1,
                text=text,
                refusal=str(refusal),
            ) from refusal
        yield position, events


def check(rules: Ruleset, record: Record) -> Position:
    """The last position of a record that plays through and ends as it says; raises BadRecord."""
    *_, (position, _) = replay(rules, record)
    if position.outcome is None:
        if record.result != "*" and record.reason not in OUTSIDE_REASONS:
            raise BadRecord(
                gettext_noop("The record says that the game is over, but its moves do not end it.")
            )
        return position
    result = result_of(rules, position.outcome)
    if (record.result, record.reason or position.outcome.reason) != (
        result,
        position.outcome.reason,
    ):
        raise BadRecord(
            gettext_noop("By its moves the game ends %(result)s, %(reason)s."),
            result=result,
            reason=position.outcome.reason,
        )
    return position


def result_of(rules: Ruleset, outcome: Outcome | None) -> str:
    """The result of a match as records write it."""
    if outcome is None:
        return "*"
    return "draw" if outcome.winner is None else rules.seat_letters[outcome.winner]


def annotated(rules: Ruleset, record: Record) -> Record:
    """The record with the server's remarks on every move."""
    steps = list(replay(rules, record))
    moves = []
    for (before, _), text, (_, events) in zip(steps[:-1], record.moves, steps[1:], strict=True):
        move = read_move(rules, before, before.turn, text)
        moves.append(annotate(rules, move, witness(events, Viewpoint.GALLERY)))
    opening = remarks(witness(steps[0][1], Viewpoint.GALLERY)).strip()
    return replace(record, moves=tuple(moves), opening=opening)


def _read_moves(text: str) -> tuple[str, tuple[str, ...], str]:
    """The opening volley, the moves with what belongs to each, and the result."""
    opening: list[str] = []
    moves: list[str] = []
    result = "*"
    for word in text.split():
        if NUMBER.fullmatch(word):
            continue
        if word.startswith("~"):
            if moves:
                moves[-1] += f" {word}"
            else:
                opening.append(word)
        elif word in RESULTS:
            result = word
        else:
            moves.append(word)
    return " ".join(opening), tuple(moves), result


def _read_switches(text: str) -> dict[str, Value]:
    switches = {}
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if not equals:
            raise BadRecord(
                gettext_noop("“%(text)s” is no switch; one is written name=value."), text=part[:40]
            )
        switches[name] = read_value(value)
    return switches


def _escape(value: str) -> str:
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> list[str]:
    """The words in lines of moderate length."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
