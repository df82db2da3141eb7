"""Admin pages of matches: read-only lists, moderation actions with a reason, no hidden rank."""

import re
from datetime import datetime, timedelta
from typing import Any

import pytest
from django.contrib import admin
from django.contrib.admin.models import LogEntry
from django.contrib.auth.models import Permission
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from pytest_django import Settings

from accounts.models import User
from games.idempotency import replay
from games.outbox.models import Dispatch
from games.play.commands import moves
from games.play.models.draft import Draft
from games.play.models.match import Match, Status
from games.play.models.ply import Ply
from games.play.models.setup import SavedSetup
from games.play.models.time import Outage
from games.play.record import match_store, match_view
from games.play.record.sealed import sealing
from games.play.setups import arrangement, library
from games.rules.core.basics.pieces import Seat
from lib.db_clock import now
from tests.floors import at_least
from tests.play import match_helpers
from tests.play.forms import client_of
from tests.play.match_helpers import People, as_is

MATCHES = "/admin/play/match/"
HOUR = timedelta(hours=1)
KEY = re.compile(r'name="idempotency_key" value="([0-9a-f]{56})"')


@pytest.fixture
def administrator(db: None) -> User:
    return match_helpers.person("Berthier", is_staff=True, is_superuser=True)


@pytest.fixture
def admin_client(administrator: User, settings: Settings) -> Client:
    """An administrator's browser."""
    settings.STAFF_NEEDS_MFA = False
    client = Client()
    client.force_login(administrator)
    return client


def act(admin_client: Client, action: str, *matches: Match, **fields: object) -> Any:
    chosen = {"action": action, "_selected_action": [match.pk for match in matches]}
    return admin_client.post(MATCHES, {**chosen, "apply": "yes", **fields}, follow=True)


def shown_messages(answer: Any) -> list[str]:
    return [str(message) for message in answer.context["messages"]]


def history(match: Match) -> list[str]:
    entries = LogEntry.objects.filter(content_type__model="match", object_id=str(match.pk))
    return [entry.get_change_message() for entry in entries]


def deadlines(match: Match) -> dict[int, datetime | None]:
    return dict(match.players.values_list("seat", "deadline"))


# --- viewing


def test_a_row_shows_who_plays_and_who_is_to_act_until_when(
    admin_client: Client, match: Match
) -> None:
    page = admin_client.get(MATCHES).content.decode()
    assert "Alice – Bob" in page
    assert '<td class="field-turn">Alice</td>' in page
    assert '<td class="field-status">running</td>' in page
    assert '<td class="field-title">L&#x27;Attaque</td>' in page
    row = admin_client.get(f"{MATCHES}{match.pk}/change/").content.decode()
    assert "L&#x27;Attaque" in row and match.preset not in row


@pytest.mark.parametrize("term", ["ali", "BOB", "{number}", " alice ", "alice bob", "bo  al"])
def test_a_match_is_found_by_handle_or_number(
    admin_client: Client, match: Match, charlie: User, administrator: User, term: str
) -> None:
    match_helpers.new_match(People(charlie, administrator, charlie))
    term = term.format(number=match.pk)
    listed = admin_client.get(MATCHES, {"q": term}).context["cl"].result_list
    assert [one.pk for one in listed] == [match.pk]


@pytest.mark.parametrize("term", ["alice charlie", "99999999999999999999999", "nobody", "%", "²"])
def test_a_search_without_a_match_is_empty(admin_client: Client, match: Match, term: str) -> None:
    assert list(admin_client.get(MATCHES, {"q": term}).context["cl"].result_list) in ([], [match])
    assert admin_client.get(MATCHES, {"q": term}).status_code == 200


def test_matches_can_be_filtered_by_status_rules_and_dates(
    admin_client: Client, who: People
) -> None:
    running, ended = (
        match_helpers.running_match(who),
        match_helpers.finished_match(who, preset="lattaque-zh"),
    )
    for query, expected in [
        ("status__exact=running", running),
        ("status__exact=finished", ended),
        ("preset=lattaque-zh", ended),
        ("finished_at__isnull=False", ended),
    ]:
        answer = admin_client.get(f"{MATCHES}?{query}")
        assert [match.pk for match in answer.context["cl"].result_list] == [expected.pk], query


