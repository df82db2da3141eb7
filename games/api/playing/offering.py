"""Invitations as they are offered: terms, seat, and who is challenged."""

from typing import Any

from django.http import HttpResponse
from django.utils.translation import gettext as _
from ninja import Status

from accounts.models import User
from games.api.gate.callers import CHALLENGE, TokenRequest
from games.api.gate.paths import VERSION
from games.api.gate.problems import invalid
from games.api.interface import api, codes
from games.api.playing import refusing
from games.api.schemas.invitations import Invitation, invitation_of
from games.api.schemas.inviting import InvitationBody
from games.house import house_accounts
from games.lobby import commands, models
from games.lobby.forms.words import WordsForm
from games.lobby.invitations.conditions import Conditions
from games.lobby.models import InvitationKind
from games.people.blocking import challenges
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from lib.db_clock import now
from lib.spelling import typed_text


@api.post(
    "/invitations",
    auth=CHALLENGE,
    response={201: Invitation},
    openapi_extra=codes("limit-reached", "unknown-rules", "refused"),
)
def invite(
    request: TokenRequest, response: HttpResponse, body: InvitationBody
) -> Status[Invitation]:
    """Offer a match: an open seat, or a challenge to `guest`

    House opponents accept at once, so the answer has `match`. Without an idempotency key, a request
    that is sent twice offers two matches.
    """
    conditions = _conditions(body)
    words = deal_words(body.words)
    with refusing.problems():
        terms = _terms(body)
        guest = None if body.guest is None else _guest(body.guest)
        offered = commands.offer(
            request.user,
            terms,
            kind=InvitationKind.SEAT if guest is None else InvitationKind.CHALLENGE,
            guest=guest,
            note=body.note,
            conditions=conditions,
            repeats=body.repeats,
            words=words,
        )
    response["Location"] = f"{VERSION}/invitations/{offered.pk}"
    return Status(201, read(offered.pk))


def read(invitation_id: int) -> Invitation:
    """An invitation as it is now."""
    invitation = models.Invitation.objects.select_related("owner", "guest").get(pk=invitation_id)
    return invitation_of(invitation, now())


def deal_words(typed: str) -> str:
    """Words for a deal as they are hashed; raises Problem."""
    form = WordsForm({"words": typed})
    if not form.is_valid():
        raise invalid("body.words", str(form.errors["words"][0]))
    words: str = form.cleaned_data["words"]
    return words


def _conditions(body: InvitationBody) -> Conditions:
    """Who may accept; raises Problem."""
    values = body.model_dump()
    if body.guest is not None:
        # The challenged player may always accept.
        for name in (*Conditions().values(), "repeats"):
            if values[name]:
                raise invalid(f"body.{name}", _("Only an open seat can have this."))
    least, most = body.rating_from, body.rating_to
    if least is not None and most is not None and least > most:
        raise invalid("body.rating_to", _("This has to be at least %(ge)s.") % {"ge": least})
    return Conditions.from_values(values)


def _terms(body: InvitationBody) -> Terms:
    """The terms of an offer; raises Problem, or a Refusal for unknown rules."""
    terms = Terms(
        body.preset,
        body.switches,
        as_set=body.set,
        pace=body.pace,
        setup_pace="" if body.setup_days is None else f"{body.setup_days}d",
        soft=body.soft,
        vacations=body.vacations,
        memory_aid=body.memory_aid,
        rated=body.rated,
        listed=body.listed,
    )
    return terms if body.seat is None else _seated(terms, body.seat)


def _seated(terms: Terms, letter: str) -> Terms:
    rules: Ruleset = terms.rules
    if letter not in rules.seat_letters:
        sentence = _("The seats of this game are %(south)s and %(north)s.")
        south, north = rules.seat_letters
        raise invalid("body.seat", sentence % {"south": south, "north": north})
    values: dict[str, Any] = terms.values()
    return Terms.from_values(values | {"seat": Seat(rules.seat_letters.index(letter))})


def _guest(handle: str) -> User:
    """The challenged player; raises Problem if there is none of that name."""
    name = typed_text.plain(handle)
    levels = {house_accounts.name_of(level).lower(): level for level in house_accounts.LEVELS}
    if name.lower() in levels:
        # Made when it is first needed.
        return house_accounts.opponent(levels[name.lower()])
    guest = challenges.find(name)
    if guest is None:
        sentence = _("There is no player called “%(handle)s”. Check the spelling.")
        raise invalid("body.guest", sentence % {"handle": handle})
    return guest
