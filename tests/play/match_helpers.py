"""Helpers that make matches to test with, by the real commands, with fixed set-ups.

people = match_helpers.people()
match = match_helpers.set_up(match_helpers.new_match(people))
match_helpers.play(match, "a4-a5", "j7-j6")
"""

from collections.abc import Mapping
from typing import Any, NamedTuple

from allauth.account.models import EmailAddress
from django.contrib.auth.hashers import make_password

from accounts.models import User
from games.play.commands import endings, matches, moves
from games.play.models.match import Match, by_seat
from games.play.setups import arrangement
from games.play.terms import Terms
from games.rules.core.basics.pieces import BySeat, Seat

# By board, since a set-up fits every edition that is played on it.
SETUPS = {
    "lattaque-10x10": BySeat(
        "RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
        "LFRCRRKLK1/GBBJC1SERB/ELKS1RREKR/MEJSY1LSBR",
    ),
    "tactique-8x8": BySeat(
        "2VA3I/PIPPPIFI/CIPVACAP/IIPVIAPV",
        "IPVAVVAP/FIIAPPIP/IIPICCIV/P1PA4",
    ),
    "assaut-7x7": BySeat("", "c7,e7"),
}
FIRST_MOVES = ("a4-a5", "j7-j6")  # with the first of these set-ups
# North's flag is in the front row, within reach of the scout on a4.
RECKLESS = "BERCRRKLK1/GLBJC1SERB/ELKS1RREKR/FMJSY1LSBR"


class People(NamedTuple):
    """Alice sits South, Bob North, Charlie has no seat."""

    alice: User
    bob: User
    charlie: User


def people() -> People:
    return People(*persons("Alice", "Bob", "Charlie"))


def persons(*handles: str) -> list[User]:
    """What `person` makes of each, with two statements for all."""
    users: list[User] = User.objects.bulk_create(
        User(username=handle, password=make_password(None), **_fields(handle)) for handle in handles
    )
    EmailAddress.objects.bulk_create(
        EmailAddress(user=user, email=user.email, verified=True, primary=True) for user in users
    )
    return users


def person(handle: str, **extra: object) -> User:
    """A user whose e-mails are sent at once, so that a test need not wait for them."""
    return User.objects.create_confirmed(handle, **{**_fields(handle), **extra})


def _fields(handle: str) -> dict[str, Any]:
    return {
        "email": f"{handle.lower()}@example.org",
        "notification_preferences": {"frequency": "now"},
    }


def new_match(
    who: People,
    preset: str = "lattaque-en",
    *,
    switches: Mapping[str, bool | int | str] | None = None,
    pace: str = "3d",
    setup_pace: str = "5d",
) -> Match:
    """A match of Alice and Bob before both set-ups."""
    terms = Terms(preset, switches or {}, pace=pace, setup_pace=setup_pace)
    return matches.open_match(terms, {Seat.SOUTH: who.alice, Seat.NORTH: who.bob})


def open_set(who: People, preset: str = "assaut") -> tuple[Match, Match]:
    """A set of two: Alice sits South in the first match and North in the second."""
    terms = Terms(preset, as_set=True, setup_pace="5d")
    first = matches.open_match(terms, {Seat.SOUTH: who.alice, Seat.NORTH: who.bob})
    return first, first.twin


def set_up(match: Match, south: str = "", north: str = "") -> Match:
    """Set up both armies, by the given texts or else by the board's fixed ones."""
    for seat, text in zip(Seat, (south, north), strict=True):
        if seat in match.rules.seats_setting_up:
            send_setup(match, seat, text)
    return match


def send_setup(match: Match, seat: Seat, text: str = "") -> Match:
    """Set up one army."""
    setup = text or setup_text(match, seat)
    moves.submit_move(match.pk, by_seat(match)[seat].user, setup, None)
    match.refresh_from_db()
    return match


def setup_text(match: Match, seat: Seat) -> str:
    """The fixed set-up of a seat; a random one if pieces are dealt or none is fixed."""
    rules = match.rules
    ground = f"{rules.family}-{rules.board.files}x{rules.board.ranks}"
    if ground in SETUPS:
        return SETUPS[ground][seat]
    placed = moves.random_setup(match.pk, by_seat(match)[seat].user)
    return arrangement.to_text(rules, seat, placed)


def play(match: Match, *texts: str) -> Match:
    """Play moves, each by the player on turn."""
    for text in texts:
        match.refresh_from_db()
        mover = match.players.select_related("user").get(to_act=True)
        moves.submit_move(match.pk, mover.user, text, match.ply)
    match.refresh_from_db()
    return match


def running_match(who: People, *moves: str, preset: str = "lattaque-en") -> Match:
    """A match with both armies set up and some moves played."""
    return play(set_up(new_match(who, preset)), *moves)


def finished_match(
    who: People,
    *moves: str,
    preset: str = "lattaque-en",
    loser: Seat = Seat.NORTH,
) -> Match:
    """A match that the loser resigned after the moves, or after one of each side."""
    return resign(running_match(who, *(moves or FIRST_MOVES), preset=preset), loser)


def resign(match: Match, loser: Seat) -> Match:
    endings.resign(match.pk, by_seat(match)[loser].user)
    match.refresh_from_db()
    return match


def decided_match(who: People) -> Match:
    """A match that South won on the board: the scout on a4 took the flag on a7 (L4)."""
    return play(set_up(new_match(who), north=RECKLESS), "a4xa7")


def moved_enough(match: Match) -> None:
    """As if both players had moved three times since their last offers of a draw or a pause."""
    match.players.update(draw_offered_at=None, pause_offered_at=None)


def as_is(match: Match) -> Match:
    """The match, read again from the database."""
    return Match.objects.get(pk=match.pk)
