"""Import of game records: checked from the first ply to the last, and stored."""

import html
import re
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from pytest_django import DjangoAssertNumQueries, Settings

from accounts.models import User
from accounts.people import erasure
from games.archive import importing, shared_links, storage
from games.archive.models import ImportedRecord, PlyChunk
from games.idempotency import replay
from games.play.pasted import reader
from games.rules import registry
from games.rules.core.basics.moves import move_number
from games.rules.core.text.game_record import read_record, write_record
from tests import tiers
from tests.archive.conftest import browser
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.rules.shortcuts import recorded

NEW = "/archive/records/new/"
MINE = "/archive/records/"
SOUTH, NORTH = match_helpers.SETUPS["lattaque-10x10"]
HEAD = f"""; from an old notebook
[System "lattaque-en"] [South "Anna"] [North "Bert"]
[SetupS "{SOUTH}"]
[SetupN "{NORTH}"]
"""
WHOLE = f'{HEAD}[Result "S"] [Reason "resigned"]\n\n1. a4-a5 j7-j6 2. a5-a6 j6-j5\n3. a6xa7 S\n'


@pytest.fixture
def record(who: People) -> ImportedRecord:
    return importing.import_record(who.alice, WHOLE).record


def result_message(response: Any) -> str:
    return html.unescape(response.content.decode())


def page(client: Client, record: ImportedRecord, query: str = "") -> str:
    response = client.get(f"/archive/records/{record.pk}/{query}")
    assert response.status_code == 200
    return result_message(response)


def alert(response: Any) -> str:
    return re.search(r'role="alert">(.*?)</p>', result_message(response))[1]


def test_a_pasted_record_is_checked_and_can_be_replayed(alice_client: Client) -> None:
    response = alice_client.post(NEW, {"text": WHOLE}, follow=True)
    assert "Record imported: every move is legal." in result_message(response)
    record = ImportedRecord.objects.get()
    assert response.redirect_chain == [(f"/archive/records/{record.pk}/", 302)]
    assert (record.south, record.north, record.plies) == ("Anna", "Bert", 5)
    seen = page(alice_client, record, "?ply=5&eyes=south")
    assert "Anna – Bert" in seen and "Imported record" in seen
    assert "Anna won: the other side resigned." in seen
    assert "Anna attacked a7 from a6: Scout against Marshal." in seen
    assert "move 3 (South) of 3" in seen and "This game was not played here." in seen
    assert 'src="/static/js/replay.js"' in seen


def test_a_record_can_be_uploaded_as_a_file(alice_client: Client) -> None:
    file = SimpleUploadedFile("game.txt", b"\xef\xbb\xbf" + WHOLE.encode())
    assert alice_client.post(NEW, {"text": "", "file": file}).status_code == 302
    assert ImportedRecord.objects.get().plies == 5


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        (
            WHOLE.replace("a5-a6", "a5-b6"),
            "Line 7, move 2, a5-b6, cannot be played: Pieces move straight along a row or a file,",
        ),
        (WHOLE.replace("SetupN", "Night"), "The record lacks a set-up, SetupN, so it cannot be"),
        (
            WHOLE.replace("lattaque-en", "chess"),
            "Line 2, System: There are no rules called chess; there",
        ),
        (WHOLE.replace("LFRC", "LFRR"), "Line 4, SetupN: One Colonel is left to place."),
        (HEAD + "a4-a5 S", "Line 5: The record says that the game is over, but its moves do not"),
        ("hello", 'A record begins with the system: [System "..."].'),
    ],
)
def test_a_bad_record_is_shown_again_with_line_ply_and_reason(
    alice_client: Client, text: str, sentence: str
) -> None:
    response = alice_client.post(NEW, {"text": text})
    assert response.status_code == 422
    assert alert(response).startswith(sentence)
    box = re.search(r"<textarea[^>]*>\n?(.*?)</textarea>", result_message(response), re.DOTALL)[1]
    assert box == text
    assert not ImportedRecord.objects.exists()


@pytest.mark.postgresql_soak
def test_a_form_sent_twice_stores_one_record(alice_client: Client) -> None:
    key = re.search(
        r'name="idempotency_key" value="([^"]+)"', result_message(alice_client.get(NEW))
    )[1]
    first, second = (
        alice_client.post(NEW, {"text": WHOLE, "idempotency_key": key}) for _ in range(2)
    )
    assert first["Location"] == second["Location"]
    assert ImportedRecord.objects.count() == 1


