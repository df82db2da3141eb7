"""Request type for views with `login_required`, so that the type checker knows its user."""

from django.http import HttpRequest

from accounts.models import User


class PersonsRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User
