"""Every edition through the same pages: set-up, moves, replay, e-mail, archive."""

from random import Random

import pytest
from django.test import Client

from games.notifications import catalogue
from games.notifications.email.composing import match_emails
from games.play.board.move_tree import Tree
from games.play.models.match import Match
from games.play.record import match_view
from games.rules import registry
from tests import tiers
from tests.notifications.email.reading import text
from tests.play import forms, match_helpers
from tests.play.forms import client_of, page
from tests.play.match_helpers import People

pytestmark = pytest.mark.long

PRESETS = [rules.key for rules in registry.editions()]
MOVES = 6


def choose_and_send(match: Match, rng: Random) -> None:
    """The player on turn follows links until a button prepares a move, and sends it.

    What the page offers must be legal, and what it prepares must be what is sent.
    """
    user = match.players.select_related("user").get(to_act=True).user
    client, query = client_of(user), ""
    while True:
        shown = page(client, match, query)
        ways, ends = forms.links(shown), forms.buttons(shown)
        onward = [way for way in ways.values() if query and way.startswith(f"{query}&")]
        options = sorted(ends.values()) + sorted(onward or ([] if query else ways.values()))
        chosen = rng.choice(options)
        if not chosen.startswith("?"):
            break
        query = chosen
    assert chosen in Tree(match_view.view_match(match.pk, user)).moves
    assert forms.send(client, match, chosen, prepare=True).status_code == 302
    assert forms.move_field(page(client, match)) == chosen
    assert forms.send(client, match, chosen).status_code == 302


@pytest.mark.parametrize(
    "preset", tiers.parameters(PRESETS, fast=("domino", "tactique-volley-all", "assaut"))
)
def test_an_edition_can_be_played_with_what_its_pages_offer(who: People, preset: str) -> None:
    match = match_helpers.new_match(who, preset)
    for seat in match.rules.seats_setting_up:
        client = client_of(who[seat])
        forms.set_up(client, match, "random")
        placed = forms.draft_of(match, who[seat])
        assert (
            "Send this set-up?" in forms.set_up(client, match, "check", **placed).content.decode()
        )
        assert forms.set_up(client, match, "send", **placed).status_code == 302
    rng = Random(preset)
    for _ply in range(MOVES):
        match.refresh_from_db()
        if not match.is_live:
            break
        choose_and_send(match, rng)
    match.refresh_from_db()
    if match.is_live:
        match = match_helpers.resign(match, match.rules.seats_setting_up[-1])
    readers = (*map(client_of, who), Client())
    for ply in range(match_view.view_match(match.pk, None).shown_last + 1):
        # The players take turns to look back.
        page(readers[ply % len(readers)], match, f"?ply={ply}")
    for reader, eyes in zip(readers, ("open", "south", "north", "gallery"), strict=True):
        page(reader, match)
        assert reader.get(f"/archive/{match.pk}/?ply=1&eyes={eyes}").status_code == 200


@pytest.mark.parametrize("preset", tiers.editions(PRESETS))
def test_an_email_shows_the_board_of_any_edition(who: People, preset: str) -> None:
    match = match_helpers.running_match(who, preset=preset)
    view = match_view.view_match(match.pk, who.alice)
    email = match_emails.write(catalogue.find("turn-came"), who.alice, view, "<a@example.org>")
    lines = text(email).splitlines()
    for row in range(1, match.rules.board.ranks + 1):
        (line,) = (line for line in lines if line.startswith(f"{row:>2}  "))
        assert line.endswith(f" {row}")
