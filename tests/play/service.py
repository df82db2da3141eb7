"""What a worker does about time in one call: the heartbeat, and the settlement of outages."""

from datetime import datetime

from games.play.clocks import heartbeat, settlement
from lib.db_clock import frozen_at


def beat() -> None:
    """Store a heartbeat, and credit the outage that it ends."""
    heartbeat.beat()
    settlement.settle()


def beat_at(*instants: datetime) -> None:
    for instant in instants:
        with frozen_at(instant):
            beat()
