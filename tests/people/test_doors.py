"""The doors between two players, one of whom blocks the other: no byte tells a block from another
reason, in either direction.

A refused challenge is compared with the preference and with a closed account, a hidden invitation
with one that does not exist. Randomness and time stand still, so whole answers are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import partial
from typing import NamedTuple

import pytest
from django.core.mail import EmailMultiAlternatives
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext, override_settings
from pytest_django import DjangoDbBlocker

from accounts.models import User
from games.lobby import commands
from games.lobby.invitations import private_links
from games.lobby.models import Invitation, InvitationKind
from games.outbox.delivery import dispatcher
from games.people.blocking import blocks
from games.play.models.match import Match
from games.play.terms import Terms
from tests import tiers
from tests.api.client import Program
from tests.mail import post
from tests.notifications.email.reading import delivered
from tests.play import match_helpers
from tests.play.match_helpers import People
from tests.secrecy import chance
from tests.secrecy.browsers import Browser
from tests.secrecy.scene import session
from tests.shared_rows import shared_rows

pytestmark = [pytest.mark.django_db, pytest.mark.long]

NOON = datetime(2026, 3, 2, 12, tzinfo=UTC)
TERMS = Terms("lattaque-en", setup_pace="5d")
FORM = {"preset": "lattaque-en", "seat": "", "pace": "3d", "setup_days": "", "note": ""}


@dataclass(frozen=True)
class Knock:
    """A reader at the door of another player."""

    reader: User
    other: User
    browser: Browser
    match: Match
    seat: int  # the other's open seat
    link: int  # the other's private link
    email: EmailMultiAlternatives  # the newest one about the match

    def get(self, path: str, **query: str) -> list[bytes]:
        return [self.browser.get(path, query)[1]]

    def post(self, path: str, **fields: object) -> list[bytes]:
        """The answer to a form, and the page to which it leads."""
        status, data = self.browser.post(path, fields)
        if status != 302:
            return [data]
        where = data.partition(b"Location: ")[2].partition(b"\r\n")[0].decode()
        return [data, *self.get(where)]

    def api(self, method: str, path: str, **body: object) -> list[bytes]:
        """The answer of the API to the reader's program."""
        program = Program(self.reader, "read", "challenge")
        answer = program.send(method, path, body or b"")
        return [str(dict(answer.items())).encode(), answer.content]

    def mail(self, text: str) -> list[bytes]:
        """The receipt of a message to the service, as it is sent."""
        shown = post.answer(self.reader, "post@localhost", "hello", message_id="<1@example.org>")
        return self.reply(shown, text)

    def reply(self, email: EmailMultiAlternatives, text: str) -> list[bytes]:
        """The receipt of an answer to an e-mail, as it is sent."""
        receipt = post.answer(self.reader, email, text, message_id="<2@example.org>")
        return [receipt.message().as_bytes(), receipt.body.encode()]


Door = Callable[[Knock], list[bytes]]

