"""Memory, marks and notes of a match page, which only their owner gets."""

import json
import logging
import re

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils.crypto import get_random_string

from games.play.commands import matches, notes
from games.play.knowledge import memory, overlay
from games.play.models.match import Match, Player
from games.play.models.notebook import Notebook
from games.play.record import match_view
from games.play.record.sealed import notebooks
from games.rules.core.basics.pieces import Seat
from games.rules.core.state.tracked_pieces import Why
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.forms import cell, client_of, page
from tests.play.match_helpers import People
from tests.secrecy.dump import dump

# Alice's scout attacks the marshal on a7; then a scout of Bob's moves forward.
MET = ("a4xa7", "j7-j6")


@pytest.fixture
def after_contact(match: Match) -> Match:
    return match_helpers.play(match, *MET)


def send(client: Client, match: Match, name: str, **fields: str) -> str:
    response = client.post(f"/match/{match.pk}/{name}/", fields, follow=True)
    assert response.status_code == 200, response.content
    return page(client, match)


def test_a_seen_piece_that_is_hidden_again_stays_on_the_board_faintly(
    alice_client: Client, bob_client: Client, after_contact: Match
) -> None:
    square = cell(page(alice_client, after_contact), "a7")
    assert "piece north remembered" in square and "North Marshal, hidden again" in square
    assert "seen on move 1" in square and "<i>1</i>" in square
    assert "remembered" not in page(Client(), after_contact)
    # The scout that Bob saw has been captured.
    assert "remembered" not in page(bob_client, after_contact)
    match_helpers.play(after_contact, "b4-b5", "a7-a6")
    assert "piece north remembered" in cell(page(alice_client, after_contact), "a6")


def test_each_piece_of_the_opponent_links_to_what_is_known_and_why(
    alice_client: Client, after_contact: Match
) -> None:
    assert 'href="?piece=j6#piece"' in cell(page(alice_client, after_contact), "j6")
    html = page(alice_client, after_contact, "?piece=j6")
    assert "The piece on j6" in html
    assert "Moved from j7 to j6 on move 1, so not: Bomb, Flag." in html
    assert "All accounted for elsewhere: Marshal." in html
    assert "Can be: General, Colonel" in html
    assert "j7 → j6" in html and "steps: 1, squares: 1" in html
    html = page(alice_client, after_contact, "?piece=a7")
    assert "You saw it on move 1: Marshal." in html
    assert "Move 1 on a7: Marshal against Scout, won." in html
    assert "It has not moved." in html


def test_demoted_pieces_have_their_own_names_and_lines(who: People, alice_client: Client) -> None:
    match = match_helpers.running_match(who, preset="tactique")
    html = page(alice_client, match, "?piece=d6")
    assert "Can be: demoted Cavalryman, demoted Pikeman, demoted Infantry, Spent Infantry" in html
    assert "Before it was demoted: Commander, Cavalryman, Pikeman, Infantry." in html
    assert '<th scope="row">Spent Infantry</th><td>2</td><td>0</td>' in html
    assert '<th scope="row">Commander</th><td>2/2</td><td>2/2</td>' in html


def test_a_certain_piece_that_was_never_seen_is_drawn_faintly_without_a_move(
    who: People, after_contact: Match
) -> None:
    view = match_view.view_match(after_contact.pk, who.alice)
    known = memory.recall(view)
    assert known and known.dossier
    bomb = known.dossier.pieces["b7"]
    bomb.rule_out(tuple(rank for rank in bomb.lines if rank != "B"), Why.REST, 2)
    bomb.rank = "B"
    drawn = overlay.overlay(view, known)
    assert (drawn["b7"].words, drawn["b7"].html) == ("follows from the other pieces", "")
    assert drawn["b7"].piece and drawn["b7"].piece.rank == "B"
    assert (drawn["a7"].words, drawn["a7"].html) == ("seen on move 1", "<i>1</i>")


