"""Writing: lines of the protocol, made from what a seat observes and has heard."""

from typing import Any

from games.protocol.lines import EVERYBODY, UNKNOWN
from games.rules.core.basics.pieces import Seat
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Outcome, Phase
from games.rules.core.text.notation import board_text, write_move

Heard = list[tuple[str, str]]


def line_of(
    rules: Ruleset, observation: Observation, seat: Seat, heard: Heard, seconds: float
) -> dict[str, Any]:
    """The line that asks a seat for its set-up or its move."""
    letters = rules.seat_letters
    line: dict[str, Any] = {
        "ask": "setup" if observation.phase is Phase.SETUP else "move",
        "preset": rules.key,
        "seat": letters[seat],
        "seconds": seconds,
        "phase": str(observation.phase),
        "to_act": [letters[one] for one in observation.to_act],
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
            letters[one]: [rank or UNKNOWN for rank in observation.fallen[one]] for one in Seat
        },
        "quiet": observation.quiet,
        "heard": [list(action) for action in heard],
        "legal": sorted(write_move(rules, move) for move in observation.moves),
        "blowable": [note.facts["point"] for note in observation.notes if "point" in note.facts],
    }


def end_of(rules: Ruleset, seat: Seat, outcome: Outcome) -> dict[str, Any]:
    """The line that tells a seat how the match ended."""
    winner = "draw" if outcome.winner is None else rules.seat_letters[outcome.winner]
    return {
        "ask": "end",
        "preset": rules.key,
        "seat": rules.seat_letters[seat],
        "result": winner,
        "reason": str(outcome.reason),
    }


def first_volley(text: str) -> tuple[str, str]:
    """What both sides hear of a volley before the first move."""
    return EVERYBODY, text.strip()
