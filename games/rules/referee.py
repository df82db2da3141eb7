"""Referee protocol: one JSON object per question, one per answer.

Every question gets an answer. An invalid question is answered by a sentence under `error` and does
not affect the next one.
"""

import json
from collections.abc import Callable, Mapping

from games.rules.core.basics.moves import Move, Setup
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadSetup, Refusal, UnreadableMove, gettext_noop
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event, Sighting, Volleyed
from games.rules.core.state.position import Phase, Position
from games.rules.core.text.game_record import result_of
from games.rules.core.text.notation import (
    REMARK,
    annotate,
    board_text,
    read_move,
    read_position,
    read_setup,
    write_move,
    write_position,
    write_setup,
)
from games.rules.registry import ruleset

OTHERWISE = gettext_noop("“%(text)s” is written differently here; write %(move)s.")
WANTS = ("position", "legal", "views", "annotated", "status", "volley")


class BadQuestion(ValueError):  # noqa: N818 - turned into an answer at once.
    """A malformed question; the argument is the sentence to answer with."""


def answer_line(line: bytes) -> dict[str, object]:
    """The answer to one line of input."""
    try:
        question = json.loads(line)
    except (ValueError, RecursionError):
        return {"error": "This line is not a JSON object."}
    try:
        return answer(question)
    except BadQuestion as fault:
        return {"error": str(fault)}
    except BadSetup as refusal:
        return {"error": " ".join(str(fault) for fault in refusal.faults or (refusal,))}
    except Refusal as refusal:
        return {"error": str(refusal)}


def answer(question: object) -> dict[str, object]:
    """The answer to one question; raises BadQuestion or a Refusal."""
    if not isinstance(question, dict):
        raise BadQuestion("A question is a JSON object.")
    rules = _rules(question)
    moves = _texts(question, "moves", [])
    wants = _texts(question, "want", ["position", "status"])
    for want in wants:
        if want not in WANTS:
            raise BadQuestion(f"Nobody can want {want[:40]!r}; there are {', '.join(WANTS)}.")
    position, opening = _first_position(rules, question)
    annotated: list[str] = []
    for index, text in enumerate(moves):
        try:
            move = _read_exactly(rules, position, text)
            position, events = advance(rules, position, position.turn, move)
        except Refusal as refusal:
            return {"error": str(refusal), "at": index}
        annotated.append(annotate(rules, move, witness(events, Viewpoint.GALLERY)))
    answers: dict[str, Callable[[], object]] = {
        "position": lambda: write_position(rules, position),
        "legal": lambda: sorted(
            write_move(rules, move) for move in rules.legal_moves(position, position.turn)
        ),
        "views": lambda: [
            board_text(rules, observe(rules, position, Viewpoint.of_seat(seat))) for seat in Seat
        ],
        "annotated": lambda: annotated,
        "status": lambda: _status(rules, position),
        "volley": lambda: _volley(rules, opening),
    }
    return {want: answers[want]() for want in WANTS if want in wants}


def _read_exactly(rules: Ruleset, position: Position, text: str) -> Move:
    """The move of a canonical text, without its annotations; raises UnreadableMove for others."""
    move = read_move(rules, position, position.turn, text)
    written = write_move(rules, move)
    if REMARK.sub("", text).strip() != written:
        raise UnreadableMove(OTHERWISE, text=text.strip()[:40], move=written)
    return move


def _read_setup(rules: Ruleset, seat: Seat, text: str) -> Setup:
    """The set-up of a canonical text, points in any order; raises BadSetup for others."""
    setup = read_setup(rules, seat, text)
    written = write_setup(rules, setup)
    if sorted(text.strip()) != sorted(written):
        raise BadSetup(OTHERWISE, text=text.strip()[:40], move=written)
    return setup


def _rules(question: Mapping[str, object]) -> Ruleset:
    preset = question.get("preset")
    if not isinstance(preset, str):
        raise BadQuestion("A question names its preset.")
    options = question.get("switches") or {}
    if not isinstance(options, dict):
        raise BadQuestion("The switches are an object of names and values.")
    return ruleset(preset, options)


def _texts(question: Mapping[str, object], name: str, default: list[str]) -> list[str]:
    texts = question.get(name)
    if texts is None:
        return default
    if not isinstance(texts, list) or not all(isinstance(text, str) for text in texts):
        raise BadQuestion(f"The field {name!r} is a list of texts.")
    return texts


def _first_position(
    rules: Ruleset, question: Mapping[str, object]
) -> tuple[Position, tuple[Sighting, ...] | None]:
    """The position before the moves, and the public events of the opening if there was one."""
    if ("setup" in question) == ("position" in question):
        raise BadQuestion("A question has either a set-up or a position.")
    if "position" in question:
        text = question["position"]
        if not isinstance(text, str):
            raise BadQuestion("A position is a text.")
        position = read_position(rules, text)
        if position.phase is Phase.SETUP:
            raise BadQuestion("The position of a question has its set-ups behind it.")
        return position, None
    setups = _texts(question, "setup", [])
    if len(setups) != 2:
        raise BadQuestion("The set-ups are two texts, South's and North's.")
    position = begin(rules, None)
    events: tuple[Event, ...] = ()
    for seat in Seat:
        if seat in rules.seats_setting_up:
            setup = _read_setup(rules, seat, setups[seat])
            position, happened = advance(rules, position, seat, setup)
            events += happened
        elif setups[seat].strip():
            raise BadQuestion(f"{rules.seat_names[seat]} has nothing to set up.")
    return position, witness(events, Viewpoint.GALLERY)


def _status(rules: Ruleset, position: Position) -> list[str] | None:
    if position.outcome is None:
        return None
    return [result_of(rules, position.outcome), position.outcome.reason]


def _volley(rules: Ruleset, opening: tuple[Sighting, ...] | None) -> list[str] | None:
    if opening is None or not rules.volleys:
        return None
    return [
        f"{square}{'!' * removed}"
        for sighting in opening
        if isinstance(sighting, Volleyed)
        for square, removed in sighting.hits
    ]
