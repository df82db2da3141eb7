"""Simulates one month from its seed, and checks the result."""

from dataclasses import dataclass
from typing import Any

from django.test import override_settings

from tests.simulation.checks import all_that_is_wrong
from tests.simulation.world import World

BACKEND = "tests.simulation.faults.Post"


@dataclass(frozen=True)
class Outcome:
    transcript: list[str]
    digest: str  # of everything that happened and every row that is left
    faults: list[str]
    crashes: int
    emails: int
    messages: int  # that players sent by mail


def simulate(seed: int, **options: Any) -> Outcome:
    """Simulate a month and check the result; empties the database first."""
    world = World(seed, **options)
    with override_settings(EMAIL_BACKEND=BACKEND, DEMO=True, MAIL_AUTHSERV_ID=""):
        world.live()
    return Outcome(
        transcript=world.transcript,
        digest=world.digest(),
        faults=list(all_that_is_wrong(world)),
        crashes=world.faults.crashes,
        emails=len(world.mailbox.emails),
        messages=len(world.by_mail.taken),
    )
