"""Sentences of notifications about tournaments; all but an organiser's reason are public."""

from __future__ import annotations

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.competitions.tournaments.models import Entry
from games.notifications.policy.relevance import TournamentView


def begins(view: TournamentView) -> str:
    """What a player has to do at the beginning of a stage."""
    if view.tournament.at_once:
        return _(
            "Your matches begin one after the other; you get a message about each, with its "
            "deadline."
        )
    return _("Play begins now; you get a message about each of your matches, with its deadline.")


def cancelled(view: TournamentView) -> str:
    """Why a tournament was cancelled."""
    if view.tournament.reason:
        return _("The organiser gives this reason: %(reason)s") % {"reason": view.tournament.reason}
    return _("There were too few entries.")


def over(view: TournamentView) -> str:
    """The reader's place, and in what, and who has won."""
    if not view.winners:
        return _own_place(view)
    won = ngettext("Winner: %(names)s.", "Winners: %(names)s.", len(view.winners))
    return f"{_own_place(view)} {won % {'names': ', '.join(view.winners)}}"


def _own_place(view: TournamentView) -> str:
    placing = view.placing
    if placing is None or placing.place is None:
        return _("The tables are complete. You withdrew, so you have no place.")
    if placing.in_final:
        words = _("The tables are complete. Your place in the final is %(place)s.")
    elif placing.in_group:
        words = _("The tables are complete. Your place in your group is %(place)s.")
    else:
        words = _("The table is complete. Your place is %(place)s.")
    return words % {"place": placing.place}


def withdrawn_title(view: TournamentView) -> str:
    """Who no longer plays in which tournament."""
    values = {"tournament": view.tournament.title, "player": _player(view)}
    if _is_own(view):
        return _("You no longer play in the tournament “%(tournament)s”") % values
    return _("%(player)s no longer plays in the tournament “%(tournament)s”") % values


def withdrawn(view: TournamentView) -> str:
    """Why a player no longer plays, or what it means for an opponent."""
    entry = view.withdrawn
    if entry is None or not _is_own(view):
        return _(
            "Your unfinished matches against this player count as won by you, without play. You "
            "don't need to do anything."
        )
    if entry.status == Entry.Status.DROPPED:
        return _("At the draw you no longer fulfilled the conditions of entry.")
    if entry.why == Entry.Why.EXCLUDED:
        return _("An organiser has excluded you, for this reason: %(reason)s") % {
            "reason": entry.reason
        }
    if entry.why == Entry.Why.SILENT:
        return _(
            "You lost two matches on time, or did not set up for them, and made no move in any "
            "match in between."
        )
    return _("You have withdrawn. Your running matches in this tournament have ended.")


def _is_own(view: TournamentView) -> bool:
    return view.withdrawn is not None and view.withdrawn.user_id == view.reader.pk


def _player(view: TournamentView) -> str:
    return "" if view.withdrawn is None else str(view.withdrawn.user)
