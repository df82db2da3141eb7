"""Rules and help."""

import pytest
from django.test import Client

from games.rules import registry

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("family", registry.systems)
def test_every_game_is_explained(client: Client, family: str) -> None:
    page = client.get("/help/").content.decode()
    assert f'<h2 id="{family}">' in page
    assert all(rules.key in page for rules in registry.systems[family])