@pytest.mark.parametrize("square", ["a4", "e5", "zz", "", "a7'<script>"])
def test_squares_without_a_piece_of_the_opponent_say_nothing(
    alice_client: Client, after_contact: Match, square: str
) -> None:
    assert "The piece on" not in page(alice_client, after_contact, f"?piece={square}")


def test_both_sides_are_counted_as_far_as_the_reader_knows(
    alice_client: Client, after_contact: Match
) -> None:
    html = page(alice_client, after_contact)
    assert '<th scope="row">Scout</th><td>8/8</td><td>7/8</td>' in html
    assert '<th scope="row">Marshal</th><td>1/1 <span class="small">a7</span></td>' in html


@pytest.mark.parametrize(
    ("preset", "says"),
    [("domino", "Sum of all numbers: 168"), ("tactique", "Pikeman"), ("assaut", "Soldier")],
)
def test_every_game_shows_its_counts(
    who: People, alice_client: Client, preset: str, says: str
) -> None:
    match = match_helpers.running_match(who, preset=preset)
    assert says in page(alice_client, match)
    assert "What you know" not in page(client_of(who.charlie), match)


def test_soldiers_that_could_be_captured_are_named(who: People, alice_client: Client) -> None:
    match = match_helpers.running_match(who, "d4-d5", preset="assaut")
    assert "Could be captured now:" not in page(alice_client, match)
    match_helpers.play(match, "c7-d6")
    html = page(alice_client, match)
    assert 'Could be captured now: <span class="notation">d5</span>' in html


def test_without_the_memory_aid_the_page_remembers_nothing_and_says_so(
    who: People, alice_client: Client
) -> None:
    match = match_helpers.running_match(who, *MET)
    Match.objects.filter(pk=match.pk).update(memory_aid=False)
    html = page(alice_client, match, "?piece=a7")
    assert "Off: both players have to remember it themselves." in html
    assert "remembered" not in html and "You saw it" not in html and "Pieces left" not in html
    assert "The piece on a7" in html and "<b>Marshal</b>" not in html
    # Marks also work without the aid.
    assert "mark" in cell(send(alice_client, match, "mark", piece="a7", guess="M"), "a7")


def test_a_mark_is_drawn_moves_with_its_piece_and_is_removed_by_one_button(
    alice_client: Client, bob_client: Client, after_contact: Match
) -> None:
    html = send(
        alice_client,
        after_contact,
        "mark",
        piece="b7",
        guess="B",
        word="wooden <hut>",
        colour="red",
    )
    assert '<i class="mark red">B? wooden <hut></i>' in cell(html, "b7")
    assert "your mark: Bomb?, wooden <hut>, red" in cell(html, "b7")
    assert "wooden" not in page(bob_client, after_contact) and "wooden" not in page(
        Client(), after_contact
    )
    assert ">hut</i>" in cell(
        send(alice_client, after_contact, "mark", piece="b7", word="  hut "), "b7"
    )
    send(
        alice_client,
        after_contact,
        "mark",
        piece="b7",
        guess="B",
        word="wooden <hut>",
        colour="red",
    )
    match_helpers.play(after_contact, "b4-b5", "b7-b6")
    html = page(alice_client, after_contact, "?piece=b6")
    assert "wooden" in cell(html, "b6")
    assert "Remove the mark" in html and 'name="piece" value="b7"' in html
    assert "wooden" not in send(
        alice_client, after_contact, "mark", piece="b7", guess="B", remove="1"
    )


@pytest.mark.parametrize(
    ("fields", "says"),
    [
        ({"piece": "a4", "guess": "B"}, "That piece is not on the board any more"),
        ({"piece": "b7", "guess": "Q"}, "Choose one of the pieces of this game, or none."),
        ({"piece": "b7", "colour": "pink"}, "Choose one of the colours, or none."),
        ({"piece": "b7", "word": "x" * 21}, "A mark has at most 20 characters"),
    ],
)
def test_an_impossible_mark_is_refused_with_a_sentence(
    alice_client: Client, after_contact: Match, fields: dict[str, str], says: str
) -> None:
    response = alice_client.post(f"/match/{after_contact.pk}/mark/", fields)
    assert response.status_code == 422 and says in response.content.decode()
    assert not Notebook.objects.exclude(marks=None)


