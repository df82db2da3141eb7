"""Reply hints: sentences in an e-mail about the commands with which it may be answered.

No command is on a line of its own, and each sentence ends in prose. So if an answer quotes the
e-mail, however wrapped, no quoted line is a command.
"""

from collections.abc import Sequence
from urllib.parse import quote

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.notifications.email.replies.answer_words import word, words
from games.notifications.policy.relevance import InvitationView
from games.play.models.match import Status
from games.play.record.match_view import MatchView
from games.presentation.registry import presentation_of

READING = ("board", "moves", "rules", "help")
# One of these two ends what an e-mail says, whatever it is about.
ALSO = gettext_noop("Or write one of %(words)s on a line of its own in your reply.")
ANSWERS = gettext_noop("To reply, write one of %(words)s on a line of its own.")


def about_match(view: MatchView, *, talks: bool = False) -> list[str]:
    """Hints for an e-mail about a match, by the reader's view of it; `talks`: it contains talk."""
    hints = [_talk(word("say"))] if talks else []
    return [*hints, *_about_match(view)]


def _about_match(view: MatchView) -> list[str]:
    if not view.match.is_live:
        rematch = ("rematch",) if view.match.may_have_rematch else ()
        return [_answers(*rematch, "moves", "help")]
    if view.match.status == Status.SETUP:
        return _setting_up(view)
    hints = [*_moving(view), *_offers(view)]
    usual = (*_about_time(view), "draw?", "resign", *(() if view.my_turn else ("plan",)), *READING)
    return [*hints, _also(*usual) if hints else _answers(*usual)]


def about_invitation(view: InvitationView) -> list[str]:
    """Hints for an e-mail about an invitation."""
    if view.is_open and view.invitation.guest_id == view.reader.pk:
        return [_answers("accept", "decline", "rules", "help")]
    return [_answers("matches", "help")]


def about_several(matches: Sequence[int], talk: int | None = None) -> list[str]:
    """Hints for an e-mail about several matches, given by number; `talk` is one with talk."""
    if not matches:
        return [_answers("matches", "help")]
    values = {"example": f"{matches[0]}: d4-d5", "number": matches[0]}
    return [
        _(
            "To reply, start each line with the number of its match: “%(example)s” moves in "
            "match %(number)s, and each match needs a line of its own."
        )
        % values,
        *([] if talk is None else [_talk(f"{talk}: {word('say')}")]),
        _also("matches", "help"),
    ]


def about_proposal() -> list[str]:
    """Hints for an e-mail that proposes a set-up."""
    return [
        _("Or reply “%(random)s” for a proposed set-up, or the name of one of your saved set-ups.")
        % {"random": word("random")},
        _also("abort", "rules", "help"),
    ]


class Links:
    """mailto: links that open an answer with a command filled in, by its English word."""

    def __init__(self, address: str, subject: str) -> None:
        self.start = f"mailto:{address}?subject={quote(subject)}&body="

    def __getitem__(self, english: str) -> str:
        return self.start + quote(word(english))


def _setting_up(view: MatchView) -> list[str]:
    shown = presentation_of(view.rules.family)
    if not view.my_turn:
        nothing = _("You don't need to do anything before the match begins.")
        return [nothing, _answers("abort", *READING)]
    return [
        _(shown.setup_answer),
        *about_proposal(),
    ]


def _moving(view: MatchView) -> list[str]:
    if not view.my_turn:
        return []
    shown = presentation_of(view.rules.family)
    first = _("To move, reply with the move on a line of its own: “%(move)s”, for example.")
    return [first % {"move": shown.move_example}, *(_(words) for words in shown.move_answers)]


def _offers(view: MatchView) -> list[str]:
    """How to answer the opponent's offer of a draw or a pause, if there is one."""
    if view.opponent is None:
        return []
    theirs = view.opponent.seat
    is_draw, is_pause = view.match.draw_offer == theirs, view.match.pause_offer == theirs
    if is_draw and is_pause:
        sentence = _(
            "Your opponent offers both a draw and a pause: “%(decline)s” declines both. To accept "
            "one of them, please use the site."
        )
    elif is_draw:
        sentence = _(
            "Reply “%(accept)s” to agree to the draw; “%(decline)s” or a move declines it."
        )
    elif is_pause:
        sentence = _(
            "Your opponent offers a pause: reply “%(accept)s” to agree to it, or “%(decline)s” "
            "to decline it."
        )
    else:
        return []
    return [sentence % {"accept": word("accept"), "decline": word("decline")}]


def _about_time(view: MatchView) -> list[str]:
    """What the reader may do about the opponent's clock."""
    words = ["claim"] if view.may_claim else []
    clock_runs = view.opponent is not None and view.opponent.deadline is not None
    return [*words, "wait 1d"] if clock_runs else words


def _talk(say: str) -> str:
    sentence = _("To write to your opponent, begin a line with “%(say)s” and add your own words.")
    return sentence % {"say": say}


def _also(*english: str) -> str:
    return _(ALSO) % {"words": words(*english)}


def _answers(*english: str) -> str:
    return _(ANSWERS) % {"words": words(*english)}
