"""Library of saved set-ups: a player's own, named and sealed, stored as South sees them."""

from collections.abc import Collection, Mapping

from django.contrib.auth.models import AnonymousUser
from django.db.models import QuerySet

from accounts.models import User
from games.idempotency.replay import command_transaction
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
from lib.spelling import typed_text

MAX_SAVED_SETUPS = 100  # set-ups that a player may keep
MAX_NAME_CHARACTERS = 60


def keeps(rules: Ruleset) -> bool:
    """Whether set-ups of a game can be saved: False if pieces are dealt, or nothing is hidden."""
    return rules.hidden and not arrangement.is_dealt(rules)


def ground(rules: Ruleset) -> str:
    """What two rule sets must share for a set-up to fit both: the game and the board."""
    return f"{rules.family}-{rules.board.files}x{rules.board.ranks}"


def fitting(user: User | AnonymousUser, rules: Ruleset) -> QuerySet[SavedSetup]:
    """The user's set-ups for this ground, by name; without their sealed parts."""
    saved = SavedSetup.objects.filter(user=user.pk, ground=ground(rules))
    return saved.defer("sealed").order_by("name")


class NameTaken(NotNow):
    """Another set-up would be replaced, or one that was changed since the page was opened.

    `version` is that of the set-up; with it, `save` replaces it.
    """

    def __init__(self, template: str, there: SavedSetup) -> None:
        super().__init__(template, name=there.name)
        self.version = version(there)


def version(saved: SavedSetup) -> str:
    """The state of a set-up, by which a form knows what it replaces."""
    return f"{saved.pk}-{saved.changed_at.timestamp():.6f}"


def may_replace(fields: Mapping[str, str]) -> str:
    """The version of a set-up that a form's user has agreed to replace; "" if none."""
    return fields.get("replaces", "") if fields.get("do") == "replace" else ""


@command_transaction()
def save(
    user: User,
    rules: Ruleset,
    seat: Seat,
    name: str,
    placed: Arrangement,
    *,
    renamed: SavedSetup | None = None,
    known: Collection[str] = (),
) -> SavedSetup:
    """Save an arrangement under a name; `renamed` is the set-up that it was made from.

    `known` are the versions of set-ups that may be replaced. Raises NameTaken for any other, or
    NotNow.
    """
    name = typed_text.name(name)
    if not keeps(rules):
        raise NotNow(gettext_noop("Set-ups of this game cannot be saved in the library."))
    if not name or len(name) > MAX_NAME_CHARACTERS:
        raise NotNow(gettext_noop("Give the set-up a name of at most 60 characters."))
    if not typed_text.is_printable(name):
        raise NotNow(gettext_noop("The name contains characters that cannot be shown."))
    if not placed:
        raise NotNow(gettext_noop("There is nothing to save yet: no piece has been placed."))
    # The lock makes two saves of one name follow each other.
    User.objects.select_for_update().get(pk=user.pk)
    there = find(SavedSetup.objects.filter(user=user), name)
    own = renamed and SavedSetup.objects.filter(pk=renamed.pk, user=user).first()
    _check_known(there, own, known)
    kept = there or own
    if kept is None and SavedSetup.objects.filter(user=user).count() >= MAX_SAVED_SETUPS:
        raise NotNow(
            gettext_noop(
                "Your library holds %(most)s set-ups, which is the limit. Delete one first."
            ),
            most=MAX_SAVED_SETUPS,
        )
    kept = kept or SavedSetup(user=user)
    southern = placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)
    kept.name, kept.preset, kept.ground = name, rules.key, ground(rules)
    kept.sealed = seal(arrangement.dump(southern), seal_context(user.pk, name))
    kept.save()
    if own and own.pk != kept.pk:
        own.delete()
    return kept


def _check_known(there: SavedSetup | None, own: SavedSetup | None, known: Collection[str]) -> None:
    """Raise NameTaken if a set-up would be lost that the user does not know of."""
    if there and (own is None or there.pk != own.pk) and version(there) not in known:
        raise NameTaken(
            gettext_noop(
                "Nothing was saved: you have a set-up called “%(name)s” already. Choose another "
                "name, or replace it."
            ),
            there,
        )
    if own and version(own) not in known:
        raise NameTaken(
            gettext_noop(
                "Nothing was saved: “%(name)s” was changed elsewhere since you opened this page. "
                "Choose another name, or replace it."
            ),
            own,
        )


def find(saved: QuerySet[SavedSetup], name: str) -> SavedSetup | None:
    """The set-up with this name among some of one user, in any case and composition."""
    wanted = typed_text.folded(name)
    same = [row for row in saved if typed_text.folded(row.name) == wanted]
    return next((row for row in same if row.name == name), same[0] if same else None)


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
