"""Preferences in two tabs: the older tab does not undo what the newer one saved unless asked."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from tests.play.match_helpers import People

PAGES = {
    "/people/preferences/": ("/people/preferences/", {"theme": "dark"}, {"language": "de"}),
    "/notifications/": ("/notifications/", {"board_style": "list"}, {"email_detail": "move"}),
    "/time-off/": ("/time-off/", {"do": "rest", "days": "5"}, {"do": "rest", "days": "6"}),
}


def fields_of(page: Any) -> dict[str, str]:
    """What a browser sends of the page's form that has the field `seen`."""
    for form in re.findall(r"<form.*?</form>", page.content.decode(), re.DOTALL):
        if 'name="seen"' in form:
            break
    else:
        raise AssertionError(page.content.decode())
    fields = {}
    for field in re.findall(r"<input[^>]*>", form):
        kind = re.search(r'type="(\w+)"', field)
        if kind and kind[1] in ("checkbox", "radio") and "checked" not in field:
            continue
        name, value = re.search(r'name="([^"]*)"', field), re.search(r'value="([^"]*)"', field)
        if name and name[1] not in ("csrfmiddlewaretoken", "idempotency_key"):
            fields[name[1]] = unescape(value[1]) if value else "on"
    for name, options in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL):
        chosen = re.search(r'value="([^"]*)" selected', options)
        fields[name] = chosen[1] if chosen else ""
    return fields


@pytest.mark.parametrize("page", PAGES)
def test_an_older_tab_asks_before_it_replaces(who: People, page: str) -> None:
    address, first, second = PAGES[page]
    client = Client()
    client.force_login(who.alice)
    older = fields_of(client.get(page))
    newer = fields_of(client.get(page))
    assert older == newer
    assert client.post(address, newer | first).status_code == 302
    stored = _stored(who.alice)

    response = client.post(address, older | second)
    assert "Nothing was saved: this was changed elsewhere" in unescape(response.content.decode())
    assert _stored(who.alice) == stored
    again = fields_of(response) | {name: value for name, value in second.items() if name == "do"}
    assert second.items() <= again.items()
    # Days off may be changed again after a week only.
    User.objects.filter(pk=who.alice.pk).update(rest_changed_at=None)
    assert client.post(address, again).status_code == 302
    assert _stored(who.alice) != stored


def _stored(user: User) -> dict[str, Any]:
    (row,) = User.objects.filter(pk=user.pk).values()
    return dict(row)
