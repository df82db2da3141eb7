"""What must hold at the end of a simulated month; each check returns sentences."""

from collections import Counter
from collections.abc import Iterator
from datetime import timedelta
from itertools import pairwise

from games.mail.models import UNPROCESSED, IncomingMessage
from games.notifications.policy import preferences
from games.outbox.models import PENDING, Dispatch
from games.play import time_controls
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.ply import Ply
from games.play.models.time import Adjustment
from games.rules.core.basics.pieces import Seat
from games.rules.core.text.notation import plain_text
from tests.chaos.record import faults_of, turns_of
from tests.simulation.world import World

MOVED = (Adjustment.Kind.OUTAGE, Adjustment.Kind.VACATION)
SOON = timedelta(minutes=2)
DEADLINE_GRACE = timedelta(seconds=60)  # what players are promised, independent of the settings


def all_that_is_wrong(world: World) -> Iterator[str]:
    yield from acknowledged_actions_are_there(world)
    for match in Match.objects.order_by("pk"):
        record = list(Ply.objects.filter(match=match).order_by("number"))
        checks = (faults_of, clocks_were_kept, turns_were_notified)
        for fault in (fault for check in checks for fault in check(match, record)):
            yield f"match {match.pk}: {fault}"
    yield from emails_arrived(world)
    yield from world.by_mail.wrong()
    yield from nothing_is_overdue(world)


def acknowledged_actions_are_there(world: World) -> Iterator[str]:
    """Each is the ply that it was to become, exactly once."""
    everything = [*world.acknowledged, *world.by_mail.acknowledged()]
    for (match, number), count in Counter((d.match, d.ply) for d in everything).items():
        if count > 1:
            yield f"ply {match}/{number} was acknowledged {count} times."
    for action in everything:
        ply = Ply.objects.filter(match=action.match, number=action.ply).first()
        if ply is None or (action.text and plain_text(ply.text) != action.text):
            yield f"{action} was acknowledged, and there stands {ply and ply.text}."


def clocks_were_kept(match: Match, record: list[Ply]) -> Iterator[str]:
    """The banks follow from record and log, and no player was early or late by them."""
    if match.opening is None:
        return
    control = time_controls.parse(match.pace)
    log = list(Adjustment.objects.filter(match=match).select_related("outage"))
    assert control.bank is not None
    banks = dict.fromkeys(Seat, control.bank)
    for before, ply in pairwise(record[match.opening :]):
        mover = Seat(before.seat).other if before.kind == PlyKind.MOVE else Seat.SOUTH
        given = [one.span for one in log if one.seat == mover and _falls_into(one, before, ply)]
        banks[mover] += sum(filter(None, given), timedelta(0))
        # A vacation, or the respite after an outage, moves a deadline and adds nothing to a bank.
        moved = any(one.kind in MOVED and one.seat == mover for one in log)
        deadline = before.at + banks[mover]
        if ply.kind == PlyKind.MOVE:
            # Until a sweep may end the match, a move still counts.
            if ply.at > deadline + DEADLINE_GRACE and not moved:
                yield f"ply {ply.number} came late."
            banks[mover] = control.refill(time_controls.time_left(banks[mover], before.at, ply.at))
        elif ply.kind == PlyKind.TIME and ply.at < deadline + DEADLINE_GRACE:
            yield f"time was called too early, at ply {ply.number}."
    for player in Player.objects.filter(match=match):
        running = player.since is not None
        if match.is_live and not running and player.bank != banks[Seat(player.seat)]:
            yield f"{player} has {player.bank}, and should have {banks[Seat(player.seat)]}."


def _falls_into(one: Adjustment, before: Ply, ply: Ply) -> bool:
    """Whether it belongs to the turn between these plies; an outage may have ended after it."""
    if one.outage is not None:
        return one.outage.start < ply.at and one.outage.end > before.at
    return before.at < one.at <= ply.at


def turns_were_notified(match: Match, record: list[Ply]) -> Iterator[str]:
    """For each turn there is one e-mail, sent or obsolete."""
    posted = Dispatch.objects.filter(event="turn-came", ref__match=match.pk)
    count_by_turn = Counter((row.ref["ply"], row.user_id) for row in posted)
    users = dict(Player.objects.filter(match=match).values_list("seat", "user"))
    for number, seat in turns_of(match, record):
        if count_by_turn[number, users[seat]] != 1:
            yield f"ply {number} was notified {count_by_turn[number, users[seat]]} times."


# The subscribers that send e-mails; others count, settle and rate.
EMAIL_HANDLERS = ("notify", "mail-receipt", "account-email")


def emails_arrived(world: World) -> Iterator[str]:
    """What is marked as sent arrived, and what arrived twice has one Message-ID."""
    came = world.mailbox.message_ids()
    # A digest is sent with the name of its oldest row.
    at = {(email.to, email.at) for email in world.mailbox.emails}
    emails = Dispatch.objects.filter(handler__in=EMAIL_HANDLERS, sent_at__isnull=False)
    for row in emails.select_related("user"):
        reader = row.user  # None for a receipt
        has_come = False
        if reader is not None and preferences.read(reader).is_digest:
            has_come = (reader.email, row.sent_at) in at
        if row.message_id not in came and not has_come:
            yield f"{row} is marked as sent and never came."
    for row in Dispatch.objects.filter(dead_at__isnull=False):
        yield f"{row} was given up: {row.error}."
    known = {row.message_id for row in Dispatch.objects.all()}
    if rows := Dispatch.objects.order_by("pk")[:1]:
        # Older ones have been deleted.
        known |= {Dispatch(pk=number).message_id for number in range(1, rows[0].pk)}
    # An e-mail whose row was rolled back with its cause must not have been sent.
    if unknown := came - known:
        yield f"e-mails came that nobody has posted: {unknown}."
    subjects: dict[str, set[str]] = {}
    for email in world.mailbox.emails:
        subjects.setdefault(email.identity, set()).add(email.subject)
    if changed := {each for each, count in subjects.items() if len(count) > 1}:
        yield f"e-mails came twice and differed: {changed}."


def nothing_is_overdue(world: World) -> Iterator[str]:
    """Rows wait only for their reader's hours, and nothing is overdue."""
    for row in Dispatch.objects.filter(PENDING, not_before__lte=world.at - SOON):
        yield f"{row} still waits: {row.error}."
    for message in IncomingMessage.objects.filter(UNPROCESSED):
        yield f"message {message.pk} waits to be read."
    for player in Player.objects.filter(check_at__lt=world.at - SOON):
        yield f"match {player.match_id} has a clock that nobody looks at."