@pytest.mark.postgresql_soak
def test_the_same_key_with_another_file_of_the_same_name_and_size_is_refused(
    alice_client: Client, alice: User
) -> None:
    key = replay.new_key(alice)

    def send(text: str) -> Any:
        file = SimpleUploadedFile("game.txt", text.encode())
        return alice_client.post(NEW, {"file": file, "idempotency_key": key})

    first = send(WHOLE)
    assert send(WHOLE)["Location"] == first["Location"]
    assert send(WHOLE.replace("Anna", "Hans")).status_code == 422
    assert ImportedRecord.objects.get().south == "Anna"


def test_the_text_of_a_bad_file_is_shown_in_the_text_field(alice_client: Client) -> None:
    bad = WHOLE.replace("a5-a6", "a5-b6")
    response = alice_client.post(NEW, {"file": SimpleUploadedFile("game.txt", bad.encode())})
    assert "Line 7, move 2" in alert(response) and bad in result_message(response)


@pytest.mark.parametrize(
    ("given", "sentence"),
    [
        ({"text": " \n"}, "Paste a record, or choose a file."),
        ({}, "Paste a record, or choose a file."),
        ({"text": "x" * 300_000}, "The text is too long; the limit is 256 KiB."),
        ({"file": b"x" * 300_000}, "The file is too large; the limit is 256 KiB."),
        ({"file": b"\xff\xfe\x00"}, "The file is not UTF-8 text."),
        ({"file": b"a\0b"}, "The file is not UTF-8 text."),
    ],
)
def test_a_binary_file_is_refused(
    alice_client: Client, given: dict[str, Any], sentence: str
) -> None:
    fields = {
        name: SimpleUploadedFile("x.txt", value) if name == "file" else value
        for name, value in given.items()
    }
    response = alice_client.post(NEW, fields)
    assert response.status_code == 422
    assert sentence in result_message(response)


@pytest.mark.parametrize("preset", tiers.editions())
def test_a_record_of_every_edition_can_be_replayed(
    alice_client: Client, who: People, preset: str
) -> None:
    rules = registry.ruleset(preset)
    record_before, last = recorded(rules, seed=5, plies=40)
    record = importing.import_record(who.alice, write_record(record_before)).record
    assert read_record(record.text) == record_before
    for eyes in ("open", "south", "north", "gallery"):
        for ply in (0, record.plies):
            page(alice_client, record, f"?ply={ply}&eyes={eyes}")
    assert record.plies == last.ply


def test_options_that_differ_from_the_preset_are_shown(alice_client: Client) -> None:
    text = WHOLE.replace(
        '"lattaque-en"]', '"lattaque-en"] [Switches "faceup=true two_square=5, limit=200"]'
    )
    seen = result_message(alice_client.post(NEW, {"text": text}, follow=True))
    assert "A piece may not move between the same two squares a sixth time in a row." in seen
    assert "stays face up for the rest" in seen
    assert "After 200 turns" not in seen
    # The winner of the battle stays face up for the rest.
    assert ImportedRecord.objects.get().rules.options["faceup"] is True


def test_set_ups_in_gravons_letters_are_accepted(who: People) -> None:
    letters = "GKIIHCDHEFHGDFHBDABFEBMGGLAEJBDDDADADFJE"
    record = importing.import_record(who.alice, WHOLE.replace(SOUTH, letters)).record
    assert f'[SetupS "{SOUTH}"]' in record.text


def test_wrong_annotations_are_replaced_and_reported(alice_client: Client) -> None:
    text = WHOLE.replace("a6xa7", "a6xa7[GvM]+")
    seen = result_message(alice_client.post(NEW, {"text": text}, follow=True))
    assert "The annotations of one move do not fit the rules" in seen
    assert "were replaced: move 3." in seen
    assert "a6xa7[RvM]-" in ImportedRecord.objects.get().text


def test_a_record_without_annotations_is_accepted_silently(who: People) -> None:
    assert importing.import_record(who.alice, WHOLE).doubtful == []


