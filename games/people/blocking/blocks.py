"""The block list: who does not want to meet whom. Only the owner of a block ever reads it.

What a block does at each door is in docs/people.md. No door says that there is a block.
"""

from __future__ import annotations

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery

from accounts.models import User
from games.idempotency.replay import command_transaction
from games.people import ports
from games.people.locks import lock_users
from games.people.models import Block
from games.rules.core.basics.refusals import Refusal, gettext_noop
from lib.db_clock import now

MAX_BLOCKS = 200  # per player


class BlockRefusal(Refusal):
    """A player cannot be blocked."""


def block(owner: User, other: User) -> None:
    """Block a player, and close what is open between the two. Idempotent; raises BlockRefusal."""
    if other.pk == owner.pk:
        raise BlockRefusal(gettext_noop("You cannot block yourself."))
    if other.is_house or other.is_former or other.pending:
        raise BlockRefusal(
            gettext_noop("%(person)s cannot be blocked: they challenge nobody and write nothing."),
            person=other,
        )
    with command_transaction():
        # A challenge locks its owner's row too, so none stays open across a block.
        lock_users((owner.pk, other.pk))
        if has_blocked(owner.pk, other.pk):
            return
        if Block.objects.filter(owner=owner).count() >= MAX_BLOCKS:
            raise BlockRefusal(
                gettext_noop(
                    "You have blocked %(limit)s players, which is the limit. Unblock one first."
                ),
                limit=MAX_BLOCKS,
            )
        Block.objects.create(owner=owner, blocked=other, made_at=now())
        for part in ports.on_block:
            part(owner, other)


def unblock(owner: User, other: User) -> None:
    """Unblock a player. Idempotent. What the block has closed or hidden stays so."""
    with command_transaction():
        Block.objects.filter(owner=owner, blocked=other).delete()


def blocked_by(owner_id: int) -> QuerySet[Block]:
    """The block list of a user by name, with the users; at most MAX_BLOCKS."""
    own_blocks = Block.objects.filter(owner=owner_id).select_related("blocked")
    return own_blocks.order_by("blocked__username")


def has_blocked(owner_id: int, other_id: int) -> bool:
    """Whether `owner_id` blocks `other_id`: nothing that the other writes is shown to the owner."""
    return Block.objects.filter(owner=owner_id, blocked=other_id).exists()


def is_blocked(one_id: int, other_id: int) -> bool:
    """Whether either of two users blocks the other: then neither reaches the other.

    A block of a person, or by one, counts for the person's bots too.
    """
    pair = _is("owner", one_id) & _is("blocked", other_id)
    pair |= _is("owner", other_id) & _is("blocked", one_id)
    return Block.objects.filter(pair).exists()


def not_apart(user_id: int, column: str) -> Q:
    """A condition for rows of a query: no block between a user and the user in `column`.

    `column` is a foreign key of the rows.
    """
    theirs, of_owner = OuterRef(column), OuterRef(f"{column}__owner")
    own_blocks = Block.objects.filter(
        _is("owner", user_id), Q(blocked=theirs) | Q(blocked=of_owner)
    )
    others = Block.objects.filter(Q(owner=theirs) | Q(owner=of_owner), _is("blocked", user_id))
    return Q(~Exists(own_blocks), ~Exists(others))


def _is(column: str, user_id: int) -> Q:
    """A condition of blocks: `column` is a user, or the owner of that bot."""
    owner = User.objects.filter(pk=user_id).values("owner")
    return Q(**{column: user_id}) | Q(**{column: Subquery(owner)})
