"""Editions of the games."""

from pydantic import Field

from games.api.schemas.basics import Answer, SeatLetter, Switches


class Preset(Answer):
    """An edition of a game."""

    preset: str = Field(description="the key of the edition", examples=["lattaque-en"])
    family: str = Field(description="the key of the game")
    title: str
    hidden: bool = Field(description="whether ranks are hidden from the opponent")
    files: int
    ranks: int
    seats: list[SeatLetter]
    sets_up: list[SeatLetter] = Field(description="the seats that send a set-up")
    switches: Switches = Field(description="the options of the rules, with their usual values")


class Presets(Answer):
    """All editions, game by game."""

    presets: list[Preset]
