"""An erasure by staff: one transaction with the form's key, which is undone as a whole."""

import re
from typing import Any

import pytest
from django.db import connection

from accounts.models import User
from config.roles import OPERATOR
from games.idempotency import replay
from games.play.models.match import Match
from tests.config.test_admin_powers import browser, hired, history, lay_out


@pytest.fixture(autouse=True)
def _without_factors(settings: Any) -> None:
    settings.STAFF_NEEDS_MFA = False


@pytest.mark.django_db(transaction=True)
def test_an_erasure_by_the_real_form_is_complete_and_counts_once() -> None:
    """Commands of other apps join the transaction of the form's key."""
    scene = lay_out()
    staff, alice = hired(OPERATOR), scene.people.alice
    chosen = {"action": "erase_accounts", "_selected_action": [alice.pk]}
    client = browser(staff)
    page = client.post("/admin/accounts/user/", chosen).content.decode()
    (key,) = re.findall(r'name="idempotency_key" value="(\w+)"', page)
    form = {**chosen, "apply": "yes", "reason": "As asked.", "idempotency_key": key}
    answers = [client.post("/admin/accounts/user/", form) for _ in range(2)]
    assert [answer.status_code for answer in answers] == [302, 302]
    assert User.objects.get(pk=alice.pk).is_former
    assert not Match.objects.get(pk=scene.match.pk).is_live
    assert history(alice) == ["Deleted: As asked."]
    assert connection.in_atomic_block is False


@pytest.mark.django_db(transaction=True)
def test_an_erasure_that_fails_half_way_changes_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    scene = lay_out()

    def fail(*_: object, **__: object) -> None:
        raise RuntimeError("The disk is full.")

    monkeypatch.setattr("accounts.people.erasure.end_all", fail)
    staff = hired(OPERATOR)
    client = browser(staff)
    client.raise_request_exception = False
    form = {"action": "erase_accounts", "_selected_action": [scene.people.alice.pk]}
    form |= {"apply": "yes", "reason": "As asked.", "idempotency_key": replay.new_key(staff)}
    assert client.post("/admin/accounts/user/", form).status_code == 500
    assert Match.objects.get(pk=scene.match.pk).is_live
    assert not User.objects.get(pk=scene.people.alice.pk).is_former
    assert connection.in_atomic_block is False