@pytest.mark.postgresql_soak
def test_names_are_plain_text_and_link_to_no_account(alice_client: Client, who: People) -> None:
    text = WHOLE.replace("Anna", "Alice").replace("Bert", "<b>Bob\u202e</b>" + "x" * 100)
    alice_client.post(NEW, {"text": text})
    record = ImportedRecord.objects.get()
    raw = alice_client.get(f"/archive/records/{record.pk}/").content.decode()
    assert "&lt;b&gt;Bob&lt;/b&gt;xxx" in raw and "\u202e" not in raw
    assert len(record.north) == 60
    assert "/people/profile/Bob" not in raw
    assert f'<a class="name" href="/people/profile/{who.alice.username}/"' not in raw


def test_a_game_without_names_or_result_is_described_by_its_seats(
    alice_client: Client, who: People
) -> None:
    bare = HEAD.replace('[South "Anna"] [North "Bert"]', "") + "a4-a5"
    record = importing.import_record(who.alice, bare).record
    assert "South – North" in page(alice_client, record)
    assert "without a result" in result_message(alice_client.get(MINE))


def test_an_ending_on_the_board_is_detected_if_the_record_has_no_result(
    alice_client: Client, who: People
) -> None:
    text = HEAD.replace(NORTH, match_helpers.RECKLESS) + "a4xa7"
    record = importing.import_record(who.alice, text).record
    assert (record.result, record.reason) == ("S", "flag captured")
    assert "Anna won: flag captured." in page(alice_client, record)


def test_links_between_plies_keep_the_viewpoint(
    alice_client: Client, record: ImportedRecord
) -> None:
    seen = page(alice_client, record, "?ply=3&eyes=north")
    for rel, ply in (("first", 0), ("prev", 2), ("next", 4), ("last", 5)):
        assert f'rel="{rel}" href="?ply={ply}&eyes=north#board"' in seen
    assert 'href="?ply=3&eyes=north#board" aria-current="step">a5-a6</a>' in seen
    rows = re.findall(r'<th scope="row">(\d+)</th>', seen)
    assert rows == [str(row) for row in range(1, 11)]


@pytest.mark.parametrize(
    ("eyes", "face_down"),
    [("south", (0, 36)), ("north", (36, 0)), ("gallery", (36, 36)), ("open", (0, 0))],
)
def test_each_viewpoint_sees_only_what_it_saw(
    alice_client: Client, record: ImportedRecord, eyes: str, face_down: tuple[int, int]
) -> None:
    seen = page(alice_client, record, f"?ply=0&eyes={eyes}")
    hidden = [seen.count(f'class="piece {side} hidden"') for side in ("south", "north")]
    assert tuple(hidden) == face_down


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("query", ["?ply=6", "?ply=999999999", "?eyes=mine"])
def test_an_unknown_ply_or_viewpoint_is_not_found(
    alice_client: Client, record: ImportedRecord, query: str
) -> None:
    assert alice_client.get(f"/archive/records/{record.pk}/{query}").status_code == 404


@pytest.mark.postgresql_soak
def test_only_the_owner_sees_a_record(who: People, record: ImportedRecord, visitor: Client) -> None:
    addresses = [f"/archive/records/{record.pk}/{rest}" for rest in ("", "text/", "change/")]
    for address in addresses:
        assert browser(who.bob).get(address).status_code == 404
        assert visitor.get(address)["Location"].startswith("/account/login/")
    assert browser(who.bob).post(addresses[2], {"do": "delete"}).status_code == 404
    assert ImportedRecord.objects.filter(pk=record.pk).exists()
    assert "Anna" not in result_message(browser(who.bob).get(MINE))
    assert visitor.get(NEW)["Location"].startswith("/account/login/")


