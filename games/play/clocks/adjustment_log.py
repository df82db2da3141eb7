"""Clock adjustment log: the public list of changes to a match's clocks that were not moves."""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta

from django.db.models import F, QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.play.models.match import Match, Player
from games.play.models.time import Adjustment, Outage
from games.rules.core.basics.pieces import Seat

MAX_SHOWN_ADJUSTMENTS = 10  # shown on a match page

# A sentence for each kind: `player` is the owner of the clock.
SENTENCES = {
    Adjustment.Kind.OUTAGE: gettext_noop("The service was down: %(player)s got %(span)s back."),
    Adjustment.Kind.VACATION: gettext_noop("%(player)s went on vacation."),
    Adjustment.Kind.GIFT: gettext_noop("%(player)s got %(span)s from the opponent."),
    Adjustment.Kind.PAUSED: gettext_noop("The players agreed on a pause."),
    Adjustment.Kind.RESUMED: gettext_noop("The pause ended."),
    Adjustment.Kind.ADMIN: gettext_noop("%(player)s got %(span)s from an administrator: %(note)s"),
    Adjustment.Kind.REOPENED: gettext_noop("An administrator undid the result: %(note)s"),
}


def note(
    player: Player,
    kind: Adjustment.Kind,
    at: datetime,
    *,
    span: timedelta | None = None,
    words: str = "",
) -> Adjustment:
    """Log a change of one player's clock; returns the entry."""
    return Adjustment.objects.create(
        match_id=player.match_id,
        seat=player.seat,
        kind=kind,
        span=span,
        note=words,
        at=at,
    )


def note_outage(lost: Iterable[tuple[Player, timedelta]], outage: Outage) -> None:
    """Log the credit of an outage to these clocks; raises IntegrityError for a second one."""
    Adjustment.objects.bulk_create(
        Adjustment(
            match_id=player.match_id,
            seat=player.seat,
            kind=Adjustment.Kind.OUTAGE,
            span=span,
            outage=outage,
            at=outage.end,
        )
        for player, span in lost
    )


def credited_players(outage_id: int) -> QuerySet[Player]:
    """The players to whom an outage was credited, except credits taken back (outages.take_back)."""
    return Player.objects.filter(
        match__adjustments__outage=outage_id,
        match__adjustments__seat=F("seat"),
        match__adjustments__span__gt=timedelta(0),
    )


def note_match(match: Match, kind: Adjustment.Kind, at: datetime, words: str = "") -> None:
    """Log a change of both clocks."""
    Adjustment.objects.create(match=match, kind=kind, at=at, note=words)


def newest(match: Match) -> list[Adjustment]:
    """The newest entries, newest first, except credits that were taken back."""
    shown = match.adjustments.exclude(span=timedelta(0))
    return list(shown.order_by("-id")[:MAX_SHOWN_ADJUSTMENTS])


def newest_from_staff(match: Match) -> list[Adjustment]:
    """The entries of the last time that an administrator gave, one for each clock."""
    given = match.adjustments.filter(kind=Adjustment.Kind.ADMIN).order_by("-id")
    newest = list(given[: len(Seat)])
    return [one for one in reversed(newest) if one.at == newest[0].at]


def sentence(one: Adjustment, names: Mapping[int, str], span: str) -> str:
    """An entry as a sentence in the reader's language; `names` by seat, `span` in words."""
    values = {"player": names.get(one.seat or 0, ""), "span": span, "note": one.note}
    if one.kind == Adjustment.Kind.ADMIN and not one.note:  # earlier versions kept no reason
        return _("%(player)s got %(span)s from an administrator.") % values
    return _(SENTENCES[Adjustment.Kind(one.kind)]) % values