def test_an_unsettled_outage_is_listed_with_what_to_do(
    admin_client: Client,
) -> None:
    at = now()
    Outage.objects.create(start=at - 2 * HOUR, end=at - HOUR, credited_at=at)
    owed = Outage.objects.create(start=at - HOUR, end=at, stalled=True)
    answer = admin_client.get("/admin/play/outage/?settled=no")
    assert [outage.pk for outage in answer.context["cl"].result_list] == [owed.pk]
    page = answer.content.decode()
    assert "Not to every clock yet; nobody loses on time until then." in page
    assert 'class="field-stalled"><img src="/static/admin/img/icon-yes' in page
    settled = admin_client.get("/admin/play/outage/?settled=yes").content.decode()
    assert "Not to every clock" not in settled


def test_the_query_count_does_not_grow_with_the_list(admin_client: Client, who: People) -> None:
    def count(url: str) -> int:
        admin_client.get(url)
        with CaptureQueriesContext(connection) as queries:
            assert admin_client.get(url).status_code == 200
        return len(queries)

    first = match_helpers.new_match(who)
    few, page = count(MATCHES), count(f"{MATCHES}{first.pk}/change/")
    for _ in range(30):
        match_helpers.new_match(who)
    assert count(MATCHES) == few <= 8
    assert count(f"{MATCHES}{first.pk}/change/") == page <= 8


def test_nothing_can_be_edited_by_hand(admin_client: Client, match: Match) -> None:
    page = admin_client.get(f"{MATCHES}{match.pk}/change/").content.decode()
    form = re.search(r'<form[^>]*id="match_form".*?</form>', page, re.DOTALL)[0]
    assert re.findall(r'<(?:select|textarea)|<input type="(?!hidden)', form) == []
    before = Match.objects.values().get()
    fields = {"status": "finished", "result": "N", "ply": 7, "preset": "domino"}
    assert admin_client.post(f"{MATCHES}{match.pk}/change/", fields).status_code == 403
    assert admin_client.post(f"{MATCHES}add/", fields).status_code == 403
    assert admin_client.post(f"{MATCHES}{match.pk}/delete/", {"post": "yes"}).status_code == 403
    act(admin_client, "delete_selected", match, post="yes")
    assert Match.objects.values().get() == before


# --- extending time


def test_extra_time_is_given_and_recorded_in_the_history(
    admin_client: Client, match: Match
) -> None:
    before = deadlines(match)[Seat.SOUTH]
    answer = act(admin_client, "extend", match, days=2, reason="The post was on strike.")
    assert deadlines(match) == {Seat.SOUTH: before + timedelta(days=2), Seat.NORTH: None}
    (line,) = history(match)
    assert line.startswith("2 more days for Alice, until ")
    assert line.endswith(": The post was on strike.")
    assert shown_messages(answer) == [f"Match {match.pk}: {line}"]


@pytest.mark.parametrize("days", [{"extend": 2}, {"void": 0}])
def test_the_confirmation_page_acts_once(
    admin_client: Client, who: People, days: dict[str, int]
) -> None:
    matches = [match_helpers.running_match(who) for _ in range(2)]
    ((action, count),) = days.items()
    before = [deadlines(match)[Seat.SOUTH] for match in matches]
    chosen = {"action": action, "_selected_action": [match.pk for match in matches]}
    (key,) = KEY.findall(admin_client.post(MATCHES, chosen).content.decode())
    form = {**chosen, "apply": "yes", "idempotency_key": key, "reason": "The post.", "days": count}
    assert [admin_client.post(MATCHES, form).status_code for _ in range(3)] == [302] * 3
    assert "This form had already been sent; it counts only once." in shown_messages(
        admin_client.get(MATCHES)
    )
    for match, deadline in zip(matches, before, strict=True):
        later = {"extend": deadline + timedelta(days=count), "void": None}
        assert deadlines(match)[Seat.SOUTH] == later[action]
        assert len(history(match)) == 1


def test_a_refused_match_does_not_stop_others_under_the_same_key(
    admin_client: Client, administrator: User, who: People
) -> None:
    matches = [
        match_helpers.running_match(who),
        match_helpers.finished_match(who),
        match_helpers.running_match(who),
    ]
    act(
        admin_client,
        "void",
        *matches,
        idempotency_key=replay.new_key(administrator),
        reason="A quarrel.",
    )
    assert [as_is(match).status for match in matches] == ["void", "finished", "void"]
    assert [len(history(match)) for match in matches] == [1, 0, 1]