def test_notes_are_stored_and_the_list_of_matches_shows_their_beginning(
    alice_client: Client, bob_client: Client, after_contact: Match
) -> None:
    note = "Left wing is weak.\nHis general <g> hides."
    assert note in send(alice_client, after_contact, "note", note=note)
    assert "Left wing is weak. His general <g>" in page_of(alice_client, "/")
    assert "weak" not in page_of(bob_client, "/") and "weak" not in page(bob_client, after_contact)
    assert "weak" not in send(alice_client, after_contact, "note", note="")
    assert "weak" not in page_of(alice_client, "/")


def page_of(client: Client, address: str) -> str:
    import html

    return html.unescape(client.get(address).content.decode())


def test_notes_that_are_too_long_are_refused_and_stay_in_their_field(
    alice_client: Client, after_contact: Match
) -> None:
    response = alice_client.post(f"/match/{after_contact.pk}/note/", {"note": "y" * 2_001})
    text = response.content.decode()
    assert response.status_code == 422
    assert "Notes have at most 2000 characters, and these have 2001." in text
    assert "y" * 2_001 in text


def test_notes_written_elsewhere_meanwhile_are_not_lost(
    who: People, alice_client: Client, after_contact: Match
) -> None:
    send(alice_client, after_contact, "note", note="First.")
    seen = re.findall(r'name="seen" value="(\w+)"', page(alice_client, after_contact))
    notes.add_to_note(after_contact.pk, who.alice, "By mail.")
    fields = {"note": "First, in other words.", "seen": seen[0]}
    response = alice_client.post(f"/match/{after_contact.pk}/note/", fields)
    text = response.content.decode()
    assert response.status_code == 409 and "changed elsewhere in the meantime" in text
    assert "First.\nBy mail.\n\nFirst, in other words." in text
    assert notebooks.read(
        Player.objects.get(match=after_contact, seat=Seat.SOUTH).pk
    ).note.endswith("mail.")
    # What that page offers may be saved.
    seen = re.findall(r'name="seen" value="(\w+)"', text)
    assert "All." in send(alice_client, after_contact, "note", note="All.", seen=seen[0])


def test_only_the_players_have_a_notebook(who: People, after_contact: Match) -> None:
    other = client_of(who.charlie)
    for name in ("mark", "note"):
        assert other.post(f"/match/{after_contact.pk}/{name}/", {"note": "x"}).status_code == 404
        assert Client().post(f"/match/{after_contact.pk}/{name}/").status_code == 302
    assert not Notebook.objects.exists()


def test_nothing_of_a_notebook_is_stored_in_clear_text(
    alice_client: Client, after_contact: Match
) -> None:
    word, note = get_random_string(12), get_random_string(30)
    send(alice_client, after_contact, "mark", piece="b7", guess="B", word=word)
    send(alice_client, after_contact, "note", note=note)
    row = Notebook.objects.get()
    stored = b"".join(bytes(part or b"") for part in (row.memory, row.marks, row.note))
    assert word.encode() not in stored and note.encode() not in stored
    for part in (b"MGCJ", b'"M"', b"won"):
        assert part not in stored
    pages = notebooks.read(row.pk)
    assert word in pages.marks and pages.note == note
    assert word not in repr(pages) and note not in repr(pages)


def test_a_closed_account_leaves_no_notebook(
    who: People, alice_client: Client, after_contact: Match
) -> None:
    send(alice_client, after_contact, "note", note="mine")
    page(client_of(who.bob), after_contact)
    matches.erase_player(who.alice)
    assert [row.player.user for row in Notebook.objects.all()] == [who.bob]


