"""The sixth game with a presentation: one record changes pages, e-mails and the guide."""

from collections.abc import Iterator

import pytest
from django.test import Client

from games.guide.game_pages import page_context
from games.presentation import registry
from tests.notifications.email.reading import delivered, heading, html, only, text
from tests.play import forms
from tests.play.forms import client_of, page
from tests.play.match_helpers import People
from tests.sixth_game.outpost import PLAIN
from tests.sixth_game.presentation import PRESENTATION
from tests.sixth_game.test_in_the_service import commanded_match, offered_and_taken, set_up


@pytest.fixture
def presented() -> Iterator[None]:
    """Registers the presentation for the time of a test: the other line."""
    page_context.game_page.cache_clear()
    registry.register(PRESENTATION)
    yield
    registry.withdraw(PLAIN.family)
    page_context.game_page.cache_clear()


def test_without_a_presentation_a_game_is_shown_plainly() -> None:
    assert registry.presentation_of(PLAIN.family) is registry.PLAIN


@pytest.mark.usefixtures("presented")
def test_its_drawings_are_on_the_board(who: People) -> None:
    match = offered_and_taken(who)
    set_up(who, match)
    seen = page(client_of(who.alice), match)
    assert 'army.svg#F"' in forms.cell(seen, "f1")
    assert "lettered" in forms.cell(seen, "a2")


@pytest.mark.usefixtures("presented")
def test_its_words_are_on_the_set_up_form(who: People) -> None:
    seen = page(client_of(who.alice), offered_and_taken(who))
    assert "<caption>Your two rows, the front one first</caption>" in seen
    assert "Two rows of letters." in seen


@pytest.mark.usefixtures("presented")
def test_its_endings_have_its_words(who: People) -> None:
    match = commanded_match(who)
    assert match.reason == "outpost taken"
    assert "Alice won: the outpost has a new garrison." in page(client_of(who.bob), match)


@pytest.mark.usefixtures("presented")
def test_its_letters_are_explained_in_emails(who: People) -> None:
    set_up(who, offered_and_taken(who))
    email = only([email for email in delivered() if "turn" in heading(email)], who.alice)
    assert "Small letters: North. Capitals: South." in html(email)
    assert "Small letters: North. Capitals: South." in text(email)


@pytest.mark.usefixtures("presented")
def test_its_pictures_are_in_the_guide(client: Client) -> None:
    assert "Where the hussar may go." in client.get("/help/outpost/").content.decode()
    drawn = client.get("/help/outpost/step.svg")
    assert drawn["Content-Type"] == "image/svg+xml"
