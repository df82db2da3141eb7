"""The sixth game in the service: offered, set up, played, mailed, archived and replayed."""

from django.test import Client

from games.lobby.models import Invitation
from games.play.models.match import Match
from games.rules import registry
from games.rules.core.text.game_record import read_record
from tests.notifications.email.reading import delivered, heading, html, only, text
from tests.play import forms, match_helpers
from tests.play.forms import client_of, page
from tests.play.match_helpers import People
from tests.sixth_game.outpost import EDITIONS

SOUTH, NORTH = "HHHGGG/1III1F", "F1III1/GGGHHH"
MOVES = ("a2-a3", "a5-a4", "a3xa4", "b5-b4", "a4-a5", "b4-b3", "a5xa6")


def offered_and_taken(who: People, **terms: str) -> Match:
    """An open seat of Alice's, taken by Bob, by the forms of the lobby."""
    alice, bob = client_of(who.alice), client_of(who.bob)
    sent = {"kind": "seat", "preset": "outpost", "seat": "0", "pace": "3d", **terms}
    assert alice.post("/lobby/new/", sent).status_code == 302
    invitation = Invitation.objects.get()
    seen = bob.get(invitation.get_absolute_url()).content.decode()
    assert "Outpost" in seen
    assert bob.post(f"/lobby/{invitation.pk}/accept/").status_code == 302
    return Match.objects.get()


def set_up(who: People, match: Match) -> None:
    """Both armies, by the set-up form: a text is placed, checked and sent."""
    for user, army in zip(who, (SOUTH, NORTH), strict=False):
        client = client_of(user)
        forms.set_up(client, match, "read", text=army)
        placed = forms.draft_of(match, user)
        assert len(placed) == 10
        checked = forms.set_up(client, match, "check", **placed).content.decode()
        assert "Send this set-up?" in checked
        assert forms.set_up(client, match, "send", **placed).status_code == 302
    match.refresh_from_db()


def choose(client: Client, match: Match, move: str) -> None:
    """A move by the squares of the board, without a script: the piece, the target, the button."""
    source, target = move[:2], move[3:]
    way = forms.links(page(client, match))[source]
    assert forms.buttons(page(client, match, way))[target] == move
    assert forms.send(client, match, move, prepare=True).status_code == 302
    assert forms.move_field(page(client, match)) == move
    assert forms.send(client, match, move).status_code == 302


def commanded_match(who: People) -> Match:
    """The same match by commands, without a page."""
    match = match_helpers.new_match(who, "outpost")
    return match_helpers.play(match_helpers.set_up(match, SOUTH, NORTH), *MOVES)


def whole_match(who: People) -> Match:
    match = offered_and_taken(who)
    set_up(who, match)
    for ply, move in enumerate(MOVES):
        choose(client_of(who[ply % 2]), match, move)
    match.refresh_from_db()
    return match


def test_the_lobby_offers_every_edition(who: People) -> None:
    seen = client_of(who.alice).get("/lobby/new/").content.decode()
    for rules in EDITIONS:
        assert f'value="{rules.key}"' in seen
    assert "The survivor of a battle stays face up for good." in seen


def test_a_match_can_be_played_to_its_end_by_plain_pages(who: People) -> None:
    match = whole_match(who)
    assert (match.result, match.reason) == ("S", "outpost taken")
    seen = page(client_of(who.bob), match)
    assert "Alice won: outpost taken." in seen
    assert "Hussar against Flag" in seen


def test_a_piece_without_a_drawing_shows_its_letter(who: People) -> None:
    match = offered_and_taken(who)
    set_up(who, match)
    seen = page(client_of(who.alice), match)
    assert 'aria-label="South Hussar"><b>H</b>' in forms.cell(seen, "a2")
    assert "lettered" in forms.cell(seen, "a2")
    assert "<svg" not in forms.cell(seen, "a2")
    assert "files-6" in seen


def test_each_side_sees_only_its_own_arms(who: People) -> None:
    match = offered_and_taken(who)
    set_up(who, match)
    for reader in (client_of(who.alice), client_of(who.charlie), Client()):
        assert "North Gunner" not in page(reader, match)
        assert 'aria-label="North, hidden"' in forms.cell(page(reader, match), "a5")


def test_emails_show_the_board_from_the_readers_side(who: People) -> None:
    match = offered_and_taken(who)
    set_up(who, match)
    email = only([email for email in delivered() if "turn" in heading(email)], who.alice)
    assert " 2   H   H   H   G   G   G   2" in text(email)
    assert "Outpost" in html(email)


def test_the_archive_replays_it_and_its_record_can_be_replayed(who: People) -> None:
    match = commanded_match(who)
    reader = Client()
    for ply in range(len(MOVES) + 1):
        for eyes in ("open", "south", "north", "gallery"):
            shown = reader.get(f"/archive/{match.pk}/?ply={ply}&eyes={eyes}")
            assert shown.status_code == 200
    record = read_record(reader.get(f"/archive/{match.pk}/record/").content.decode())
    assert record.moves == ("a2-a3", "a5-a4", "a3xa4[HvG]+", *MOVES[3:6], "a5xa6[HvF]#")
    assert registry.check_record(record).outcome


def test_its_set_ups_can_be_saved_in_the_library(who: People) -> None:
    client = client_of(who.alice)
    assert "Outpost, 6 × 6" in client.get("/set-ups/").content.decode()
    assert client.get("/set-ups/new/outpost/").status_code == 200


def test_a_challenge_may_change_options(who: People) -> None:
    match = match_helpers.new_match(who, "outpost", switches={"faceup": True})
    assert match.rules.options["faceup"] is True
