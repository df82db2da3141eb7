"""How a leak is planted, and where it takes the truth from.

A leak is a function of pytest's monkeypatch. It is named after what it gives away.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pytest import MonkeyPatch

from games.play import ledger, sight
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.views import table
from games.rules.core import notation, observation
from games.rules.core.army import is_piece
from games.rules.core.position import Position
from tests.secrecy import stories

Plant = Callable[[MonkeyPatch], None]

PLAY = (stories.Kind("play"),)
WAITING = (stories.Kind("waiting"),)
MEN = "RSBFY"


@dataclass(frozen=True)
class Leak:
    """`on`: the channels that carry it; none where what is always looked at does."""

    plant: Plant
    on: tuple[str, ...]
    preset: str
    kinds: tuple[stories.Kind, ...]
    by_crash: bool

    def __str__(self) -> str:
        return self.plant.__name__


LEAKS: list[Leak] = []


def leak(
    *on: str,
    preset: str = "lattaque-en",
    kinds: tuple[stories.Kind, ...] = stories.KINDS,
    by_crash: bool = False,
) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant, on, preset, kinds, by_crash))
        return plant

    return keep


# --- the truth, and how it gets out


def position(match_id: int, number: int | None = None) -> Position:
    match = Match.objects.get(pk=match_id)
    row = Ply.objects.get(match=match, number=match.ply if number is None else number)
    text = ledger.opened(match.pk, row.number, row.sealed).position
    return notation.read_position(match.rules, text)


def secret(match_id: int) -> str:
    """The whole truth as text."""
    return notation.write_position(Match.objects.get(pk=match_id).rules, position(match_id))


def digest(match_id: int) -> str:
    return sha256(secret(match_id).encode()).hexdigest()


def bit(match_id: int) -> bool:
    """One bit of the truth."""
    return int(digest(match_id)[-1], 16) % 2 == 1


def rank_at(match_id: int, square: str) -> str:
    rules = Match.objects.get(pk=match_id).rules
    cell = rules.board.index.get(square)
    content = 0 if cell is None else position(match_id).cells[cell]
    return rules.rank_of(content) if is_piece(content) else "none"


def change(monkeypatch: MonkeyPatch, place: Any, name: str, spoil: Callable[..., Any]) -> None:
    """`place.name` returns `spoil(what it returned, *its arguments)` from now on."""
    original = getattr(place, name)

    def spoilt(*args: Any, **kwargs: Any) -> Any:
        return spoil(original(*args, **kwargs), *args)

    monkeypatch.setattr(place, name, spoilt)


def before(monkeypatch: MonkeyPatch, place: Any, name: str, act: Callable[..., None]) -> None:
    """`act(*arguments)` is done before `place.name`."""
    original = getattr(place, name)

    def preceded(*args: Any, **kwargs: Any) -> Any:
        act(*args)
        return original(*args, **kwargs)

    monkeypatch.setattr(place, name, preceded)


def on_the_page(monkeypatch: MonkeyPatch, tell: Callable[[sight.Look], str]) -> None:
    change(monkeypatch, table, "draw", lambda html, look, *_: html + tell(look))


def in_the_look(
    monkeypatch: MonkeyPatch, spoil: Callable[[observation.Observation, Any, Position], Any]
) -> None:
    """What is observed is spoilt: `spoil(observation, rules, truth)`."""
    change(monkeypatch, sight, "observe", lambda seen, rules, truth, _: spoil(seen, rules, truth))
