"""The log of a match's clocks: whatever was done to them that was no ply, for everybody to read."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage

SHOWN = 10  # on the page of a match

# A sentence for each kind: `player` is whose clock it was.
SENTENCES = {
    Adjustment.Kind.OUTAGE: gettext_noop("The service was down: %(player)s got %(span)s back."),
    Adjustment.Kind.VACATION: gettext_noop("A vacation of %(player)s began."),
    Adjustment.Kind.GIFT: gettext_noop("%(player)s was given %(span)s by the opponent."),
    Adjustment.Kind.PAUSED: gettext_noop("The players agreed on a pause."),
    Adjustment.Kind.RESUMED: gettext_noop("The clocks ran on after the pause."),
    Adjustment.Kind.OFFICE: gettext_noop("%(player)s was given %(span)s by the office."),
    Adjustment.Kind.REOPENED: gettext_noop("The office took back the ending: %(note)s"),
}


def note(
    player: Player,
    kind: Adjustment.Kind,
    at: datetime,
    *,
    span: timedelta | None = None,
    outage: Outage | None = None,
    words: str = "",
) -> None:
    """Write down what was done to a player's clock; IntegrityError if an outage is noted twice."""
    Adjustment.objects.create(
        match_id=player.match_id,
        seat=player.seat,
        kind=kind,
        span=span,
        outage=outage,
        note=words,
        at=at,
    )


def note_match(match: Match, kind: Adjustment.Kind, at: datetime, words: str = "") -> None:
    """Write down what was done to both clocks."""
    Adjustment.objects.create(match=match, kind=kind, at=at, note=words)


def newest(match: Match) -> list[Adjustment]:
    """The last of them, the newest first."""
    return list(match.adjustments.order_by("-id")[:SHOWN])


def sentence(one: Adjustment, names: Mapping[int, str], span: str) -> str:
    """What was done, in words; `names` by seat, `span` the time in words."""
    facts = {"player": names.get(one.seat or 0, ""), "span": span, "note": one.note}
    return _(SENTENCES[Adjustment.Kind(one.kind)]) % facts