# Doors to a player: refused for a block, the preference and a closed account alike.
REFUSED: dict[str, Door] = {
    "the form": lambda k: k.get(f"/lobby/challenge/{k.other.username}/"),
    "a challenge": lambda k: k.post(
        "/lobby/new/", **FORM, kind="challenge", opponent=k.other.username.upper()
    ),
    "a rated challenge": lambda k: k.post(
        "/lobby/new/", **FORM, kind="challenge", opponent=k.other.username, rated="on"
    ),
    "a challenge from the profile": lambda k: k.post(
        f"/lobby/challenge/{k.other.username}/", **FORM, kind="challenge", opponent=k.other.username
    ),
    "a challenge by mail": lambda k: k.mail(f"challenge {k.other.username} lattaque"),
    "a rematch": lambda k: k.post(f"/lobby/rematch/{k.match.pk}/"),
    "a rematch by mail": lambda k: k.reply(k.email, "rematch"),
    "a challenge by the API": lambda k: k.api(
        "POST", "/invitations", preset="lattaque-en", guest=k.other.username
    ),
    "the match page": lambda k: k.get(f"/match/{k.match.pk}/"),
    "the home page": lambda k: k.get("/"),
}
# Doors to an invitation: it is not there, as a number that does not exist.
HIDDEN: dict[str, Door] = {
    "the lobby": lambda k: k.get("/lobby/"),
    "the lobby of a game": lambda k: k.get("/lobby/", game="lattaque"),
    "the lobby with all seats": lambda k: k.get("/lobby/", all="1"),
    "somebody of my strength": lambda k: k.post(
        "/lobby/strength/", preset="lattaque-en", pace="3d"
    ),
    "somebody of my strength by mail": lambda k: k.mail("play lattaque 3d"),
    "the lobby of the API": lambda k: k.api("GET", "/lobby"),
    "a seat of the API": lambda k: k.api("GET", f"/invitations/{k.seat}"),
    "to accept a seat by the API": lambda k: k.api("POST", f"/invitations/{k.seat}/accept"),
    "to decline a seat by the API": lambda k: k.api("POST", f"/invitations/{k.seat}/decline"),
    "to withdraw a seat by the API": lambda k: k.api("POST", f"/invitations/{k.seat}/withdraw"),
    "to report a seat": lambda k: k.get(f"/lobby/{k.seat}/report/"),
    "the lobby by mail": lambda k: k.mail("lobby"),
    "a seat": lambda k: k.get(f"/lobby/{k.seat}/"),
    "to accept a seat": lambda k: k.post(f"/lobby/{k.seat}/accept/"),
    "to decline a seat": lambda k: k.post(f"/lobby/{k.seat}/decline/"),
    "to withdraw a seat": lambda k: k.post(f"/lobby/{k.seat}/withdraw/"),
    "to prolong a seat": lambda k: k.post(f"/lobby/{k.seat}/prolong/"),
    "to join by mail": lambda k: k.mail(f"join {k.seat}"),
    "to withdraw by mail": lambda k: k.mail(f"withdraw {k.seat}"),
    "a private link": lambda k: k.get(f"/lobby/link/{private_links.write_token(k.link)}/"),
    "to accept a private link": lambda k: [
        *k.get(f"/lobby/link/{private_links.write_token(k.link)}/"),
        *k.post(f"/lobby/{k.link}/accept/"),
    ],
    "a private link by number": lambda k: k.get(f"/lobby/{k.link}/"),
    "to join a private link by mail": lambda k: k.mail(f"join {k.link}"),
}

# Doors that are shut to everybody who has not opened the link.
SHUT = ("a private link by number", "to join a private link by mail")


def by_either(doors: dict[str, Door]) -> pytest.MarkDecorator:
    """Each door and each reader; in the fast tier the two by turns."""
    turns = [(door, ("alice", "bob")[number % 2]) for number, door in enumerate(doors)]
    both = [(door, reader) for door in doors for reader in ("alice", "bob")]
    return pytest.mark.parametrize(("door", "reader"), tiers.parameters(both, fast=turns))


Change = Callable[[User, User], object]


def _closed(reader: User, other: User) -> None:
    User.objects.filter(pk=other.pk).update(is_active=False)


def _prefers_none(reader: User, other: User) -> None:
    User.objects.filter(pk=other.pk).update(no_challenges=True)


def _delete_invitations(reader: User, other: User) -> None:
    Invitation.objects.filter(owner=other).delete()


def _blocked_by_other(reader: User, other: User) -> None:
    blocks.block(other, reader)


def _blocked_by_reader(reader: User, other: User) -> None:
    blocks.block(reader, other)


def _both(reader: User, other: User) -> None:
    _blocked_by_reader(reader, other)
    _blocked_by_other(reader, other)


BLOCKS: dict[str, Change] = {
    "they block": _blocked_by_other,
    "I block": _blocked_by_reader,
    "both block": _both,
}
# Each block alone, one after the other, and both together.
each_block = pytest.mark.parametrize(
    "kinds",
    tiers.parameters([["they block", "I block"], ["both block"]], fast=[["they block", "I block"]]),
    ids=" and ".join,
)


class Scene(NamedTuple):
    """Players with invitations and a match, and the newest e-mail to each player about it."""

    people: People
    newest_emails: dict[str, EmailMultiAlternatives]


