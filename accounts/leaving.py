"""Forgetting somebody.

Their matches remain, for those who played them and for the record; what told who they were goes.
"""

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction

from accounts import handles, zones
from accounts.models import User
from accounts.signals import leaving


@transaction.atomic
def forget(user: User) -> None:
    """Takes name, address, factors, sessions, powers and preferences from the account, for good."""
    user = User.objects.select_for_update().get(pk=user.pk)
    if user.is_former:
        return
    leaving.send(sender=User, user=user)
    for session in UserSession.objects.filter(user=user):
        session.end()
    EmailAddress.objects.filter(user=user).delete()
    Authenticator.objects.filter(user=user).delete()
    user.groups.clear()
    user.user_permissions.clear()
    user.username = f"{handles.FORMER}-{user.pk}"
    user.email = ""
    # Sessions that no list knows end with the password.
    user.set_unusable_password()
    user.is_active = user.is_staff = user.is_superuser = user.pending = False
    user.match_letters = user.reminder_letters = user.hushed = False
    user.notices, user.unreached = {}, ""
    user.zone, user.language, user.theme = zones.DEFAULT, "", ""
    user.rest, user.rest_changed_at, user.away_until = "", None, None
    user.last_login = None
    user.save()
    LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(user.pk)
    ).update(object_repr=str(user))
