"""Events between moves that are not moves: draws, added days, pauses, outages, time-outs.

Each is a function of a World, whose opponent is notified. What the opponent does is done
on their pages.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import TYPE_CHECKING

from accounts.models import User
from games.notifications.email.offers import WITH_MOVE
from games.play.clocks import heartbeat
from games.play.commands import courtesies, endings, looks, moderation
from tests.secrecy import channels
from tests.secrecy.channels import Driven

if TYPE_CHECKING:
    from tests.secrecy.worlds import World

SETTLE, SWEEP = "games.play.tasks.settle", "games.play.tasks.sweep"
DRAIN = "games.outbox.tasks.drain"
# What happens without a player.
TASKS = [name for name, entry in channels.TASKS.items() if isinstance(entry, Driven)]
OUTAGE = timedelta(hours=3)

Command = Callable[[int, User], None]


def draw(world: World) -> None:
    """Each offers a draw; the first is declined, and usually the second."""

    def answer(number: int, user: User) -> None:
        if world.perhaps(0.6):
            endings.decline_draw(number, user)

    _offers(world, "draw", endings.offer_draw, answer)


def gift(world: World) -> None:
    """The victim adds a day, and an administrator another; staff look at both armies."""
    with world.act("a day more"):
        courtesies.give_day(world.match.pk, world.victim)
        world.tasks(DRAIN)
    with world.act("a day more from staff"):
        moderation.extend(world.match.pk, None, timedelta(days=1), "The post was on strike.")
        world.tasks(DRAIN)
    if world.match.rules.hidden:
        with world.act("staff look at both armies"):
            asker, second = world.scene.stewards
            look = looks.ask(world.match.pk, asker, "A report says that pieces changed.")
            looks.agree(look.pk, second)
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
    """The service is down for hours, and credits them."""
    with world.act("the service beats"):
        heartbeat.beat()
    world.instant += OUTAGE
    with world.act("the service is back"):
        heartbeat.beat()
        world.tasks(SETTLE, DRAIN)


def vacation(world: World) -> None:
    """The victim lets a deadline pass, which takes vacation."""
    world.wait(timedelta(minutes=5))
    with world.act("a vacation begins"):
        world.tasks(SWEEP, DRAIN)


def _offers(world: World, name: str, offer: Command, answer: Command) -> None:
    """The victim makes an offer; the opponent declines it, and makes the same offer."""
    # Otherwise the e-mail about the turn would report the offer.
    with world.act("the e-mail about the turn"):
        world.tasks(DRAIN)
    with world.act(f"the victim offers a {name}"):
        offer(world.match.pk, world.victim)
        world.tasks(DRAIN)
    # An offer without a move is an e-mail by itself after a while.
    world.instant += WITH_MOVE
    with world.act(f"the {name} has not come with a move"):
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
    """A player's time is up, and the match is over."""
    world.tasks(*TASKS)


def claim(world: World) -> None:
    """The victim's time is up in a match that waits for a claim; the opponent claims the win."""
    world.tasks(SWEEP, DRAIN)
    world.step("claim")


def reopen(world: World) -> None:
    """A player's time is up; all are notified, and the admin undoes the ending."""
    world.tasks(*TASKS)
    moderation.reopen(world.match.pk, "The clock was wrong.")
    world.tasks(DRAIN)


# What happens after a player's time is up, by the ending of the story.
OVERRUN: dict[str, Callable[[World], None]] = {"time": lose, "claimed": claim, "reopened": reopen}
