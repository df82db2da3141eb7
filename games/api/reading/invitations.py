"""Invitations: open seats, the asker's own and those to the asker, one of them."""

from games.api.gate.callers import READ, Request, TokenRequest
from games.api.gate.problems import not_found
from games.api.interface import api
from games.api.reading import cursors
from games.api.schemas.basics import Number
from games.api.schemas.invitations import Invitation, Invitations, Lobby, invitation_of
from games.lobby import models
from games.lobby.invitations import received
from lib.db_clock import now

SEATS = "lobby"


@api.get("/lobby", auth=None, response=Lobby)
def lobby(request: Request, cursor: str | None = None) -> Lobby:
    """Open seats that others offer, newest first"""
    start = cursors.read(SEATS, cursor)
    seats = models.Invitation.objects.seats_for(request.user).select_related("owner")
    if start is not None:
        seats = seats.filter(pk__lt=start.number)
    rows = list(seats[: cursors.ROWS_PER_PAGE + 1])
    listed, at = rows[: cursors.ROWS_PER_PAGE], now()
    last = listed[-1] if len(rows) > len(listed) else None
    return Lobby(
        invitations=[invitation_of(each, at) for each in listed],
        next=cursors.write(SEATS, last.created_at, last.pk) if last else None,
    )


@api.get("/invitations", auth=READ, response=Invitations)
def invitations(request: TokenRequest) -> Invitations:
    """Open invitations from and to the asker"""
    offered = models.Invitation.objects.offered_by(request.user).select_related("owner", "guest")
    challenges = received.open_challenges(request.user.pk)
    both = sorted([*offered, *challenges], key=lambda each: each.pk, reverse=True)
    at = now()
    return Invitations(invitations=[invitation_of(each, at) for each in both])


@api.get("/invitations/{number:invitation_id}", auth=None, response=Invitation)
def invitation(request: Request, invitation_id: Number) -> Invitation:
    """One invitation"""
    people = models.Invitation.objects.select_related("owner", "guest")
    row = people.filter(pk=invitation_id).first()
    if row is None or not row.is_readable_by(request.user):
        raise not_found()
    return invitation_of(row, now())
