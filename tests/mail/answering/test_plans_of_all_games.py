"""Plans of all games by page and by mail: both accept the same lines, and refuse the same.

Each case is a text, and the lines that are stored or a part of the sentence that refuses it.
"""

import re
from collections.abc import Iterator
from copy import deepcopy
from html import unescape
from typing import Any, NamedTuple

import pytest
from django.core.mail import EmailMultiAlternatives
from django.test import override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.play.models.match import Match
from tests import tiers
from tests.floors import at_least
from tests.mail import post
from tests.notifications.email.reading import text
from tests.play import match_helpers
from tests.play.forms import alert, client_of
from tests.play.match_helpers import People
from tests.play.plan_helpers import stored, texts
from tests.shared_rows import shared_rows

pytestmark = pytest.mark.django_db


class Situation(NamedTuple):
    """A match as Alice finds it. The last of the moves is hers; on her own turn it is a reply."""

    preset: str
    moves: tuple[str, ...]


# Scouts of Alice's stand on a5, b5 and e4, a colonel on i4, a bomb on j3.
LATTAQUE = Situation("lattaque-en", ("a4-a5", "j7-j6", "b4-b5"))
LATTAQUE_MINE = Situation("lattaque-en", ("a4-a5", "j7-j6"))
# Alice's demoted pikeman stands on c4, her archers on d4 and e2, a demoted piece of Bob's on c5.
TACTIQUE = Situation("tactique", ("b3-b4",))
TACTIQUE_VOLLEYS = Situation("tactique-volley-all", ("b3-b4",))
TACTIQUE_MINE = Situation("tactique", ())
# Whatever tiles were dealt: Alice's stands on c5, Bob's on c7.
DOMINO = Situation("domino", ("c3-c4", "c8-c7", "c4-c5"))
# Bob's officers stand on c7 and e7; Alice's soldier has left d4 for d5.
ASSAUT = Situation("assaut", ("d4-d5",))


# In an e-mail these are prose: no move follows the first word, and they do not parse whole.
UNREAD = "unread"


class Case(NamedTuple):
    """Lines in a situation, with a move on Alice's own turn, and what comes of them."""

    at: Situation
    written: str
    lines: tuple[str, ...]
    refusal: str = ""
    move: str = ""
    by_mail: str = ""  # its outcome; "" for what follows from the rest


def accepted(at: Situation, written: str, *lines: str, move: str = "") -> Case:
    """The lines that are stored are those that are written, if none are given."""
    return Case(at, written, lines or tuple(written.splitlines()), move=move)


def refused(
    at: Situation, written: str, refusal: str, *, move: str = "", by_mail: str = ""
) -> Case:
    return Case(at, written, (), refusal, move, by_mail)


