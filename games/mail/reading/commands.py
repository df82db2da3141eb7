"""Commands: what a line of a message asks for."""

from dataclasses import dataclass
from enum import Enum


class Verb(Enum):
    """What is asked for."""

    MOVE = "move"
    SETUP = "set-up"
    RANDOM = "random"
    KEEP = "keep"
    RESIGN = "resign"
    DRAW_OFFER = "draw offer"
    ACCEPT = "accept"
    DECLINE = "decline"
    YES = "yes"
    NO = "no"
    REMATCH = "rematch"
    ABORT = "abort"
    WAIT = "wait"  # give the opponent time; the argument is how much: "1d"
    CLAIM = "claim"
    BOARD = "board"
    BOARD_LIST = "board list"
    MOVES = "moves"
    RULES = "rules"
    HELP = "help"
    MATCHES = "matches"
    NEXT = "next"
    NOTE = "note"
    LOBBY = "lobby"
    SEAT = "seat"
    CHALLENGE = "challenge"
    JOIN = "join"
    WITHDRAW = "withdraw"
    # Understood so that they can be answered, and never done.
    IF = "if"
    UNDO = "undo"
    SAY = "say"


@dataclass(frozen=True)
class Command:
    """A command as it was written. Whether it fits the match is for others to say.

    `squares` are those of a move in the order written, or of two officers set up with a comma
    between them; `claims_capture` says that an `x` stood among them, and `huff` names a huffed
    point. `match` is the number written before or behind the command, for who answers a digest.

    `c7 e7` is a move here, and for who sets up officers it is their two points.

    A set-up has its `rows` with a dot or a run length for empty squares. If `drawn`, they are from
    top to foot as the e-mail draws them, and the `row_numbers` and the `files` written beside them
    decide, if there are any; else they are in the order of a canonical text, or `argument` is the
    name of a saved set-up. `quoted`: they were filled in within the quotation of an e-mail of ours.
    """

    verb: Verb
    argument: str = ""
    squares: tuple[str, ...] = ()
    claims_capture: bool = False
    huff: str = ""
    rows: tuple[str, ...] = ()
    drawn: bool = False
    row_numbers: tuple[int, ...] = ()
    files: str = ""
    quoted: bool = False
    match: int | None = None
    line: int = 0  # its place among the lines of the part it stands in, from 0

    @property
    def move_text(self) -> str:
        """The move in the words of docs/records.md: `d4-d5`, `d4xd5`, `*d6,c4-c5`."""
        path = ("x" if self.claims_capture else "-").join(self.squares)
        return f"*{self.huff}" + (f",{path}" if path else "") if self.huff else path
