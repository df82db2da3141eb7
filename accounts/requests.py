"""Requests: the type of those of signed-in users, and a mark for views that ignore who asks."""

from collections.abc import Callable
from typing import TypeVar

from django.http import HttpRequest

from accounts.models import User

View = TypeVar("View", bound=Callable[..., object])


class PersonsRequest(HttpRequest):
    """A request whose user is signed in."""

    user: User


def for_everybody(view: View) -> View:
    """Mark a view whose response is the same for all readers and in all languages.

    accounts.middleware.for_everybody then removes cookies and language from its requests.
    """
    view.for_everybody = True  # type: ignore[attr-defined]
    return view
