"""Commands of organisers: open entry, cancel, move dates to later."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db.models import F

from games.competitions.tournaments.commands import drawing, locking
from games.competitions.tournaments.commands.entering import NotOpen
from games.competitions.tournaments.models import Stage, State
from games.idempotency.replay import command_transaction
from games.rules.core.basics.refusals import gettext_noop


def open_entry(tournament_id: int) -> None:
    """Publish a draft; entry opens at its date. Raises NotOpen for any other state."""
    with command_transaction():
        tournament = locking.locked(tournament_id)
        if tournament.state != State.DRAFT:
            raise NotOpen(gettext_noop("Only a draft can be opened for entry."))
        tournament.state = State.OPEN
        tournament.save(update_fields=["state"])


def cancel(tournament_id: int, reason: str) -> None:
    """Cancel a tournament, for a reason that its players can read. Raises NotOpen if it is over."""
    with command_transaction():
        tournament = locking.locked(tournament_id)
        if tournament.is_over:
            raise NotOpen(gettext_noop("This tournament is over."))
        drawing.cancel(tournament, reason)


def prolong(tournament_id: int, more: timedelta, reason: str = "") -> datetime | None:
    """Move the end of entry, or the last date of the stage that is played; returns the new one.

    None if there is no such date. Everybody can read the reason.
    """
    with command_transaction():
        tournament = locking.locked(tournament_id)
        if tournament.state == State.OPEN:
            tournament.closes_at += more
            tournament.prolonged_why = reason
            tournament.save(update_fields=["closes_at", "prolonged_why"])
            return tournament.closes_at
        stage = locking.stage_in_play(tournament)
        if tournament.state != State.RUNNING or stage is None:
            return None
        tournament.prolonged_why = reason
        tournament.save(update_fields=["prolonged_why"])
        Stage.objects.filter(pk=stage.pk).update(ends_at=F("ends_at") + more, to_judge=True)
        return stage.ends_at + more
