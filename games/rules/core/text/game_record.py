"""Game record: a match as text, like PGN; read, written, replayed and checked.

Nothing in a record is trusted before `replay` and `check_ending`.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import NamedTuple

from games.rules.core.basics.moves import Move, move_number
from games.rules.core.basics.options import Value, read_value, write_value
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.refusals import BadRecord, Refusal, gettext_noop
from games.rules.core.basics.termination import OffBoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Outcome, Position
from games.rules.core.text.notation import (
    LONGEST_MOVE_CHARACTERS,
    REMARK,
    SQUARE,
    annotate,
    read_move,
    read_setup,
    remarks,
)
from lib.spelling import moves as spelled_moves
from lib.spelling import typed_text

# A comment ends with its line, so there is only one way to match a series of them.
SKIP = re.compile(r"(?:\s|;[^\n]*(?:\n|$))*")
# Phones and word processors write typographic quotation marks.
TAG = re.compile(r'\[([A-Za-z]+)\s+(?:"((?:\\[^\n]|[^"\\\n]++)*+)"|[“”„«]([^“”„«»\n]*+)[“”»])\s*\]')
COMMENT = re.compile(r";[^\n]*")
NUMBER = re.compile(r"[0-9]+\.+")
# A move in blanks, `a4 - a5`: a word that begins with a sign continues one, and so does a square
# after a lone square or after a sign.
SIGN = "[-x>:]"
CONTINUES = re.compile(SIGN)
STARTS = re.compile(SQUARE)
UNFINISHED = re.compile(rf"(?:\*{SQUARE},)?{SQUARE}(?:(?: ?{SIGN}+ ?{SQUARE}){{0,17}} ?{SIGN}+)?")
LINE_CHARACTERS = 80
LONGEST_TAG_NAME_CHARACTERS = 60
LONGEST_TAG_VALUE_CHARACTERS = 2_000  # twice as long as a set-up may be
LONGEST_RECORD_PLIES = 5_000  # of a record that is imported
TIMES = "Times"  # the instant of each move
LONGEST_TIMES_CHARACTERS = LONGEST_RECORD_PLIES * len("2026-11-26T09:00:00Z ")

SETUP_TAGS = BySeat("SetupS", "SetupN")
KEY_TAGS = ("System", "Switches")
RULE_TAGS = (*KEY_TAGS, *SETUP_TAGS, "Result", "Reason")
RESULTS = ("S", "N", "O", "draw", "*")

SECRET: BySeat[str | None] = BySeat(None, None)


@dataclass(frozen=True)
class Lines:
    """Line numbers of a record's tags, moves and result, from 1."""

    tags: Mapping[str, int] = field(default_factory=dict)
    moves: tuple[int, ...] = ()
    result: int | None = None


@dataclass(frozen=True)
class Record:
    """A game record.

    `edition` is its key. `options` are those that differ from the edition, `tags` all other tags
    (names, dates). `setups` is None for a side whose set-up is secret, `moves` are the texts as
    played, with or without annotations, `result` is one of RESULTS. `reason` is the phrase of a
    Termination; in an unchecked record it may be anything. `opening` are the remarks before the
    first move. `lines` are line numbers in the text that was read, and not compared.
    """

    edition: str
    options: Mapping[str, Value] = field(default_factory=dict)
    tags: Mapping[str, str] = field(default_factory=dict)
    setups: BySeat[str | None] = SECRET
    moves: tuple[str, ...] = ()
    result: str = "*"
    reason: str = ""
    opening: str = ""
    lines: Lines = field(default=Lines(), compare=False, repr=False)


class Step(NamedTuple):
    """A position of a record, the events before it, and the move; None for the set-ups."""

    position: Position
    events: tuple[Event, ...]
    move: Move | None


