"""Subjects of e-mails: the same for all e-mails about a match, since mail programs thread by it.

Locked screens show them, so they contain public facts only.
"""

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.notifications.policy.relevance import InvitationView, LadderView, TournamentView
from games.play.models.match import Match
from games.play.record.match_view import MatchView


def of_match(view: MatchView) -> str:
    """The subject of every e-mail and receipt about a match."""
    assert view.opponent is not None  # noqa: S101 - only players are notified
    return match_subject(view.match, view.opponent.user)


def match_subject(match: Match, opponent: object) -> str:
    """ "Match 7: Bob, L'Attaque"."""
    values = {"number": match.pk, "opponent": opponent, "game": _(match.rules.title)}
    return _("Match %(number)s: %(opponent)s, %(game)s") % values


def of_invitation(view: InvitationView) -> str:
    """The subject of every e-mail and receipt about an invitation."""
    invitation = view.invitation
    values = {"number": invitation.pk, "other": view.other, "game": _(invitation.rules.title)}
    if view.other is None:
        return _("Invitation %(number)s: %(game)s") % values
    return _("Invitation %(number)s: %(other)s, %(game)s") % values


def of_tournament(view: TournamentView) -> str:
    """The subject of every e-mail about a tournament."""
    values = {"number": view.tournament.pk, "title": view.tournament.title}
    return _("Tournament %(number)s: %(title)s") % values


def of_ladder(view: LadderView) -> str:
    """The subject of every e-mail about a ladder."""
    return _("Ladder of %(game)s") % {"game": view.ladder.title}


def of_digest(count: int, urgent: int) -> str:
    """The subject of a digest: the number of urgent matches, else of waiting ones."""
    if urgent:
        subject = ngettext(
            "%(counter)s urgent match: less than a day left",
            "%(counter)s urgent matches: less than a day left",
            urgent,
        )
        return subject % {"counter": urgent}
    if count:
        subject = ngettext(
            "%(counter)s match is waiting for you", "%(counter)s matches are waiting for you", count
        )
        return subject % {"counter": count}
    return _("News about your matches")
