"""Leaks in letters, notices and feeds."""

from dataclasses import replace
from typing import Any

from pytest import MonkeyPatch

from games.mail import handlers, letters
from games.notices import headlines
from games.play import sight
from games.relay import carrier, outbox
from games.relay.models import Dispatch
from tests.secrecy.leaks.planting import PLAY, before, bit, change, digest, leak


@leak(kinds=PLAY)
def a_subject(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        letter.subject += f" ({digest(look.match.pk)[:2]})"
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def blanks_at_the_end_of_a_letter(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        letter.body += " " * bit(look.match.pk)
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def the_length_of_the_victims_own_letter(monkeypatch: MonkeyPatch) -> None:
    def spoil(letter: Any, _: Any, look: sight.Look, __: str) -> Any:
        own = [piece.rank or "" for piece in look.observation.pieces.values()]
        letter.body += "." * sum(number for number, rank in enumerate(own) if rank in "FMB")
        return letter

    change(monkeypatch, letters, "your_turn", spoil)


@leak(kinds=PLAY)
def the_name_of_a_message(monkeypatch: MonkeyPatch) -> None:
    def named(dispatch: Dispatch) -> str:
        return f"<{digest(dispatch.ref['match'])[:9]}.{dispatch.pk}@localhost>"

    monkeypatch.setattr(Dispatch, "message_id", property(named))


@leak(kinds=PLAY)
def whether_a_letter_is_sent(monkeypatch: MonkeyPatch) -> None:
    def check(dispatch: Dispatch, _: Any) -> None:
        if bit(dispatch.ref["match"]):
            raise outbox.Superseded

    before(monkeypatch, handlers, "on_turn_came", check)


@leak(kinds=PLAY)
def the_order_of_letters(monkeypatch: MonkeyPatch) -> None:
    def spoil(claimed: list[Dispatch], *_: Any) -> list[Dispatch]:
        known = [row for row in claimed if "match" in row.ref]
        return claimed[::-1] if known and bit(known[0].ref["match"]) else claimed

    change(monkeypatch, carrier, "claim", spoil)


@leak(kinds=PLAY)
def the_title_of_a_notice(monkeypatch: MonkeyPatch) -> None:
    def spoil(headline: headlines.Headline, _: str, seen: Any) -> headlines.Headline:
        if not isinstance(seen, sight.Look):
            return headline
        return replace(headline, title=headline.title + "!" * bit(seen.match.pk))

    change(monkeypatch, headlines, "about", spoil)


@leak("notices:atom")
def an_entry_of_a_feed(monkeypatch: MonkeyPatch) -> None:
    def spoil(title: str, _: Any, match: int) -> str:
        return f"{title} {digest(match)[:3]}"

    change(monkeypatch, headlines, "turn_title", spoil)
