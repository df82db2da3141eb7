"""Looks of staff for tests: two stewards look at both armies of a match, by the real commands."""

from django.contrib.auth.models import Permission

from accounts.models import User
from games.play.commands import looks
from games.play.models.look import Look
from games.play.models.match import Match
from tests.play import match_helpers

REASON = "A report says that pieces changed."


def steward(name: str, **extra: object) -> User:
    """A member of staff who may break the seal; the same user again for the same name."""
    known: User | None = User.objects.filter(username=name).first()
    if known:
        return known
    user = match_helpers.person(name, is_staff=True, **extra)
    user.user_permissions.add(Permission.objects.get(codename="break_seal"))
    fresh: User = User.objects.get(pk=user.pk)
    return fresh


def looked(match: Match, asker: User | None = None, second: User | None = None) -> Look:
    """A look to which a second steward has agreed; `match` is read again."""
    look = looks.ask(match.pk, asker or steward("Ney"), REASON)
    looks.agree(look.pk, second or steward("Soult"))
    match.refresh_from_db()
    look.refresh_from_db()
    return look
