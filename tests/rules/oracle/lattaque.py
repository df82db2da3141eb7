"""Oracle for L'Attaque, written from L1 to L11.

Readings chosen where the text leaves room:
* Taking the flag is a battle the attacker wins: the flag's taker stands on its square (L7), is
  face up where battles turn pieces up (L5), and goes back where winners go back (L9, L10). The
  turn passes to the loser, the counter is 0.
* A view shows an enemy piece that is not face up as a bare `?`; nothing more is uncovered when
  the game is over.
* A piece given face up in a position stays so; where L5 is off, no battle turns one up and none
  turns one down.
"""

import random
from collections import Counter
from typing import Any, NamedTuple

from tests.rules.oracle.common_endings import ending, shuttles_too_long
from tests.rules.oracle.notation import (
    FORWARD,
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

HEIGHT = 10
WIDTH = {"10x10": 10, "9x10": 9}
LAKES = {
    "10x10": {"c5", "d5", "c6", "d6", "g5", "h5", "g6", "h6"},
    "9x10": {"c5", "c6", "e5", "e6", "g5", "g6"},
}
ARMY = {
    "M": 1,
    "G": 1,
    "C": 2,
    "J": 2,
    "K": 4,
    "L": 4,
    "S": 4,
    "E": 4,
    "R": 8,
    "Y": 1,
    "B": 4,
    "F": 1,
}
TABLE = """
  M G C J K L S E R Y B F
M = A A A A A A A A A D #
G D = A A A A A A A A D #
C D D = A A A A A A A D #
J D D D = A A A A A A D #
K D D D D = A A A A A D #
L D D D D D = A A A A D #
S D D D D D D = A A A D #
E D D D D D D D = A A A #
R D D D D D D D D = A D #
Y A D D D D D D D D = D #
"""
DEFAULTS = {
    "board": "10x10",
    "scout_long_attack": True,
    "faceup": False,
    "no_back": "",
    "spy_both": False,
    "winner": "advance",
    "scout_return": False,
    "two_square": 0,
    "limit": 200,
}


class Piece(NamedTuple):
    seat: str
    letter: str
    face_up: bool
    number: int  # Which piece it is, for the two-square rule.

    def text(self) -> str:
        letter = self.letter if self.seat == "S" else self.letter.lower()
        return letter + ("!" if self.face_up else "")


def battle(attacker: str, defender: str, spy_both: bool) -> str:
    """A, D, = or # as in the table of battles."""
    if spy_both and (attacker, defender) == ("M", "Y"):
        return "D"
    lines = TABLE.strip("\n").split("\n")
    column = lines[0].index(defender)
    return next(line[column] for line in lines[1:] if line[0] == attacker)


class Lattaque:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.width = WIDTH[options["board"]]
        self.lakes = LAKES[options["board"]]
        self.squares = set(all_squares(self.width, HEIGHT))
        self.pieces: dict[str, Piece] = {}
        self.turn, self.counter, self.ply = "S", 0, 0
        self.own_turns: dict[str, list[Any]] = {"S": [], "N": []}
        self.status: list[str] | None = None
        self.volley = None

    # Where it starts

    def set_up(self, texts: list[str]) -> None:
        for seat, text in zip("SN", texts, strict=True):
            rows = setup_rows(seat, 4, HEIGHT)
            rank_by_square = read_rows(text, rows, self.width, set(), "[MGCJKLSERYBF]")
            if Counter(rank_by_square.values()) != Counter(ARMY):
                raise InvalidSetupError("The army must be the thirty-six pieces of the list.")
            for name, letter in rank_by_square.items():
                self.pieces[name] = Piece(seat, letter, False, len(self.pieces))

    def read(self, text: str) -> None:
        board, turn, counter, ply = text.split()
        rows = list(range(HEIGHT, 0, -1))
        rank_by_square = read_rows(
            board, rows, self.width, self.lakes, "[MGCJKLSERYBFmgcjklserybf]!?"
        )
        for name, token in rank_by_square.items():
            seat = "S" if token[0].isupper() else "N"
            face_up = token.endswith("!")
            self.pieces[name] = Piece(seat, token[0].upper(), face_up, len(self.pieces))
        self.turn, self.counter, self.ply = turn, int(counter), int(ply)

    # What is asked of it

    def position(self) -> str:
        board = self.board(lambda piece: piece.text())
        return f"{board} {self.turn} {self.counter} {self.ply}"

    def view(self, seat: str) -> str:
        return self.board(
            lambda piece: piece.text() if piece.seat == seat or piece.face_up else "?"
        )

    def board(self, written: Any) -> str:
        rows = list(range(HEIGHT, 0, -1))
        return write_rows(
            rows,
            self.width,
            self.lakes,
            lambda name: written(self.pieces[name]) if name in self.pieces else "",
        )

    def legal(self) -> list[str]:
        return sorted(self.actions(self.turn)) if self.status is None else []

    # Moves

    def actions(self, seat: str, ignore_repetition: bool = False) -> dict[str, tuple[str, str]]:
        """Every move text of a side, with its from and to."""
        by_text = {}
        for start, piece in self.pieces.items():
            if piece.seat != seat or piece.letter in "BF":
                continue
            for sign, end in self.destinations(start, piece):
                turn = (piece.number, {start, end})
                if ignore_repetition or not shuttles_too_long(
                    self.own_turns[seat], turn, self.options["two_square"]
                ):
                    by_text[start + sign + end] = (start, end)
        return by_text

    def destinations(self, start: str, piece: Piece) -> list[tuple[str, str]]:
        squares = []
        for across, up in ORTHOGONAL:
            if up == -FORWARD[piece.seat] and piece.letter in self.options["no_back"]:
                continue
            square, distance = step(start, across, up), 1
            while square in self.squares and square not in self.lakes and square not in self.pieces:
                squares.append(("-", square))
                if piece.letter != "R":
                    break
                square, distance = step(square, across, up), distance + 1
            met = self.pieces.get(square)
            if met is None or met.seat == piece.seat:
                continue
            if distance == 1 or (piece.letter == "R" and self.options["scout_long_attack"]):
                squares.append(("x", square))
        return squares

    def has_a_mobile_piece(self, seat: str) -> bool:
        return any(p.seat == seat and p.letter not in "BF" for p in self.pieces.values())

    def play(self, text: str) -> str:
        actions = self.actions(self.turn)
        if self.status is not None or text not in actions:
            raise IllegalMoveError(f"{text} is not a legal move.")
        actor = self.turn
        start, end = actions[text]
        self.own_turns[actor].append((self.pieces[start].number, {start, end}))
        self.turn, self.ply, self.counter = OTHER[actor], self.ply + 1, self.counter + 1
        note = self.fight(start, end) if "x" in text else self.walk(start, end)
        if self.status is None:
            self.status = ending(self, actor)
        return text + note

    def walk(self, start: str, end: str) -> str:
        piece = self.pieces.pop(start)
        far = step_length(start, end) >= 2
        face_up = piece.face_up or (self.options["faceup"] and far)
        self.pieces[end] = piece._replace(face_up=face_up)
        return ""

    def fight(self, start: str, end: str) -> str:
        attacker, defender = self.pieces.pop(start), self.pieces.pop(end)
        result = battle(attacker.letter, defender.letter, self.options["spy_both"])
        self.counter = 0
        if result in "A#":
            back = self.options["winner"] == "return" or (
                self.options["scout_return"] and attacker.letter == "R"
            )
            self.pieces[start if back else end] = self.survivor(attacker)
        if result == "D":
            self.pieces[end] = self.survivor(defender)
        if result == "#":
            self.status = [attacker.seat, "flag captured"]
        mark = {"A": "+", "D": "-", "=": "=", "#": "#"}[result]
        return f"[{attacker.letter}v{defender.letter}]{mark}"

    def survivor(self, piece: Piece) -> Piece:
        return piece._replace(face_up=piece.face_up or self.options["faceup"])


def step_length(start: str, end: str) -> int:
    """How many squares lie between two squares of one line, the last one counted."""
    across = abs(ord(start[0]) - ord(end[0]))
    return across + abs(int(start[1:]) - int(end[1:]))


def random_setup(options: dict[str, Any], seat: str, rng: random.Random) -> str:
    width = WIDTH[options["board"]]
    letters = [letter for letter, count in ARMY.items() for _ in range(count)]
    letters += [""] * (4 * width - len(letters))
    rng.shuffle(letters)
    rows = setup_rows(seat, 4, HEIGHT)
    names = [name for name in all_squares(width, HEIGHT) if int(name[1:]) in rows]
    placed = dict(zip(names, letters, strict=True))
    return write_rows(rows, width, set(), lambda name: placed[name])
