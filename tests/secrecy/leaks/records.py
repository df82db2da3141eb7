"""Leaks behind the pages, and in the admin."""

import logging
from datetime import timedelta
from typing import Any

from celery import current_app
from django.db import transaction
from django.db.models import F
from pytest import MonkeyPatch

from games.outbox import publishing, wake_worker
from games.play.admin.matches import MatchAdmin
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import match_store
from games.play.record.proofs import bundles
from games.rules.core.text import notation
from games.rules.proof import bundle, opened
from tests.secrecy.leaks.planting import (
    PLAY,
    WAITING,
    before,
    bit,
    change,
    digest,
    leak,
    secret,
)

# --- behind the pages


@leak()
def a_line_in_the_log(monkeypatch: MonkeyPatch) -> None:
    def note(opened: match_store.MatchState, *_: Any) -> None:
        text = notation.write_position(opened.rules, opened.position)
        logging.getLogger("games.play.record.match_store").debug("Position %s", text)

    before(monkeypatch, match_store, "append_ply", note)


@leak("play:bundle", kinds=WAITING)
def a_gap_that_is_opened_before_both_armies_stand(monkeypatch: MonkeyPatch) -> None:
    def spoil(_opened: opened.Opened, rules: Any, _plies: Any, armies: Any, **_: Any) -> Any:
        return opened.Opened(False, opened.gaps(rules, armies))

    change(monkeypatch, bundle, "opened", spoil)


@leak("play:bundle", preset="domino", kinds=PLAY)
def a_seed_that_is_opened_before_the_end(monkeypatch: MonkeyPatch) -> None:
    def spoil(text: str, proven: bundle.Proven, *_: Any) -> str:
        return f"{text}seed {(proven.seed or b'').hex()}\n"

    change(monkeypatch, bundles, "write_bundle", spoil)


@leak()
def an_argument_of_a_task(monkeypatch: MonkeyPatch) -> None:
    def send() -> None:
        newest = Match.objects.order_by("-pk").first()
        assert newest is not None
        current_app.send_task("config.tasks.clean_up", kwargs={"at": digest(newest.pk)})

    before(monkeypatch, wake_worker, "publish_wake_up", send)


@leak()
def what_is_done_after_a_commit(monkeypatch: MonkeyPatch) -> None:
    def hook(opened: match_store.MatchState, *_: Any) -> None:
        if bit(opened.match.pk):
            transaction.on_commit(wake_worker.wake_worker, robust=True)

    before(monkeypatch, match_store, "append_ply", hook)


@leak()
def a_deadline_by_rank(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: match_store.MatchState, *_: Any) -> int | None:
        late = timedelta(seconds=bit(opened.match.pk))
        Player.objects.filter(match=opened.match, to_act=True).update(deadline=F("deadline") + late)
        return number

    change(monkeypatch, match_store, "append_ply", spoil)


@leak()
def a_chain_over_the_truth(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: match_store.MatchState, *_: Any) -> int | None:
        head = bytes.fromhex(digest(opened.match.pk))
        Ply.objects.filter(match=opened.match, number=number).update(head=head)
        return number

    change(monkeypatch, match_store, "append_ply", spoil)


@leak(kinds=WAITING)
def the_gaps_of_a_set_up_in_the_public_text(monkeypatch: MonkeyPatch) -> None:
    def spoil(
        number: int | None, opened: match_store.MatchState, kind: PlyKind, *_: Any
    ) -> int | None:
        if kind == PlyKind.SETUP:
            gaps = sum(sign.isdecimal() for sign in secret(opened.match.pk))
            Ply.objects.filter(match=opened.match, number=number).update(text="." * gaps)
        return number

    change(monkeypatch, match_store, "append_ply", spoil)


@leak()
def a_key_of_the_outbox(monkeypatch: MonkeyPatch) -> None:
    def spoil(key: str, handler: str, event: str, user: Any, ids: dict[str, int]) -> str:
        return f"{key} {digest(ids['match'])[:6]}" if "match" in ids else key

    change(monkeypatch, publishing, "_dedupe", spoil)


@leak()
def a_column_that_is_empty_or_not(monkeypatch: MonkeyPatch) -> None:
    def spoil(number: int | None, opened: match_store.MatchState, *_: Any) -> int | None:
        if bit(opened.match.pk):
            Player.objects.filter(match=opened.match).update(check_at=None)
        return number

    change(monkeypatch, match_store, "append_ply", spoil)


# --- in the admin


@leak("play.Match")
def the_name_of_a_match(monkeypatch: MonkeyPatch) -> None:
    monkeypatch.setattr(Match, "__str__", lambda match: f"match {digest(match.pk)[:3]}")


@leak("play.Match")
def a_column_of_the_admin(monkeypatch: MonkeyPatch) -> None:
    change(
        monkeypatch,
        MatchAdmin,
        "seated",
        lambda words, _, match: words + "!" * bit(match.pk),
    )


@leak("play.Match", first=9)
def a_search_that_finds_by_the_truth(monkeypatch: MonkeyPatch) -> None:
    def spoil(result: Any, _: Any, __: Any, rows: Any, term: str) -> Any:
        matches, twice = result
        known = [match.pk for match in matches if not term or bit(match.pk)]
        return rows.filter(pk__in=known), twice

    change(monkeypatch, MatchAdmin, "get_search_results", spoil)
