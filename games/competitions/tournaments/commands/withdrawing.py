"""Withdrawing from a tournament that has begun: by the player, an organiser, or the server."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from django.db.models import Q

from games.competitions.ranking import signs
from games.competitions.tournaments.commands import entering, locking
from games.competitions.tournaments.commands.entering import NotOpen
from games.competitions.tournaments.events import TournamentWithdrawn
from games.competitions.tournaments.links import in_play
from games.competitions.tournaments.models import (
    ENTRY_ENDED,
    Entry,
    Lot,
    Pairing,
    Stage,
    State,
    Tournament,
)
from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import Person
from games.people import leaving
from games.play.commands.endings import abort, resign
from games.play.models.match import Match, Player
from games.play.terms import MIN_TURNS
from games.rules.core.basics.refusals import gettext_noop
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User


def withdraw(tournament_id: int, user: User) -> None:
    """Withdraw from a tournament that runs. Idempotent.

    Raises NotOpen once it is over, and for users who play no further match in it.
    """
    with command_transaction():
        tournament = locking.locked(tournament_id)
        entries = tournament.entries.filter(user=user)
        if entries.filter(status=Entry.Status.WITHDRAWN).exists():
            return
        check_in_play(tournament, user)
        withdraw_entry(tournament, entries.get(), Entry.Why.SELF)


def check_in_play(tournament: Tournament, user: User) -> None:
    """Raise NotOpen if a tournament does not run, or a user plays no further match in it."""
    if tournament.state != State.RUNNING:
        raise NotOpen(gettext_noop("This tournament is not running."))
    if not in_play(user.pk).filter(tournament=tournament).exists():
        raise NotOpen(gettext_noop("You have no further match to play in this tournament."))


def exclude(entry_id: int, reason: str) -> None:
    """Exclude a player, for a reason that they can read: before the draw or while it runs."""
    with command_transaction():
        unlocked = Entry.objects.get(pk=entry_id)
        tournament = locking.locked(unlocked.tournament_id)
        entry = Entry.objects.get(pk=entry_id)
        if tournament.is_over or entry.status == Entry.Status.WITHDRAWN:
            raise NotOpen(gettext_noop("This player no longer plays in the tournament."))
        withdraw_entry(tournament, entry, Entry.Why.EXCLUDED, reason)


def erase_player(user: User) -> None:
    """Erasure of a user: take open entries back, and withdraw from what they still play in."""
    entering.leave_all(user)
    for entry in in_play(user.pk).order_by("pk"):
        tournament = locking.locked(entry.tournament_id)
        withdraw_entry(tournament, entry, Entry.Why.CLOSED)


def running_matches(tournament: Tournament, user: User) -> list[Match]:
    """The live matches of a player that withdrawing would end; each counts in its table."""
    matches = []
    for pairing in _open_pairings(tournament, user.pk):
        matches += [match for number, match in _matches(pairing) if _ends(pairing, number, match)]
    return matches


def count_missed(matches: Sequence[Match], user: User) -> int:
    """How many of these matches the player would miss by withdrawing: begun, but hardly played."""
    begun = [match.pk for match in matches if not match.unplayed]
    return Player.objects.filter(user=user, match__in=begun, turns__lt=MIN_TURNS).count()


def withdraw_entry(tournament: Tournament, entry: Entry, why: Entry.Why, reason: str = "") -> None:
    """Withdraw an entry of a tournament that is locked.

    Begun matches are resigned, others aborted; both count as forfeits. Pairings that are not
    open yet are never opened. An exclusion counts as nothing missed. A withdrawal counts as a
    missed match wherever the player made fewer than two moves, as any resignation does.
    """
    entry.status, entry.why, entry.reason = Entry.Status.WITHDRAWN, why, reason
    entry.withdrawn_at = now()
    entry.save(update_fields=["status", "why", "reason", "withdrawn_at"])
    ended = []
    opponents = set()
    for pairing in _open_pairings(tournament, entry.user_id):
        own_first = pairing.south.entry_id == entry.pk
        other = (pairing.north if own_first else pairing.south).entry
        both = signs.FORFEIT + signs.WALKOVER if own_first else signs.WALKOVER + signs.FORFEIT
        if other.status == Entry.Status.PLAYING:
            opponents.add(other.user_id)
        if pairing.waiting:
            for number in range(1, tournament.matches_a_pair + 1):
                pairing.sign(number, both, fix=True)
            pairing.waiting = False
        for number, match in _matches(pairing):
            if _ends(pairing, number, match):
                pairing.sign(number, both, fix=True)
                ended.append(match)
        pairing.save(update_fields=["signs", "fixed", "waiting"])
    stages = Stage.objects.filter(tournament=tournament, over_at=None)
    stages.update(to_check=True, to_open=True)
    for match in ended:
        if match.unplayed:
            abort(match.pk, entry.user)
        else:
            resign(match.pk, entry.user, excused=why == Entry.Why.EXCLUDED)
    concerned = tuple(Person(user) for user in sorted({entry.user_id, *opponents}))
    publishing.publish(
        TournamentWithdrawn(tournament=tournament.pk, entry=entry.pk, people=concerned)
    )
    leaving.check_later(ENTRY_ENDED, (person.id for person in concerned), entry=entry.pk)


def _open_pairings(tournament: Tournament, user_id: int) -> list[Pairing]:
    """A player's pairings with a sign missing, of the stage that is played now."""
    own_lots = Lot.objects.filter(
        group__stage__tournament=tournament, group__stage__over_at=None, entry__user=user_id
    ).values("pk")
    pairings = Pairing.objects.filter(Q(south__in=own_lots) | Q(north__in=own_lots))
    pairings = pairings.filter(signs__contains=signs.OPEN).order_by("pk")
    return list(pairings.select_related("south__entry__user", "north__entry__user", "match__twin"))


def _matches(pairing: Pairing) -> list[tuple[int, Match]]:
    """The matches of a pairing with their numbers, 1 and 2."""
    first = pairing.match
    if first is None:
        return []
    return [(1, first)] if first.twin is None else [(1, first), (2, first.twin)]


def _ends(pairing: Pairing, number: int, match: Match) -> bool:
    """Whether withdrawing ends a match: it is live and counts in the table."""
    return match.is_live and pairing.counts(number)
