"""Commands that open a match or a set of two, or end all matches of an erased user."""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, NamedTuple

from games.idempotency.replay import command_transaction
from games.outbox import publishing
from games.outbox.events import people
from games.play import events
from games.play.commands.endings import abort, resign
from games.play.models.match import Match, Player
from games.play.models.setup import SavedSetup
from games.play.models.time import Vacation
from games.play.record import match_store
from games.play.record.sealed import match_secrets, notebooks, plans
from games.play.record.sealed.match_secrets import NO_SEEDS, SealedSeeds
from games.play.refusals import MatchIsOver
from games.play.terms import Terms
from games.rules import registry
from games.rules.core import engine
from games.rules.core.basics.pieces import BySeat, Rank, Seat
from games.rules.proof import deal
from lib.db_clock import now

if TYPE_CHECKING:
    from accounts.models import User


class OfferedDeal(NamedTuple):
    """What was said of the deal before the match: a seed for each match, and the players' words.

    `words` are by the key of the user; who is not in it has typed none.
    """

    seeds: bytes  # sealed, with the public commitments, as `draw_seeds` returned them
    commitments: str
    words: dict[int, str]

    def __repr__(self) -> str:
        return "<OfferedDeal>"


NOTHING_OFFERED = OfferedDeal(*NO_SEEDS, {})


def draw_seeds(terms: Terms) -> SealedSeeds:
    """Seeds for the matches of an offer, one each; NO_SEEDS in a game without a deal."""
    return match_secrets.draw_seeds(terms.rules, 2 if terms.as_set else 1)


def open_match(
    terms: Terms,
    seats: dict[Seat, User],
    rematch_of: Match | None = None,
    *,
    event: str = "",
    offered: OfferedDeal = NOTHING_OFFERED,
) -> Match:
    """Open a match, or a set of two with seats swapped in the second; returns the (first) match.

    `seats` has the users of the first match by seat, whatever the seat of the terms. Both players
    are to set up; in games with a deal it follows from a seed and their words, see OfferedDeal; a
    seed that was not offered is drawn. `event` is the key of a ladder or tournament (Match.event).
    Raises BrokenSealError.
    """
    seeds: list[bytes | None] = [*_open_seeds(offered), None, None]
    if not terms.as_set:
        return _open_one(terms, seats, rematch_of, event, seeds[0], offered.words)
    swapped = {seat.other: user for seat, user in seats.items()}
    with command_transaction():
        first, second = (
            _open_one(terms, each, rematch_of, event, seed, offered.words)
            for each, seed in zip((seats, swapped), seeds, strict=False)
        )
        for match, twin in ((first, second), (second, first)):
            match.twin = twin
            match.save(update_fields=["twin"])
    return first


def _open_one(
    terms: Terms,
    seats: dict[Seat, User],
    rematch_of: Match | None,
    event: str,
    seed: bytes | None,
    words_of: dict[int, str],
) -> Match:
    words = BySeat(*(words_of.get(seats[seat].pk, "") for seat in Seat))
    drawn = match_secrets.draw(terms.rules, seed, words)
    with command_transaction():
        match = Match.objects.create(
            **Match.columns_of(terms), rematch_of=rematch_of, event=event, created_at=now()
        )
        players = Player.objects.bulk_create(
            Player(match=match, user=user, seat=seat) for seat, user in sorted(seats.items())
        )
        if terms.rules.hidden:
            match_secrets.store(match.pk, drawn)
        position = engine.begin(terms.rules, None, _aside(match, drawn))
        match_store.create_first_ply(match, players, position, drawn.public_deal)
        both = people(seats.values())
        publishing.publish(events.MatchOpened(match=match.pk, people=both))
    return match


def _open_seeds(offered: OfferedDeal) -> list[bytes]:
    return match_secrets.open_seeds(SealedSeeds(offered.seeds, offered.commitments))


def _aside(match: Match, drawn: match_secrets.Secrets) -> BySeat[tuple[Rank, ...]] | None:
    """The pieces that each side is not dealt; None in a game without a deal."""
    if drawn.deal is None:
        return None
    return deal.aside(match.rules, drawn.deal.seed, match.pk, drawn.deal.words)


def erase_player(user: User) -> None:
    """Erasure of a user: ends their live matches, deletes their notes, set-ups and vacations.

    And what they typed for deals.
    """
    live = Player.objects.filter(user=user, live=True)
    for match_id in list(live.order_by("match_id").values_list("match_id", flat=True)):
        end = abort if match_store.load_match(match_id).unplayed else resign
        # The opponent may be erased at the same time.
        with suppress(MatchIsOver):
            end(match_id, user)
    dealt = [rules.key for rules in registry.editions() if rules.deal is not None]
    played = Player.objects.filter(user=user, match__preset__in=dealt)
    for match_id, seat in played.values_list("match_id", "seat"):
        match_secrets.erase_words(match_id, Seat(seat))
    notebooks.delete_all(user.pk)
    plans.delete_of_user(user.pk)
    SavedSetup.objects.filter(user=user).delete()
    Vacation.objects.filter(user=user).delete()
