"""A player's own set-ups, kept under names and sealed; as South sees them, whoever uses them."""

import secrets

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.play import arrangement
from games.play.arrangement import Arrangement
from games.play.converters import read_number
from games.play.models.setup import SavedSetup
from games.play.refusals import NotNow
from games.play.seal import seal, unseal
from games.rules import registry
from games.rules.core.army import Seat
from games.rules.core.errors import gettext_noop
from games.rules.core.ruleset import Ruleset

MOST = 100  # set-ups a player may keep


def keeps(rules: Ruleset) -> bool:
    """Whether set-ups of a game are worth keeping: not where the pieces are dealt for each match,
    and not where there is no secret in them."""
    return rules.hidden and rules.family != "domino"


def ground(rules: Ruleset) -> str:
    """What two rule sets must share for a set-up to fit both: the game and the board."""
    return f"{rules.family}-{rules.board.files}x{rules.board.ranks}"


def fitting(user: User | AnonymousUser, rules: Ruleset) -> QuerySet[SavedSetup]:
    """The user's set-ups for this ground, by name; without their sealed parts."""
    found = SavedSetup.objects.filter(user=user.pk, ground=ground(rules))
    return found.defer("sealed").order_by("name")


def save(user: User, rules: Ruleset, seat: Seat, name: str, placed: Arrangement) -> SavedSetup:
    """Keep an arrangement under a name; an older one of that name is replaced."""
    if not keeps(rules):
        raise NotNow(gettext_noop("The library does not keep set-ups of this game."))
    if not name or len(name) > 60:
        raise NotNow(gettext_noop("Give the set-up a name of at most 60 characters."))
    if not placed:
        raise NotNow(gettext_noop("There is nothing to keep yet: no piece has been placed."))
    others = SavedSetup.objects.filter(user=user).exclude(name=name)
    if others.count() >= MOST:
        raise NotNow(
            gettext_noop(
                "Your library holds %(most)s set-ups, which is all it can; delete one first."
            ),
            most=MOST,
        )
    southern = placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)
    kept, _ = SavedSetup.objects.update_or_create(
        user=user,
        name=name,
        defaults={
            "preset": rules.key,
            "ground": ground(rules),
            "sealed": seal(arrangement.dump(southern), place(user.pk, name)),
        },
    )
    return kept


def read(saved: SavedSetup) -> Arrangement:
    """What a saved set-up places, as South."""
    return arrangement.load(unseal(saved.sealed, place(saved.user_id, saved.name)))


def take(user: User, rules: Ruleset, seat: Seat, key: str) -> Arrangement:
    """The user's set-up with that key, turned for the seat it is wanted in."""
    saved = fitting(user, rules).filter(pk=read_number(key) or 0).first()
    if saved is None:
        raise NotNow(gettext_noop("Choose one of your set-ups first."))
    placed = read(saved)
    return placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)


def at_random(rules: Ruleset) -> Arrangement:
    """A set-up drawn uniformly from all that the rules allow, as South."""
    rng = secrets.SystemRandom()
    setup = rules.random_setup(Seat.SOUTH, rng, rules.start(rng))
    return arrangement.placed_by(rules, setup)


def rules_of(saved: SavedSetup) -> Ruleset:
    """The rules for which a set-up was made."""
    return registry.ruleset(saved.preset)


def place(user_id: int, name: str) -> str:
    """Where a saved set-up's sealed part belongs."""
    return f"setup/{user_id}/{name}"
