"""Page of a plan: what it shows, what its forms do, and the answers to forms that come too late."""

import re
from typing import Any

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.play.commands import courtesies, endings
from games.play.commands.plans import answering
from games.play.models.match import Match
from games.play.models.plan import Plan, PlanState, Wait
from tests.play import match_helpers
from tests.play.forms import alert, client_of, page
from tests.play.match_helpers import People
from tests.play.plan_helpers import plan_of, save, texts

LINE, OTHER = "if j7-j6 then b4-b5", "if b7-b6 then a5-a4"


@pytest.fixture
def match(who: People) -> Match:
    """Bob is to move; Alice has moved from a4 to a5."""
    return match_helpers.running_match(who, "a4-a5")


def address(match: Match) -> str:
    return f"/match/{match.pk}/plan/"


def hidden_fields(client: Client, match: Match) -> dict[str, str]:
    """The hidden fields `ply` and `version` of the page."""
    html = client.get(address(match)).content.decode()
    match_of_text = re.search(
        r'name="ply" value="(\d+)"><input type="hidden" name="version" value="(\d+)"', html
    )
    assert match_of_text
    return {"ply": match_of_text.group(1), "version": match_of_text.group(2)}


def post(client: Client, match: Match, seen: dict[str, str] | None = None, **fields: str) -> Any:
    """Send a form of the page, as it is now or as it was `seen`."""
    return client.post(address(match), {**(seen or hidden_fields(client, match)), **fields})


def shown_lines(client: Client, match: Match) -> tuple[str, list[str]]:
    """The text of the field, and the items of the list."""
    html = client.get(address(match)).content.decode()
    field = re.search(r"<textarea[^>]*name=\"lines\"[^>]*>([^<]*)</textarea>", html)
    listed = re.search(r'<ol class="plan">(.*?)</ol>', html, re.S)
    assert field
    return field.group(1).strip(), re.findall("<li>", listed.group(1)) if listed else []


def match_with_waiting_answer(who: People, match: Match) -> Match:
    """Bob has moved, and the answer of Alice's plan waits."""
    save(match, who.alice, LINE, wait=Wait.WHILE)
    match_helpers.play(match, "j7-j6")
    assert answering.answer_turn(match.pk, who.alice.pk, match.ply) is answering.Outcome.WAITS
    return match


def test_the_page_shows_the_stored_lines_in_the_order_tried(
    match: Match, alice_client: Client
) -> None:
    assert shown_lines(alice_client, match) == ("", [])
    sent = post(alice_client, match, lines=f"otherwise b4-b5\n\n{LINE}", wait="now", do="save")
    assert (sent.status_code, sent["Location"]) == (302, address(match))
    text, items = shown_lines(alice_client, match)
    assert text.splitlines() == [LINE, "otherwise b4-b5"]
    assert len(items) == 2


def test_the_page_explains_lines_and_leads_to_the_practice_board(
    match: Match, alice_client: Client
) -> None:
    html = alice_client.get(address(match)).content.decode()
    assert "Make a plan" in html
    assert "xd5[M,G]" in html
    assert f'href="/match/{match.pk}/practice/"' in html
    post(alice_client, match, lines=LINE, do="save")
    assert "Change the plan" in alice_client.get(address(match)).content.decode()


def test_an_unknown_button_stores_nothing(match: Match, alice_client: Client) -> None:
    for do in ("bogus", ""):
        sent = post(alice_client, match, lines=LINE, do=do)
        assert sent.status_code == 422
        assert "no such button" in alert(sent)
        assert shown_lines(alice_client, match)[1] == []


def test_a_plan_may_be_typed_in_any_language(
    who: People, match: Match, alice_client: Client
) -> None:
    post(alice_client, match, lines="wenn J7–J6 dann B4-B5.\n否則 a5-a4")
    assert plan_of(match, who.alice).contents.lines == (LINE, "otherwise a5-a4")
    assert plan_of(match, who.alice).contents.wait == "while"


def test_typed_lines_are_kept_if_one_is_refused(
    who: People, match: Match, alice_client: Client
) -> None:
    refused = post(alice_client, match, lines=f"{LINE}\n\nif then b4-b5", wait="now")
    assert refused.status_code == 422
    assert "Line 3" in alert(refused)
    html = refused.content.decode()
    assert "if then b4-b5</textarea>" in html
    assert re.search(r'value="now" checked', html)
    assert not Plan.objects.exists()


def test_two_answers_to_one_condition_are_refused(match: Match, alice_client: Client) -> None:
    refused = post(alice_client, match, lines=f"{LINE}\nif j7-j6 then a5-a4")
    assert refused.status_code == 422
    assert "Line 2" in alert(refused)