@pytest.mark.postgresql_soak
def test_a_shared_link_shows_the_record_to_anybody_until_it_is_revoked(
    alice_client: Client, record: ImportedRecord, visitor: Client
) -> None:
    change = f"/archive/records/{record.pk}/change/"
    assert shared_links.link_url(record) == ""
    alice_client.post(change, {"do": "share"})
    record.refresh_from_db()
    address = shared_links.link_url(record)
    assert address in page(alice_client, record)
    way = "/archive/shared/" + address.split("/archive/shared/")[1]
    seen = result_message(visitor.get(f"{way}?ply=2&eyes=south"))
    assert "Anna – Bert" in seen and "move 1 of 3" in seen
    assert 'content="noindex, nofollow"' in seen
    assert "Delete" not in seen and "Alice" not in seen
    assert visitor.get(f"{way}text/").content.decode() == record.text
    alice_client.post(change, {"do": "take-back"})
    assert visitor.get(way).status_code == 404
    assert visitor.get(f"{way}text/").status_code == 404
    alice_client.post(change, {"do": "share"})
    assert visitor.get(way).status_code == 404
    record.refresh_from_db()
    assert shared_links.link_url(record) != address


def test_the_token_of_a_link_is_not_in_the_database(record: ImportedRecord) -> None:
    shared_links.share(record)
    token = shared_links.link_url(record).split("/")[-2]
    for value in ImportedRecord.objects.values().get().values():
        assert token not in str(value)


@pytest.mark.postgresql_soak
@pytest.mark.parametrize("token", ["x", "1-1", "1-1.", "1-1.wrong", "a-b.c", "%00", "1-0"])
def test_an_invented_token_is_not_found(
    record: ImportedRecord, visitor: Client, token: str
) -> None:
    assert visitor.get(f"/archive/shared/{token}/").status_code == 404


def test_an_imported_record_can_be_downloaded_and_imported_again(
    alice_client: Client, who: People, record: ImportedRecord
) -> None:
    response = alice_client.get(f"/archive/records/{record.pk}/text/")
    assert response["Content-Type"] == "text/plain; charset=utf-8"
    assert "attachment" in response["Content-Disposition"]
    again = importing.import_record(who.alice, response.content.decode())
    assert again.record.text == record.text and again.doubtful == []


@pytest.mark.postgresql_soak
def test_a_record_of_a_finished_match_can_be_imported(
    alice_client: Client, who: People, visitor: Client
) -> None:
    match = match_helpers.finished_match(who, "a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")
    text = visitor.get(f"/archive/{match.pk}/record/").content.decode()
    assert alice_client.post(NEW, {"text": text}).status_code == 302
    record = ImportedRecord.objects.get()
    for ply in range(6):
        query = f"?ply={ply}&eyes=gallery"
        boards = [
            re.search(
                r"<table class=.board.*?</table>", result_message(client.get(address)), re.DOTALL
            )[0]
            for client, address in (
                (visitor, f"/archive/{match.pk}/{query}"),
                (alice_client, f"/archive/records/{record.pk}/{query}"),
            )
        ]
        assert boards[0] == boards[1]


@pytest.mark.postgresql_soak
def test_a_record_can_be_deleted_with_all_its_plies(
    alice_client: Client, record: ImportedRecord
) -> None:
    response = alice_client.post(
        f"/archive/records/{record.pk}/change/", {"do": "delete"}, follow=True
    )
    assert "Record deleted." in result_message(response)
    assert not ImportedRecord.objects.exists() and not PlyChunk.objects.exists()


def test_an_unknown_change_redirects_back(alice_client: Client, record: ImportedRecord) -> None:
    for answer in (
        alice_client.get(f"/archive/records/{record.pk}/change/"),
        alice_client.post(f"/archive/records/{record.pk}/change/", {"do": "dance"}),
    ):
        assert (answer.status_code, answer["Location"]) == (302, f"/archive/records/{record.pk}/")


@pytest.mark.postgresql_soak
def test_records_are_deleted_with_their_owner(who: People, record: ImportedRecord) -> None:
    importing.import_record(who.bob, WHOLE)
    erasure.erase(who.alice)
    assert [kept.owner for kept in ImportedRecord.objects.all()] == [who.bob]


@pytest.mark.postgresql_soak
def test_the_number_of_records_is_limited(
    alice_client: Client, who: People, record: ImportedRecord, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importing, "MAX_RECORDS", 1)
    response = alice_client.post(NEW, {"text": WHOLE})
    assert "You have 1 imported records, which is the limit" in alert(response)


