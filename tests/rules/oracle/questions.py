"""Shortcuts of the oracle's tests: questions about a small position.

Its one rule: a piece is named as the board text names it, so that a test reads like the rule.
"""

from typing import Any

from tests.rules.oracle import assaut, domino, lattaque, tactique
from tests.rules.oracle.notation import write_rows
from tests.rules.oracle.referee import answer, options_of, system_of

EVERYTHING = ["position", "legal", "views", "annotated", "status", "volley"]


def board_of(preset: str, pieces: dict[str, str], options: dict[str, Any] | None = None) -> str:
    """The board text of a few pieces, `{"a4": "R", "a9": "k!"}`."""
    system = system_of(preset)
    width, height, blocked = domino.WIDTH, domino.HEIGHT, list[str]()
    if system == "lattaque":
        board = options_of(preset, options)["board"]
        width, blocked = lattaque.WIDTH[board], sorted(lattaque.LAKES[board])
    elif system == "tactique":
        height = tactique.HEIGHT
    elif system == "assaut":
        width, height, blocked = assaut.SIZE, assaut.SIZE, assaut.NO_POINTS
    return write_rows(list(range(height, 0, -1)), width, blocked, lambda n: pieces.get(n, ""))


def place(
    preset: str, pieces: dict[str, str], fields: str = "", options: dict[str, Any] | None = None
) -> str:
    """The position of a few pieces; fields are "S 0 0", or "S 0 0 0 -" in Assaut, unless given."""
    usual = "S 0 0 0 -" if system_of(preset) == "assaut" else "S 0 0"
    return f"{board_of(preset, pieces, options)} {fields or usual}"


def ask(
    preset: str, pieces: dict[str, str], *moves: str, fields: str = "", **options: Any
) -> dict[str, Any]:
    """Everything about the position of a few pieces after some moves."""
    return answer(
        {
            "preset": preset,
            "switches": options,
            "position": place(preset, pieces, fields, options),
            "moves": list(moves),
            "want": EVERYTHING,
        }
    )


def stands(reply: dict[str, Any], preset: str, pieces: dict[str, str], **options: Any) -> bool:
    """Whether exactly these pieces are on the board."""
    return bool(reply["position"].split()[0] == board_of(preset, pieces, options))
