"""Oracle for Tactique, written from T1 to T14.

Readings chosen where the text leaves room:
* The taker of a flag moves onto its square, as the source says of every winning attacker ("it
  moves into the space formerly occupied by the defending piece"); the battle table itself names
  no square for this line.
* A volley's squares are given in the order of the board text, as the example's "d6, c5" are,
  each once: ` ~d6! ~c5`. A piece hit twice in one volley and so removed is given as removed
  only. The opening volley is given the same way, [] when it hit nothing.
* `volley_flag=true`: a flag that is hit leaves the board and is given as removed; the other hits
  of that volley happen too. Should one volley of both sides hit both flags, that is a draw,
  "flag shot".
* `volley=all`: both sides' archers shoot at once, so an archer that is removed has shot, and no
  shot is blocked or freed (`archer_los`) by another of the same volley.
* No volley follows the capture of a flag. A volley that hits at least one piece sets the
  counter to 0.
* Where no archer has a target the two-square row goes on: a volley is nobody's move.
* A view shows an enemy piece as `?` or `?'`, a piece won over by `convert` as its new owner's.
* `volley_first=false` holds back the opening volley only, of both sides where `volley=all`.
"""

import random
from collections import Counter
from typing import Any, NamedTuple

from tests.rules.oracle.common_endings import ending, shuttles_too_long
from tests.rules.oracle.notation import (
    DIAGONAL,
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

WIDTH = HEIGHT = 8
SQUARES = all_squares(WIDTH, HEIGHT)
ON_THE_BOARD = set(SQUARES)
ARMY = {"C": 2, "V": 4, "P": 8, "I": 8, "A": 4, "F": 1}
RANK = {"C": 5, "V": 4, "P": 3, "I": 2, "W": 1, "A": 1}
DEMOTED_TO = {"C": "V", "V": "P", "P": "I", "I": "W"}
DEFAULTS = {
    "move": "long",
    "charge": "any",
    "volley": "own",
    "volley_first": True,
    "archer_los": False,
    "multi_hit": "each",
    "volley_flag": False,
    "d1_takes_archer": True,
    "convert": False,
    "two_square": 2,
    "limit": 200,
}


class Piece(NamedTuple):
    seat: str
    letter: str
    demoted: bool
    number: int  # Which piece it is, for the two-square rule.

    @property
    def name(self) -> str:
        return self.letter + ("'" if self.demoted else "")

    def text(self) -> str:
        return self.name if self.seat == "S" else self.name.lower()

    def lowered(self) -> "Piece | None":
        """One rank lower and marked, or None if that takes it off the board (T9)."""
        if self.demoted or self.letter == "A":
            return None
        return self._replace(letter=DEMOTED_TO[self.letter], demoted=True)


class Action(NamedTuple):
    start: str
    via: str  # Where the piece stands when it attacks, or has moved to.
    target: str  # "" for a plain move.


class Tactique:
    def __init__(self, options: dict[str, Any]) -> None:
        self.options = options
        self.pieces: dict[str, Piece] = {}
        self.turn, self.counter, self.ply = "S", 0, 0
        self.own_turns: dict[str, list[Any]] = {"S": [], "N": []}
        self.status: list[str] | None = None
        self.volley: list[str] | None = None

    # Where it starts

    def set_up(self, texts: list[str]) -> None:
        for seat, text in zip("SN", texts, strict=True):
            rows = setup_rows(seat, 4, HEIGHT)
            rank_by_square = read_rows(text, rows, WIDTH, set(), "[CVPIAF]")
            if Counter(rank_by_square.values()) != Counter(ARMY):
                raise InvalidSetupError("The army must be the twenty-seven pieces of the list.")
            front = 4 if seat == "S" else 5
            if len([name for name in rank_by_square if name.endswith(str(front))]) != 3:
                raise InvalidSetupError(f"Exactly three pieces stand in row {front}.")
            for name, letter in rank_by_square.items():
                self.pieces[name] = Piece(seat, letter, False, len(self.pieces))
        self.volley = self.shoot("S") if self.options["volley_first"] else []

    def read(self, text: str) -> None:
        board, turn, counter, ply = text.split()
        rows = list(range(HEIGHT, 0, -1))
        rank_by_square = read_rows(board, rows, WIDTH, set(), "[VPIWvpiw]'|[CVPIAFcvpiaf]")
        for name, token in rank_by_square.items():
            seat = "S" if token[0].isupper() else "N"
            demoted = token.endswith("'")
            self.pieces[name] = Piece(seat, token[0].upper(), demoted, len(self.pieces))
        self.turn, self.counter, self.ply = turn, int(counter), int(ply)

    # What is asked of it

    def position(self) -> str:
        return f"{self.board(lambda piece: piece.text())} {self.turn} {self.counter} {self.ply}"

    def view(self, seat: str) -> str:
        def seen(piece: Piece) -> str:
            if piece.seat == seat:
                return piece.text()
            return "?'" if piece.demoted else "?"

        return self.board(seen)

    def board(self, written: Any) -> str:
        return write_rows(
            list(range(HEIGHT, 0, -1)),
            WIDTH,
            set(),
            lambda name: written(self.pieces[name]) if name in self.pieces else "",
        )

    def legal(self) -> list[str]:
        return sorted(self.actions(self.turn)) if self.status is None else []

    # Moves, attacks, charges (T4 to T7)

    def actions(self, seat: str, ignore_repetition: bool = False) -> dict[str, Action]:
        by_text: dict[str, Action] = {}
        for start, piece in self.pieces.items():
            if piece.seat != seat or piece.letter == "F":
                continue
            fights = piece.letter != "A"
            for target in self.adjacent_enemies(start, seat) if fights else []:
                by_text[f"{start}x{target}"] = Action(start, start, target)
            for across, up in ORTHOGONAL:
                for via in self.path(start, across, up):
                    if ignore_repetition or not self.shuttles(piece, start, via):
                        by_text[f"{start}-{via}"] = Action(start, via, "")
                    targets = self.adjacent_enemies(via, seat) if fights else []
                    if self.options["charge"] == "straight":
                        targets = [name for name in targets if name == step(via, across, up)]
                    for target in targets:
                        by_text[f"{start}-{via}x{target}"] = Action(start, via, target)
        return by_text

    def path(self, start: str, across: int, up: int) -> list[str]:
        """The empty squares a piece may move to in one direction (T5)."""
        squares = []
        square = step(start, across, up)
        while square in ON_THE_BOARD and square not in self.pieces:
            squares.append(square)
            if self.options["move"] == "step":
                break
            square = step(square, across, up)
        return squares

    def adjacent_enemies(self, name: str, seat: str) -> list[str]:
        neighbours = [step(name, across, up) for across, up in ORTHOGONAL]
        return [n for n in neighbours if n in self.pieces and self.pieces[n].seat != seat]

    def shuttles(self, piece: Piece, start: str, end: str) -> bool:
        turn = (piece.number, {start, end})
        return shuttles_too_long(self.own_turns[piece.seat], turn, self.options["two_square"])

    def has_a_mobile_piece(self, seat: str) -> bool:
        return any(p.seat == seat and p.letter != "F" for p in self.pieces.values())

    # A turn

    def play(self, text: str) -> str:
        actions = self.actions(self.turn)
        if self.status is not None or text not in actions:
            raise IllegalMoveError(f"{text} is not a legal move.")
        actor = self.turn
        start, via, target = actions[text]
        number = self.pieces[start].number
        self.own_turns[actor].append(None if target else (number, {start, via}))
        self.turn, self.ply, self.counter = OTHER[actor], self.ply + 1, self.counter + 1
        self.pieces[via] = self.pieces.pop(start)
        if target:
            text += self.fight(via, target)
        if self.status is None:
            text += "".join(f" ~{shown}" for shown in self.shoot(self.turn))
        if self.status is None:
            self.status = ending(self, actor)
        return text

    def fight(self, via: str, target: str) -> str:
        attacker, defender = self.pieces[via], self.pieces[target]
        self.counter = 0
        return f"[{attacker.name}v{defender.name}]{self.outcome(via, target)}"

    def outcome(self, via: str, target: str) -> str:
        """Puts the battle's result on the board and returns its mark."""
        attacker, defender = self.pieces[via], self.pieces[target]
        if defender.letter == "F":
            self.status = [attacker.seat, "flag captured"]
            self.pieces[target] = self.pieces.pop(via)
            return "#"
        w_fails = attacker.letter == "W" and not self.options["d1_takes_archer"]
        if defender.letter == "A" and not w_fails:
            self.pieces[target] = self.pieces.pop(via)
            return "+"
        if RANK[attacker.letter] == RANK[defender.letter]:
            del self.pieces[via], self.pieces[target]
            return "="
        if RANK[attacker.letter] > RANK[defender.letter]:
            lowered = defender.lowered()
            if lowered is None:
                self.pieces[target] = self.pieces.pop(via)
                return "+"
            self.pieces[target] = self.perhaps_won_over(lowered)
            return "+d"
        lowered = attacker.lowered()
        if lowered is None:
            del self.pieces[via]
            return "-"
        self.pieces[via] = self.perhaps_won_over(lowered)
        return "-d"

    def perhaps_won_over(self, piece: Piece) -> Piece:
        return piece._replace(seat=OTHER[piece.seat]) if self.options["convert"] else piece

    # What the archers do (T8, T9)

    def shoot(self, seat: str) -> list[str]:
        """The volley before a turn of `seat`: the squares hit, `!` after those emptied."""
        hits = self.hits_by(seat)
        if self.options["volley"] == "all":
            hits += self.hits_by(OTHER[seat])
        shown, flags_lost = [], []
        for name in [name for name in SQUARES if name in hits]:
            piece = self.pieces.pop(name)
            after: Piece | None = piece
            times = 1 if self.options["multi_hit"] == "once" else hits.count(name)
            if piece.letter == "F":
                flags_lost.append(piece.seat)
                after = None
            for _ in range(times):
                after = after.lowered() if after is not None else None
            if after is not None:
                self.pieces[name] = after
            shown.append(name + ("!" if after is None else ""))
        if shown:
            self.counter = 0
        if len(flags_lost) == 2:
            self.status = ["draw", "flag shot"]
        elif flags_lost:
            self.status = [OTHER[flags_lost[0]], "flag shot"]
        return shown

    def hits_by(self, seat: str) -> list[str]:
        """The square of every hit of one side's archers; a square hit twice stands there twice."""
        hits = []
        for name, piece in self.pieces.items():
            if piece.seat != seat or piece.letter != "A":
                continue
            aimed = [step(name, across, up) for across, up in DIAGONAL]
            for across, up in ORTHOGONAL:
                blocked = step(name, across, up) in self.pieces and self.options["archer_los"]
                if not blocked:
                    aimed.append(step(name, 2 * across, 2 * up))
            hits += [target for target in aimed if self.can_be_hit(target, seat)]
        return hits

    def can_be_hit(self, name: str, by: str) -> bool:
        piece = self.pieces.get(name)
        if piece is None or piece.seat == by:
            return False
        return piece.letter != "F" or bool(self.options["volley_flag"])


def random_setup(options: dict[str, Any], seat: str, rng: random.Random) -> str:
    letters = [letter for letter, count in ARMY.items() for _ in range(count)]
    rng.shuffle(letters)
    front_row = letters[:3] + [""] * 5
    rng.shuffle(front_row)
    rows = setup_rows(seat, 4, HEIGHT)
    front = 4 if seat == "S" else 5
    in_front = [name for name in SQUARES if int(name[1:]) == front]
    behind = [name for name in SQUARES if int(name[1:]) in rows and name not in in_front]
    placed = dict(zip(in_front + behind, front_row + letters[3:], strict=True))
    return write_rows(rows, WIDTH, set(), lambda name: placed[name])