def test_extra_time_is_reported_with_its_reason(
    admin_client: Client, match: Match, alice: User, bob: User
) -> None:
    act(admin_client, "extend", match, days=2, reason="The post was on <strike>.")
    dispatches = Dispatch.objects.filter(event="time-extended").values_list("user", flat=True)
    assert set(dispatches.values_list("user", flat=True)) == {alice.pk, bob.pk}
    for browser in (client_of(alice), client_of(bob), Client()):
        page = browser.get(f"/match/{match.pk}/").content.decode()
        sentence = "Alice got 2 days from an administrator: The post was on &lt;strike&gt;."
        assert sentence in page


def test_the_form_says_that_players_read_the_reason(admin_client: Client, match: Match) -> None:
    chosen = {"action": "extend", "_selected_action": [match.pk]}
    assert "Both players can read it." in admin_client.post(MATCHES, chosen).content.decode()


# --- on the page of a match


def test_the_page_of_a_match_has_its_actions(admin_client: Client, match: Match) -> None:
    row = f"{MATCHES}{match.pk}/change/"
    page = admin_client.get(row).content.decode()
    buttons = re.findall(r'<button[^>]*name="action" value="(\w+)">([^<]+)', page)
    assert buttons == [
        ("extend", "Give more time …"),
        ("void", "End without a result …"),
        ("reopen", "Undo a time-out …"),
        ("ask_to_look", "Ask to see both armies …"),
    ]
    hidden = dict(re.findall(r'<input type="hidden" name="(\w+)" value="(\d+)">', page))
    assert hidden == {"_selected_action": str(match.pk), "from_row": str(match.pk)}
    html_asked = admin_client.post(MATCHES, {**hidden, "action": "void"}).content.decode()
    assert f'name="from_row" value="{match.pk}"' in html_asked
    assert f'href="{row}" class="button cancel-link"' in html_asked
    form = {**hidden, "action": "void", "apply": "yes", "reason": "A quarrel."}
    assert admin_client.post(MATCHES, form)["Location"] == row
    assert as_is(match).status == Status.VOID


@pytest.mark.parametrize("row", ["", "x", "0", "9" * 30, "//example.org"])
def test_an_action_without_a_row_redirects_to_the_list(
    admin_client: Client, match: Match, row: str
) -> None:
    fields = {"reason": "A quarrel.", "from_row": row, "apply": "yes"}
    chosen = {"action": "void", "_selected_action": [match.pk]}
    assert admin_client.post(MATCHES, {**chosen, **fields})["Location"] == MATCHES


def test_staff_who_may_only_view_see_no_buttons(
    admin_client: Client, administrator: User, match: Match
) -> None:
    User.objects.filter(pk=administrator.pk).update(is_superuser=False)
    administrator.user_permissions.set(Permission.objects.filter(codename="view_match"))
    page = admin_client.get(f"{MATCHES}{match.pk}/change/").content.decode()
    assert f"match {match.pk}" in page.lower()
    assert 'name="action"' not in page


def test_extra_time_postpones_the_reminder(admin_client: Client, match: Match) -> None:
    act(admin_client, "extend", match, days=2, reason="A strike.")
    player = match.players.get(seat=Seat.SOUTH)
    assert player.check_at < player.deadline


def test_both_clocks_of_a_set_up_can_be_extended_at_once(admin_client: Client, who: People) -> None:
    match = match_helpers.new_match(who)
    before = deadlines(match)
    act(admin_client, "extend", match, days=1, reason="An outage.")
    assert deadlines(match) == {seat: at + timedelta(days=1) for seat, at in before.items()}
    assert len(history(match)) == 2


def test_one_clock_can_be_chosen(admin_client: Client, who: People) -> None:
    match = match_helpers.new_match(who)
    before = deadlines(match)
    act(admin_client, "extend", match, days=1, seat=int(Seat.NORTH), reason="An outage.")
    after = {**before, Seat.NORTH: before[Seat.NORTH] + timedelta(days=1)}
    assert deadlines(match) == after


def test_a_stopped_clock_is_not_extended(admin_client: Client, match: Match) -> None:
    before = deadlines(match)
    answer = act(admin_client, "extend", match, days=1, seat=int(Seat.NORTH), reason="An outage.")
    assert "clock is not running" in shown_messages(answer)[0]
    assert (deadlines(match), history(match)) == (before, [])


@pytest.mark.parametrize(
    "fields",
    [
        {"days": 0, "reason": "x"},
        {"days": 61, "reason": "x"},
        {"days": "", "reason": "x"},
        {"days": 1, "reason": " "},
        {"days": 1, "reason": "x" * 201},
        {"days": 1, "seat": 7, "reason": "x"},
    ],
)
def test_days_and_reason_are_requested_until_they_are_valid(
    admin_client: Client, match: Match, fields: dict[str, object]
) -> None:
    before = deadlines(match)
    answer = act(admin_client, "extend", match, **fields)
    assert answer.context["form"].errors
    assert (deadlines(match), history(match)) == (before, [])


