"""Boards and plies of a match, as one viewpoint sees them."""

from typing import Literal

from pydantic import Field

from games.api.schemas.basics import Answer, Instant, SeatLetter

ViewpointName = Literal["south", "north", "gallery", "open"]


# The values of PlyKind.
Kind = Literal[
    "begin", "setup", "move", "resign", "draw", "time", "abort", "cancel", "void", "reopen", "look"
]


class Piece(Answer):
    """A piece on the board."""

    square: str = Field(examples=["a4"])
    seat: SeatLetter
    rank: str | None = Field(description="null if the viewpoint does not know it")
    mark: str = Field(description="!: shown, ': demoted")


class Board(Answer):
    """The board after a ply, as the viewpoint sees it."""

    match: int
    ply: int
    viewpoint: ViewpointName
    phase: Literal["setup", "play"]
    turn: SeatLetter
    to_act: list[SeatLetter]
    quiet: int = Field(description="turns since the last one that counts as progress")
    board: str = Field(description="the rows from the far side, as in records; ? is unknown")
    pieces: list[Piece] = Field(description="in the order of the squares")
    fallen: dict[str, list[str]] = Field(description="lost pieces by seat; ? is unknown")
    hand: list[str] | None = Field(description="pieces that the viewpoint has still to place")
    aside: list[str] | None = Field(description="the viewpoint's tiles that were not dealt")
    legal: list[str] = Field(description="the asker's legal moves; none if there are over 2,000")
    blowable: list[str] = Field(description="the points of officers that may be huffed")


class Ply(Answer):
    """The public part of a ply."""

    ply: int
    seat: SeatLetter | None
    kind: Kind
    text: str
    at: Instant


class Plies(Answer):
    """Plies in their order; `next` is the value of `after` for the next page."""

    match: int
    plies: list[Ply]
    next: int | None
