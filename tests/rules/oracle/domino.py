"""Oracle for domino Stratego, written from D1 to D10.

Readings chosen where the text leaves room:
* A battle that takes a 6-6 off the board is decisive, whichever side won it, and is marked `#` in
  place of `+ - =`.
* A winner that goes back (`winner=return`) does so also when it destroyed the 6-6.
* `two_square` may be set; it then works as in L'Attaque (C9).
"""

import random
import re
from typing import Any, NamedTuple

from tests.rules.oracle.common_endings import ending, shuttles_too_long
from tests.rules.oracle.notation import (
    ORTHOGONAL,
    OTHER,
    IllegalMoveError,
    InvalidSetupError,
    all_squares,
    read_rows,
    setup_rows,
    step,
    write_rows,
)

WIDTH, HEIGHT = 8, 10
SQUARES = all_squares(WIDTH, HEIGHT)
ON_THE_BOARD = set(SQUARES)
DEFAULTS = {"winner": "advance", "two_square": 0, "limit": 200}


class Tile(NamedTuple):
    seat: str
    attack: int
    defence: int
    number: int  # Which tile it is, for the two-square rule.

    @property
    def digits(self) -> str:
        return f"{self.attack}{self.defence}"

    def text(self) -> str:
        return framed(self.seat, self.digits)


def framed(seat: str, digits: str) -> str:
    return f"[{digits}]" if seat == "S" else f"<{digits}>"


def battle(attacker: Tile, defender: Tile) -> str:
    """A, D or = (D5, D6)."""
    if (attacker.digits, defender.digits) == ("00", "66"):
        return "A"
    if (attacker.digits, defender.digits) == ("66", "00"):
        return "D"
    if attacker.attack > defender.defence:
        return "A"
    return "D" if attacker.attack < defender.defence else "="


class Domino:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.pieces: dict[str, Tile] = {}
        self.turn, self.counter, self.ply = "S", 0, 0
        self.own_turns: dict[str, list[Any]] = {"S": [], "N": []}
        self.status: list[str] | None = None
        self.volley = None

    # Where it starts

    def set_up(self, texts: list[str]) -> None:
        for seat, text in zip("SN", texts, strict=True):
            if re.fullmatch(r"[0-6]{16}/[0-6]{16}/[0-6]{16}", text) is None:
                raise InvalidSetupError("A set-up is three rows of eight tiles.")
            digits = text.replace("/", "")
            tiles = [digits[at : at + 2] for at in range(0, 48, 2)]
            if len({"".join(sorted(tile)) for tile in tiles}) != 24:
                raise InvalidSetupError("No tile may be placed twice.")
            if "00" not in tiles or "66" not in tiles:
                raise InvalidSetupError("The 0-0 and the 6-6 must be placed.")
            rows = setup_rows(seat, 3, HEIGHT)
            names = [name for name in SQUARES if int(name[1:]) in rows]
            for name, tile in zip(names, tiles, strict=True):
                self.pieces[name] = Tile(seat, int(tile[0]), int(tile[1]), len(self.pieces))

    def read(self, text: str) -> None:
        board, turn, counter, ply = text.split()
        rows = list(range(HEIGHT, 0, -1))
        rank_by_square = read_rows(board, rows, WIDTH, set(), r"\[[0-6][0-6]\]|<[0-6][0-6]>")
        for name, token in rank_by_square.items():
            seat = "S" if token[0] == "[" else "N"
            self.pieces[name] = Tile(seat, int(token[1]), int(token[2]), len(self.pieces))
        self.turn, self.counter, self.ply = turn, int(counter), int(ply)

    # What is asked of it

    def position(self) -> str:
        return f"{self.board(lambda tile: tile.text())} {self.turn} {self.counter} {self.ply}"

    def view(self, seat: str) -> str:
        return self.board(
            lambda tile: tile.text() if tile.seat == seat else framed(tile.seat, "??")
        )

    def board(self, written: Any) -> str:
        return write_rows(
            list(range(HEIGHT, 0, -1)),
            WIDTH,
            set(),
            lambda name: written(self.pieces[name]) if name in self.pieces else "",
        )

    def legal(self) -> list[str]:
        return sorted(self.actions(self.turn)) if self.status is None else []

    # Moves

    def actions(self, seat: str, ignore_repetition: bool = False) -> dict[str, tuple[str, str]]:
        """Every move text of a side, with its from and to."""
        by_text = {}
        for start, tile in self.pieces.items():
            if tile.seat != seat:
                continue
            for across, up in ORTHOGONAL:
                end = step(start, across, up)
                met = self.pieces.get(end)
                if end not in ON_THE_BOARD or (met is not None and met.seat == seat):
                    continue
                turn = (tile.number, {start, end})
                if ignore_repetition or not shuttles_too_long(
                    self.own_turns[seat], turn, self.options["two_square"]
                ):
                    by_text[start + ("-" if met is None else "x") + end] = (start, end)
        return by_text

    def has_a_mobile_piece(self, seat: str) -> bool:
        return any(tile.seat == seat for tile in self.pieces.values())

    def play(self, text: str) -> str:
        actions = self.actions(self.turn)
        if self.status is not None or text not in actions:
            raise IllegalMoveError(f"{text} is not a legal move.")
        actor = self.turn
        start, end = actions[text]
        self.own_turns[actor].append((self.pieces[start].number, {start, end}))
        self.turn, self.ply, self.counter = OTHER[actor], self.ply + 1, self.counter + 1
        if "x" in text:
            text += self.fight(start, end)
        else:
            self.pieces[end] = self.pieces.pop(start)
        if self.status is None:
            self.status = ending(self, actor)
        return text

    def fight(self, start: str, end: str) -> str:
        attacker, defender = self.pieces.pop(start), self.pieces.pop(end)
        result = battle(attacker, defender)
        self.counter = 0
        if result == "A":
            self.pieces[start if self.options["winner"] == "return" else end] = attacker
        if result == "D":
            self.pieces[end] = defender
        fallen = {"A": [defender], "D": [attacker], "=": [attacker, defender]}[result]
        sixes = [tile.seat for tile in fallen if tile.digits == "66"]
        if len(sixes) == 2:
            self.status = ["draw", "both 6-6 destroyed"]
        elif sixes:
            self.status = [OTHER[sixes[0]], "6-6 destroyed"]
        mark = "#" if sixes else {"A": "+", "D": "-", "=": "="}[result]
        return f"[{attacker.digits}v{defender.digits}]{mark}"


def random_setup(options: dict[str, Any], seat: str, rng: random.Random) -> str:
    """A hand dealt as D2 says, placed anywhere, each tile either way round."""
    rest = [(a, d) for a in range(7) for d in range(a, 7) if (a, d) not in [(0, 0), (6, 6)]]
    tiles = [(0, 0), (6, 6), *rng.sample(rest, 22)]
    rng.shuffle(tiles)
    turned = [f"{a}{d}" if rng.random() < 0.5 else f"{d}{a}" for a, d in tiles]
    return "/".join("".join(turned[at : at + 8]) for at in (0, 8, 16))
