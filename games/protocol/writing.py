"""Writes protocol lines: requests for a set-up or a move, earlier turns, and the end of a match."""

from collections.abc import Mapping
from typing import Any

from games.protocol.lines import EVERYBODY, UNKNOWN
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Phase
from games.rules.core.text.notation import board_text, write_move

HeardActions = list[tuple[str, str]]  # seat letter, or EVERYBODY, and annotated text

DRAW, NO_RESULT = "draw", "*"  # results of a match that nobody won


def request_line(
    rules: Ruleset, observation: Observation, seat: Seat, heard: HeardActions, seconds: float
) -> dict[str, Any]:
    """The line that asks a seat for its set-up or its move; `seconds` is for information."""
    letters = rules.seat_letters
    line: dict[str, Any] = {
        "ask": "setup" if observation.phase is Phase.SETUP else "move",
        "preset": rules.key,
        "seat": letters[seat],
        "seconds": seconds,
        "phase": str(observation.phase),
        "to_act": [letters[acting] for acting in observation.to_act],
        "ply": observation.ply,
    }
    if observation.aside[seat]:
        line["aside"] = list(observation.aside[seat] or ())
    if observation.phase is Phase.SETUP:
        line["hand"] = list(observation.hand[seat] or ()) if observation.aside[seat] else None
        return line
    return line | {
        "turn": letters[observation.turn],
        "board": board_text(rules, observation),
        "fallen": {
            letters[side]: [rank or UNKNOWN for rank in observation.fallen[side]] for side in Seat
        },
        "quiet": observation.quiet,
        "heard": [list(action) for action in heard],
        "legal": sorted(write_move(rules, move) for move in observation.moves),
        "blowable": [note.values["point"] for note in observation.notes if "point" in note.values],
    }


def hear_line(move_line: Mapping[str, Any], answer: str) -> dict[str, Any]:
    """The line about a turn that was played before: its line, with what was played.

    A player writes nothing to it. So a program that is started in the middle of a match learns what
    it would have known.
    """
    fields = {name: value for name, value in move_line.items() if name != "legal"}
    return fields | {"ask": "hear", "answer": answer}


def end_line(
    rules: Ruleset, seat: Seat, heard: HeardActions, result: str, reason: str
) -> dict[str, Any]:
    """The line with which a match ends for a seat.

    `result` is the letter of the winner's seat, DRAW, or NO_RESULT; `reason` is a phrase.
    """
    return {
        "ask": "end",
        "preset": rules.key,
        "seat": rules.seat_letters[seat],
        "heard": [list(action) for action in heard],
        "result": result,
        "reason": reason,
    }


def opening_volley(text: str) -> tuple[str, str]:
    """A volley before the first move, as an entry of `heard`."""
    return EVERYBODY, text.strip()
