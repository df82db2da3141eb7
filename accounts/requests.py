"""Request type for views behind `login_required`: its user is a User, for the type checker."""

from django.http import HttpRequest

from accounts.models import User


class PersonsRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User
