"""Every letter, a function each: who reads it and what it is about, in; the letter, out.

What a letter says of a match comes from the reader's own Look, so it knows no more than they do. It
is written in the language and the time zone that are active.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.lobby.models import Invitation
from games.lobby.terms import terms
from games.mail import boards
from games.mail.stationery import Letter, write
from games.notices import headlines, wishes
from games.notices.headlines import Headline, absolute, instant
from games.notices.kinds import Detail
from games.play import narration, rulebook, sets, vacations
from games.play.boards import text as board_text
from games.play.models.match import Status
from games.play.sight import Look
from games.play.templatetags.matches import in_words, span
from games.play.wording import say_note

Facts = Mapping[str, Any]  # what a template of one letter says beside what all of its kind say
NOTHING: Facts = {}


@dataclass(frozen=True)
class Waiting:
    """A match that waits for the reader, as a digest lists it."""

    title: str
    due: str
    link: str
    urgent: bool  # less than a day is left


def match_began(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """A match has begun: set up, or wait until the other side has."""
    facts = {"agreed": rulebook.agreed(look.rules), "set": sets.told(look)}
    return _about_match("began", reader, look, message_id, facts, waiting=waiting)


def your_turn(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The reader is to move: what happened since they last did, and the board as they see it.

    How much of that, they have chosen; `waiting` is how many matches wait for them.
    """
    facts = _happened(reader, look, _since_own_deed(look))
    if wishes.of(reader).email_detail == Detail.BOARD:
        facts |= {
            "board": boards.table(look),
            "board_text": board_text(look),
            "legend": boards.legend(look),
        }
    return _about_match("turn", reader, look, message_id, facts, waiting=waiting)