def write_record(record: Record) -> str:
    """The text of a record; read_record returns the same record."""
    tags = {"System": record.edition}
    if record.options:
        tags["Switches"] = ", ".join(
            f"{name}={write_value(value)}" for name, value in record.options.items()
        )
    tags |= {name: value for name, value in record.tags.items() if name not in RULE_TAGS}
    for seat, name in zip(Seat, SETUP_TAGS, strict=True):
        setup = record.setups[seat]
        if setup is not None:
            tags[name] = setup
    tags["Result"] = record.result
    if record.reason:
        tags["Reason"] = record.reason
    lines = [f'[{name} "{_escape(value)}"]' for name, value in tags.items()]
    words = [record.opening] if record.opening else []
    for number, move in enumerate(record.moves):
        words += [f"{move_number(number + 1)}.", move] if number % 2 == 0 else [move]
    return "\n".join([*lines, "", *_wrapped([*words, record.result]), ""])


def read_record(text: str) -> Record:
    """The record of a text; raises BadRecord, which names the line.

    Accepts the styles of other programs: blanks and comments anywhere, several tags on a line,
    moves without numbers or with numbers attached. Only the tag System is required.
    """
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    tags, where, end = _read_tags(text)
    if "System" not in tags:
        raise BadRecord(gettext_noop('A record begins with the system: [System "..."].'))
    opening, moves, result, lines = _read_moves(text, end)
    stated = tags.get("Result") or result or "*"
    if stated not in RESULTS:
        raise _at_tag(
            where,
            "Result",
            BadRecord(
                gettext_noop("A result is written %(known)s, not “%(text)s”."),
                known=", ".join(RESULTS),
                text=stated[:40],
            ),
        )
    if result and stated != result:
        raise _at(
            BadRecord(
                gettext_noop("The record gives two results, %(one)s and %(other)s."),
                one=stated,
                other=result,
            ),
            lines.result,
        )
    return Record(
        edition=tags["System"],
        options=_read_options(tags.get("Switches", ""), where),
        tags={name: value for name, value in tags.items() if name not in RULE_TAGS},
        setups=BySeat(*map(tags.get, SETUP_TAGS)),
        moves=moves,
        result=stated,
        reason=tags.get("Reason", ""),
        opening=opening,
        lines=replace(lines, tags=where),
    )


def replay(rules: Ruleset, record: Record) -> Iterator[Step]:
    """The positions of a record from the set-ups on, each with the move and events before it.

    Raises BadRecord with the line and the move of the first fault. A record that was not read from
    a text has no lines.
    """
    position = begin(rules, None)
    missing = [seat for seat in position.to_act if not record.setups[seat]]
    if missing:
        raise BadRecord(
            gettext_noop(
                "The record lacks a set-up, %(tags)s, so it cannot be replayed; the record of "
                "a match contains all of them once the match has ended."
            ),
            tags=", ".join(SETUP_TAGS[seat] for seat in missing),
        )
    for seat in position.to_act:
        try:
            setup = read_setup(rules, seat, record.setups[seat] or "")
        except Refusal as refusal:
            raise at_tag(record, SETUP_TAGS[seat], refusal) from refusal
        position, events = advance(rules, position, seat, setup)
    yield Step(position, events, None)
    for number, text in enumerate(record.moves):
        try:
            move = read_move(rules, position, position.turn, text)
            position, events = advance(rules, position, position.turn, move)
        except Refusal as refusal:
            line = record.lines.moves[number] if record.lines.moves else None
            raise _at(refusal, line, number + 1, text) from refusal
        yield Step(position, events, move)


def check(rules: Ruleset, record: Record) -> Position:
    """The last position of a record; raises BadRecord if its moves or its ending are wrong."""
    for step in replay(rules, record):
        position = step.position
    check_ending(rules, record, position.outcome)
    return position


