"""Answers to invitations: accepted, declined and withdrawn."""

from django.utils.translation import gettext as _

from games.api.gate.callers import CHALLENGE, TokenRequest
from games.api.gate.problems import Problem
from games.api.interface import api, codes
from games.api.playing import refusing
from games.api.playing.offering import deal_words, read
from games.api.schemas.basics import Number
from games.api.schemas.invitations import Invitation
from games.api.schemas.inviting import AcceptanceBody
from games.lobby import commands, models

WITHOUT_BODY = AcceptanceBody()
ANSWERING = codes("no-longer-open", "limit-reached", "refused")


@api.post(
    "/invitations/{number:invitation_id}/accept",
    auth=CHALLENGE,
    response=Invitation,
    openapi_extra=ANSWERING,
)
def accept(
    request: TokenRequest, invitation_id: Number, body: AcceptanceBody = WITHOUT_BODY
) -> Invitation:
    """Accept an open seat, or a challenge to the asker; the answer has `match`"""
    words = deal_words(body.words)
    with refusing.problems():
        commands.accept(invitation_id, request.user, words=words)
    return read(invitation_id)


@api.post(
    "/invitations/{number:invitation_id}/decline",
    auth=CHALLENGE,
    response=Invitation,
    openapi_extra=ANSWERING,
)
def decline(request: TokenRequest, invitation_id: Number) -> Invitation:
    """Decline a challenge to the asker"""
    with refusing.problems():
        commands.decline(invitation_id, request.user)
    return read(invitation_id)


@api.post(
    "/invitations/{number:invitation_id}/withdraw",
    auth=CHALLENGE,
    response=Invitation,
    openapi_extra=ANSWERING,
)
def withdraw(request: TokenRequest, invitation_id: Number) -> Invitation:
    """Withdraw one's own invitation

    A private link is withdrawn on the site.
    """
    if models.Invitation.objects.filter(
        pk=invitation_id, owner=request.user, kind=models.InvitationKind.LINK
    ).exists():
        raise Problem("refused", _("Private links stay on the site: withdraw this one there."))
    with refusing.problems():
        commands.withdraw(invitation_id, request.user)
    return read(invitation_id)