def deadline_near(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """A reminder that the reader's time is running out."""
    running = look.match.status == Status.RUNNING
    facts = _happened(reader, look, _since_own_deed(look) if running else [])
    return _about_match(
        "reminder", reader, look, message_id, facts, kind="reminder", waiting=waiting
    )


def draw_offered(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent offers a draw."""
    return _about_match("draw_offered", reader, look, message_id)


def draw_declined(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent wants to play on."""
    return _about_match("draw_declined", reader, look, message_id)


def vacation_began(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """No deadline of the opponent passes while they are away; the reader may be to move still."""
    told = _(
        "No deadline of theirs passes until they come back or their days of vacation are used up. "
        "Nothing is asked of you."
    )
    assert look.opponent is not None  # noqa: S101 - letters go to players alone
    if look.my_turn and (until := vacations.lasts_until(look.opponent, look.now)):
        told = _("%(opponent)s is on vacation until %(until)s. It is your move all the same.")
        told %= {"opponent": look.opponent.user, "until": instant(until)}
    return _about_clock("vacation-began", reader, look, message_id, told)


def clock_credited(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The service was away, and every running clock got the time back."""
    return _about_match("credit", reader, look, message_id)


def time_given(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent has put a day into the reader's clock."""
    return _about_clock("time-given", reader, look, message_id)


def time_up(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent's time is up, and the reader decides what follows."""
    told = _("You may claim the match, give a day more, or wait.")
    return _about_clock("time-up", reader, look, message_id, told)


def pause_offered(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent offers to stop the clocks."""
    told = _("%(opponent)s offers you a pause: both clocks stand until one of you ends it.")
    assert look.opponent is not None  # noqa: S101 - letters go to players alone
    told %= {"opponent": look.opponent.user}
    return _about_clock("pause-offered", reader, look, message_id, told)


def match_paused(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent has accepted the pause, and the clocks stand."""
    return _about_clock("match-paused", reader, look, message_id)


def match_resumed(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The opponent has ended the pause, and the clocks run again."""
    return _about_clock("match-resumed", reader, look, message_id)


def match_reopened(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The office has taken the ending back; who is to move hears of their turn besides."""
    told = _("Its ending was taken back. The page of the match says why.")
    return _about_clock("match-reopened", reader, look, message_id, told)


def match_over(reader: User, look: Look, message_id: str, waiting: int = 0) -> Letter:
    """The match has ended: how and why, and where it lies."""
    facts = {
        "result": narration.ending(look),
        "set": sets.told(look),
        "opens": look.opens_at and instant(look.opens_at),
        "happened": _happened(reader, look, narration.sentences(look))["happened"],
        "link": absolute(reverse("archive:match", args=[look.match.pk])),
    }
    return _about_match("over", reader, look, message_id, facts)


def invitation(reader: User, about: Invitation, at: datetime, message_id: str) -> Letter:
    """Somebody challenges the reader."""
    facts = {
        "other": about.owner,
        "note": " ".join(about.note.split()),
        "seat": about.guest_sits(),
        "as_set": about.as_set,
        "terms": terms(about),
    }
    return _about_invitation("invitation", reader, about, at, message_id, facts)


def invitation_declined(reader: User, about: Invitation, at: datetime, message_id: str) -> Letter:
    """The challenged player does not want to play."""
    facts = {"link": absolute(reverse("lobby:index"))}
    return _about_invitation("invitation_declined", reader, about, at, message_id, facts)


def invitation_stale(reader: User, about: Invitation, at: datetime, message_id: str) -> Letter:
    """Nobody has taken the reader's invitation so far, and soon it will be closed."""
    return _about_invitation("invitation_stale", reader, about, at, message_id)


def invitation_expired(reader: User, about: Invitation, at: datetime, message_id: str) -> Letter:
    """The reader's invitation is closed: nobody took it in time."""
    facts = {"link": absolute(reverse("lobby:index"))}
    return _about_invitation("invitation_expired", reader, about, at, message_id, facts)


def digest(
    reader: User,
    waiting: Sequence[Waiting],
    count: int,
    news: Sequence[Headline],
    at: datetime,
    message_id: str,
) -> Letter:
    """What waits for the reader, urgent matches first, and what happened since the last digest."""
    context = {
        "waiting": waiting,
        "more": count - len(waiting),
        "count": count,
        "urgent": sum(one.urgent for one in waiting),
        "news": news,
        "link": absolute(reverse("home")),
    }
    return write(
        "digest",
        reader,
        context,
        kind="match",
        thread=f"digest.{reader.pk}",
        at=at,
        message_id=message_id,
        waiting=count,
    )


def trial(reader: User, at: datetime, message_id: str) -> Letter:
    """A letter that the reader asked for, to see whether letters arrive."""
    context = {"link": absolute(reverse("notices:settings")), "asked": instant(at)}
    return write(
        "trial",
        reader,
        context,
        kind="match",
        thread=f"trial.{reader.pk}",
        at=at,
        message_id=message_id,
    )


def _about_clock(event: str, reader: User, look: Look, message_id: str, told: str = "") -> Letter:
    """What was done to a clock: the headline, a sentence more, and until when the reader has."""
    facts = {"title": headlines.about(event, look).title, "told": told}
    return _about_match("clock", reader, look, message_id, facts)


def _about_match(
    name: str,
    reader: User,
    look: Look,
    message_id: str,
    facts: Facts = NOTHING,
    *,
    kind: str = "match",
    waiting: int = 0,
) -> Letter:
    match, me, opponent = look.match, look.me, look.opponent
    assert me is not None and opponent is not None  # noqa: S101 - letters go to players alone
    context = {
        "match": match,
        "number": match.pk,
        "move": look.shown_ply // 2 + 1,
        "game": _(look.rules.title),
        "side": _(look.rules.seat_names[me.seat]),
        "opponent": opponent.user,
        "pace": span(match.pace),
        "offers_draw": match.draw_offer == opponent.seat,
        "my_turn": look.my_turn,
        "must": headlines.must_be_here(me, look.now),
        "link": absolute(match.get_absolute_url()),
        **facts,
    }
    return write(
        name,
        reader,
        context,
        kind=kind,
        thread=f"match.{match.pk}",
        at=look.now,
        message_id=message_id,
        waiting=waiting,
    )


def _about_invitation(
    name: str,
    reader: User,
    about: Invitation,
    at: datetime,
    message_id: str,
    facts: Facts = NOTHING,
) -> Letter:
    context = {
        "game": _(about.rules.title),
        "other": about.guest,
        "pace": span(about.pace),
        "setup_pace": span(about.setup_pace),
        "until": instant(about.expires_at),
        "left": in_words(about.expires_at - at),
        "link": absolute(about.get_absolute_url()),
        **facts,
    }
    return write(
        name,
        reader,
        context,
        kind="match",
        thread=f"invitation.{about.pk}",
        at=at,
        message_id=message_id,
    )


def _happened(reader: User, look: Look, sentences: list[str]) -> dict[str, Any]:
    """What a letter tells of a match's course, unless the reader wants their mail to tell none."""
    told = wishes.of(reader).email_detail != Detail.TURN
    notes = [say_note(note) for note in look.observation.notes]
    return {"happened": sentences if told else [], "notes": notes if told else []}


def _since_own_deed(look: Look) -> list[str]:
    """What the reader did last and all that followed, in sentences."""
    own = [entry.number for entry in look.entries if entry.seat is look.seat]
    first = own[-1] if own else 0
    followed = [entry for entry in look.entries if entry.number >= first]
    return [sentence for entry in followed for sentence in narration.sentences(look, entry)]
