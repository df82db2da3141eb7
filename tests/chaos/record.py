"""Runs with the service's keys: creates people and matches before, reports the record after.

`prepare(people, matches)` and `report()` print one line of JSON.
"""

import json
from itertools import pairwise
from typing import Any

from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY

from accounts.models import User
from accounts.user_sessions.store import SessionStore
from games.mail.models import UNPROCESSED, IncomingMessage
from games.outbox.models import PENDING, Dispatch
from games.play.commands import moves
from games.play.commands.matches import open_match
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.record import hash_chain, match_store
from games.play.setups import arrangement
from games.play.terms import Terms
from games.rules import registry
from games.rules.core import engine
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation
from lib.db_clock import now

BACKEND = "accounts.sign_in.auth_backend.Backend"
PRESETS = ("tactique", "lattaque-en", "domino", "assaut-compulsory")


def prepare(people: int, matches: int) -> None:
    """Create pairs of people with matches that are set up; prints their session cookies."""
    users = [
        User.objects.create_confirmed(
            f"player{number}",
            f"player{number}@example.org",
            notification_preferences={"frequency": "now"},
        )
        for number in range(people)
    ]
    for one, other in zip(users[::2], users[1::2], strict=True):
        for number in range(matches):
            preset = PRESETS[number % len(PRESETS)]
            terms = Terms(preset, pace="24h+4h^72h")
            match = open_match(terms, dict(zip(Seat, (one, other), strict=True)))
            rules = registry.ruleset(preset)
            for seat, user in zip(Seat, (one, other), strict=True):
                if seat in rules.seats_setting_up:
                    placed = moves.random_setup(match.pk, user)
                    text = arrangement.to_text(rules, seat, placed)
                    moves.submit_move(match.pk, user, text, None)
    print(json.dumps({user.username: session(user) for user in users}))


def session(user: User) -> str:
    session = SessionStore()
    session[SESSION_KEY] = str(user.pk)
    session[BACKEND_SESSION_KEY] = BACKEND
    session[HASH_SESSION_KEY] = user.get_session_auth_hash()
    session.save()
    return str(session.session_key)


def waiting() -> None:
    """The pending rows of the outbox with their errors, and unread messages."""
    instant = now()
    rows = Dispatch.objects.filter(PENDING)
    unread = IncomingMessage.objects.filter(UNPROCESSED)
    print(
        json.dumps(
            [f"message {row.pk}, attempts {row.attempts}" for row in unread]
            + [
                f"{row.event} #{row.pk}, attempts {row.attempts} {row.error}, due in "
                f"{(row.not_before - instant).total_seconds():.0f} s"
                + (f", leased until {row.lease_until - instant}" if row.lease_until else "")
                for row in rows
            ]
        )
    )


def report() -> None:
    """Every ply and dispatch, and the faults in the record of any match."""
    broken, turns = [], []
    for match in Match.objects.order_by("pk"):
        users = dict(Player.objects.filter(match=match).values_list("seat", "user"))
        record = list(Ply.objects.filter(match=match).order_by("number"))
        broken += [f"Match {match.pk}: {fault}" for fault in faults_of(match, record)]
        turns += [(match.pk, number, users[seat]) for number, seat in turns_of(match, record)]
    print(
        json.dumps(
            {
                "plies": list(
                    Ply.objects.values_list("match_id", "number", "kind", "seat", "text")
                ),
                "dispatches": [_dispatch(row) for row in Dispatch.objects.all()],
                "turns": turns,
                "broken": broken,
            }
        )
    )


def faults_of(match: Match, record: list[Ply]) -> list[str]:
    """The faults in the record of a match."""
    faults = []
    if [ply.number for ply in record] != list(range(match.ply + 1)):
        faults.append(f"its plies are not 0 to {match.ply}.")
    endings = [
        ply for ply in record if ply.kind not in (PlyKind.BEGIN, PlyKind.SETUP, PlyKind.MOVE)
    ]
    if len(endings) > 1 or (endings and endings[0] is not record[-1]):
        faults.append("it has ended more than once.")
    if match.is_live and (endings or not Player.objects.filter(match=match, to_act=True).exists()):
        faults.append("it runs, and waits for nobody.")
    for before, after in pairwise(record):
        link = hash_chain.Link(
            after.number, after.seat, after.kind, after.text, after.at, after.extra
        )
        if hash_chain.next_head(match.chain, bytes(before.head), link) != bytes(after.head):
            faults.append(f"its chain breaks at ply {after.number}.")
        if after.kind == PlyKind.MOVE and _position(match, after) != _played(match, before, after):
            faults.append(f"ply {after.number} is not what the rules make of its move.")
    return faults


def _position(match: Match, ply: Ply) -> str:
    return match_store.unseal_ply(match.pk, ply.number, ply.sealed).position


def _played(match: Match, before: Ply, after: Ply) -> str:
    """The position after the move by the rules, in the record's format."""
    rules = match.rules
    position = notation.read_position(rules, _position(match, before))
    seat = Seat(after.seat)
    move = notation.read_move(rules, position, seat, notation.plain_text(after.text))
    position, _events = engine.advance(rules, position, seat, move)
    return notation.write_position(rules, position)


def turns_of(match: Match, record: list[Ply]) -> list[tuple[int, Any]]:
    """The plies after which a player was on turn, with the player."""
    turns: list[tuple[int, Any]] = []
    for ply in record[len(record) if match.opening is None else match.opening :]:
        if ply.kind in (PlyKind.SETUP, PlyKind.MOVE):
            position = notation.read_position(match.rules, _position(match, ply))
            turns += [(ply.number, seat) for seat in position.to_act]
    return turns


def _dispatch(row: Dispatch) -> list[Any]:
    return [
        row.message_id,
        row.event,
        row.user_id,
        row.ref.get("match"),
        # What it is about in addition to the match: a ply, an outage, a message.
        [row.ref.get(name) for name in ("ply", "outage", "clock_version", "step", "message")],
        _state(row),
        row.sent_at and round((row.sent_at - row.created_at).total_seconds(), 1),
    ]


def _state(row: Dispatch) -> str:
    states = {"sent": row.sent_at, "superseded": row.superseded_at, "dead": row.dead_at}
    return next((state for state, at in states.items() if at), "waiting")
