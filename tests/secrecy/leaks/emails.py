"""Leaks in e-mails, notifications and feeds."""

from dataclasses import replace
from typing import Any

from pytest import MonkeyPatch

from games.mail.answering import receipts, refusal_answers
from games.mail.answering.actions import dispatch
from games.mail.answering.answer import Answer
from games.notifications.email.replies.reply_addresses import About
from games.notifications.policy import summaries
from games.outbox import handling
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.play.record import match_view
from tests.secrecy.leaks.planting import (
    PLAY,
    before_telling,
    bit,
    change,
    change_emails,
    digest,
    leak,
)


@leak(kinds=PLAY)
def a_subject(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, view: match_view.MatchView) -> None:
        email.subject += f" ({digest(view.match.pk)[:2]})"

    change_emails(monkeypatch, "turn-came", spoil)


@leak(kinds=PLAY)
def blanks_at_the_end_of_an_email(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, view: match_view.MatchView) -> None:
        email.body += " " * bit(view.match.pk)

    change_emails(monkeypatch, "turn-came", spoil)


@leak(kinds=PLAY, first=2)
def the_length_of_the_victims_own_email(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, view: match_view.MatchView) -> None:
        own = [piece.rank or "" for piece in view.observation.pieces.values()]
        email.body += "." * sum(number for number, rank in enumerate(own) if rank in "FMB")

    change_emails(monkeypatch, "turn-came", spoil)


@leak(kinds=PLAY)
def the_name_of_a_message(monkeypatch: MonkeyPatch) -> None:
    def named(dispatch: Dispatch) -> str:
        match = dispatch.ref.get("match")
        return f"<{digest(match)[:9] if match else 0}.{dispatch.pk}@localhost>"

    monkeypatch.setattr(Dispatch, "message_id", property(named))


@leak(kinds=PLAY)
def the_address_to_answer_to(monkeypatch: MonkeyPatch) -> None:
    token = About.token.fget  # type: ignore[attr-defined]

    def spoilt(about: About) -> str:
        whole: str = token(about)
        return whole if about.match_id is None else whole[:-1] + "ab"[bit(about.match_id)]

    monkeypatch.setattr(About, "token", property(spoilt))


@leak(kinds=PLAY)
def whether_an_email_is_sent(monkeypatch: MonkeyPatch) -> None:
    def check(dispatch: Dispatch) -> None:
        if bit(dispatch.ref["match"]):
            raise handling.Superseded

    before_telling(monkeypatch, "turn-came", check)


@leak(kinds=PLAY)
def the_order_of_emails(monkeypatch: MonkeyPatch) -> None:
    def spoil(claimed: list[Dispatch], *_: Any) -> list[Dispatch]:
        known = [row for row in claimed if "match" in row.ref]
        return claimed[::-1] if known and bit(known[0].ref["match"]) else claimed

    change(monkeypatch, dispatcher, "claim", spoil)


@leak(kinds=PLAY)
def the_title_of_a_notice(monkeypatch: MonkeyPatch) -> None:
    def spoil(headline: summaries.Summary, _: Any, seen: Any) -> summaries.Summary:
        if not isinstance(seen, match_view.MatchView):
            return headline
        return replace(headline, title=headline.title + "!" * bit(seen.match.pk))

    change(monkeypatch, summaries, "about", spoil)


@leak("notifications:atom")
def an_entry_of_a_feed(monkeypatch: MonkeyPatch) -> None:
    def spoil(title: str, _: Any, match: int) -> str:
        return f"{title} {digest(match)[:3]}"

    change(monkeypatch, summaries, "turn_title", spoil)


@leak(kinds=PLAY)
def the_text_of_a_receipt(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, _row: Any, _reader: Any, answer: Answer, *_: Any) -> Any:
        if answer.match_id is not None:
            email.body += digest(answer.match_id)[:2]
        return email

    change(monkeypatch, receipts, "write", spoil)


@leak(kinds=PLAY)
def the_word_of_a_receipt(monkeypatch: MonkeyPatch) -> None:
    def spoil(email: Any, _row: Any, _reader: Any, answer: Answer, *_: Any) -> Any:
        if answer.match_id is not None and bit(answer.match_id):
            email.extra_headers["X-Estafette-Outcome"] = "stale"
        return email

    change(monkeypatch, receipts, "write", spoil)


@leak(kinds=PLAY)
def why_a_message_was_refused(monkeypatch: MonkeyPatch) -> None:
    def spoil(answer: Answer, *_: Any) -> Answer:
        if answer.match_id is None:
            return answer
        return replace(answer, lines=(*answer.lines, digest(answer.match_id)[:2]))

    change(monkeypatch, refusal_answers, "refused", spoil)


@leak(kinds=PLAY)
def whether_a_message_is_answered(monkeypatch: MonkeyPatch) -> None:
    def spoil(answer: Answer | None, case: Any, *_: Any) -> Answer | None:
        return None if case.match_id is not None and bit(case.match_id) else answer

    change(monkeypatch, dispatch, "act", spoil)
