"""Nothing at rest or in transit contains a secret: no table, message, log or error.

Known armies are the canaries: neither their texts nor parts of them may appear anywhere.
"""

import logging
import re
from collections.abc import Iterator
from datetime import timedelta
from itertools import product
from random import Random
from typing import Any, NamedTuple
from urllib.parse import urlencode

import pytest
from django.db import connection

from accounts.models import Session
from accounts.user_sessions.store import SessionStore
from config.logs.records import ContextFilter, JsonFormatter, LineFormatter
from games.notifications.email.composing import match_emails
from games.outbox.delivery import dispatcher
from games.play.commands import deadlines, endings, matches, moves
from games.play.models.draft import Draft
from games.play.models.match import Match, by_seat
from games.play.models.plan import Plan
from games.play.models.ply import Ply
from games.play.models.setup import SavedSetup
from games.play.record import match_store, match_view
from games.play.record.sealed import drafts
from games.play.record.sealed.sealing import seal
from games.play.setups import arrangement, library
from games.play.terms import Terms
from games.play.views.match import match_page
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import read_setup, write_move, write_position
from lib.db_clock import now
from tests import tiers
from tests.accounts.conftest import code_in
from tests.secrecy import chance
from tests.secrecy.browsers import Browser
from tests.secrecy.dump import dump
from tests.secrecy.games import Game, end, random_game
from tests.secrecy.scene import DAWN, Scene
from tests.secrecy.worlds import messages

PRESETS = ("lattaque-en", "lattaque-zh", "domino", "tactique")
PLIES, FEW_PLIES = 14, 5
PART = 5  # consecutive pieces that identify a position
FORMATTERS = (LineFormatter(), JsonFormatter())

pytestmark = pytest.mark.long


def canaries(game: Game) -> set[bytes]:
    """Texts that only code that knows the armies could write."""
    rules, canary_texts = game.rules, set()
    texts = [army.text(rules, seat) for seat, army in zip(Seat, game.armies, strict=True)]
    texts.append(write_position(rules, end(game)).split()[0])
    piece = r"\[..\]|<..>|[0-6]{2}|[A-Za-z][!']?"
    for row in (row for text in texts for row in text.split("/")):
        canary_texts |= set(re.findall(f"(?:{piece}){{{PART}}}", row))
    for army in game.armies:
        written = arrangement.dump(army.placed).strip("{}").split(",")
        fields = [f"{square}={rank}" for square, rank in army.placed.items()]
        canary_texts |= {",".join(written[at : at + PART]) for at in range(len(written) - PART)}
        canary_texts |= {"&".join(fields[at : at + PART]) for at in range(len(fields) - PART)}
        canary_texts |= {" ".join(fields[at : at + PART]) for at in range(len(fields) - PART)}
        canary_texts |= {"".join(army.aside)} - {""}
    plain = {text.encode() for text in canary_texts}
    return plain | {text.hex().encode() for text in plain}


def caught(game: Game, where: str, data: bytes) -> None:
    leaked = [canary for canary in canaries(game) if canary in data]
    assert not leaked, f"{where} holds {leaked[:3]}."


def logged(records: list[logging.LogRecord]) -> bytes:
    """What the service would write, in each of its forms."""
    lines = (formatter.format(record) for formatter in FORMATTERS for record in records)
    return "\n".join(lines).encode()


@pytest.fixture
def log_records(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[logging.LogRecord]]:
    """Everything that is logged, including statements with their parameters.

    Without Django's records about variables that a template does not get: they name all others, and
    LOGGING leaves them out (tests/config/logs/test_logs.py).
    """
    records: list[logging.LogRecord] = []
    ear = logging.Handler(logging.DEBUG)
    ear.addFilter(ContextFilter())
    ear.emit = records.append  # type: ignore[method-assign, assignment]
    loggers = [logging.getLogger(name) for name in ("", "django", "django.db.backends")]
    levels = [logger.level for logger in loggers]
    for logger in loggers:
        logger.addHandler(ear)
        logger.setLevel(logging.DEBUG)
    templates = logging.getLogger("django.template")
    monkeypatch.setattr(templates, "level", logging.INFO)
    connection.force_debug_cursor = True
    yield records
    connection.force_debug_cursor = False
    for logger, level in zip(loggers, levels, strict=True):
        logger.removeHandler(ear)
        logger.setLevel(level)


