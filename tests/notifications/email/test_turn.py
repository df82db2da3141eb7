"""The content of e-mails about a turn."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import transaction
from django.db.models.sql.compiler import SQLCompiler
from pytest_django import DjangoAssertNumQueries

from accounts.models import User
from games.notifications.notify import notify
from games.outbox.handling import Batch
from games.outbox.models import Dispatch
from games.play.commands import endings
from games.play.models.match import Match
from lib.db_clock import frozen_at
from tests.notifications.email.reading import delivered, heading, html, only, preheader, text
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.secrecy import chance

WINTER = datetime(2026, 1, 20, 9, 30, tzinfo=UTC)


def turn(match: Match, reader: User, *moves: str) -> EmailMultiAlternatives:
    """The e-mail about the last of these moves."""
    match_helpers.play(match, *moves[:-1])
    delivered()
    match_helpers.play(match, *moves[-1:])
    return only(delivered(), reader)


def test_the_subject_is_the_same_for_all_emails_of_a_match(match: Match, who: People) -> None:
    alice, bob, _charlie = who
    first = turn(match, bob, "a4-a5")
    assert first.subject == f"Match {match.pk}: Alice, L'Attaque"
    assert heading(first) == f"Your turn against Alice in match {match.pk}"
    assert turn(match, bob, "j7-j6", "b4-b5").subject == first.subject
    assert turn(match, alice, "j6-j5").subject == f"Match {match.pk}: Bob, L'Attaque"


def test_it_lists_what_happened_since_the_readers_own_move(match: Match, alice: User) -> None:
    email = turn(match, alice, "a4-a5", "j7-j6", "b4-b5", "j6xj4")
    last_move = text(email).split("Last move:\n\n")[1].split("\n\n")[0]
    assert last_move.splitlines() == [
        "* Alice moved from b4 to b5.",
        "* Bob attacked j4 from j6: Scout against Miner.",
        "* The attacking Scout was captured.",
    ]


def test_it_shows_the_board_from_the_readers_side(match: Match, bob: User) -> None:
    email = turn(match, bob, "a4-a5")
    board = [line.split() for line in text(email).splitlines() if line[:2].strip().isdigit()]
    assert board[0] == ["1", *["S?"] * 10, "1"]
    assert board[-1] == ["10", ".", "k", "l", "k", "r", "r", "c", "r", "f", "l", "10"]
    assert board[4] == ["5", ".", ".", "~~", "~~", ".", ".", "~~", "~~", ".", "S?*", "5"]


def test_it_contains_no_rank_of_the_opponent(match: Match, bob: User) -> None:
    email = turn(match, bob, "a4-a5")
    for written in (text(email), html(email), email.subject, preheader(email)):
        assert not any(word in written for word in ("Marshal", "Scout", "Spy", ">M<", ">R<"))


def test_two_worlds_that_bob_cannot_tell_apart_get_the_same_email(who: People) -> None:
    """Of the proof lines, only the hash of a single square is replaced: it hides the rank."""
    worlds = []
    for south in ("RRR1R1RSCE/EBFLLM1ECB/KLRSKBR1BS/LGJJKYRKES",
                  "RRR1R1RSCE/EBFLLG1ECB/KLRSKBR1BS/LMJYKJRKES"):  # fmt: skip
        with frozen_at(WINTER), transaction.atomic(), chance.tamed():
            chance.restart_numbers()
            match = match_helpers.set_up(match_helpers.new_match(who), south=south)
            delivered()
            match_helpers.play(match, "a4-a5")
            email = only(delivered(), who.bob)
            transaction.set_rollback(True)
        assert f"head estafette/head/1 {match.pk} {match.ply} " in text(email)
        worlds.append((text(email), html(email)))
    assert worlds[0] == worlds[1]


def test_the_deadline_is_given_in_the_readers_time_zone_and_in_words(
    who: People, prefer: Callable[..., None]
) -> None:
    prefer(who.bob, zone="Europe/Paris")
    with frozen_at(WINTER):
        match = match_helpers.running_match(who)
        delivered()
        match_helpers.play(match, "a4-a5")
        email = only(delivered(), who.bob)
    due = "23 Jan 2026, 10:30 (Europe/Paris)"
    assert f"Move by {due}; 3 days left." in text(email)


def test_the_remaining_time_is_as_of_the_email_and_not_of_the_move(who: People) -> None:
    with frozen_at(WINTER):
        match = match_helpers.running_match(who)
        delivered()
        match_helpers.play(match, "a4-a5")
    with frozen_at(WINTER + timedelta(hours=30, minutes=5)):
        email = only(delivered(), who.bob)
    assert "1 day 17 hours left." in text(email)
    assert email.extra_headers["Date"] == "Wed, 21 Jan 2026 15:35:00 +0000"


def test_it_is_in_the_readers_language(
    match: Match, bob: User, prefer: Callable[..., None]
) -> None:
    prefer(bob, language="fr", zone="Europe/Paris")
    email = turn(match, bob, "a4-a5")
    assert '<html lang="fr"' in html(email)
    assert "Jouez avant le " in text(email)


def test_a_pending_draw_offer_is_mentioned(match: Match, alice: User) -> None:
    match_helpers.play(match, "a4-a5")
    endings.offer_draw(match.pk, alice)
    email = next(email for email in delivered() if "Your turn" in heading(email))
    assert "Alice offers you a draw." in text(email)


def test_subject_and_preheader_mention_no_battle(match: Match, alice: User) -> None:
    email = turn(match, alice, "a4-a5", "j7xj4")
    for shown in (email.subject, preheader(email)):
        assert "Scout" not in shown and "Miner" not in shown and "j4" not in shown


def test_the_preview_text_comes_before_the_board(match: Match, bob: User) -> None:
    email = turn(match, bob, "a4-a5")
    assert text(email).index("Open match:") < text(email).index("S?")
    assert text(email).index("S?") > 200


def test_the_first_turn_says_who_has_set_up(who: People) -> None:
    match_helpers.set_up(match_helpers.new_match(who))
    body = text(next(email for email in delivered() if "Your turn" in heading(email)))
    assert "* Alice has finished the set-up.\n* Bob has finished the set-up.\n" in body


def test_a_single_email_compiles_no_select(match: Match, monkeypatch: pytest.MonkeyPatch) -> None:
    compiled: list[str] = []
    compile_query = SQLCompiler.as_sql

    def record_compilation(compiler: SQLCompiler, *arguments: Any, **named: Any) -> Any:
        compiled.append(compiler.query.model.__name__)
        return compile_query(compiler, *arguments, **named)

    for move in ("a4-a5", "j7-j6"):  # The first e-mail after a set-up brings its receipt.
        match_helpers.play(match, move)
        delivered()
    match_helpers.play(match, "a5-a6")
    monkeypatch.setattr(SQLCompiler, "as_sql", record_compilation)
    assert len(delivered()) == 1
    assert compiled == []


def test_the_query_count_of_an_email_does_not_grow_with_the_match(
    match: Match, bob: User, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    match_helpers.play(match, "a4-a5")
    delivered()  # Bob has his receipt now, which takes two queries more for all e-mails of a batch.
    for rounds in (1, 10):
        match_helpers.play(match, *["j7-j6", "b4-b5", "j6-j7", "b5-b4"] * rounds)
        dispatch = Dispatch.objects.filter(event="turn-came").select_related("user").latest("pk")
        # The match with the number of the reader's waiting matches, and its plies.
        with django_assert_num_queries(2):
            notify(dispatch, Batch())
