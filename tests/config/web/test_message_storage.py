"""One-time messages are in a cookie that other instances on this host do not read."""

from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from config.web.message_storage import NamedCookieStorage


def test_another_instance_does_not_show_our_messages(
    client: Client, bob: User, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(NamedCookieStorage, "cookie_name", "messages-8001")
    client.force_login(bob)
    client.cookies["messages"] = "what the instance on the usual port wrote"
    answer: Any = client.post("/notifications/feeds/close/")
    assert answer.cookies["messages-8001"].value and "messages" not in answer.cookies
    page: Any = client.get("/notifications/")
    assert "Feeds turned off." in page.content.decode()
    assert not page.cookies["messages-8001"].value and "messages" not in page.cookies
