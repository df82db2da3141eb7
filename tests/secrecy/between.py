"""What happens between moves and is no move: draws, days that are given, pauses, time lost and up.

Each is a function of a World, whose opponent is the one who is told. What the opponent does is done
on their pages.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from accounts.models import User
from games.play.clocks import heartbeat
from games.play.commands import courtesies, endings, moderation
from tests.secrecy import channels
from tests.secrecy.channels import Driven

if TYPE_CHECKING:
    from tests.secrecy.worlds import World

SETTLE, SWEEP = "games.play.tasks.settle", "games.play.tasks.sweep"
DRAIN = "games.outbox.tasks.drain"
# What runs by itself.
TASKS = [name for name, entry in channels.TASKS.items() if isinstance(entry, Driven)]
OUTAGE = timedelta(hours=3)

Command = Callable[[int, User], None]


def draw(world: World) -> None:
    """Each offers a draw; the first is declined, and mostly the second."""

    def answer(number: int, user: User) -> None:
        if world.perhaps(0.6):
            endings.decline_draw(number, user)

    _offers(world, "draw", endings.offer_draw, answer)


def gift(world: World) -> None:
    """The victim gives a day."""
    with world.act("a day more"):
        courtesies.give_day(world.match.pk, world.victim)
        world.tasks(DRAIN)


def pause(world: World) -> None:
    """Each offers a pause, and the second offer is accepted; see `resume`."""
    _offers(world, "pause", courtesies.offer_pause, courtesies.accept_pause)


def resume(world: World) -> None:
    """The victim ends a pause."""
    with world.act("the pause is over"):
        courtesies.resume(world.match.pk, world.victim)
        world.tasks(DRAIN)


def outage(world: World) -> None:
    """The service stands still for hours, and gives them back."""
    with world.act("the service beats"):
        heartbeat.beat()
    world.instant += OUTAGE
    with world.act("the service is back"):
        heartbeat.beat()
        world.tasks(SETTLE, DRAIN)


def vacation(world: World) -> None:
    """The victim lets a deadline pass, and goes on vacation by that."""
    world.wait(timedelta(minutes=5))
    with world.act("a vacation begins"):
        world.tasks(SWEEP, DRAIN)


def _offers(world: World, name: str, offer: Command, answer: Command) -> None:
    """The victim offers something; the opponent declines it, and offers it in turn."""
    with world.act(f"the victim offers a {name}"):
        offer(world.match.pk, world.victim)
        world.tasks(DRAIN)
    with world.act("the opponent offers one instead"):
        world.step(f"decline-{name}")
        world.step(f"offer-{name}")
        answer(world.match.pk, world.victim)
        world.tasks(DRAIN)


BETWEEN: dict[str, Callable[[World], None]] = {
    function.__name__: function for function in (draw, gift, pause, outage, vacation)
}


def lose(world: World) -> None:
    """Somebody's time is up, and the match over."""
    world.tasks(*TASKS)


def claim(world: World) -> None:
    """The victim's time is up where nothing ends by itself, and the opponent claims the match."""
    world.tasks(SWEEP, DRAIN)
    world.step("claim")


def reopen(world: World) -> None:
    """Somebody's time is up; all are told, and the admin takes the ending back."""
    world.tasks(*TASKS)
    moderation.reopen(world.match.pk, "The clock was wrong.")
    world.tasks(DRAIN)


# What happens once somebody's time is up, by the ending of the story.
OVERRUN: dict[str, Callable[[World], None]] = {"time": lose, "claimed": claim, "reopened": reopen}
