"""What a worker does about time, in one go: the heartbeat, and then what it found is owed."""

from datetime import datetime

from games.play.clocks import heartbeat, settlement
from lib.db_clock import frozen_at


def beat() -> None:
    """Moves can be taken now, and whatever is owed for the time in which they could not is paid."""
    heartbeat.beat()
    settlement.settle()


def beat_at(*instants: datetime) -> None:
    for instant in instants:
        with frozen_at(instant):
            beat()