def test_a_page_reads_only_the_notebook_of_its_reader(
    alice_client: Client, who: People, after_contact: Match
) -> None:
    for row in Player.objects.filter(match=after_contact):
        notebooks.store_note(row.pk, f"of {row.pk}")
    for reader in (who.alice, who.bob, who.charlie, None):
        view = match_view.view_match(after_contact.pk, reader)
        for player in at_least(2, view.players.values()):
            is_own = player.user_id == (reader and reader.pk)
            assert any(player.notebook_row) == is_own
            assert notebooks.of_reader(player).note == (f"of {player.pk}" if is_own else "")


def test_the_memory_does_not_depend_on_how_often_the_page_was_opened(
    who: People, match: Match
) -> None:
    often, seldom = client_of(who.alice), client_of(who.bob)
    moves = ["a4-a5", "j7-j6", "a5-a4", "j6-j7"] * 8
    for move in moves:
        match_helpers.play(match, move)
        page(often, match)
    page(seldom, match)
    for user in (who.alice, who.bob):
        view = match_view.view_match(match.pk, user)
        known = memory.recall(view)
        assert known and known.dossier and known.dossier.turn == len(moves)
        Notebook.objects.all().delete()
        again = memory.recall(match_view.view_match(match.pk, user))
        assert again and again.dossier
        for square, one in known.dossier.pieces.items():
            assert json.dumps(again.dossier.pieces[square].dump()) == json.dumps(one.dump())


def test_a_page_reads_no_more_plies_than_it_shows(alice_client: Client, match: Match) -> None:
    page(alice_client, match)
    match_helpers.play(match, *["b4-b5", "j7-j6", "b5-b4", "j6-j7"] * 3)
    with CaptureQueriesContext(connection) as first:
        page(alice_client, match)
    with CaptureQueriesContext(connection) as second:
        page(alice_client, match)
    assert [sum("play_ply" in each["sql"] for each in queries) for queries in (first, second)] == [
        1,
        1,
    ]
    # What was read is written from time to time, not at every request.
    assert len(first) == len(second) + 1


def test_a_damaged_memory_is_rebuilt(
    alice_client: Client, who: People, after_contact: Match
) -> None:
    player = Player.objects.get(match=after_contact, seat=Seat.SOUTH)
    for text in ("[0,[]]", "[1,[2,[]]]", "nonsense"):
        notebooks.store_memory(player.pk, after_contact.ply, text)
        assert "piece north remembered" in cell(page(alice_client, after_contact), "a7")


def test_a_finished_match_keeps_the_notes_and_needs_no_memory(
    alice_client: Client, after_contact: Match
) -> None:
    send(alice_client, after_contact, "note", note="Well played.")
    match_helpers.resign(after_contact, Seat.NORTH)
    html = page(alice_client, after_contact)
    assert "Well played." in html and "remembered" not in html and "?piece=" not in html


def test_marks_and_notes_are_in_no_log_and_no_other_table(
    alice_client: Client, after_contact: Match, caplog: pytest.LogCaptureFixture
) -> None:
    word, note = get_random_string(12), get_random_string(30)
    statements = logging.getLogger("django.db.backends")
    statements.addHandler(caplog.handler)
    connection.force_debug_cursor = True
    try:
        with caplog.at_level("DEBUG"), caplog.at_level("DEBUG", logger=statements.name):
            send(alice_client, after_contact, "mark", piece="b7", guess="B", word=word)
            send(alice_client, after_contact, "note", note=note)
            alice_client.post(f"/match/{after_contact.pk}/note/", {"note": note * 100})
    finally:
        connection.force_debug_cursor = False
        statements.removeHandler(caplog.handler)
    assert "play_notebook" in caplog.text
    assert word not in caplog.text and note not in caplog.text
    for table, data in at_least(10, dump({("play_notebook", "*"): ""})):
        assert word.encode() not in data and note.encode() not in data, table
