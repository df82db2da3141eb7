"""The sweep of ladders: settles challenges, and takes off who leaves or does not play."""

from games.competitions.ladders import departures, settlement


def sweep() -> str:
    """Do what is due on all ladders, and say what was done. Idempotent, also when runs overlap."""
    settled = settlement.settle_all()
    warned, dropped = departures.check_absent()
    gone = departures.take_off_who_can_go()
    return (
        f"ladders: {settled} challenges settled, {warned} members warned, {dropped} dropped for "
        f"not playing, {gone} others taken off"
    )
