"""A notice in a line or two: what locked screens, other people's channels and feeds are given.

Nothing but public facts, whoever the reader is: handles, the game, numbers, deadlines, results. No
board, no move, no rank. In the language and the time zone that are active.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime
from functools import lru_cache

from django.conf import settings
from django.urls import reverse
from django.utils.formats import date_format
from django.utils.timezone import get_current_timezone_name, localtime
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from games.notices.occasions import Standing
from games.play import narration
from games.play.models.match import Player, Status
from games.play.sight import Look
from games.play.templatetags.matches import in_words


@dataclass(frozen=True)
class Headline:
    title: str
    text: str
    link: str  # the whole address
    topic: str  # of two notices of one topic, the newer says all
    deadline: datetime | None = None
    match: int | None = None


def about(event: str, seen: Look | Standing) -> Headline:
    """What the event comes to, in short."""
    return _of_match(event, seen) if isinstance(seen, Look) else _of_invitation(event, seen)


def absolute(path: str) -> str:
    """The whole address of a page."""
    return f"{settings.SITE_URL}{path}"


def domain() -> str:
    """What names of things begin or end with, so that nobody else has the same."""
    return str(settings.MAIL_DOMAIN)


def instant(at: datetime) -> str:
    """An instant by the reader's clocks, with the name of their zone."""
    local = localtime(at)
    weekday, day = _day(local.date(), get_language())
    return _("%(weekday)s, %(date)s, %(time)s (%(zone)s)") % {
        "weekday": weekday,
        "date": day,
        "time": f"{local:%H:%M}",
        "zone": get_current_timezone_name(),
    }


@lru_cache(maxsize=1000)
def _day(day: date, _language: str | None) -> tuple[str, str]:
    return date_format(day, "l"), date_format(day)


def turn_title(opponent: object, match: int) -> str:
    """What every list of what waits calls a match."""
    return _("Your turn against %(opponent)s in match %(number)s") % {
        "opponent": opponent,
        "number": match,
    }


def must_be_here(player: Player, now: datetime) -> str:
    """Until when the player has time, by their clocks and in words, or that the clocks stand.

    "" where no clock of theirs runs, and where their time is up.
    """
    if player.match.paused_at is not None:
        return _(
            "The clocks of this match stand, by agreement. "
            "A move, or either player, ends the pause."
        )
    if player.deadline is None or player.deadline < now:
        return ""
    facts = {"due": instant(player.deadline), "left": in_words(player.deadline - now)}
    if player.match.status == Status.SETUP:
        return _("Your army must stand by %(due)s; you have %(left)s.") % facts
    return _("Your move must be here by %(due)s; you have %(left)s.") % facts


MATCH_TITLES: dict[str, Callable[[], str]] = {
    "match-began": lambda: _("Match %(number)s against %(opponent)s begins"),
    "turn-came": lambda: _("Your turn against %(opponent)s in match %(number)s"),
    "deadline-near": lambda: _("Reminder: your turn against %(opponent)s in match %(number)s"),
    "draw-offered": lambda: _("%(opponent)s offers a draw in match %(number)s"),
    "draw-declined": lambda: _("%(opponent)s declines the draw in match %(number)s"),
    "match-over": lambda: _("Match %(number)s against %(opponent)s is over"),
    "vacation-began": lambda: _("%(opponent)s is on vacation; match %(number)s waits"),
    "clock-credited": lambda: _("Time was given back in match %(number)s against %(opponent)s"),
    "time-given": lambda: _("%(opponent)s gives you a day more in match %(number)s"),
    "time-up": lambda: _("The time of %(opponent)s is up in match %(number)s"),
    "pause-offered": lambda: _("%(opponent)s offers a pause in match %(number)s"),
    "match-paused": lambda: _("%(opponent)s accepts the pause in match %(number)s"),
    "match-resumed": lambda: _("%(opponent)s ends the pause in match %(number)s"),
    "match-reopened": lambda: _("Match %(number)s against %(opponent)s goes on"),
}
INVITATION_TITLES: dict[str, Callable[[], str]] = {
    "challenged": lambda: _("%(other)s invites you to a match"),
    "invitation-declined": lambda: _("%(other)s declines your invitation"),
    "invitation-stale": lambda: _("Your invitation will soon be closed"),
    "invitation-expired": lambda: _("Your invitation is closed"),
}


def _of_match(event: str, seen: Look) -> Headline:
    me, opponent, match = seen.me, seen.opponent, seen.match
    assert me is not None and opponent is not None  # noqa: S101 - notices go to players alone
    text = narration.ending(seen) or must_be_here(me, seen.now)
    page = reverse("archive:match", args=[match.pk]) if not match.is_live else seen.address
    return Headline(
        title=_title(event, seen) % {"opponent": opponent.user, "number": match.pk},
        text=text or _(seen.rules.title),
        link=absolute(page),
        topic=f"match-{match.pk}",
        deadline=me.deadline,
        match=match.pk,
    )


def _title(event: str, seen: Look) -> str:
    if event == "vacation-began" and seen.my_turn:
        # No match waits for whoever is away where it is the other's turn.
        return _("%(opponent)s is on vacation; in match %(number)s it is your move")
    return MATCH_TITLES[event]()


def _of_invitation(event: str, standing: Standing) -> Headline:
    about = standing.invitation
    other = about.owner if event == "challenged" else about.guest
    open_still = event in ("challenged", "invitation-stale")
    return Headline(
        title=INVITATION_TITLES[event]() % {"other": other},
        text=_(about.rules.title),
        link=absolute(about.get_absolute_url() if open_still else reverse("lobby:index")),
        topic=f"invitation-{about.pk}",
    )
