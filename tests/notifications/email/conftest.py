from collections.abc import Callable

import pytest
from django.core.mail import EmailMultiAlternatives

from accounts.models import User
from tests.notifications.email.every_email import emails_without_a_deadline, every_email

Emails = dict[str, EmailMultiAlternatives]
written: Emails = {}
without_deadline: Emails = {}


@pytest.fixture
def emails(request: pytest.FixtureRequest) -> Emails:
    """An e-mail of each kind, written once for all tests that need none of the rows."""
    if not written:
        written.update(every_email(request.getfixturevalue("who")))
    return written


@pytest.fixture
def emails_without_deadline(request: pytest.FixtureRequest) -> Emails:
    if not without_deadline:
        without_deadline.update(emails_without_a_deadline(request.getfixturevalue("who")))
    return without_deadline


@pytest.fixture
def prefer() -> Callable[..., None]:
    """prefer(alice, match_emails=False)"""

    def set_preferences(user: User, **preferences: object) -> None:
        User.objects.filter(pk=user.pk).update(**preferences)

    return set_preferences