@pytest.mark.parametrize("wait", ["soon", "0"])
def test_an_unknown_wait_is_refused(match: Match, alice_client: Client, wait: str) -> None:
    assert post(alice_client, match, lines=LINE, wait=wait).status_code == 422


def test_a_text_that_is_too_long_is_refused_without_reading(
    match: Match, alice_client: Client
) -> None:
    refused = post(alice_client, match, lines="x" * 20_001)
    assert refused.status_code == 422
    assert "20000" in alert(refused) or "20,000" in alert(refused)


def test_typed_lines_are_kept_if_the_match_has_moved_on(
    who: People, match: Match, alice_client: Client
) -> None:
    seen = hidden_fields(alice_client, match)
    match_helpers.play(match, "j7-j6", "b4-b5")
    late = post(alice_client, match, seen, lines=LINE)
    assert late.status_code == 409
    assert f"{LINE}</textarea>" in late.content.decode()
    assert f'name="ply" value="{match.ply}"' in late.content.decode()
    assert not Plan.objects.exists()


def test_a_plan_that_was_changed_elsewhere_is_not_overwritten(
    who: People, match: Match, alice_client: Client
) -> None:
    seen = hidden_fields(alice_client, match)
    save(match, who.alice, LINE)
    late = post(alice_client, match, seen, lines=OTHER)
    assert late.status_code == 409
    assert f"{OTHER}</textarea>" in late.content.decode()
    assert plan_of(match, who.alice).contents.lines == (LINE,)
    # Not even after it was deleted and written again.
    seen = hidden_fields(alice_client, match)
    post(alice_client, match, do="delete")
    post(alice_client, match, lines=LINE)
    assert post(alice_client, match, seen, lines=OTHER).status_code == 409


@pytest.mark.parametrize("fields", [{"ply": "", "version": "0"}, {"ply": "3"}, {"version": "no"}])
def test_a_form_without_its_hidden_fields_does_nothing(
    match: Match, alice_client: Client, fields: dict[str, str]
) -> None:
    assert alice_client.post(address(match), {"lines": LINE, **fields}).status_code == 409
    assert not Plan.objects.exists()


def test_an_empty_field_deletes_the_plan(who: People, match: Match, alice_client: Client) -> None:
    save(match, who.alice, LINE)
    assert post(alice_client, match, lines=" \n").status_code == 302
    assert plan_of(match, who.alice).row.state is PlanState.DELETED
    assert shown_lines(alice_client, match) == ("", [])


def test_the_delete_button_deletes_the_plan(
    who: People, match: Match, alice_client: Client
) -> None:
    save(match, who.alice, LINE)
    assert post(alice_client, match, do="delete").status_code == 302
    assert plan_of(match, who.alice).contents.lines == ()


def test_other_users_get_no_page(who: People, match: Match) -> None:
    save(match, who.alice, LINE)
    charlie = client_of(who.charlie)
    assert charlie.get(address(match)).status_code == 404
    assert charlie.post(address(match), {"lines": LINE}).status_code == 404
    assert charlie.get("/match/999999/plan/").status_code == 404
    assert Client().get(address(match)).status_code == 302
    assert LINE not in client_of(who.bob).get(address(match)).content.decode()


# --- On one's own turn


def test_on_the_own_turn_a_plan_is_sent_with_a_move(
    who: People, match: Match, alice_client: Client
) -> None:
    match_helpers.play(match, "j7-j6")
    without = post(alice_client, match, lines="if j6-j7 then a5-a4")
    assert without.status_code == 422
    sent = post(alice_client, match, lines="if j6-j7 then b5-b4", move="b4-b5", wait="now")
    assert sent.status_code == 302
    assert texts(match)[-1] == "b4-b5"
    plan = plan_of(match, who.alice)
    assert plan.row.ply == match.ply + 1 and plan.row.state is PlanState.STANDING


def test_a_refused_move_saves_nothing(who: People, match: Match, alice_client: Client) -> None:
    match_helpers.play(match, "j7-j6")
    refused = post(alice_client, match, lines="if j6-j7 then b4-b5", move="b4-b9")
    assert refused.status_code == 422
    assert 'value="b4-b9"' in refused.content.decode()
    assert not Plan.objects.exists()


def test_a_refused_line_prevents_the_move(match: Match, alice_client: Client) -> None:
    match_helpers.play(match, "j7-j6")
    assert post(alice_client, match, lines="if", move="b4-b5").status_code == 422
    assert texts(match)[-1] == "j7-j6"


def test_a_move_on_the_opponents_turn_is_refused(match: Match, alice_client: Client) -> None:
    assert post(alice_client, match, lines=LINE, move="b4-b5").status_code == 422


