"""Erasure of an account: personal data is removed, matches remain with a "former player".

The matches also belong to the opponents and the archive.
"""

from typing import NamedTuple

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import ports
from accounts.models import User
from accounts.user_sessions.listing import end_all
from accounts.values import time_zones, usernames


class Loss(NamedTuple):
    """Something that ends with an account: a sentence, and the URL of its page."""

    sentence: str
    address: str


def losses(user: User) -> list[Loss]:
    """What would end with the account, shown to its owner before it is closed."""
    accounts = [user, *user.bots.order_by("pk")]
    return [Loss(*line) for one in accounts for ask in ports.endings_of for line in ask(one.pk)]


@transaction.atomic
def erase(user: User) -> None:
    """Remove name, address, factors, sessions, permissions and preferences, for good.

    The user's bots are erased too.
    Raises ValueError for a house opponent: its matches would be aborted, and game records would no
    longer show what played.
    """
    # Rows of the outbox refer to opponents: with a full lock, two players of a match who are erased
    # at the same time would each wait for the other.
    user = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    if user.is_house:
        raise ValueError("The account of a house opponent cannot be erased.")
    if user.is_former:
        return
    for bot in user.bots.order_by("pk"):
        erase(bot)
    for close in ports.on_closing:
        close(user)
    end_all(user)
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username = f"{usernames.FORMER_BOT if user.is_bot else usernames.FORMER}-{user.pk}"
    user.email, user.owner = "", None
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = user.pending = False
    user.match_emails = user.reminder_emails = user.hushed = False
    user.notification_preferences, user.unreached = {}, ""
    user.zone, user.language, user.theme = time_zones.DEFAULT, "", ""
    user.rest, user.rest_changed_at, user.away_until = "", None, None
    user.lessons, user.first_steps, user.guided = [], False, False
    user.no_challenges, user.no_talk, user.silenced_until = False, False, None
    user.exported_at, user.closes_at = None, None
    user.last_login = None
    user.save()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr=str(user))
