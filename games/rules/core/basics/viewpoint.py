"""Viewpoints: who is looking. Whatever leaves the rules leaves them for one viewpoint."""

from enum import StrEnum

from games.rules.core.basics.pieces import Seat


class Viewpoint(StrEnum):
    """The two players, the onlookers, and a finished match opened to all.

    GALLERY never knows more than both players know. OPEN sees everything: it is for matches that
    are over, and the caller sees to that.
    """

    SOUTH = "south"
    NORTH = "north"
    GALLERY = "gallery"
    OPEN = "open"

    @classmethod
    def of(cls, seat: Seat) -> "Viewpoint":
        """The viewpoint of the player in a seat."""
        return cls.SOUTH if seat is Seat.SOUTH else cls.NORTH

    @property
    def seat(self) -> Seat | None:
        """The seat of the player who looks; onlookers have none."""
        if self is Viewpoint.SOUTH:
            return Seat.SOUTH
        return Seat.NORTH if self is Viewpoint.NORTH else None

    def owns(self, seat: Seat) -> bool:
        """Whether this viewpoint knows all that the player in a seat knows."""
        return self is Viewpoint.OPEN or self.seat is seat
