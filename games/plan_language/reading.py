"""Reads lines of a plan as people type them: on the page, and in e-mails.

* `read_line(text) -> Line` raises BadLine.
* `read_lines(text) -> WholeText` reads a whole field; no fault is raised, all are listed.
* `mail_line(text) -> Line | BadLine | None` says of one line of an e-mail whether it is a line, is
  meant as one, or is prose.

Moves are spelled as lib/spelling reads them. Nothing is known here of the match, the game or its
rules: whether a square exists is checked by `games.play.plans.checking`.
"""

import re
from typing import NamedTuple

from games.plan_language.faults import BadLine, Fault, gettext_noop, listed, quoted
from games.plan_language.lines import (
    MAX_LINE_CHARACTERS,
    SIGNS,
    Condition,
    Line,
    Seen,
    Step,
    strikes,
    write_line,
)
from games.plan_language.words import KEYWORD, WORD, Word
from lib.spelling import moves as spelled_moves
from lib.spelling import typed_text
from lib.spelling.surrounding_marks import strip_closing, strip_opening

# A field may have more lines than a plan: some say the same, and blank ones count.
MAX_TYPED_LINES = 200

STRUCK = re.compile(rf"{spelled_moves.CAPTURE} ?(?P<square>{spelled_moves.SQUARE})")
SIGN = re.compile(r"(?:[+-]d|[-+=#])$")
RANKS = re.compile(r"\[(?P<ranks>[^\[\]]*)\]$")
RANK = re.compile(r"[a-z]'?|[0-9]{2}")
BOTH_RANKS = re.compile(r"\[[a-z0-9']{1,3}v[a-z0-9']{1,3}\]")
HITS = re.compile(rf" ~{spelled_moves.SQUARE}!?")
MEANT_IN_MAIL = re.compile(rf"(?:x ?{spelled_moves.SQUARE}|\*{spelled_moves.SQUARE})(?![a-z0-9])")


class NumberedLine(NamedTuple):
    """A line and its number in the text, from 1 and with blank lines counted."""

    number: int
    line: Line


class WholeText(NamedTuple):
    """What a text says: its lines in the order written, and the faults of the others."""

    lines: tuple[NumberedLine, ...]
    faults: tuple[Fault, ...]


def read_line(text: str) -> Line:
    """The line that fills a text; raises BadLine."""
    line = _line(_parts(_normal(text)))
    # Players are shown the line as it is written, and send that again; Chinese is shorter.
    _check_length(len(write_line(line)))
    return line


def read_lines(text: str) -> WholeText:
    """The lines of a text, one on each line of it; blank lines are skipped, and counted."""
    typed = text.splitlines()
    lines, faults = [], []
    if len(typed) > MAX_TYPED_LINES:
        too_many = gettext_noop("Write at most %(limit)s lines; there are %(count)s.")
        faults.append(Fault(0, BadLine(too_many, limit=MAX_TYPED_LINES, count=len(typed))))
    for number, each in enumerate(typed[:MAX_TYPED_LINES], 1):
        if not typed_text.plain(each[: MAX_LINE_CHARACTERS + 1]):
            continue
        try:
            lines.append(NumberedLine(number, read_line(each)))
        except BadLine as bad:
            faults.append(Fault(number, bad))
    return WholeText(tuple(lines), listed(faults))


def mail_line(text: str) -> Line | BadLine | None:
    """What a line of an e-mail is: a line of a plan, meant as one but faulty, or None for prose.

    It is meant as one if a move, or a piece that is struck, follows its first word.
    """
    plain = _signs(text[: MAX_LINE_CHARACTERS + 1])
    keyword = KEYWORD.match(plain)
    if not keyword or WORD[keyword[0]] is Word.THEN:
        return None
    try:
        return read_line(text)
    except BadLine as bad:
        rest = plain[keyword.end() :].lstrip(" ,;:")
        meant = spelled_moves.begins_with_move(rest) or MEANT_IN_MAIL.match(rest)
        return bad if meant else None


