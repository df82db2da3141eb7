"""E-mails about matches and invitations: the variables of their templates.

Everything about a match comes from the reader's own view, so an e-mail reveals nothing hidden. It
uses the active language and time zone.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import cache, partial
from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext as _

from accounts.models import User
from games.notifications.email.composing import html_boards, setup_by_reply, subjects, witness
from games.notifications.email.composing.line_wrapping import with_short_words
from games.notifications.email.composing.message import compose
from games.notifications.email.composing.witness import NO_WITNESS, ReceiptOf, Witness, no_receipt
from games.notifications.email.replies import hints, reply_addresses, shown_offers
from games.notifications.email.replies.answer_words import quoted
from games.notifications.email.replies.reply_addresses import About
from games.notifications.email.replies.shown_offers import NONE as NO_OFFERS
from games.notifications.email.replies.shown_offers import Offers
from games.notifications.email.sending.mime import Email
from games.notifications.models import Purpose
from games.notifications.policy import preferences, summaries
from games.notifications.policy.kinds import ALWAYS_BY_EMAIL, Detail, NotificationKind
from games.notifications.policy.notification import Notification
from games.notifications.policy.preferences import BoardStyle
from games.notifications.policy.relevance import (
    DecisionView,
    FollowedView,
    InvitationView,
    LadderView,
    OutageView,
    QueueView,
    TournamentView,
    View,
)
from games.notifications.policy.summaries import Summary, absolute_url
from games.people.moderation import answers, listing
from games.play import ports
from games.play.board import board_list, text_board
from games.play.models.kind import PlyKind
from games.play.models.match import Status
from games.play.record import match_view, own_plan
from games.play.record.match_view import MatchView
from games.play.record.snapshot import Entry
from games.play.words import narration, plan_news, rulebook, sets
from games.play.words.terms import describe
from games.play.words.times import in_words, setup_time, span, with_zone
from games.play.words.wording import note_text
from games.presentation.registry import played_as
from games.talk.emailing import TalkInEmail

Issue = Callable[[About], str]

MAX_MATCHES = 30  # listed in one e-mail
# E-mails that report a beginning, an end or a look, and those that show a board if wanted.
TELLING, SHOWING = {"began", "over", "looked"}, {"turn"}


@dataclass(frozen=True)
class Waiting:
    """A match in the list of a digest, or of another e-mail about several matches."""

    title: str
    due: str
    link: str
    urgent: bool  # less than a day is left
    match: int
    ply: int  # the newest one


class News(NamedTuple):
    """Something that a digest tells, with talk if it is that the opponent has written."""

    summary: Summary
    opponent: object = ""
    talk: TalkInEmail | None = None
    offers: Offers = NO_OFFERS  # "accept" and "decline" answer them


def write(
    notification: Notification,
    reader: User,
    view: View,
    message_id: str,
    issue: Issue = reply_addresses.issue,
    emailed: TalkInEmail | None = None,
    receipt_of: ReceiptOf = no_receipt,
) -> Email:
    """The e-mail of a notification, with what its reader may see.

    `issue` stores the reply address and returns it. `emailed` is the talk that the e-mail contains.
    `receipt_of` finds the receipt that it may have to bring.
    """
    if isinstance(view, InvitationView):
        thread, at = f"invitation.{view.invitation.pk}", view.at
        subject, context = subjects.of_invitation(view), _invitation_facts(view)
    elif isinstance(view, OutageView):
        thread, at = f"outage.{view.outage}", view.at
        subject, context = notification.title_of(view), _outage_facts(view)
    elif isinstance(view, DecisionView):
        # One thread for each reader, so that none holds e-mails to several people.
        thread, at = f"moderation.{reader.pk}", view.at
        subject, context = notification.title_of(view), _decision_facts(view)
    elif isinstance(view, QueueView):
        thread, at = f"reports.{reader.pk}", view.at
        subject = notification.title_of(view)
        context = {"count": view.count, "link": summaries.queue_link()}
    elif isinstance(view, TournamentView):
        thread, at = f"tournament.{view.tournament.pk}", view.at
        subject, context = subjects.of_tournament(view), _tournament_facts(view)
    elif isinstance(view, LadderView):
        thread, at = f"ladder.{view.ladder.pk}", view.at
        subject, context = subjects.of_ladder(view), _ladder_facts(view)
    elif isinstance(view, FollowedView):
        # Not the thread of the match, which is that of its players.
        thread, at = f"followed.{view.match.pk}", view.at
        subject, context = notification.title_of(view), _followed_facts(view)
    else:
        me = view.me
        assert me is not None  # noqa: S101 - only players are notified
        thread, at = f"match.{view.match.pk}", view.now
        subject, context = subjects.of_match(view), match_facts(reader, view)
        context["waiting"] = me.waiting if notification.asks_to_act else 0
        if emailed is not None:
            context["talk"] = emailed
            context["answers"] = _lazy(partial(hints.about_match, view, talks=True))
        if notification.kind == NotificationKind.TALK:
            context["link"] = absolute_url(reverse("talk:page", args=[view.match.pk]))
    context |= {
        "title": _lazy(notification.title_of, view),
        "sentence": _lazy(lambda: with_short_words(notification.sentence_of(view))),
    }
    return compose(
        notification.email,
        reader,
        context,
        kind=_list_of(notification.kind),
        thread=thread,
        subject=subject,
        at=at,
        message_id=message_id,
        reply_to=_reply_address(reader, view, message_id, issue),
        witness=_witness(notification.email, reader, view, context, receipt_of),
    )


def _witness(
    name: str, reader: User, view: View, context: dict[str, Any], receipt_of: ReceiptOf
) -> Witness:
    """The proof that the e-mail of this name has."""
    if isinstance(view, FollowedView):
        return witness.of_end(view.match)
    shows_board = name in SHOWING and context.keys() & {"board", "board_list"}
    if isinstance(view, MatchView) and (name in TELLING or shows_board):
        return witness.of_view(reader, view, receipt_of)
    return NO_WITNESS


def digest(
    reader: User,
    waiting: Sequence[Waiting],
    count: int,
    news: Sequence[News],
    at: datetime,
    message_id: str,
) -> Email:
    """The digest with the waiting matches (`count` in all, listed or not) and the news."""
    urgent = sum(one.urgent for one in waiting)
    pairs = [(one.match, one.ply) for one in waiting] + [
        (one.summary.match, one.summary.ply) for one in news
    ]
    plies = {match: ply for match, ply in pairs if match is not None and ply is not None}
    context = {
        "waiting": waiting,
        "more": count - len(waiting),
        "count": count,
        "news": news,
        "link": absolute_url(reverse("home")),
        "answers": _lazy(
            hints.about_several, list(plies), next((n.summary.match for n in news if n.talk), None)
        ),
    }
    offers: dict[int, Offers] = {}
    for one in news:
        if one.summary.match is not None and any(one.offers):
            earlier = offers.get(one.summary.match, NO_OFFERS)
            offers[one.summary.match] = Offers(*map(max, earlier, one.offers))
    about = About(
        dispatch_key=message_id,
        purpose=Purpose.DIGEST,
        user=reader,
        matches=plies,
        offers=offers,
    )
    return compose(
        "digest",
        reader,
        context,
        kind="match",
        thread=f"digest.{reader.pk}",
        subject=subjects.of_digest(count, urgent),
        at=at,
        message_id=message_id,
        reply_to=reply_addresses.issue(about) if reply_addresses.replies_are_taken() else "",
    )


def trial(reader: User, at: datetime, message_id: str) -> Email:
    """A test e-mail that the reader asked for, to see whether e-mails arrive."""
    context = {"link": absolute_url(reverse("notifications:settings")), "asked": with_zone(at)}
    return compose(
        "trial",
        reader,
        context,
        kind="match",
        thread=f"trial.{reader.pk}",
        subject=_("Test e-mail"),
        at=at,
        message_id=message_id,
    )


def _list_of(kind: NotificationKind) -> str:
    """The list of e-mails that a kind belongs to, as `compose` takes it."""
    if kind in ALWAYS_BY_EMAIL:
        return str(kind)
    return "reminder" if kind == NotificationKind.REMINDER else "match"


def _reply_address(reader: User, view: View, message_id: str, issue: Issue) -> str:
    """A new reply address; "" if replies are not taken, or there is nothing to answer by e-mail."""
    if isinstance(view, DecisionView | QueueView | FollowedView):
        return ""
    if not reply_addresses.replies_are_taken():
        return ""
    return issue(_about(reader, view, message_id))


def _about(
    reader: User,
    view: MatchView | InvitationView | OutageView | TournamentView | LadderView,
    message_id: str,
) -> About:
    """What an answer to the e-mail of a notification would refer to."""
    key = About(dispatch_key=message_id, purpose=Purpose.MATCH, user=reader)
    if isinstance(view, InvitationView):
        return replace(key, purpose=Purpose.INVITATION, invitation_id=view.invitation.pk)
    if isinstance(view, TournamentView | LadderView):
        return replace(key, purpose=Purpose.LOBBY)
    if isinstance(view, OutageView):
        plies = {player.match_id: player.match.ply for player in view.players[:MAX_MATCHES]}
        return replace(key, purpose=Purpose.DIGEST, matches=plies)
    offers = shown_offers.open_in(view)
    return replace(key, match_id=view.match.pk, ply=view.number, offers=offers)


def match_facts(reader: User, view: MatchView) -> dict[str, Any]:
    """The variables of templates about a match; expensive ones are computed when used."""
    match, me, opponent = view.match, view.me, view.opponent
    assert me is not None and opponent is not None  # noqa: S101 - only players are notified
    detail = preferences.read(reader).email_detail
    is_finished = match.status == Status.FINISHED
    path = reverse("archive:match", args=[match.pk]) if is_finished else match.get_absolute_url()
    context = {
        "match": match,
        "number": match.pk,
        "game": _(view.rules.title),
        "side": _(played_as(view.rules, me.seat)),
        "opponent": opponent.user,
        "pace": span(match.pace),
        "offers_draw": match.draw_offer == opponent.seat,
        "offers_pause": match.pause_offer == opponent.seat,
        "my_turn": view.my_turn,
        "plan": _lazy(_news_of_plan, view),
        "must": summaries.must_be_here(me, view.now),
        "link": absolute_url(path),
        "is_finished": is_finished,
        "rematch": match.may_have_rematch,
        "opens": view.opens_at and with_zone(view.opens_at),
        "result": _lazy(lambda: with_short_words(narration.ending(view))),
        "set": _lazy(sets.sentence, view),
        "event": _lazy(ports.event_of, match.event),
        "agreed": _lazy(rulebook.agreed, view.rules),
        "setting_up": _lazy(setup_by_reply.facts, view),
        "answers": _lazy(hints.about_match, view),
    }
    if detail != Detail.TURN:
        context["happened"] = _lazy(_since_own_ply, view)
        context["last_ply"] = _lazy(narration.sentences, view)
        context["notes"] = _lazy(_notes, view)
    if detail == Detail.BOARD:
        context |= board_facts(reader, view)
    return context


def board_facts(reader: User, view: MatchView) -> dict[str, Any]:
    """The board in the style that the reader prefers: drawn with a legend, or as a list."""
    if preferences.read(reader).board_style == BoardStyle.LIST:
        return {"board_list": _lazy(board_list.paragraphs, view)}
    signs = _lazy(text_board.signs, view)
    return {
        "board": _lazy(lambda: html_boards.table(view, signs())),
        "board_text": _lazy(lambda: text_board.text(view, signs())),
        "legend": _lazy(html_boards.legend, view),
    }


def _invitation_facts(view: InvitationView) -> dict[str, Any]:
    """The variables of templates about an invitation."""
    invitation = view.invitation
    note = " ".join(invitation.note.split())
    return {
        "game": _(invitation.rules.title),
        "other": view.other,
        "note": note,
        "note_in_text": with_short_words(note),
        "seat": invitation.guest_sits(),
        "as_set": invitation.as_set,
        "rated": invitation.rated,
        "became_friendly": invitation.became_friendly,
        "commitments": invitation.commitments.split(),
        "terms": _lazy(describe, invitation.terms),
        "pace": span(invitation.pace),
        "setup_pace": setup_time(invitation.setup_pace),
        "until": with_zone(invitation.expires_at),
        "left": in_words(invitation.expires_at - view.at),
        "link": summaries.invitation_link(view),
        "answers": _lazy(hints.about_invitation, view),
    }


def _ladder_facts(view: LadderView) -> dict[str, Any]:
    """The variables of the template about a ladder."""
    return {
        "game": view.ladder.title,
        "link": absolute_url(view.ladder.get_absolute_url()),
        "answers": _lazy(hints.about_several, []),
    }


def _followed_facts(view: FollowedView) -> dict[str, Any]:
    """The variables of the template about a match that its reader follows."""
    match = view.match
    return {
        "number": match.pk,
        "game": _(match.rules.title),
        "names": " – ".join(view.names.values()),
        "result": with_short_words(narration.result(match, view.names)),
        "opens": match.ended_by_time and match.opens_at and with_zone(match.opens_at),
        "is_finished": match.status == Status.FINISHED,
        "link": summaries.followed_link(view),
        "watch_link": absolute_url(reverse("watch:index")),
    }


def _outage_facts(view: OutageView) -> dict[str, Any]:
    """The variables of the template about an outage: its first MAX_MATCHES matches."""
    shown = view.players[:MAX_MATCHES]
    return {
        "matches": [
            Waiting(
                title=_("Match %(number)s against %(opponent)s")
                % {"number": player.match_id, "opponent": player.opponent.user},
                due=summaries.must_be_here(player, view.at) if player.to_act else "",
                link=absolute_url(player.match.get_absolute_url()),
                urgent=False,
                match=player.match_id,
                ply=player.match.ply,
            )
            for player in shown
        ],
        "answers": _lazy(hints.about_several, [player.match_id for player in shown]),
        "more": len(view.players) - len(shown),
        "link": absolute_url(reverse("home")),
    }


def _decision_facts(view: DecisionView) -> dict[str, Any]:
    """The variables of templates about a decision."""
    decision = view.decision
    is_about_reader = decision.report.person_id == view.reader.pk
    concerned = listing.concerned(decision.report, None if is_about_reader else view.reader)
    open_until = decision.made_at + answers.ANSWERED_WITHIN
    return {
        "outcome": decision.outcome,
        "person": ", ".join(map(str, concerned)),
        "has_bot": any(one.is_bot for one in concerned),
        "reason": with_short_words(decision.reason),
        "until": decision.until and with_zone(decision.until),
        "decision_link": absolute_url(answers.path(decision.pk)),
        "answer_until": with_zone(open_until) if answers.may_answer(decision) else "",
        "link": absolute_url(reverse("moderation:own")),
    }


def _tournament_facts(view: TournamentView) -> dict[str, Any]:
    """The variables of the template about a tournament."""
    tournament = view.tournament
    return {
        "game": _(tournament.rules.title),
        "pace": span(tournament.pace),
        "link": absolute_url(tournament.get_absolute_url()),
        "answers": _lazy(hints.about_several, []),
    }


def _lazy(function: Callable[..., Any], *arguments: Any) -> Callable[[], Any]:
    """A variable that templates call: computed at its first use, and only once."""
    return cache(partial(function, *arguments))


def _notes(view: MatchView) -> list[str]:
    return [note_text(note) for note in view.observation.notes]


def _news_of_plan(view: MatchView) -> str:
    """What has become of the reader's plan for this turn; no line of it but the answer."""
    plan = own_plan.of_turn(view)
    if plan is None:
        return ""
    stop = quoted("forget") if reply_addresses.replies_are_taken() else ""
    return plan_news.sentence_by_email(plan, stop)


def _since_own_ply(view: MatchView) -> list[str]:
    """Sentences about the reader's last ply by hand and all later ones; none during set-up.

    Those of a plan are marked. A query more if the ply by hand is not among the newest.
    """
    if view.match.status == Status.SETUP:
        return []
    entries: Sequence[Entry] = view.entries
    first, by_plan = own_plan.last_by_hand(view), own_plan.plies_played(view)
    if first is None:
        own = [entry.number for entry in entries if entry.seat is view.seat]
        first = own[-1] if own else 0
    elif first < entries[0].number:
        entries = match_view.entries(view.match, first, view.number)
    lines = []
    for entry in entries:
        if entry.number in by_plan and entry.kind == PlyKind.MOVE:
            sentence = narration.aloud(view, entry)
            lines.append(_("By your plan: %(sentence)s") % {"sentence": sentence})
        elif entry.number >= first:
            lines += narration.sentences(view, entry)
    return lines