def check_ending(rules: Ruleset, record: Record, outcome: Outcome | None) -> None:
    """Raise BadRecord unless a record agrees with the outcome on the board.

    The result `*` agrees with every outcome.
    """
    if record.result == "*":
        return
    fault = None
    if outcome is None:
        if record.reason not in tuple(OffBoardTermination):
            fault = BadRecord(
                gettext_noop(
                    "The record says that the game is over, but its moves do not end it; if "
                    "the players or the clock ended it, the reason is %(reasons)s."
                ),
                reasons=", ".join(OffBoardTermination),
            )
        elif (record.reason == OffBoardTermination.AGREED) != (record.result == "draw") or (
            record.result not in ("draw", *rules.seat_letters)
        ):
            fault = BadRecord(
                gettext_noop("The result %(result)s does not fit the reason “%(reason)s”."),
                result=record.result,
                reason=record.reason,
            )
    elif (record.result, record.reason or outcome.reason) != (
        result_of(rules, outcome),
        outcome.reason,
    ):
        fault = BadRecord(
            gettext_noop("According to its moves the game ends %(result)s, %(reason)s."),
            result=result_of(rules, outcome),
            reason=outcome.reason,
        )
    if fault:
        raise _at(fault, record.lines.tags.get("Result", record.lines.result))


def at_tag(record: Record, tag: str, refusal: Refusal) -> BadRecord:
    """The refusal of a tag of a record, with its line."""
    return _at_tag(record.lines.tags, tag, refusal)


def result_of(rules: Ruleset, outcome: Outcome | None) -> str:
    """The result of a match as records write it."""
    if outcome is None:
        return "*"
    return "draw" if outcome.winner is None else rules.seat_letters[outcome.winner]


def annotated(rules: Ruleset, record: Record) -> Record:
    """The record with every move annotated."""
    opening, *moves = (remarked(rules, step) for step in replay(rules, record))
    return replace(record, moves=tuple(moves), opening=opening)


def remarked(rules: Ruleset, step: Step) -> str:
    """The text of a step: the move and its annotations."""
    sightings = witness(step.events, Viewpoint.GALLERY)
    return annotate(rules, step.move, sightings) if step.move else remarks(sightings).strip()


def _read_tags(text: str) -> tuple[dict[str, str], dict[str, int], int]:
    """The tags at the head of a text, the line of each, and where the moves begin."""
    tags: dict[str, str] = {}
    where: dict[str, int] = {}
    line, seen, end = 1, 0, _skip(text, 0)
    while text.startswith("[", end):
        line, seen = line + text.count("\n", seen, end), end
        tag = TAG.match(text, end)
        if not tag:
            wrong = gettext_noop('Text in square brackets is written [Name "value"] here.')
            raise _at(BadRecord(wrong), line)
        name, value = tag[1], re.sub(r"\\(.)", r"\1", tag[2] or tag[3] or "")
        if fault := _too_long(name, value):
            raise _at(fault, line)
        if name in tags:
            raise _at(
                BadRecord(gettext_noop("The record contains %(tag)s twice."), tag=name[:40]),
                line,
            )
        tags[name], where[name] = _typed(name, value), line
        end = _skip(text, tag.end())
    return tags, where, end


def _typed(name: str, value: str) -> str:
    """The value of a tag in the signs of the notation; names stay as they are."""
    if name in KEY_TAGS:
        return spelled_moves.with_record_signs(value)
    return typed_text.plain(value) if name in RULE_TAGS else value


def _too_long(name: str, value: str) -> BadRecord | None:
    """The refusal of a tag that is too long."""
    if len(name) > LONGEST_TAG_NAME_CHARACTERS:
        return BadRecord(
            gettext_noop(
                "The name of a tag has at most %(limit)s letters, and this one has %(count)s."
            ),
            limit=LONGEST_TAG_NAME_CHARACTERS,
            count=len(name),
        )
    longest = LONGEST_TIMES_CHARACTERS if name == TIMES else LONGEST_TAG_VALUE_CHARACTERS
    if len(value) > longest:
        return BadRecord(
            gettext_noop(
                "The value of a tag has at most %(limit)s characters, and that of %(tag)s has "
                "%(count)s."
            ),
            limit=longest,
            tag=name,
            count=len(value),
        )
    return None


def _skip(text: str, start: int) -> int:
    """The index of the next character that is neither blank nor in a comment."""
    match = SKIP.match(text, start)
    return match.end() if match else start


