"""Made-up positions and options that random games seldom reach.

Few pieces and crowds, walled-in armies, flags almost within reach, demoted and face-up pieces,
officers about to be huffed or blocked, counters about to run out. Everything comes
from the random generator given, so that a seed reproduces everything.
"""

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from tests.rules.oracle import assaut, domino, lattaque, notation, tactique
from tests.rules.oracle.questions import place
from tests.rules.oracle.referee import options_of, system_of

# An attacker, a defender and the pieces that stand elsewhere.
Duel = tuple[str, str, dict[str, str]]
VALUES: dict[str, dict[str, list[Any]]] = {
    "lattaque": {
        "board": ["10x10", "9x10"],
        "scout_long_attack": [True, False],
        "faceup": [True, False],
        "no_back": ["", "R", "MGC", "MGCJKLSERY"],
        "spy_both": [True, False],
        "winner": ["advance", "return"],
        "scout_return": [True, False],
        "two_square": [0, 1, 2, 3, 5],
        "limit": [6, 30, 200],
    },
    "domino": {"winner": ["advance", "return"], "two_square": [0, 1, 3], "limit": [6, 30, 200]},
    "tactique": {
        "move": ["long", "step"],
        "charge": ["any", "straight"],
        "volley": ["own", "all"],
        "volley_first": [True, False],
        "archer_los": [True, False],
        "multi_hit": ["each", "once"],
        "volley_flag": [True, False],
        "d1_takes_archer": [True, False],
        "convert": [True, False],
        "two_square": [0, 1, 2, 3],
        "limit": [6, 30, 200],
    },
    "assaut": {
        "soldiers": ["shortest", "free", "german"],
        "capture": ["huff", "compulsory"],
        "block": ["lose", "win"],
        "limit": [6, 30, 100],
    },
}


def random_options(preset: str, rng: random.Random) -> dict[str, Any]:
    """Some switches of the preset's system, each with any of its values."""
    values = VALUES[system_of(preset)]
    chosen = rng.sample(sorted(values), rng.randint(1, len(values)))
    return {name: rng.choice(values[name]) for name in chosen}


def scene(preset: str, options: dict[str, Any], rng: random.Random) -> str:
    """The text of a position made up for this preset with these switches."""
    all_switches = options_of(preset, options)
    make: Callable[[dict[str, Any], random.Random], dict[str, str]] = {
        "lattaque": lattaque_pieces,
        "domino": domino_pieces,
        "tactique": tactique_pieces,
        "assaut": assaut_pieces,
    }[system_of(preset)]
    pieces = make(all_switches, rng)
    side = rng.choice("SO" if system_of(preset) == "assaut" else "SN")
    limit = all_switches["limit"]
    counter = rng.choice([0, 0, 0, 1, limit - 3, limit - 1])
    fields = f"{side} {counter} {rng.randint(counter, 400)}"
    if system_of(preset) == "assaut":
        fields += assaut_fields(all_switches, pieces, side, rng)
    return place(preset, pieces, fields, options)


def duels(preset: str, options: dict[str, Any]) -> list[tuple[str, str]]:
    """(position, attack) for every kind of attacker and of defender, side by side."""
    positions = []
    duellists = {
        "lattaque": lattaque_duellists,
        "domino": domino_duellists,
        "tactique": tactique_duellists,
    }[system_of(preset)]
    for attacker, defender, others in duellists():
        pieces = {**others, "d3": attacker, "d4": defender}
        positions.append((place(preset, pieces, "S 5 9", options), "d3xd4"))
    return positions


def lattaque_duellists() -> Iterator[Duel]:
    others = {"a1": "F", "a10": "f", "i1": "K", "i10": "k"}
    for attacker in "MGCJKLSERY":
        for defender in "mgcjklserybf":
            yield attacker, defender, others


def tactique_duellists() -> Iterator[Duel]:
    others = {"a1": "F", "h8": "f", "h1": "C", "a8": "c"}
    for attacker in ["C", "V", "P", "I", "V'", "P'", "I'", "W'"]:
        for defender in ["c", "v", "p", "i", "a", "f", "v'", "p'", "i'", "w'"]:
            yield attacker, defender, others


def domino_duellists() -> Iterator[Duel]:
    tiles = ["00", "66", "60", "06", "16", "61", "12", "34", "43"]
    for attacker in tiles:
        for defender in tiles:
            others = {"h1": "[11]", "h10": "<11>"}
            if attacker != "66":
                others["a1"] = "[66]"
            if defender != "66":
                others["a10"] = "<66>"
            yield f"[{attacker}]", f"<{defender}>", others


def spread(names: list[str], rng: random.Random) -> list[str]:
    """Squares in the order they are to be filled: all over the board, or all in one corner."""
    names = list(names)
    rng.shuffle(names)
    if rng.random() < 0.6:
        middle = rng.choice(names)
        names.sort(key=lambda name: far(name, middle) + rng.random() * rng.choice([0, 3]))
    return names


def far(one: str, other: str) -> int:
    across = abs(notation.file_of(one) - notation.file_of(other))
    return across + abs(notation.row_of(one) - notation.row_of(other))


