"""A line of the practice board as the text of a line of a plan."""

from collections.abc import Sequence
from enum import StrEnum

from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation

DECISIVE = "#"  # the result of a battle that ends the match, which no plan can go on from


class Shows(StrEnum):
    """What of the battles of a line has to come true for the plan to go on."""

    ANY = "any"  # the moves alone
    RESULT = "result"  # and what came of each battle
    RANK = "rank"  # and what the opponent's piece was


def plan_line(rules: Ruleset, seat: Seat, texts: Sequence[str], shows: Shows) -> str:
    """The line of a plan that answers as a line of the practice board does; "" if none can.

    `texts` are the annotated moves of the line; the opponent of `seat` makes the first one.
    Moves after the last answer are left out.
    """
    parts = []
    for one, other in zip(texts[::2], texts[1::2], strict=False):
        condition = _written(rules, one, seat.other, seat, shows)
        answer = _written(rules, other, seat, seat, shows)
        parts.append((condition, answer, _move(rules, other)))
        if DECISIVE in (_result(rules, one), _result(rules, other)):
            break
    words = []
    for place, (condition, answer, plain) in enumerate(parts):
        goes_on = place + 1 < len(parts)
        words.append(f"if {condition} then {answer if goes_on else plain}")
    return " ".join(words)


def _written(rules: Ruleset, text: str, mover: Seat, seat: Seat, shows: Shows) -> str:
    """A move with what its battle has to show."""
    done = notation.read_annotated(rules, text)
    if done.battle is None or shows is Shows.ANY or done.result == DECISIVE:
        return done.text
    if shows is Shows.RESULT:
        return f"{done.text}{done.result}"
    attacker, defender = done.battle
    return f"{done.text}[{defender if mover is seat else attacker}]"


def _move(rules: Ruleset, text: str) -> str:
    return notation.read_annotated(rules, text).text


def _result(rules: Ruleset, text: str) -> str | None:
    return notation.read_annotated(rules, text).result