@pytest.mark.postgresql_soak
def test_imports_of_a_player_are_rate_limited(
    who: People, alice_client: Client, settings: Settings
) -> None:
    settings.ACCOUNT_RATE_LIMITS = {**settings.ACCOUNT_RATE_LIMITS, "import_record": "2/h/user"}
    for text in (WHOLE, "hello"):
        alice_client.post(NEW, {"text": text})
    response = alice_client.post(NEW, {"text": WHOLE})
    assert response.status_code == 429 and WHOLE in result_message(response)
    assert alert(response) == "You have imported many records. Please try again in an hour."
    assert browser(who.bob).post(NEW, {"text": WHOLE}).status_code == 302
    assert ImportedRecord.objects.count() == 2


def test_a_player_imports_one_record_at_a_time(
    alice_client: Client, who: People, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a web process: forty records sent at once must leave its other threads free."""
    read = reader.read_record
    seen: list[Any] = []

    def meanwhile(text: str) -> Any:
        if not seen:
            seen.append(alice_client.post(NEW, {"text": WHOLE}))
            seen.append(browser(who.bob).post(NEW, {"text": WHOLE}))
        return read(text)

    monkeypatch.setattr(reader, "read_record", meanwhile)
    assert alice_client.post(NEW, {"text": WHOLE}).status_code == 302
    refused, other = seen
    assert refused.status_code == 422 and other.status_code == 302
    assert alert(refused).startswith("Another of your records is being read.")
    assert alice_client.post(NEW, {"text": WHOLE}).status_code == 302


def test_a_record_of_too_many_moves_is_refused(alice_client: Client) -> None:
    response = alice_client.post(NEW, {"text": HEAD + "a4-a5 " * 5_001})
    assert alert(response) == "The record has 2501 moves; the limit is 2500."


@pytest.mark.postgresql_soak
def test_the_list_is_paged_and_needs_few_queries(
    alice_client: Client,
    who: People,
    record: ImportedRecord,
    monkeypatch: pytest.MonkeyPatch,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    alice_client.get(MINE)
    with django_assert_num_queries(4):
        alice_client.get(MINE)
    for _ in range(4):
        importing.import_record(who.alice, WHOLE)
    with django_assert_num_queries(4):
        seen = result_message(alice_client.get(MINE))
    assert seen.count("Anna – Bert") == 5
    monkeypatch.setattr("games.archive.views.records.RECORDS_PER_PAGE", 2)
    seen = result_message(alice_client.get(f"{MINE}?page=2"))
    assert seen.count("Anna – Bert") == 2 and "2 of 3" in seen


@pytest.mark.postgresql_soak
def test_every_ply_needs_the_same_queries_at_any_length(
    alice_client: Client, who: People, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    to_and_fro = "a4-a5 j7-j6 a5-a4 j6-j7 " * 40
    long = importing.import_record(who.alice, HEAD + to_and_fro).record
    page(alice_client, long)
    for ply in (0, 10, 31, 32, 63, 160):
        with django_assert_num_queries(4):
            seen = page(alice_client, long, f"?ply={ply}")
        side = " (South)" if ply % 2 else ""
        assert f"move {move_number(ply)}{side} of 80" in seen
        assert seen.count('<a class="notation"') <= 15


@pytest.mark.postgresql_soak
def test_a_ply_takes_little_space(who: People) -> None:
    to_and_fro = "a4-a5 j7-j6 a5-a4 j6-j7 " * 40
    record = importing.import_record(who.alice, HEAD + to_and_fro).record
    packed = sum(len(packed) for packed in PlyChunk.objects.values_list("packed", flat=True))
    assert packed / record.plies < 50


@pytest.mark.postgresql_soak
def test_every_chunk_is_read_at_its_edges(who: People, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "CHUNK_PLIES", 2)
    record = importing.import_record(who.alice, WHOLE).record
    assert PlyChunk.objects.count() == 3
    for ply in range(6):
        seen = storage.snapshot(record, ply, storage.VIEWPOINTS[0])
        assert seen.entry.number == ply
        assert [entry.number for entry in seen.entries] == list(range(6))


def test_the_archive_links_to_the_readers_records(alice_client: Client, visitor: Client) -> None:
    assert f'href="{MINE}"' in result_message(alice_client.get("/archive/"))
    assert f'href="{MINE}"' not in result_message(visitor.get("/archive/"))
    assert "You have not imported any records yet." in result_message(alice_client.get(MINE))
    assert f'href="{NEW}"' in result_message(alice_client.get(MINE))