def test_an_action_asks_for_confirmation(admin_client: Client, match: Match) -> None:
    for action in ("extend", "void"):
        chosen = {"action": action, "_selected_action": [match.pk]}
        page = admin_client.post(MATCHES, chosen).content.decode()
        assert f"match {match.pk}: Alice – Bob" in page
        assert 'name="reason"' in page
    assert as_is(match).is_live and history(match) == []


# --- voiding


def test_both_players_read_why_a_match_was_annulled(
    admin_client: Client, match: Match, alice: User, bob: User
) -> None:
    act(admin_client, "void", match, reason="Bob's account was stolen.")
    ended = as_is(match)
    assert (ended.status, ended.result, ended.reason) == (
        Status.VOID,
        "",
        "Bob's account was stolen.",
    )
    assert history(match) == ["Ended without a result: Bob's account was stolen."]
    dispatches = Dispatch.objects.filter(event="match-over", handler="notify")
    assert set(dispatches.values_list("user", flat=True)) == {alice.pk, bob.pk}
    for player in (alice, bob):
        client = Client()
        client.force_login(player)
        page = client.get(f"/match/{match.pk}/").content.decode()
        assert "Bob&#x27;s account was stolen." in page


@pytest.mark.parametrize("reason", ["", "x" * 201])
@pytest.mark.parametrize("action", ["void", "reopen"])
def test_an_annulment_needs_a_valid_reason(
    admin_client: Client, match: Match, action: str, reason: str
) -> None:
    assert act(admin_client, action, match, reason=reason).context["form"].errors
    assert as_is(match).is_live


def test_several_matches_can_be_annulled_at_once(admin_client: Client, who: People) -> None:
    matches = [
        match_helpers.new_match(who),
        match_helpers.running_match(who),
        match_helpers.finished_match(who),
    ]
    answer = act(admin_client, "void", *matches, reason="The server was ill.")
    assert [as_is(match).status for match in matches] == ["void", "void", "finished"]
    assert f"Match {matches[2].pk}: This match is over" in " ".join(shown_messages(answer))
    assert history(matches[2]) == []


def test_the_history_page_shows_the_reason(admin_client: Client, match: Match) -> None:
    act(admin_client, "void", match, reason="The server was ill.")
    page = admin_client.get(f"{MATCHES}{match.pk}/history/").content.decode()
    assert "Ended without a result: The server was ill." in page


# --- permissions


def test_staff_cannot_decide_in_their_own_matches(
    admin_client: Client, administrator: User, alice: User
) -> None:
    match = match_helpers.running_match(People(administrator, alice, alice))
    before = deadlines(match)
    for action, fields in (("extend", {"days": 9}), ("void", {})):
        answer = act(admin_client, action, match, reason="I was losing.", **fields)
        assert "you play in it yourself" in shown_messages(answer)[0]
    assert as_is(match).is_live
    assert (deadlines(match), history(match)) == (before, [])


def staff_client(*powers: str) -> Client:
    person = match_helpers.person("Clerk", is_staff=True)
    person.user_permissions.set(Permission.objects.filter(codename__in=powers))
    client = Client()
    client.force_login(person)
    return client


def test_staff_who_may_only_view_cannot_act(settings: Settings, match: Match) -> None:
    settings.STAFF_NEEDS_MFA = False
    client = staff_client("view_match")
    assert "Bob" in client.get(f"{MATCHES}{match.pk}/change/").content.decode()
    assert 'value="void"' not in client.get(MATCHES).content.decode()
    act(client, "void", match, reason="Because.")
    assert as_is(match).is_live


def test_staff_who_may_moderate_matches_can_act_on_them(settings: Settings, match: Match) -> None:
    settings.STAFF_NEEDS_MFA = False
    clerk = staff_client("view_match", "moderate_match")
    act(clerk, "void", match, reason="Because.")
    assert as_is(match).status == Status.VOID


def test_staff_without_permission_see_no_match(settings: Settings, match: Match) -> None:
    settings.STAFF_NEEDS_MFA = False
    assert staff_client().get(MATCHES).status_code == 403


# --- secrecy


