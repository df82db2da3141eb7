"""Commands: one line of a message, parsed into a verb and its arguments."""

from dataclasses import dataclass
from enum import Enum


class Verb(Enum):
    """What a command asks for."""

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
    WAIT = "wait"  # gives the opponent time; the argument is the amount: "1d"
    CLAIM = "claim"
    BOARD = "board"
    BOARD_LIST = "board list"
    MOVES = "moves"
    RULES = "rules"
    HELP = "help"
    MATCHES = "matches"
    NEXT = "next"
    IF = "if"  # a line of a plan; the argument is the line
    FORGET = "forget"  # deletes the plan
    PLAN = "plan"  # shows it
    NOTE = "note"
    SAY = "say"  # words to the opponent, see grammar/words_to_opponent.py
    LOBBY = "lobby"
    PLAY = "play"  # somebody of the player's strength
    LADDER = "ladder"
    SEAT = "seat"
    CHALLENGE = "challenge"
    LADDER_CHALLENGE = "challenge on a ladder"
    JOIN = "join"
    WITHDRAW = "withdraw"
    TOURNAMENTS = "tournaments"
    ENTER = "enter"
    LEAVE = "leave"
    UNDO = "undo"  # recognized so that it can be answered with an explanation; never carried out


@dataclass(frozen=True)
class Command:
    """A command as written; whether it is valid in the match is checked elsewhere.

    `squares`: the squares of a move in the order written, or of two officers set up with a comma
    between them. `c7 e7` parses as a move; if officers are to be set up, it means their two points.
    `claims_capture`: the move contains an `x`. `huff`: the point of a huffed officer.
    A line of a plan is in canonical English if it can be read, otherwise as it was typed.
    `wrapped`: it stands next to a long line, so one may be the wrapped rest of the other.
    `match`: the match number written before or after the command, in a reply to a digest.

    A set-up has `rows`, with a dot or a run length for empty squares. If `drawn`, the rows run from
    top to bottom as the e-mail draws them, and `row_numbers` and `files` written next to them give
    the orientation, if present. Otherwise the rows are in the order of the canonical text, or
    `argument` is the name of a saved set-up. `quoted`: the rows were filled in inside the quotation
    of our e-mail.
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
    wrapped: bool = False
    match: int | None = None
    line: int = 0  # line number within its MIME part, from 0

    @property
    def move_text(self) -> str:
        """The move in the notation of docs/records.md: `d4-d5`, `d4xd5`, `*d6,c4-c5`."""
        path = ("x" if self.claims_capture else "-").join(self.squares)
        return f"*{self.huff}" + (f",{path}" if path else "") if self.huff else path
