"""Library of saved set-ups: a player's own, named and sealed, stored as South sees them."""

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.play.converters import read_number
from games.play.models.setup import SavedSetup
from games.play.record.sealed.sealing import seal, unseal
from games.play.refusals import NotNow
from games.play.setups import arrangement
from games.play.setups.arrangement import Arrangement
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import gettext_noop
from games.rules.core.ruleset.base import Ruleset

MAX_SAVED_SETUPS = 100  # set-ups that a player may keep


def keeps(rules: Ruleset) -> bool:
    """Whether set-ups of a game can be saved: False if pieces are dealt, or nothing is hidden."""
    return rules.hidden and not arrangement.is_dealt(rules)


def ground(rules: Ruleset) -> str:
    """What two rule sets must share for a set-up to fit both: the game and the board."""
    return f"{rules.family}-{rules.board.files}x{rules.board.ranks}"


def fitting(user: User | AnonymousUser, rules: Ruleset) -> QuerySet[SavedSetup]:
    """The user's set-ups for this ground, by name; without their sealed parts."""
    found = SavedSetup.objects.filter(user=user.pk, ground=ground(rules))
    return found.defer("sealed").order_by("name")


def save(user: User, rules: Ruleset, seat: Seat, name: str, placed: Arrangement) -> SavedSetup:
    """Save an arrangement under a name, replacing an older one of that name."""
    if not keeps(rules):
        raise NotNow(gettext_noop("Set-ups of this game cannot be saved in the library."))
    if not name or len(name) > 60:
        raise NotNow(gettext_noop("Give the set-up a name of at most 60 characters."))
    if not name.isprintable():
        raise NotNow(gettext_noop("The name contains characters that cannot be shown."))
    if not placed:
        raise NotNow(gettext_noop("There is nothing to save yet: no piece has been placed."))
    others = SavedSetup.objects.filter(user=user).exclude(name=name)
    if others.count() >= MAX_SAVED_SETUPS:
        raise NotNow(
            gettext_noop(
                "Your library holds %(most)s set-ups, which is the limit. Delete one first."
            ),
            most=MAX_SAVED_SETUPS,
        )
    southern = placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)
    kept, _ = SavedSetup.objects.update_or_create(
        user=user,
        name=name,
        defaults={
            "preset": rules.key,
            "ground": ground(rules),
            "sealed": seal(arrangement.dump(southern), seal_context(user.pk, name)),
        },
    )
    return kept


def read(saved: SavedSetup) -> Arrangement:
    """The arrangement of a saved set-up, as South."""
    return arrangement.load(unseal(saved.sealed, seal_context(saved.user_id, saved.name)))


def take(user: User, rules: Ruleset, seat: Seat, key: str) -> Arrangement:
    """The arrangement of the user's set-up with that key, turned for the seat."""
    saved = fitting(user, rules).filter(pk=read_number(key) or 0).first()
    if saved is None:
        raise NotNow(gettext_noop("Choose one of your set-ups first."))
    placed = read(saved)
    return placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)


def rules_of(saved: SavedSetup) -> Ruleset:
    """The rules that a set-up was made for."""
    return registry.ruleset(saved.preset)


def seal_context(user_id: int, name: str) -> str:
    """The context to which a saved set-up is sealed."""
    return f"setup/{user_id}/{name}"