@pytest.fixture(autouse=True)
def morning() -> Iterator[None]:
    with chance.standing(DAWN + timedelta(days=1)):
        yield


class Size(NamedTuple):
    preset: str
    plies: int


SHORT = Size("tactique", FEW_PLIES)


@pytest.fixture(
    params=tiers.parameters([SHORT, *(Size(key, PLIES) for key in PRESETS)], fast=[SHORT]),
    ids=lambda size: f"{size.preset} of {size.plies} plies",
)
def game(request: pytest.FixtureRequest) -> Game:
    preset, plies = request.param
    rules, rng = registry.ruleset(preset), Random(preset)
    while (played := random_game(rules, rng, plies)).outcome:
        pass
    return played


@pytest.fixture
def match(game: Game, scene: Scene, log_records: Any) -> Match:
    """A running match, played by the pages, with drafts, libraries and e-mails."""
    rules = game.rules
    with chance.dealing(game.armies):
        match = matches.open_match(Terms(rules.key), {seat: scene.seated(seat) for seat in Seat})
    browsers = [Browser(scene.sessions[scene.seated(seat).pk]) for seat in Seat]
    page = f"/match/{match.pk}/"
    for seat, browser in zip(Seat, browsers, strict=True):
        placed = game.armies[seat].placed
        for do in ("keep", "save", "check", "send"):
            browser.post(page + "set-up/", {"do": do, "name": f"of {seat.name}", **placed})
    match.refresh_from_db()
    for number, move in enumerate(game.moves):
        browser = browsers[number % 2]
        fields = {"move": write_move(rules, move), "ply": match.opening + number}
        browser.post(page + "prepare/", fields)
        browser.get(page)
        browser.post(page + "move/", fields)
        browsers[1 - number % 2].post(page + "move/", fields)
        dispatcher.drain()
    match.refresh_from_db()
    assert match.ply == match.opening + len(game.moves)
    return match


def test_each_canary_is_detected(game: Game, scene: Scene) -> None:
    """Each of these ways of writing a secret would be found."""
    rules, army = game.rules, game.armies[Seat.NORTH]
    truth = write_position(rules, end(game))
    for written in (
        army.text(rules, Seat.NORTH),
        arrangement.dump(army.placed),
        urlencode(army.placed),
        truth,
        truth.encode().hex(),
    ):
        with pytest.raises(AssertionError, match="holds"):
            caught(game, "it", written.encode())


def test_no_table_message_or_log_contains_a_secret(
    game: Game, match: Match, log_records: Any
) -> None:
    for table_name, data in dump():
        caught(game, table_name, data)
    for session in Session.objects.all():
        held = SessionStore().read(session.session_data, session.session_key)
        caught(game, "a session", repr(held).encode())
    if connection.vendor == "sqlite":
        # The file itself, including deleted data that is still in it.
        caught(game, "the file", connection.connection.serialize())
    for message in messages():
        caught(game, "a message to the workers", message)
    with chance.standing(now() + timedelta(days=2, hours=12)):
        deadlines.sweep()
        dispatcher.drain()
    caught(game, "the log", logged(log_records))
    assert any("INSERT INTO" in record.getMessage() for record in log_records), "Nothing was heard."


def test_no_line_of_a_plan_is_in_a_table_a_message_or_the_log(
    game: Game, match: Match, scene: Scene, log_records: Any
) -> None:
    """From its entry on the page, while its answer waits, and after it was dropped."""
    mover = Seat(len(game.moves) % 2)
    user, opponent = scene.seated(mover.other), scene.seated(mover)
    browser, ply = Browser(scene.sessions[user.pk]), match.ply
    seen = match_view.view_match(match.pk, user).observation.pieces
    own = [square for square, one in seen.items() if one.seat is mover.other]
    for one, other in product(own, [at for at in game.rules.board.squares if at not in own]):
        line = f"otherwise {one}-{other}"
        fields = {"ply": ply, "version": 0, "lines": line, "wait": "while", "do": "save"}
        if browser.post(f"/match/{match.pk}/plan/", fields)[0] == 302:
            break
    assert Plan.objects.count() == 1
    canary = line.removeprefix("otherwise ").encode()

    def look(when: str) -> None:
        texts_by_place = {
            **dict(dump()),
            "a message": b" ".join(messages()),
            "the log": logged(log_records),
        }
        for where, data in texts_by_place.items():
            assert canary not in data and line.encode() not in data, f"{where}, {when}"

    look("saved")
    legal = match_view.view_match(match.pk, opponent).observation.moves
    move = next(text for text in (write_move(game.rules, one) for one in legal) if "x" not in text)
    moves.submit_move(match.pk, opponent, move, ply)
    dispatcher.drain()
    assert Plan.objects.get().state in ("standing", "dropped")
    look("judged")


