"""Terminations: the reasons why a match ends, each with its phrase in records."""

from enum import StrEnum


class Termination(StrEnum):
    """Why a match ended. The value is the phrase of game records and of the referee's answers.

    This enumeration has no members. A game lists the endings that it alone has in its own subclass,
    and all of its endings in `Ruleset.terminations`.
    """

    def __repr__(self) -> str:
        return repr(self.value)


class BoardTermination(Termination):
    """Endings on the board that several games share (C6, C7)."""

    FLAG_CAPTURED = "flag captured"
    NO_MOBILE_PIECE = "no mobile piece left"
    NO_LEGAL_MOVE = "no legal move"
    NEITHER_CAN_MOVE = "neither side can move"
    NO_PROGRESS = "no progress"


class OffBoardTermination(Termination):
    """Endings by the players or the clock, which are in no position (C11)."""

    RESIGNED = "resigned"
    AGREED = "agreed"
    TIME = "time"