def drawn(army: list[str], rng: random.Random) -> list[str]:
    """A part of an army, often a small one."""
    return rng.sample(army, min(len(army), rng.choice([0, 1, 1, 2, 3, 5, 8, 12, 36])))


def shuffled(
    south: list[str], north: list[str], names: list[str], rng: random.Random
) -> dict[str, str]:
    """Both armies mixed over the first squares of the list."""
    both = south + north
    rng.shuffle(both)
    return dict(zip(names, both, strict=False))


def lattaque_pieces(options: dict[str, Any], rng: random.Random) -> dict[str, str]:
    squares = notation.all_squares(lattaque.WIDTH[options["board"]], lattaque.HEIGHT)
    free = [name for name in squares if name not in lattaque.LAKES[options["board"]]]
    if rng.random() < 0.25:
        return walled_in(free, rng)
    whole = [letter for letter, count in lattaque.ARMY.items() for _ in range(count)]
    whole.remove("F")
    choice = rng.choice([whole, whole, list("RRRRRRRR"), list("MYEERRKB"), list("BBBBKR")])
    sides = [["F", *drawn(choice, rng)][:36] for _ in "SN"]
    south = [marked(letter, options, rng) for letter in sides[0]]
    north = [marked(letter.lower(), options, rng) for letter in sides[1]]
    return shuffled(south, north, spread(free, rng), rng)


def marked(letter: str, options: dict[str, Any], rng: random.Random) -> str:
    return letter + ("!" if options["faceup"] and rng.random() < 0.3 else "")


def walled_in(free: list[str], rng: random.Random) -> dict[str, str]:
    """Both armies locked in a corner, some with room to shuttle; two pieces meet outside."""
    outside = rng.choice([name for name in free if name[1:] in ("3", "7")])
    pieces = {outside: rng.choice("CKRE"), notation.step(outside, 0, 1): rng.choice("ckre")}
    for corner, seat in [(free[-1], "S"), (free[0], "N")]:
        letters = rng.choice(["KFB", "RBF", "K FBB", "L BBF", "KLRFBB", "KLFB"])
        nearest = sorted(sorted(free), key=partial(far, corner))
        for name, letter in zip(nearest, letters, strict=False):
            if letter != " ":
                pieces[name] = letter if seat == "S" else letter.lower()
    return pieces


def domino_pieces(options: dict[str, Any], rng: random.Random) -> dict[str, str]:
    sides = []
    for frame in ["[{}]", "<{}>"]:
        tiles = [f"{a}{d}" for a in range(7) for d in range(a, 7) if (a, d) != (6, 6)]
        hand = ["66", *rng.sample(tiles, rng.choice([0, 1, 2, 4, 8, 23]))]
        turned = [tile if rng.random() < 0.5 else tile[::-1] for tile in hand]
        sides.append([frame.format(tile) for tile in turned])
    return shuffled(sides[0], sides[1], spread(domino.SQUARES, rng), rng)


def tactique_pieces(options: dict[str, Any], rng: random.Random) -> dict[str, str]:
    if rng.random() < 0.1:
        return cornered_archer(rng)
    whole = [letter for letter, count in tactique.ARMY.items() for _ in range(count)]
    whole.remove("F")
    choice = rng.choice([whole, whole, list("AAAAIIII"), list("CVPIA")])
    south = ["F"] + [perhaps_demoted(letter, rng) for letter in drawn(choice, rng)]
    north = ["f"] + [perhaps_demoted(letter, rng).lower() for letter in drawn(choice, rng)]
    return shuffled(south, north, spread(tactique.SQUARES, rng), rng)


def cornered_archer(rng: random.Random) -> dict[str, str]:
    """South's last piece is an archer with no square to go to, once North has moved next to it."""
    near = rng.choice(["b2", "b3", "c1", "d1"])
    return {"a1": "A", "a2": "F", near: rng.choice("cvpi"), "h7": "f", "h8": rng.choice("cvi")}


def perhaps_demoted(letter: str, rng: random.Random) -> str:
    if letter == "A" or rng.random() < 0.6:
        return letter
    return tactique.DEMOTED_TO[letter] + "'"


def assaut_pieces(options: dict[str, Any], rng: random.Random) -> dict[str, str]:
    officers = ["o"] * rng.choice([1, 2, 2, 2])
    soldiers = ["S"] * rng.randint(9, 24)
    names = spread(assaut.POINTS, rng)
    if rng.random() < 0.3:
        names.sort(key=lambda name: (name not in assaut.FORTRESS, rng.random()))
    return shuffled(officers, soldiers, names[: len(officers + soldiers) + 6], rng)


def assaut_fields(
    options: dict[str, Any], pieces: dict[str, str], side: str, rng: random.Random
) -> str:
    """The captured count, and sometimes officers that may be huffed."""
    officers = sorted(name for name, who in pieces.items() if who == "o")
    guilty = officers[: rng.choice([0, 0, 1, 2])]
    huffs = options["capture"] == "huff" and side == "S"
    captured = 24 - list(pieces.values()).count("S")
    return f" {captured} {','.join(guilty) if huffs and guilty else '-'}"