@pytest.fixture(scope="module")
def laid_out(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Iterator[Scene]:
    # In a demo every sender counts as authenticated.
    mail = override_settings(DEMO=True, MAIL_AUTHSERV_ID="", MAIL_REPLIES="true")
    with shared_rows(django_db_blocker), mail, chance.standing(NOON):
        yield lay_out()


def lay_out() -> Scene:
    people = match_helpers.people()
    for owner in people:
        for kind in (InvitationKind.SEAT, InvitationKind.LINK):
            commands.offer(owner, TERMS, kind=kind, note=f"From {owner}")
    match_helpers.decided_match(people)
    emails = {email.to[0]: email for email in delivered()}
    players = (people.alice, people.bob)
    return Scene(people, {user.username.lower(): emails[user.email] for user in players})


@pytest.fixture
def scene(laid_out: Scene, db: None) -> Scene:
    return deepcopy(laid_out)


@pytest.fixture
def who(scene: Scene) -> People:
    return scene.people


Answers = Callable[..., tuple[list[bytes], int]]


@pytest.fixture
def answers(scene: Scene) -> Answers:
    return partial(_answers, scene.people, scene.newest_emails)


def _answers(
    who: People,
    emails: dict[str, EmailMultiAlternatives],
    reader: str,
    door: Door,
    *changes: Change,
) -> tuple[list[bytes], int]:
    """What a reader gets at a door after these changes, and by how many queries."""
    own, theirs = (who.alice, who.bob) if reader == "alice" else (who.bob, who.alice)
    other = User.objects.get(pk=theirs.pk)
    with chance.tamed() as drawn, transaction.atomic():
        drawn.begin("session")
        browser = Browser(session(own))
        seat, link = Invitation.objects.filter(owner=other).order_by("pk")
        knock = Knock(own, other, browser, Match.objects.get(), seat.pk, link.pk, emails[reader])
        for change in changes:
            change(User.objects.get(pk=own.pk), User.objects.get(pk=other.pk))
        dispatcher.drain()
        chance.forget()
        drawn.begin("knock")
        with CaptureQueriesContext(connection) as queries:
            answer = door(knock)
        transaction.set_rollback(True)
    return answer, len(queries)


@each_block
@by_either(REFUSED)
def test_a_blocked_challenger_gets_the_refusal_of_a_player_who_takes_no_challenges(
    answers: Answers, reader: str, door: str, kinds: list[str]
) -> None:
    expected = answers(reader, REFUSED[door], _prefers_none)
    assert answers(reader, REFUSED[door], _closed) == expected
    for kind in kinds:
        assert answers(reader, REFUSED[door], BLOCKS[kind]) == expected, kind
    posted = door not in ("the form", "the match page", "the home page")
    refused = any(b"does not take challenges" in data for data in expected[0])
    assert refused == posted
    assert not Invitation.objects.filter(kind=InvitationKind.CHALLENGE).exists()


@each_block
@by_either(HIDDEN)
def test_a_block_hides_invitations_as_if_they_did_not_exist(
    answers: Answers, reader: str, door: str, kinds: list[str]
) -> None:
    expected, _queries = answers(reader, HIDDEN[door], _delete_invitations)
    for kind in kinds:
        assert answers(reader, HIDDEN[door], BLOCKS[kind])[0] == expected, kind
    differs = answers(reader, HIDDEN[door])[0] != expected
    assert differs == (door not in SHUT), "Without a block the door should be open."


@pytest.mark.parametrize(
    "door", tiers.parameters([*REFUSED, *HIDDEN], fast=[*REFUSED, *HIDDEN][::8])
)
def test_a_block_of_another_user_changes_nothing(who: People, answers: Answers, door: str) -> None:
    knock = (REFUSED | HIDDEN)[door]
    expected, _queries = answers("alice", knock)
    others = (
        lambda reader, other: blocks.block(other, who.charlie),
        lambda reader, other: blocks.block(who.charlie, other),
    )
    assert answers("alice", knock, *others)[0] == expected