def test_a_move_that_ends_the_match_deletes_the_plan(who: People) -> None:
    match = match_helpers.set_up(match_helpers.new_match(who), north=match_helpers.RECKLESS)
    sent = post(client_of(who.alice), match, lines="if any then b4-b5", move="a4xa7")
    assert sent.status_code == 302
    assert not Plan.objects.exists()


def test_the_heading_is_the_state_of_the_match(
    who: People, match: Match, alice_client: Client
) -> None:
    def heading() -> str:
        html = alice_client.get(address(match)).content.decode()
        (text,) = re.findall(r'<h2 id="board-heading">(.*?)</h2>', html)
        return str(text)

    assert heading() == "It's Bob's turn."
    match_helpers.play(match, "j7-j6")
    assert heading() == "Your turn"
    courtesies.offer_pause(match.pk, who.bob)
    courtesies.accept_pause(match.pk, who.alice)
    assert heading() == "The match is paused."
    endings.resign(match.pk, who.bob)
    assert "resigned" in heading()


def test_the_heading_before_the_first_move(who: People, alice_client: Client) -> None:
    fresh = match_helpers.new_match(who)
    assert "The players are setting up." in alice_client.get(address(fresh)).content.decode()


# --- While an answer waits


def test_a_waiting_answer_can_only_be_played_or_stopped(
    who: People, match: Match, alice_client: Client
) -> None:
    match_with_waiting_answer(who, match)
    assert 'name="lines"' not in alice_client.get(address(match)).content.decode()
    for lines, move in ((OTHER, ""), (OTHER, "b4-b5"), ("", "")):
        assert post(alice_client, match, lines=lines, move=move).status_code == 409
    assert post(alice_client, match, do="now").status_code == 302
    assert texts(match)[-1] == "b4-b5"


def test_the_match_page_shows_the_waiting_answer_and_both_buttons(
    who: People, match: Match, alice_client: Client
) -> None:
    assert address(match) in page(alice_client, match)
    match_with_waiting_answer(who, match)
    html = page(alice_client, match)
    assert "Your plan answers b4-b5 at about" in html
    match_of_text = re.search(r'name="version" value="(\d+)"', html)
    assert match_of_text
    seen = {"ply": str(match.ply), "version": match_of_text.group(1)}
    assert post(alice_client, match, seen, do="delete").status_code == 302
    assert plan_of(match, who.alice).row.state is PlanState.DELETED
    assert "Your plan answers" not in page(alice_client, match)
    assert "Your plan answers" not in page(client_of(who.bob), match)


@pytest.mark.parametrize("move", ["a5-a4", "b4-b5"])
def test_a_late_move_is_answered_with_what_the_plan_has_played(
    who: People, match: Match, alice_client: Client, move: str
) -> None:
    match_with_waiting_answer(who, match)
    version = plan_of(match, who.alice).row.version
    answering.play_now(match.pk, who.alice, match.ply, version)
    sent = {"move": move, "ply": match.ply}
    late = alice_client.post(f"/match/{match.pk}/move/", sent, follow=True)
    assert "Your plan has just played b4-b5." in late.content.decode()
    seen = {"ply": str(match.ply), "version": str(version)}
    for do in ("delete", "now"):
        stopped = post(alice_client, match, seen, do=do)
        assert stopped.status_code == 409
        assert alert(stopped) == "Your plan has just played b4-b5."


@pytest.mark.parametrize("lines", ["if b7-b6 then b4-b5"])
def test_the_lines_of_a_dropped_plan_can_be_used_again(
    who: People, match: Match, alice_client: Client, lines: str
) -> None:
    save(match, who.alice, lines)
    match_helpers.play(match, "j7-j6")
    answering.answer_turn(match.pk, who.alice.pk, match.ply)
    assert "No line of your plan fits this turn" in page(alice_client, match)
    assert shown_lines(alice_client, match)[0] == lines
    assert post(alice_client, match, lines=lines, move="a5-a4").status_code == 302
    assert plan_of(match, who.alice).row.state is PlanState.STANDING


def test_a_plan_costs_the_match_page_no_query(
    who: People, match: Match, alice_client: Client
) -> None:
    counts = []
    for lines in ((), (LINE,)):
        if lines:
            save(match, who.alice, *lines)
        page(alice_client, match)
        with CaptureQueriesContext(connection) as queries:
            page(alice_client, match)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_a_match_that_is_over_has_no_form(who: People, match: Match, alice_client: Client) -> None:
    seen = hidden_fields(alice_client, match)
    endings.resign(match.pk, who.bob)
    assert alice_client.get(address(match)).status_code == 200
    assert post(alice_client, match, seen, lines=LINE).status_code == 409
