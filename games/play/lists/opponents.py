"""A user's opponents in running matches, on whom staff may not act; matches against people."""

from django.db.models import Exists, OuterRef, Q, QuerySet

from accounts.values import usernames
from games.play.models.match import Player, Status
from games.play.terms import MIN_TURNS


def running_opponents(user_id: int | None) -> set[int]:
    """The ids of a user's opponents in running matches; one query."""
    own_matches = Player.objects.filter(user=user_id, live=True).values("match")
    others = Player.objects.filter(match__in=own_matches).exclude(user=user_id)
    return set(others.values_list("user", flat=True))


def seats_against_people(user_id: int) -> QuerySet[Player]:
    """A user's seats in matches whose two players are people."""
    return Player.objects.filter(between_people(), user=user_id)


def between_people() -> Q:
    """A condition for seats: neither player of the match is a house opponent or a bot.

    Erased bots have no owner any more.
    """
    program = Q(user__house_level__gt="") | Q(user__owner__isnull=False)
    program |= Q(user__username__startswith=usernames.FORMER_BOT)
    return Q(~Exists(Player.objects.filter(program, match=OuterRef("match"))))


def has_finished_match(user_id: int) -> bool:
    """Whether a user has finished a match against a person, with a result and two own turns."""
    finished = seats_against_people(user_id).filter(
        live=False, match__status=Status.FINISHED, missed_at=None, turns__gte=MIN_TURNS
    )
    return finished.exists()