def _read_moves(text: str, start: int) -> tuple[str, tuple[str, ...], str, Lines]:
    """The opening remarks, the moves with their remarks, the result, and all their lines."""
    opening: list[str] = []
    moves: list[str] = []
    lines: list[int] = []
    result, ending = "", None
    first = text.count("\n", 0, start) + 1
    for line, words in enumerate(COMMENT.sub("", text[start:]).split("\n"), first):
        for written in words.split():
            if len(written) > LONGEST_MOVE_CHARACTERS:
                raise _at(
                    BadRecord(
                        gettext_noop(
                            "A move has at most %(limit)s characters, and this one has %(count)s."
                        ),
                        limit=LONGEST_MOVE_CHARACTERS,
                        count=len(written),
                    ),
                    line,
                )
            plain = typed_text.plain(written)
            number = NUMBER.match(plain)
            word = plain[number.end() :] if number else plain
            word = spelled_moves.SIGN_OF_WORD.get(word.casefold(), word)
            if not word:
                continue
            if result:
                raise _at(
                    BadRecord(
                        gettext_noop(
                            "Nothing may follow the result %(result)s, but here is %(text)s."
                        ),
                        result=result,
                        text=word[:40],
                    ),
                    line,
                )
            # A text that is too long for a move is refused later and need not grow.
            if moves and len(moves[-1]) <= LONGEST_MOVE_CHARACTERS and _belongs(moves[-1], word):
                moves[-1] += f" {word}" if word.startswith("~") else word
            elif word.startswith("~"):
                opening.append(word)
            elif word in RESULTS:
                result, ending = word, line
            else:
                moves.append(word)
                lines.append(line)
    return " ".join(opening), tuple(moves), result, Lines(moves=tuple(lines), result=ending)


def _belongs(move: str, word: str) -> bool:
    """Whether a word belongs to the move before it.

    It does if it is a remark, the move after a huff, or the rest of `a4 - a5`.
    """
    if move.endswith(",") or word.startswith("~") or REMARK.fullmatch(word):
        return True
    word = spelled_moves.with_record_signs(word)
    if CONTINUES.match(word):
        return True
    return bool(STARTS.match(word) and UNFINISHED.fullmatch(spelled_moves.with_record_signs(move)))


def _read_options(text: str, where: Mapping[str, int]) -> dict[str, Value]:
    options = {}
    for part in text.replace(",", " ").split():
        name, equals, value = part.partition("=")
        if not equals:
            fault = BadRecord(
                gettext_noop("“%(text)s” is not a rule option; one is written name=value."),
                text=part[:40],
            )
            raise _at_tag(where, "Switches", fault)
        options[name] = read_value(value)
    return options


def _at_tag(where: Mapping[str, int], tag: str, refusal: Refusal) -> BadRecord:
    words = gettext_noop("Line %(line)s, %(tag)s: %(refusal)s")
    if tag not in where:
        words = gettext_noop("%(tag)s: %(refusal)s")
    return BadRecord(words, line=where.get(tag), tag=tag, refusal=refusal)


def _at(refusal: Refusal, line: int | None, ply: int | None = None, text: str = "") -> BadRecord:
    """A refusal with its place in the record, as far as it is known."""
    if ply is None:
        words = gettext_noop("Line %(line)s: %(refusal)s")
    elif line is None:
        words = gettext_noop("Move %(move)s, %(text)s, cannot be played: %(refusal)s")
    else:
        words = gettext_noop(
            "Line %(line)s, move %(move)s, %(text)s, cannot be played: %(refusal)s"
        )
    if line is None and ply is None:
        return BadRecord(refusal.template, **refusal.values)
    move = None if ply is None else move_number(ply)
    return BadRecord(words, line=line, ply=ply, move=move, text=text[:40], refusal=refusal)


def _escape(value: str) -> str:
    return " ".join(value.split("\n")).replace("\\", "\\\\").replace('"', '\\"')


def _wrapped(words: list[str]) -> list[str]:
    """The words in lines of at most LINE_CHARACTERS, if no word is longer."""
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + 1 + len(word) > LINE_CHARACTERS:
            lines.append(word)
        else:
            lines[-1] = f"{lines[-1]} {word}".strip()
    return lines