def _line(parts: list[tuple[Word, str]]) -> Line:
    if parts[0][0] is Word.OTHERWISE:
        if len(parts) > 1:
            raise BadLine(gettext_noop("“otherwise” is followed by one move and nothing else."))
        return Line((Step(Condition(Word.ANY), _last_answer(parts[0][1])),))
    steps = []
    for place in range(0, len(parts), 2):
        step = parts[place : place + 2]
        _check_words(step)
        last = place + 2 >= len(parts)
        answer, seen = (_last_answer(step[1][1]), None) if last else _answer(step[1][1])
        steps.append(Step(_condition(step[0][1]), answer, seen))
    return Line(tuple(steps))


def _signs(text: str) -> str:
    """A typed line without surrounding marks, with the signs of records, in lowercase."""
    text = strip_closing(strip_opening(typed_text.plain(text)))
    return spelled_moves.with_record_signs(typed_text.with_keyboard_marks(text))


def _normal(text: str) -> str:
    """`_signs` of a line that is not too long."""
    _check_length(len(text.strip()))
    plain = _signs(text)
    _check_length(len(plain))
    return plain


def _check_length(count: int) -> None:
    if count > MAX_LINE_CHARACTERS:
        raise BadLine(
            gettext_noop("A line has at most %(limit)s characters, and this one has %(count)s."),
            limit=MAX_LINE_CHARACTERS,
            count=count,
        )


def _parts(text: str) -> list[tuple[Word, str]]:
    """The words `if`, `then` and `otherwise` of a line, each with the text after it."""
    keywords = list(KEYWORD.finditer(text))
    first = WORD[keywords[0][0]] if keywords and not keywords[0].start() else None
    if first not in (Word.IF, Word.OTHERWISE):
        raise BadLine(
            gettext_noop(
                "A line begins with “if” or “otherwise”, for example: if e7-e6 then d5xe6."
            )
        )
    ends = [match.start() for match in keywords[1:]] + [len(text)]
    return [
        (WORD[match[0]], text[match.end() : end].strip(" ,;:"))
        for match, end in zip(keywords, ends, strict=True)
    ]


def _check_words(parts: list[tuple[Word, str]]) -> None:
    """Refuse a step that is not `if`, a condition, `then`, an answer."""
    words = [word for word, _ in parts]
    condition = parts[0][1]
    if Word.OTHERWISE in words:
        raise BadLine(gettext_noop("Write “otherwise” and its move on a line of its own."))
    if words[0] is not Word.IF:
        raise BadLine(gettext_noop("After an answer a line goes on with “if”, or ends."))
    if not condition:
        raise BadLine(
            gettext_noop(
                "Write your opponent's move after “if”, or x and a square, or “quiet”, or “any”."
            )
        )
    if words[1:] != [Word.THEN]:
        raise BadLine(
            gettext_noop("After “if %(condition)s” a line goes on with “then” and your move."),
            condition=quoted(condition),
        )


def _condition(text: str) -> Condition:
    text, seen = _split_seen(text)
    word = WORD.get(text)
    if word in (Word.QUIET, Word.ANY):
        condition, fights = str(word), False
    elif struck := STRUCK.fullmatch(text):
        condition, fights = f"x{struck['square']}", True
    else:
        condition = _move(text)
        fights = strikes(condition)
    if seen and not fights:
        raise _no_battle(text, seen)
    return Condition(condition, seen)


def _answer(text: str) -> tuple[str, Seen | None]:
    if not text:
        raise BadLine(gettext_noop("Write your move after “then”, for example d5xe6."))
    text, seen = _split_seen(text)
    move = _move(text)
    if seen and not strikes(move):
        raise _no_battle(text, seen)
    return move, seen


def _last_answer(text: str) -> str:
    move, seen = _answer(text)
    if seen:
        raise BadLine(
            gettext_noop(
                "Leave out %(seen)s after %(move)s: what an answer shows matters only if the line "
                "goes on."
            ),
            seen=str(seen),
            move=move,
        )
    return move


