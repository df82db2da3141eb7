"""Viewpoint: who looks at a match. All output of the rules is for one viewpoint."""

from enum import StrEnum

from games.rules.core.basics.pieces import Seat


class Viewpoint(StrEnum):
    """One of the players, the spectators, or everybody after the end.

    GALLERY never knows more than both players know. OPEN sees everything; callers use it for
    finished matches only.
    """

    SOUTH = "south"
    NORTH = "north"
    GALLERY = "gallery"
    OPEN = "open"

    @classmethod
    def of_seat(cls, seat: Seat) -> "Viewpoint":
        """The viewpoint of the player in a seat."""
        return cls.SOUTH if seat is Seat.SOUTH else cls.NORTH

    @property
    def seat(self) -> Seat | None:
        """The seat of the player who looks; None for spectators."""
        if self is Viewpoint.SOUTH:
            return Seat.SOUTH
        return Seat.NORTH if self is Viewpoint.NORTH else None

    def owns(self, seat: Seat) -> bool:
        """Whether this viewpoint knows all that the player in a seat knows."""
        return self is Viewpoint.OPEN or self.seat is seat