EIGHT = " ".join(["if quiet then a5-a6", "if quiet then a6-a5"] * 4)
CASES = [
    # --- L'Attaque: conditions
    accepted(LATTAQUE, "if a7-a6 then a5xa6"),
    refused(LATTAQUE, "if a7-a6 then a5-a6", "would be a5xa6"),
    accepted(LATTAQUE, "if a7xa5 then a3-a4"),  # it may be a scout
    accepted(LATTAQUE, "if a7xa5= then a3-a4"),
    refused(LATTAQUE, "if a7xa5[M] then a3-a4", "cannot show [M]"),
    refused(LATTAQUE, "if a7xa5- then a5-a4", "cannot show -"),  # scout against scout
    refused(LATTAQUE, "if a7xa5+d then a3-a4", "No piece is demoted"),
    # That a bomb stands on i7 is no reason to refuse.
    accepted(LATTAQUE, "if i7-i6 then a5-a6"),
    accepted(LATTAQUE, "if xa5[M,G] then a3-a4", "if xa5[G,M] then a3-a4"),
    # Only a scout reaches a5, and takes the scout there with it.
    accepted(LATTAQUE, "if xa5 then b5-a5"),
    refused(LATTAQUE, "if xa5 then b5xa5", "would be b5-a5"),
    refused(LATTAQUE, "if xa5 then a3xa4", "cannot be played"),
    refused(LATTAQUE, "if e10-e9 then a5-a6", "cannot play e10-e9"),
    refused(LATTAQUE, "if c7-c6 then a5-a6", "No piece can stand on c6"),
    refused(LATTAQUE, "if a7-a6 then k5-k6", "no square k5"),
    refused(LATTAQUE, "if a7-a6[E] then a5xa6", "cannot be a battle"),
    refused(LATTAQUE, "if quiet+ then a5-a6", "Leave out +", by_mail=UNREAD),
    # --- L'Attaque: answers
    accepted(LATTAQUE, "if j6xj4 then j4-j5"),
    refused(LATTAQUE, "if j6xj4 then i4xj4", "already a piece of yours"),  # a miner beats a scout
    refused(LATTAQUE, "if j6xj4 then j3xj4", "cannot move"),
    refused(LATTAQUE, "if quiet then j6-j5", "not yours"),
    refused(LATTAQUE, "if quiet then b5xc5", "No piece can stand on c5"),
    refused(LATTAQUE, "if a7-a6 then a5xa6#", "ends the match"),
    refused(LATTAQUE, "if a7-a6 then a5xa6+", "matters only if the line goes on"),
    refused(LATTAQUE, "if quiet then e4xe7+", "matters only if the line goes on", by_mail=UNREAD),
    # --- L'Attaque: lines that go on
    accepted(LATTAQUE, "if quiet then a5-a6 if a7xa6 then b5-a5"),
    accepted(LATTAQUE, "if quiet then a5xa7+ if any then a7-a6"),
    accepted(
        LATTAQUE,
        "if quiet then a5xa7- if any then b5-b6\nif quiet then a5xa7[S,E] if any then a7-a6",
        "if quiet then a5xa7[E,S] if any then a7-a6",
        "if quiet then a5xa7- if any then b5-b6",
    ),
    refused(
        LATTAQUE, "if quiet then a5-a6+ if any then a6-a5", "cannot be a battle", by_mail=UNREAD
    ),
    accepted(LATTAQUE, EIGHT),
    refused(LATTAQUE, f"{EIGHT} if quiet then a5-a6", "at most 8 answers"),
    # The shorter line is the beginning of the longer.
    accepted(
        LATTAQUE,
        "if quiet then a5-a6\nif quiet then a5-a6 if any then a6-a5",
        "if quiet then a5-a6 if any then a6-a5",
    ),
    # --- L'Attaque: several lines
    accepted(LATTAQUE, "if any then b5-b6\notherwise b5-b6", "otherwise b5-b6"),
    refused(LATTAQUE, "if any then b5-b6\notherwise a5-a6", "Line 2: After “any” another line"),
    accepted(
        LATTAQUE,
        "otherwise a5-a6\nwenn ruhig dann b5-b6\nsi a7xa5 alors a3-a4\n若a7xa5[R]則a3-a4",
        "if a7xa5[R] then a3-a4",
        "if a7xa5 then a3-a4",
        "if quiet then b5-b6",
        "otherwise a5-a6",
    ),
    refused(
        LATTAQUE,
        "if quiet then a5-a6 otherwise b5-b6",
        "on a line of its own",
        by_mail=UNREAD,
    ),
    # --- L'Attaque: with a move of one's own
    accepted(LATTAQUE_MINE, "if xa7 then b4-b5", move="a5xa7"),
    accepted(LATTAQUE_MINE, "if b7xa7 then b4-b5", move="a5xa7"),  # if it wins
    accepted(LATTAQUE_MINE, "if a7-a6 then b4-b5", move="a5xa7"),  # if it loses
    accepted(LATTAQUE_MINE, "if quiet then a7xa8", move="a5xa7"),
    accepted(LATTAQUE_MINE, "if a7xa6 then b4-b5", move="a5-a6"),
    refused(LATTAQUE_MINE, "if a7-a6 then b4-b5", "would be a7xa6", move="a5-a6"),
    refused(LATTAQUE_MINE, "otherwise a5-a4", "no piece on a5", move="a5-a6"),
    refused(LATTAQUE_MINE, "if quiet then b4-b5", "begins with your move"),
    # --- Tactique
    accepted(TACTIQUE, "if a5-a4 then a3xa4"),
    refused(TACTIQUE, "if a5-a4 then a3-a4", "would be a3xa4"),
    accepted(TACTIQUE, "if c5xc4+ then c3xc4"),
    refused(TACTIQUE, "if c5xc4+d then c3xc4", "cannot show +d"),  # it is demoted already
    accepted(TACTIQUE, "if c5xc4[I'] then c4-c5"),
    accepted(TACTIQUE, "if c5xc4[W’,V’] then c3xc4", "if c5xc4[V',W'] then c3xc4"),
    refused(TACTIQUE, "if c5xc4[I'] then c3xc4", "already a piece of yours"),
    refused(TACTIQUE, "if c5xc4[P'] then c3xc4", "would be c3-c4"),  # both fall
    refused(TACTIQUE, "if c5xc4[I] then c3xc4", "cannot show [I]"),  # what stands there is demoted
    refused(TACTIQUE, "if c5xc4[C'] then c3xc4", "can show itself as “C'”"),
    refused(TACTIQUE, "if c5xc4[W] then c3xc4", "can show itself as “W”"),
    accepted(TACTIQUE, "if a5-a4xa3[V] then b4xa4"),  # it stops where it demotes
    refused(TACTIQUE, "if a5-a4xa3[V] then b4-a4", "would be b4xa4"),
    refused(TACTIQUE, "if a5xa3 then b4-a4", "would be a5-a4xa3"),
    accepted(TACTIQUE, "if e6-e4 then e3xe4"),
    accepted(TACTIQUE, "if quiet then h4-h5xh6"),
    refused(TACTIQUE, "if quiet then d4xd5", "cannot attack"),
    accepted(TACTIQUE, "if xb4[A] then h4-h5"),  # who strikes is not checked
    accepted(TACTIQUE, "if xb4+d then h4-h5"),
    accepted(TACTIQUE, "if a5-a4 then a3xa4+d if any then h4-h5"),
    refused(TACTIQUE, "if e6-e5 ~e5 then h4-h5", "Leave out the archers' hits"),
    accepted(TACTIQUE_VOLLEYS, "if quiet then h4-h5\nif xh4= then h3-h4",
             "if xh4= then h3-h4", "if quiet then h4-h5"),
    accepted(TACTIQUE_MINE, "if c5-b5 then h4-h5", move="c4-b4"),
    refused(TACTIQUE_MINE, "if h6-h5 then h4-g4", "no piece on h4", move="h4-h5xh6"),
    # --- domino Stratego
    accepted(DOMINO, "if c7-c6 then c5xc6"),
    refused(DOMINO, "if c7-c6 then c5-c6", "would be c5xc6"),
    accepted(
        DOMINO,
        "若c7-c6則c5xc6[40、04]若任何則c6-c7",
        "if c7-c6 then c5xc6[04,40] if any then c6-c7",
    ),
    refused(DOMINO, "if c7-c6 then c5xc6[4-0] if any then c6-c7", "“4-0” is not a rank"),
    refused(DOMINO, "if c7-c6 then c5xc6[77] if any then c6-c7", "can show itself as “77”"),
    refused(DOMINO, "if c7-c6 then c5xc6-d if any then c6-c7", "No piece is demoted"),
    refused(DOMINO, "if c7-c6[40] then c5xc6", "cannot be a battle"),
    refused(DOMINO, "if c7-c5 then c2-c3", "cannot play c7-c5"),
    accepted(DOMINO, "if h8-h7 then h3-h4"),
    accepted(DOMINO, "if b8-b7 then c5-b5"),
    refused(DOMINO, "if b8-b7 then c5-c3", "one square"),
    refused(DOMINO, "if quiet then c5-d6", "d6 is not beside c5"),
    accepted(DOMINO, "if xc5[66] then c2-c3"),
    # --- Assaut
    accepted(ASSAUT, "if c7-c6 then c4-c5"),
    accepted(ASSAUT, "if quiet then c4-c5 if any then b4-c4"),
    accepted(ASSAUT, "if xd5 then c4-c5"),
    refused(ASSAUT, "if c7-c6 then d5xc6", "cannot be played"),
    refused(ASSAUT, "if c7-c6 then d4-d5", "no piece"),
    refused(ASSAUT, "if c7-c6 then *e7,c4-c5", "cannot be played"),
    refused(ASSAUT, "if c7-c4 then c4-c5", "cannot play c7-c4"),
    refused(ASSAUT, "if e7-f6 then c4-c5", "No piece can stand on f6"),
    refused(ASSAUT, "if xd5+ then c4-c5", "nothing is hidden"),
    refused(ASSAUT, "if c7xc5[S] then c4-c5", "nothing is hidden"),
]  # fmt: skip


