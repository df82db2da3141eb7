"""Invitations, and lists of them."""

from __future__ import annotations

from datetime import datetime
from typing import Literal, cast

from pydantic import Field

from games.api.schemas.basics import Answer, Instant, Person, SeatLetter, Switches, person
from games.api.schemas.matches import Cursor, setup_days
from games.lobby import models
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import InvitationStatus
from games.rules.core.basics.pieces import Seat

InvitationKind = Literal["seat", "challenge", "link"]
InvitationState = Literal["open", "accepted", "declined", "withdrawn", "expired"]


class Invitation(Answer):
    """An offer of a match: to one player, to all, or by a private link."""

    invitation: int
    kind: InvitationKind
    status: InvitationState
    owner: Person
    guest: Person | None
    preset: str
    switches: Switches
    seat: SeatLetter | None = Field(description="the owner's; null: drawn by lot")
    set: bool = Field(description="whether it is for two matches, sides swapped")
    pace: str
    setup_days: int
    soft: bool
    vacations: bool
    memory_aid: bool
    rated: bool
    listed: bool = Field(description="whether visitors find the running match in a list")
    rating_from: int | None = Field(description="who may accept: by rating; null: all")
    rating_to: int | None
    established: bool = Field(description="who may accept: ratings without a question mark")
    min_finished: int = Field(description="who may accept: finished matches, at least")
    reliable: bool = Field(description="who may accept: nothing missed within 90 days")
    repeats: int = Field(description="how often it is offered again when accepted")
    commitments: list[str] = Field(
        description="to the seeds of the deals, one a match (docs/proofs.md); none without deals"
    )
    note: str
    created_at: Instant
    expires_at: Instant
    match: int | None


class Invitations(Answer):
    """Open invitations from and to the asker."""

    invitations: list[Invitation]


class Lobby(Answer):
    """A page of open seats; `next` is the cursor of the next page."""

    invitations: list[Invitation]
    next: Cursor | None


def invitation_of(invitation: models.Invitation, at: datetime) -> Invitation:
    """An invitation whose owner and guest are loaded, at an instant."""
    expired = invitation.status == InvitationStatus.OPEN and invitation.expires_at <= at
    seat, guest = invitation.seat, invitation.guest
    return Invitation(
        invitation=invitation.pk,
        kind=cast(InvitationKind, invitation.kind),
        status="expired" if expired else cast(InvitationState, invitation.status),
        owner=person(invitation.owner.username),
        guest=None if guest is None else person(guest.username),
        preset=invitation.preset,
        switches=invitation.switches,
        seat=None if seat is None else invitation.rules.seat_letters[Seat(seat)],
        set=invitation.as_set,
        pace=invitation.pace,
        setup_days=setup_days(invitation.setup_pace),
        soft=invitation.soft,
        vacations=invitation.vacations,
        memory_aid=invitation.memory_aid,
        rated=invitation.rated,
        listed=invitation.listed,
        **Conditions.of_invitation(invitation).values(),
        repeats=invitation.repeats,
        commitments=invitation.commitments.split(),
        note=invitation.note,
        created_at=invitation.created_at,
        expires_at=invitation.expires_at,
        match=invitation.match_id,
    )
