"""Oracle: the referee protocol, `answer(request)` and `random_setup(...)`.

A request has an edition (`preset`), options that differ from it (`switches`), a set-up of both
sides or a position to start from, the moves played, and what is wanted: position, legal, views,
annotated, status, volley. The answer has the wanted keys only, or an "error" (with "at", the index
of the move, if a move was illegal). The games themselves know no request.
"""

import random
from typing import Any

from tests.rules.oracle import assaut, domino, lattaque, tactique
from tests.rules.oracle.notation import IllegalMoveError, InvalidSetupError

SYSTEMS: dict[str, tuple[Any, Any]] = {
    "lattaque": (lattaque, lattaque.Lattaque),
    "domino": (domino, domino.Domino),
    "tactique": (tactique, tactique.Tactique),
    "assaut": (assaut, assaut.Assaut),
}
PRESETS: dict[str, dict[str, Any]] = {
    "lattaque-en": {},
    "lattaque-en-forward": {"no_back": "MGCJKLSERY"},
    "lattaque-zh": {"faceup": True},
    "lattaque-zh-return": {"faceup": True, "winner": "return"},
    "lattaque-gibson": {"board": "9x10", "scout_return": True},
    "lattaque-en-isf2sq": {"two_square": 5},
    "lattaque-en-shortscout": {"scout_long_attack": False},
    "lattaque-zh-spyboth": {"faceup": True, "spy_both": True},
    "domino": {},
    "domino-return": {"winner": "return"},
    "tactique": {},
    "tactique-step": {"move": "step"},
    "tactique-convert": {"convert": True},
    "tactique-step-convert": {"move": "step", "convert": True},
    "tactique-straight": {"charge": "straight"},
    "tactique-volley-all": {"volley": "all"},
    "assaut": {},
    "assaut-noblock": {"block": "win"},
    "assaut-free": {"soldiers": "free"},
    "assaut-free-noblock": {"soldiers": "free", "block": "win"},
    "assaut-compulsory": {"capture": "compulsory"},
    "assaut-german": {"soldiers": "german"},
}


def system_of(preset: str) -> str:
    return preset.split("-")[0]


def options_of(preset: str, options: dict[str, Any] | None = None) -> dict[str, Any]:
    """All options of the game, with the edition's and then the request's values."""
    if preset not in PRESETS:
        raise InvalidSetupError(f"There is no preset {preset}.")
    defaults = SYSTEMS[system_of(preset)][0].DEFAULTS
    for name in options or {}:
        if name not in defaults:
            raise InvalidSetupError(f"{preset} has no switch {name}.")
    return {**defaults, **PRESETS[preset], **(options or {})}


def begin(request: dict[str, Any]) -> Any:
    """The game of the request before its first move."""
    preset = request["preset"]
    options = options_of(preset, request.get("switches"))
    game = SYSTEMS[system_of(preset)][1](options)
    if "position" in request:
        game.read(request["position"])
    else:
        game.set_up(request["setup"])
    return game


def wanted_of(game: Any, annotated: list[str], want: list[str]) -> dict[str, Any]:
    """What is wanted of a game as it stands."""
    answers = {
        "position": game.position,
        "legal": game.legal,
        "views": lambda: [game.view("S"), game.view("N")],
        "annotated": lambda: list(annotated),
        "status": lambda: game.status,
        "volley": lambda: game.volley,
    }
    return {key: answers[key]() for key in want}


def answer(request: dict[str, Any]) -> dict[str, Any]:
    try:
        game = begin(request)
    except InvalidSetupError as error:
        return {"error": str(error)}
    annotated: list[str] = []
    for at, move in enumerate(request.get("moves", [])):
        try:
            annotated.append(game.play(move))
        except IllegalMoveError as error:
            return {"error": str(error), "at": at}
    return wanted_of(game, annotated, request["want"])


def random_setup(preset: str, options: dict[str, Any] | None, seat: str, rng: random.Random) -> str:
    """A set-up text that the preset accepts, drawn from all of them; seat is "S" or "N"."""
    system = SYSTEMS[system_of(preset)][0]
    return str(system.random_setup(options_of(preset, options), seat, rng))