def _no_battle(text: str, seen: Seen) -> BadLine:
    return BadLine(
        gettext_noop("Leave out %(seen)s after %(move)s: it cannot be a battle."),
        seen=str(seen),
        move=quoted(text),
    )


def _split_seen(text: str) -> tuple[str, Seen | None]:
    """A move or a condition without what its battle shows, and that."""
    text, sign = _without(SIGN, text)
    text, ranks = _without(RANKS, text)
    if BOTH_RANKS.fullmatch(ranks):
        raise BadLine(
            gettext_noop(
                "Write only the enemy's piece, not “%(text)s”: put the ranks that it may "
                "show in brackets, for example [M,G]."
            ),
            text=quoted(ranks.upper()),
        )
    if ranks and sign:
        raise BadLine(
            gettext_noop("Write either a sign or ranks, not both: “%(text)s”."),
            text=quoted(ranks.upper() + sign),
        )
    if ranks:
        return text, Seen(ranks=_ranks(ranks))
    if sign and sign not in SIGNS:
        raise BadLine(
            gettext_noop("A battle with the sign # ends the match, so no answer can follow it.")
        )
    return text, Seen(sign) if sign else None


def _without(pattern: re.Pattern[str], text: str) -> tuple[str, str]:
    """A text without the match at its end, and the match; "" if there is none."""
    match = pattern.search(text)
    return (text[: match.start()].rstrip(), match[0]) if match else (text, "")


def _ranks(text: str) -> frozenset[str]:
    """The ranks between brackets, in capitals."""
    ranks = [rank.strip() for rank in text[1:-1].replace("、", ",").split(",")]
    if "" in ranks:
        raise BadLine(
            gettext_noop(
                "Between the brackets of “%(text)s” a rank is missing. Write ranks as game records "
                "do, for example [M,G], [I'] or [40]."
            ),
            text=quoted(text.upper()),
        )
    for rank in ranks:
        if not RANK.fullmatch(rank):
            raise BadLine(
                gettext_noop(
                    "“%(text)s” is not a rank. Write ranks as game records do, for example "
                    "[M,G], [I'] or [40]."
                ),
                text=quoted(rank.upper()),
            )
    return frozenset(rank.upper() for rank in ranks)


def _move(text: str) -> str:
    """A move with the signs of records; raises BadLine."""
    if HITS.search(text):
        raise BadLine(
            gettext_noop("Leave out the archers' hits in “%(text)s”; write the move alone."),
            text=quoted(text),
        )
    move = None
    if "[" not in text and "#" not in text:
        move = spelled_moves.read_starred_huff(text) or spelled_moves.read_move(text)
    if move is None:
        raise BadLine(
            gettext_noop(
                "“%(text)s” is not a move. Write its squares, for example a4-a5, or a4xa5 for an "
                "attack."
            ),
            text=quoted(text),
        )
    if move.huff:
        if move.squares and (len(move.squares) > 2 or move.claims_capture):
            raise BadLine(
                gettext_noop(
                    "A huff is followed by one step, for example *d6,c4-c5, not “%(text)s”."
                ),
                text=quoted(text),
            )
        return move.record_text
    if len(move.squares) > 2 and not move.claims_capture:
        raise BadLine(
            gettext_noop(
                "“%(text)s” has more than two squares and no x. Write an x before what is struck, "
                "for example d2-d5xd6."
            ),
            text=quoted(text),
        )
    if len(move.squares) == 3 and not _begins_with_strike(text):
        start, via, target = move.squares
        return f"{start}-{via}x{target}"
    return move.record_text


def _begins_with_strike(text: str) -> bool:
    """Whether the sign after the first square of a move is that of an attack."""
    first = spelled_moves.FIRST.search(text)
    step = spelled_moves.STEP.match(text, first.end()) if first else None
    return bool(step and step["capture"])