def test_no_log_contains_a_mailed_code(scene: Scene, log_records: Any) -> None:
    browser, alice = Browser(), scene.people.alice
    browser.post("/account/login/code/", {"email": alice.email})
    dispatcher.drain()
    code = code_in()
    # As it is sent back, wrong and right.
    for typed in ("WRONG-CODE", code):
        browser.post("/account/login/code/confirm/", {"code": typed})
    for secret in (code, code.replace("-", ""), "WRONG-CODE"):
        assert secret.encode() not in logged(log_records)
    # LOGGING leaves out Django's DEBUG records, above all of statements and templates.
    records = [
        one for one in log_records if not (one.name.startswith("django.") and one.levelno < 20)
    ]
    assert alice.email.encode() not in logged(records)
    assert b"/account/login/code/confirm/" in logged(records)


def test_no_error_contains_a_secret(
    game: Game, match: Match, scene: Scene, log_records: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page, an e-mail and a seal that fail, and a record that the rules can no longer read."""

    def broken(*_: object, **__: object) -> None:
        raise RuntimeError("It broke.")

    log_records.clear()
    page = f"/match/{match.pk}/"
    browser = Browser(scene.sessions[scene.people.alice.pk])
    with monkeypatch.context() as patched:
        patched.setattr(match_page, "draw", broken)
        patched.setattr(match_emails, "match_facts", broken)
        answers = [browser.get(page)]
        endings.offer_draw(match.pk, scene.people.alice)
        dispatcher.drain()
    rows = Ply.objects.filter(match=match, number=match.ply)
    sealed = match_store.unseal_ply(match.pk, match.ply, rows.get().sealed).position
    place = match_store.seal_context(match.pk, match.ply)
    # Cut off within the board: the last text may be a list, which is still one if it is shorter.
    cut = sealed.split()[0][:-9]
    for spoilt in (sealed.replace("/", "", 1), "?" + sealed, f"{sealed} {sealed}", cut):
        rows.update(sealed=seal(spoilt, place))
        answers.append(browser.get(page))
        answers.append(browser.post(page + "move/", {"move": "a1-a2", "ply": match.ply}))
    rows.update(sealed=b"nonsense")
    answers.append(browser.get(page))
    assert sum(status == 500 for status, _ in answers) >= 8
    for _, data in answers[1:]:
        caught(game, "a page that broke", data)
    caught(game, "the log", logged(log_records))
    assert any(record.exc_info for record in log_records), "No error was heard."


def test_no_repr_contains_a_secret(game: Game, match: Match, scene: Scene) -> None:
    """The variables in a traceback, or a line printed while debugging."""
    rules, alice = game.rules, scene.people.alice
    opened = match_store.load_match(match.pk)
    player = by_seat(match)[Seat.SOUTH]
    drafts.store(player, match, match.ply, "a1-a2")
    ply = Ply.objects.get(match=match, number=match.ply)
    setup = read_setup(rules, Seat.SOUTH, game.armies[Seat.SOUTH].text(rules, Seat.SOUTH))
    things = [
        *(match, player, ply, opened, opened.position, setup),
        *Draft.objects.all(),
        *SavedSetup.objects.all(),
        match_store.unseal_ply(match.pk, ply.number, ply.sealed),
        match_view.view_match(match.pk, alice),
        match_view.view_match(match.pk, alice).observation,
        library.fitting(alice, rules),
    ]
    for thing in things:
        for text in (repr(thing), str(thing), f"{thing}"):
            caught(game, type(thing).__name__, text.encode())
