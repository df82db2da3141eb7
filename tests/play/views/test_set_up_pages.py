"""Set-up editor and library, by plain forms."""

import html
import re
from typing import Any

import pytest
from django.test import Client

from accounts.models import User
from games.play.commands import moves
from games.play.models.match import Match, Player
from games.play.models.setup import SavedSetup
from games.play.record.sealed import drafts
from games.play.setups import arrangement, editing, library
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from tests import tiers
from tests.play import forms, match_helpers
from tests.play.match_helpers import People, as_is

SOUTH, NORTH = match_helpers.SETUPS["lattaque-10x10"]
RULES = registry.ruleset("lattaque-en")


@pytest.fixture
def match_in_set_up(who: People) -> Match:
    return match_helpers.new_match(who)


def fields(text: str = SOUTH, seat: Seat = Seat.SOUTH) -> dict[str, str]:
    return arrangement.from_text(RULES, seat, text)


def send(client: Client, match: Match, do: str, **more: str) -> Any:
    return client.post(f"/match/{match.pk}/set-up/", {"do": do, **more})


def draft_of(match: Match, user: User) -> dict[str, str]:
    return editing.load(drafts.read(Player.objects.get(match=match, user=user))).placed


def test_the_terms_of_the_match_are_shown(alice_client: Client, who: People) -> None:
    rated = match_helpers.new_match(who)
    Match.objects.filter(pk=rated.pk).update(rated=True)
    html = alice_client.get(rated.get_absolute_url()).content.decode()
    assert "Set up your army against" in html and "Rated" in html


