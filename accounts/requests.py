"""Requests of somebody who is logged in, for the type checker."""

from django.http import HttpRequest

from accounts.models import User


class PersonsRequest(HttpRequest):
    """What a view behind `login_required` is given."""

    user: User
