"""How a leak is planted, and where it reads the truth.

A leak is a function of pytest's monkeypatch, named after what it reveals.
"""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from pytest import MonkeyPatch

from games.notifications import notify
from games.notifications.email.composing import match_emails
from games.notifications.policy.notification import Notification
from games.outbox.models import Dispatch
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.play.record import match_store, match_view
from games.play.views.match import match_page
from games.rules.core import observation
from games.rules.core.basics.pieces import is_piece
from games.rules.core.state.position import Position
from games.rules.core.text import notation
from tests.secrecy import stories

Plant = Callable[[MonkeyPatch], None]

PLAY = (stories.StoryKind("play"),)
WAITING = (stories.StoryKind("waiting"),)
MEN = "RSBFY"


@dataclass(frozen=True)
class Leak:
    """`on`: the channels that carry it; empty for those that are always compared.

    `first`: the number of the story that is tried before all others, since it shows the leak.
    """

    plant: Plant
    on: tuple[str, ...]
    preset: str
    kinds: tuple[stories.StoryKind, ...]
    by_crash: bool
    first: int

    def __str__(self) -> str:
        return self.plant.__name__


LEAKS: list[Leak] = []


def leak(
    *on: str,
    preset: str = "lattaque-en",
    kinds: tuple[stories.StoryKind, ...] = stories.KINDS,
    by_crash: bool = False,
    first: int = 0,
) -> Callable[[Plant], Plant]:
    def keep(plant: Plant) -> Plant:
        LEAKS.append(Leak(plant, on, preset, kinds, by_crash, first))
        return plant

    return keep


# --- the truth, and how it leaks


def position(match_id: int, number: int | None = None) -> Position:
    match = Match.objects.get(pk=match_id)
    row = Ply.objects.get(match=match, number=match.ply if number is None else number)
    text = match_store.unseal_ply(match.pk, row.number, row.sealed).position
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
    """Make `place.name` return `spoil(its result, *its arguments)` from now on."""
    original = getattr(place, name)

    def spoilt(*args: Any, **kwargs: Any) -> Any:
        return spoil(original(*args, **kwargs), *args)

    monkeypatch.setattr(place, name, spoilt)


def before(monkeypatch: MonkeyPatch, place: Any, name: str, act: Callable[..., None]) -> None:
    """Call `act(*arguments)` before each call of `place.name`."""
    original = getattr(place, name)

    def preceded(*args: Any, **kwargs: Any) -> Any:
        act(*args)
        return original(*args, **kwargs)

    monkeypatch.setattr(place, name, preceded)


def on_the_page(monkeypatch: MonkeyPatch, tell: Callable[[match_view.MatchView], str]) -> None:
    change(monkeypatch, match_page, "draw", lambda html, view, *_: html + tell(view))


def in_the_look(
    monkeypatch: MonkeyPatch, spoil: Callable[[observation.Observation, Any, Position], Any]
) -> None:
    """Spoil each observation: `spoil(observation, rules, truth)`."""
    change(
        monkeypatch, match_view, "observe", lambda seen, rules, truth, _: spoil(seen, rules, truth)
    )


def change_emails(monkeypatch: MonkeyPatch, event: str, spoil: Callable[..., None]) -> None:
    """Call `spoil(email, view)` on each e-mail of an event before it is sent."""

    def spoilt(email: Any, notification: Notification, _: Any, view: Any, *__: Any) -> Any:
        if notification.name == event:
            spoil(email, view)
        return email

    change(monkeypatch, match_emails, "write", spoilt)


def before_telling(monkeypatch: MonkeyPatch, event: str, act: Callable[[Dispatch], None]) -> None:
    """Call `act(row)` before a row of this event is passed to any channel."""

    def check(dispatch: Dispatch, _: Any) -> None:
        if dispatch.event == event:
            act(dispatch)

    before(monkeypatch, notify, "notify", check)