# Of all cases, those that only mail treats in its own way, and one of each situation.
FAST_BY_MAIL = [
    *(case for case in CASES if case.by_mail or case.move),
    *{case.at: case for case in CASES}.values(),
]


class Begun(NamedTuple):
    """A match, and the e-mail that Alice answers."""

    alice: User
    match: Match
    shows: EmailMultiAlternatives


def begin(who: People, at: Situation) -> Begun:
    match = match_helpers.running_match(who, preset=at.preset)
    match = match_helpers.play(match, *at.moves[:-1] if len(at.moves) % 2 else at.moves)
    email = post.email(who.alice)
    if len(at.moves) % 2:
        email = post.answer(who.alice, email, at.moves[-1])
    match.refresh_from_db()
    return Begun(who.alice, match, email)


@pytest.fixture(scope="module")
def begun(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[dict[Situation, Begun]]:
    """A match in each situation."""
    with shared_rows(django_db_blocker), override_settings(DEMO=True, MAIL_AUTHSERV_ID=""):
        who = match_helpers.people()
        yield {at: begin(who, at) for at in {case.at: None for case in CASES}}


def test_there_are_cases_of_each_game() -> None:
    for family in ("lattaque", "tactique", "domino", "assaut"):
        at_least(9, [case for case in CASES if case.at.preset.startswith(family)])


def check(case: Case, match: Match, alice: User, before: list[str], reply_text: str) -> None:
    """The plan is stored and the move played, or neither, and the refusal says why."""
    assert case.refusal in " ".join(reply_text.split())
    assert stored(match, alice) == case.lines
    moves = [played.partition("[")[0].partition(" ")[0] for played in texts(match)[len(before) :]]
    assert moves == ([case.move] if case.move and not case.refusal else [])


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.at.preset} {case.written[:50]}")
def test_by_page(case: Case, begun: dict[Situation, Begun]) -> None:
    alice, match, _ = deepcopy(begun[case.at])
    before, browser = texts(match), client_of(alice)
    fields = {"lines": case.written, "move": case.move, "ply": str(match.ply), "version": "0"}
    sent: Any = browser.post(f"/match/{match.pk}/plan/", {**fields, "do": "save"})
    assert sent.status_code == (422 if case.refusal else 302)
    reply_text = unescape(re.sub(r"<[^>]+>", " ", alert(sent))) if case.refusal else ""
    check(case, match, alice, before, reply_text)


@pytest.mark.parametrize(
    "case",
    tiers.parameters(CASES, FAST_BY_MAIL),
    ids=lambda case: f"{case.at.preset} {case.written[:50]}",
)
def test_by_mail(case: Case, begun: dict[Situation, Begun]) -> None:
    alice, match, shows = deepcopy(begun[case.at])
    before = texts(match)
    receipt = post.answer(alice, shows, f"{case.move}\n{case.written}".strip())
    done = "played" if case.move else "planned"
    assert post.outcome(receipt) == (case.by_mail or ("refused" if case.refusal else done))
    check(case, match, alice, before, case.refusal if case.by_mail else text(receipt))