PIECES = "Marshal General Colonel Major Captain Lieutenant Sergeant Miner Scout Spy Bomb Flag"
# The same pieces on other squares, except those that the moves below reveal.
TWIN_SOUTH = "RRR1R1RSCE/FBELLM1ECB/KLRSKBR1BS/LGJJKYRKES"
TWIN_NORTH = "LBRCRRKLK1/GFBJC1SERB/ELKS1RREKR/MEJSY1LSBR"
MOVES = ("a4-a5", "j7-j6", "a5-a6", "j6-j5", "a6xa7")
NOT_WANDERED = re.compile(r"logout|password|jsi18n")
TOKEN = re.compile(r'name="(?:csrfmiddlewaretoken|idempotency_key)" value="\w+"')


def admin_pages(admin_client: Client) -> dict[str, str]:
    """Every admin page that links lead to, by its URL; lists in one order only."""
    pages: dict[str, str] = {}
    ahead = ["/admin/"]
    while ahead:
        url = ahead.pop()
        if url in pages or NOT_WANDERED.search(url):
            continue
        assert len(pages) < 200, "There are too many admin pages to visit."
        answer = admin_client.get(url)
        pages[url] = TOKEN.sub("", answer.content.decode()) if answer.status_code == 200 else ""
        ahead += re.findall(r'href="(/admin/[^"?#]*)', pages[url])
    return pages


def act_on_every_page(admin_client: Client, match: Match) -> dict[str, str]:
    """Request every admin page, including the forms of the actions."""
    pages = admin_pages(admin_client)
    for url in (MATCHES, f"{MATCHES}{match.pk}/change/", f"{MATCHES}{match.pk}/history/"):
        assert pages[url]
    for action in ("extend", "void"):
        chosen = {"action": action, "_selected_action": [match.pk]}
        pages[action] = TOKEN.sub("", admin_client.post(MATCHES, chosen).content.decode())
    return pages


def hide(who: People, match: Match, move: str, south: str) -> None:
    """Add private data: an unsent move, and a set-up in a library."""
    moves.prepare_move(match.pk, who.bob, move, match.ply)
    placed = arrangement.from_text(match.rules, Seat.SOUTH, south)
    SavedSetup.objects.all().delete()
    library.save(who.alice, match.rules, Seat.SOUTH, "Iron wall", placed)


def put_other_ranks(match: Match, twin: Match) -> None:
    """Replace the hidden truth of a match by that of its twin, leaving what is public."""
    for ply in Ply.objects.filter(match=twin):
        truth = sealing.unseal(ply.sealed, match_store.seal_context(twin.pk, ply.number))
        sealed = sealing.seal(truth, match_store.seal_context(match.pk, ply.number))
        Ply.objects.filter(match=match, number=ply.number).update(sealed=sealed)


def test_plies_drafts_and_set_ups_have_no_admin_page(db: None) -> None:
    assert not {Ply, Draft, SavedSetup} & set(admin.site._registry)


def test_no_admin_page_shows_a_rank(admin_client: Client, who: People) -> None:
    match = match_helpers.running_match(who, *MOVES)
    setups = match_helpers.SETUPS["lattaque-10x10"]
    hide(who, match, "b7-b6", setups[Seat.SOUTH])
    act(admin_client, "extend", match, days=1, reason="An outage.")
    rows = [row for setup in setups for row in setup.split("/")]
    secrets = (*rows, *(row.lower() for row in rows), "a6xa7", "b7-b6", "Iron wall")
    names = re.compile(rf"\b({PIECES.replace(' ', '|')})s?\b")
    for url, page in at_least(5, act_on_every_page(admin_client, match).items()):
        assert [secret for secret in secrets if secret in page] == [], url
        assert names.findall(page) == [], url


@pytest.mark.soak  # the twins compare the pages of the admin, too
@pytest.mark.long
def test_the_admin_does_not_depend_on_hidden_ranks(admin_client: Client, who: People) -> None:
    match = match_helpers.running_match(who, *MOVES)
    twin = match_helpers.play(
        match_helpers.set_up(match_helpers.new_match(who), TWIN_SOUTH, TWIN_NORTH), *MOVES
    )
    hide(who, match, "b7-b6", match_helpers.SETUPS["lattaque-10x10"][Seat.SOUTH])
    before = act_on_every_page(admin_client, match)
    put_other_ranks(match, twin)
    hide(who, match, "e7-e6", TWIN_SOUTH)
    eyes = match_view.view_match(match.pk, who.bob).observation.pieces
    assert eyes["b9"].rank == "F", "The truth did not change, so that this test shows nothing."
    assert act_on_every_page(admin_client, match) == before