def test_missing_pieces_are_named_and_placed_ones_kept(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    placed = fields(SOUTH.replace("B", "1", 3))
    response = send(alice_client, match_in_set_up, "check", **placed)
    assert response.status_code == 422
    assert "Three Bombs are left to place." in response.content.decode()
    assert draft_of(match_in_set_up, alice) == placed


def test_a_complete_army_is_checked_and_then_sent(
    alice_client: Client, match_in_set_up: Match
) -> None:
    response = send(alice_client, match_in_set_up, "check", **fields())
    assert "Send this set-up?" in response.content.decode()
    assert as_is(match_in_set_up).ply == 0
    send(alice_client, match_in_set_up, "send", **fields())
    assert as_is(match_in_set_up).ply == 1


def test_a_random_army_is_complete_and_differs_each_time(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    armies = []
    for _time in range(2):
        send(alice_client, match_in_set_up, "random")
        armies.append(draft_of(match_in_set_up, alice))
        assert not RULES.check_setup(Seat.SOUTH, arrangement.to_text(RULES, Seat.SOUTH, armies[-1]))
    assert armies[0] != armies[1]


def test_a_pasted_text_is_placed_and_an_invalid_one_is_explained(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    send(alice_client, match_in_set_up, "read", text=SOUTH.lower())
    assert draft_of(match_in_set_up, alice) == fields()
    response = send(alice_client, match_in_set_up, "read", text="RRR/QQQ", **fields())
    assert response.status_code == 422
    assert "RRR/QQQ" in response.content.decode()
    assert draft_of(match_in_set_up, alice) == fields()


def test_mirroring_twice_restores_the_set_up(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    send(alice_client, match_in_set_up, "mirror", **fields())
    assert draft_of(match_in_set_up, alice) != fields()
    send(alice_client, match_in_set_up, "mirror", **draft_of(match_in_set_up, alice))
    assert draft_of(match_in_set_up, alice) == fields()


def test_a_set_up_saved_as_south_is_turned_for_north(
    alice_client: Client, match_in_set_up: Match, who: People, bob: User
) -> None:
    send(alice_client, match_in_set_up, "save", name="Wall", **fields())
    saved = SavedSetup.objects.get(name="Wall")
    SavedSetup.objects.filter(pk=saved.pk).delete()
    his = Client()
    his.force_login(bob)
    send(his, match_in_set_up, "save", name="Wall", **fields(NORTH, Seat.NORTH))
    key = SavedSetup.objects.get(user=bob).pk
    send(his, match_in_set_up, "clear")
    send(his, match_in_set_up, "load", saved=str(key))
    assert draft_of(match_in_set_up, bob) == fields(NORTH, Seat.NORTH)


def test_set_ups_of_other_users_cannot_be_used(
    alice_client: Client, match_in_set_up: Match, bob: User
) -> None:
    send(alice_client, match_in_set_up, "save", name="Mine", **fields())
    saved = SavedSetup.objects.get()
    his = Client()
    his.force_login(bob)
    for nothing in (str(saved.pk), "9" * 19, "9" * 5000):
        assert send(his, match_in_set_up, "load", saved=nothing).status_code == 422
    assert his.get(f"/set-ups/{saved.pk}/").status_code == 404


def test_a_set_up_can_be_edited_outside_a_match(alice_client: Client, alice: User) -> None:
    created = alice_client.post(
        "/set-ups/new/lattaque-en/", {"do": "save", "name": "Fox", **fields()}
    )
    address = created.headers["Location"]
    assert alice_client.get(address).status_code == 200
    moved = alice_client.post(address, {"do": "save", "name": "Hound", **fields()})
    assert list(SavedSetup.objects.values_list("name", flat=True)) == ["Hound"]
    alice_client.post(moved.headers["Location"], {"do": "delete"})
    assert not SavedSetup.objects.exists()


@pytest.mark.parametrize("name", ["a\x07b", "a\ue000b"])
def test_a_name_with_unprintable_characters_is_refused(
    alice_client: Client, match_in_set_up: Match, name: str
) -> None:
    address = f"{match_in_set_up.get_absolute_url()}set-up/"
    response = alice_client.post(address, {**fields(), "do": "save", "name": name})
    assert response.status_code == 422
    assert "characters that cannot be shown" in response.content.decode()
    assert not SavedSetup.objects.exists()


def test_a_library_requires_names_and_has_a_limit(
    alice_client: Client, match_in_set_up: Match
) -> None:
    response = send(alice_client, match_in_set_up, "save", name=" ", **fields())
    assert "Give the set-up a name" in response.content.decode()


def test_an_unfinished_set_up_can_be_saved_in_the_library(alice_client: Client) -> None:
    alice_client.post("/set-ups/new/lattaque-en/", {"do": "save", "name": "Half", "a1": "F"})
    assert SavedSetup.objects.count() == 1


def test_a_move_sent_while_setting_up_is_refused_on_the_form(
    alice_client: Client, match_in_set_up: Match
) -> None:
    send(alice_client, match_in_set_up, "keep", a1="F")
    response = alice_client.post(
        f"/match/{match_in_set_up.pk}/move/", {"move": "a4-a5", "ply": "0"}
    )
    assert response.status_code == 409
    assert '<input type="hidden" name="a1" value="F">' in response.content.decode()


# The army of SOUTH in Gravon's letters, a1 to j4, and with one square missing.
GRAVON = "GKIIHCDHEFHGDFHBDABFEBMGGLAEJBDDDADADFJE"


def test_an_army_can_be_imported_in_gravons_letters(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    assert send(alice_client, match_in_set_up, "read", text=GRAVON).status_code == 302
    assert draft_of(match_in_set_up, alice) == fields()
    response = send(alice_client, match_in_set_up, "read", text=GRAVON[:-1])
    assert response.status_code == 422
    page = html.unescape(response.content.decode())
    assert "A set-up in Gravon's letters has 100 of them" in page
    assert GRAVON[:-1] in page


def test_the_library_reads_gravons_letters(alice_client: Client) -> None:
    page = alice_client.post(
        "/set-ups/new/lattaque-en/", {"do": "read", "text": GRAVON}
    ).content.decode()
    assert SOUTH in page


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(["lattaque-en", "domino", "tactique", "assaut"], fast=["domino", "assaut"]),
)
def test_a_placement_by_the_service_is_complete_and_differs_each_time(
    who: People, preset: str
) -> None:
    match = match_helpers.new_match(who, preset)
    his, armies = forms.client_of(who.bob), []
    # Assaut has about thirty: among twelve drawn, at most six differ only once in forty runs.
    for _time in range(30):
        send(his, match, "place")
        armies.append(draft_of(match, who.bob))
        text = arrangement.to_text(match.rules, Seat.NORTH, armies[-1])
        assert not moves.check_setup(match.pk, who.bob, text)
    assert len({tuple(sorted(army.items())) for army in armies}) > 6


@pytest.mark.parametrize(
    "preset",
    tiers.parameters(
        ["lattaque-en", "domino", "tactique", "assaut"], fast=["lattaque-en", "assaut"]
    ),
)
@pytest.mark.parametrize("do", ["place", "random", "mirror", "undo"])
def test_an_outdated_set_up_form_is_refused_with_a_sentence(
    who: People, alice_client: Client, preset: str, do: str
) -> None:
    match = match_helpers.running_match(who, preset=preset)
    response = alice_client.post(f"/match/{match.pk}/set-up/", {"do": do}, follow=True)
    assert "Your set-up is already sent and can no longer be changed." in response.content.decode()


def test_pieces_change_places_by_two_taps_without_a_script(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    send(alice_client, match_in_set_up, "keep", **fields())
    for square in ("a1", "b1"):
        page = forms.page(alice_client, match_in_set_up)
        assert f'name="tap" value="{square}"' in forms.cell(page, square)
        hidden_pieces = dict(re.findall(r'type="hidden" name="([a-j]\d)" value="([^"]+)"', page))
        assert hidden_pieces == fields()
        alice_client.post(f"/match/{match_in_set_up.pk}/set-up/", {"tap": square, **hidden_pieces})
        if square == "a1":
            page = forms.page(alice_client, match_in_set_up)
            assert "chosen" in forms.states(page, "a1")
            assert 'aria-pressed="true"' in forms.cell(page, "a1")
            assert "Lieutenant (a1) is chosen. Choose its square." in page
    swapped = fields()
    swapped["a1"], swapped["b1"] = swapped["b1"], swapped["a1"]
    assert draft_of(match_in_set_up, alice) == swapped
    assert arrangement.to_text(RULES, Seat.SOUTH, swapped) in forms.page(
        alice_client, match_in_set_up
    )


def test_each_step_is_undone_one_by_one(
    alice_client: Client, match_in_set_up: Match, alice: User
) -> None:
    assert 'id="undo" disabled' in forms.page(alice_client, match_in_set_up)
    send(alice_client, match_in_set_up, "keep", **fields())
    send(alice_client, match_in_set_up, "mirror", **fields())
    # The script has placed pieces, and then a button removes all of them.
    moved = arrangement.mirrored(RULES, fields()) | {"a1": "F"}
    send(alice_client, match_in_set_up, "clear", **moved)
    assert 'id="undo">' in forms.page(alice_client, match_in_set_up)
    for stood in (moved, arrangement.mirrored(RULES, fields()), fields(), {}):
        send(alice_client, match_in_set_up, "undo", **draft_of(match_in_set_up, alice))
        assert draft_of(match_in_set_up, alice) == stood
    assert 'id="undo" disabled' in forms.page(alice_client, match_in_set_up)


def test_select_fields_in_the_squares_are_available(
    alice_client: Client, match_in_set_up: Match
) -> None:
    assert "<select name" not in forms.page(alice_client, match_in_set_up)
    page = forms.page(alice_client, match_in_set_up, "?by=lists")
    assert page.count('<select name="') == 40
    # Switching to the other form keeps what the script has placed.
    response = alice_client.post(f"/match/{match_in_set_up.pk}/set-up/", {"by": "lists", "a1": "F"})
    assert response.headers["Location"] == f"/match/{match_in_set_up.pk}/?by=lists#board"
    response = alice_client.post(
        f"/match/{match_in_set_up.pk}/set-up/", {"by": ["lists", "board"], "a1": "F"}
    )
    assert response.headers["Location"] == f"/match/{match_in_set_up.pk}/#board"
    response = send(alice_client, match_in_set_up, "mirror", by="lists", a1="F")
    assert response.headers["Location"] == f"/match/{match_in_set_up.pk}/?by=lists#board"
    assert '<option value="F" selected>' in forms.cell(
        forms.page(alice_client, match_in_set_up, "?by=lists"), "j1"
    )


def test_a_draft_of_a_running_match_is_no_set_up(who: People, alice_client: Client) -> None:
    match = match_helpers.running_match(who)
    forms.send(alice_client, match, "a4-a5", prepare=True)
    assert send(alice_client, match, "mirror").status_code == 302


SECOND_ROW = [f"{file}2" for file in "abcdefghij"]  # no army has ten of a kind


def test_the_library_is_edited_by_taps_and_undone_too(alice_client: Client) -> None:
    address = "/set-ups/new/lattaque-en/"

    def hidden_pieces(response: Any) -> dict[str, str]:
        matches = re.findall(
            r'type="hidden" name="([a-j]\d|chosen|before)" value="(.*?)"', response.content.decode()
        )
        return {name: html.unescape(value) for name, value in matches}

    page = alice_client.post(address, {"do": "place"})
    army = hidden_pieces(page)
    # Exchanging two pieces of the same kind is not a step.
    other = next(at for at in SECOND_ROW if army[at] != army["a1"])
    page = alice_client.post(address, {"tap": "a1", **hidden_pieces(page)})
    page = alice_client.post(address, {"tap": other, **hidden_pieces(page)})
    assert (hidden_pieces(page)["a1"], hidden_pieces(page)[other]) == (army[other], army["a1"])
    page = alice_client.post(address, {"do": "undo", **hidden_pieces(page)})
    assert hidden_pieces(page) == army
    page = alice_client.post(address, {"do": "undo", **hidden_pieces(page)})
    assert not any(hidden_pieces(page).values())


def test_an_unfinished_army_shows_no_list_of_errors(who: People, alice_client: Client) -> None:
    address, title = "/set-ups/new/tactique/", "Not complete yet"
    assert title not in alice_client.get(address).content.decode()
    begun = alice_client.post(address, {"tap": "a1", "chosen": "hand-F"}).content.decode()
    assert "26 left to place." in begun
    assert title not in begun
    rules = registry.ruleset("tactique")
    placed = arrangement.from_text(rules, Seat.SOUTH, match_helpers.SETUPS["tactique-8x8"][0])
    hole = {**placed, "a4": placed["a1"]}
    del hole["a1"]
    assert "Row 1 must be full, and square a1 is empty." in html.unescape(
        alice_client.post(address, {"do": "keep", **hole}).content.decode()
    )
    match = match_helpers.new_match(who, "tactique")
    complaint = forms.alert(send(alice_client, match, "check"))
    assert complaint == "Nothing is placed yet. “Place for me” sets up a whole army."


def _save(alice_client: Client, address: str, name: str, army: dict[str, str], **extra: str) -> Any:
    return alice_client.post(address, {"do": "save", "name": name, **army, **extra})


def _names() -> list[str]:
    return sorted(SavedSetup.objects.values_list("name", flat=True))


@pytest.mark.parametrize("again", ["Über", "u\u0308ber", "ÜBER ", "Ü\u00adber", "Ｕ\u0308ber"])
def test_a_used_name_is_replaced_only_after_confirmation(alice_client: Client, again: str) -> None:
    new = "/set-ups/new/lattaque-en/"
    _save(alice_client, new, "Über", {"a1": "F"})
    kept = SavedSetup.objects.get()
    response = _save(alice_client, new, again, {"a1": "B"})
    assert response.status_code == 422 and "already" in response.content.decode()
    assert library.read(SavedSetup.objects.get()) == {"a1": "F"}

    replaces = hidden_value(response, "replaces")
    done = alice_client.post(new, {"do": "replace", "name": again, "replaces": replaces, "a1": "B"})
    assert done.status_code == 302
    assert library.read(SavedSetup.objects.get(pk=kept.pk)) == {"a1": "B"}


def test_a_rename_to_a_used_name_asks_first(alice_client: Client) -> None:
    new = "/set-ups/new/lattaque-en/"
    _save(alice_client, new, "One", {"a1": "F"})
    _save(alice_client, new, "Two", {"a1": "B"})
    two = SavedSetup.objects.get(name="Two")
    response = _save(alice_client, f"/set-ups/{two.pk}/", "one", {"a1": "B"})
    assert response.status_code == 422 and _names() == ["One", "Two"]
    # Only the button says yes, and only to the set-up that was named.
    assert (
        _save(
            alice_client,
            f"/set-ups/{two.pk}/",
            "one",
            {"a1": "B"},
            replaces=hidden_value(response, "replaces"),
        ).status_code
        == 422
    )
    form = {
        "do": "replace",
        "name": "one",
        "replaces": hidden_value(response, "replaces"),
        "a1": "B",
    }
    alice_client.post(f"/set-ups/{two.pk}/", form)
    assert _names() == ["one"]
    assert library.read(SavedSetup.objects.get()) == {"a1": "B"}


def test_a_rename_keeps_the_set_up_and_its_address(alice_client: Client) -> None:
    _save(alice_client, "/set-ups/new/lattaque-en/", "One", {"a1": "F"})
    one = SavedSetup.objects.get()
    assert (
        _save(alice_client, f"/set-ups/{one.pk}/", "Uno", {"a1": "F"})["Location"]
        == f"/set-ups/{one.pk}/"
    )
    assert _names() == ["Uno"]
    assert library.read(SavedSetup.objects.get(pk=one.pk)) == {"a1": "F"}


def test_a_set_up_changed_in_another_tab_is_overwritten_only_after_confirmation(
    alice_client: Client,
) -> None:
    _save(alice_client, "/set-ups/new/lattaque-en/", "One", {"a1": "F"})
    address = f"/set-ups/{SavedSetup.objects.get().pk}/"
    seen = hidden_value(alice_client.get(address), "seen")
    _save(alice_client, address, "One", {"a1": "B"}, seen=seen)
    response = _save(alice_client, address, "One", {"a1": "S"}, seen=seen)
    assert response.status_code == 422 and "elsewhere" in response.content.decode()
    assert library.read(SavedSetup.objects.get()) == {"a1": "B"}
    form = {
        "do": "replace",
        "name": "One",
        "replaces": hidden_value(response, "replaces"),
        "a1": "S",
    }
    alice_client.post(address, {**form, "seen": seen})
    assert library.read(SavedSetup.objects.get()) == {"a1": "S"}


def test_a_set_up_deleted_in_another_tab_is_saved_again(alice_client: Client) -> None:
    _save(alice_client, "/set-ups/new/lattaque-en/", "One", {"a1": "F"})
    address = f"/set-ups/{SavedSetup.objects.get().pk}/"
    preset = hidden_value(alice_client.get(address), "preset")
    alice_client.post(address, {"do": "delete"})
    assert _save(alice_client, address, "One", {"a1": "B"}, preset=preset).status_code == 302
    assert library.read(SavedSetup.objects.get()) == {"a1": "B"}
    assert alice_client.post("/set-ups/999/", {"do": "delete", "preset": preset}).status_code == 404


def test_the_page_of_a_match_asks_before_it_replaces_too(
    alice_client: Client, match_in_set_up: Match
) -> None:
    address = f"/match/{match_in_set_up.pk}/set-up/"
    alice_client.post(address, {"do": "save", "name": "Mine", "a1": "F"})
    response = alice_client.post(address, {"do": "save", "name": "MINE", "a1": "B"})
    assert response.status_code == 422 and 'value="MINE"' in response.content.decode()
    assert library.read(SavedSetup.objects.get()) == {"a1": "F"}
    replaces = hidden_value(response, "replaces")
    alice_client.post(address, {"do": "replace", "name": "MINE", "replaces": replaces, "a1": "B"})
    assert library.read(SavedSetup.objects.get()) == {"a1": "B"}


def test_a_name_may_contain_an_emoji_of_several_code_points(alice_client: Client) -> None:
    _save(alice_client, "/set-ups/new/lattaque-en/", "👨\u200d👩\u200d👧 ❤\ufe0f", {"a1": "F"})
    assert _names() == ["👨\u200d👩\u200d👧 ❤\ufe0f"]


def hidden_value(page: Any, name: str) -> str:
    """The value of a hidden field of a page."""
    match = re.search(rf'name="{name}" value="([^"]*)"', page.content.decode())
    assert match, name
    return match[1]
