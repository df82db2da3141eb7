"""The section "Talk" of a match page: the newest lines, and whether the reader can write."""

from __future__ import annotations

from typing import NamedTuple

from accounts.models import User
from games.play.record.match_view import MatchView
from games.play.words.wording import refusal_text
from games.talk.commands import why_not
from games.talk.lines import reading
from games.talk.lines.reading import ShownLine
from games.talk.lines.text import MAX_CHARACTERS, MAX_SENT_CHARACTERS

PROGRAMS = ("house", "bot")
NEWEST = 20  # lines on the match page; all are on a page of their own


class TalkSection(NamedTuple):
    """What the template shows. `refusal`: why the reader cannot write, "" if they can."""

    lines: list[ShownLine]
    refusal: str
    muted: bool
    address: str  # the page with all lines
    most: int = MAX_CHARACTERS
    most_sent: int = MAX_SENT_CHARACTERS

    @property
    def has_more(self) -> bool:
        """Whether there may be older lines."""
        return len(self.lines) >= NEWEST


def section(view: MatchView, reader: User) -> TalkSection | None:
    """The section for a player of the match; None for others, and in matches with a program.

    One query; none if nothing has been written.
    """
    if view.me is None or view.opponent is None or view.opponent.user.kind in PROGRAMS:
        return None
    return _section(view, reader, reading.newest(view.me, NEWEST))


def whole_page(view: MatchView, reader: User, lines: list[ShownLine]) -> TalkSection:
    """The same with other lines, for one of the two players."""
    return _section(view, reader, lines)


def _section(view: MatchView, reader: User, lines: list[ShownLine]) -> TalkSection:
    assert view.me is not None and view.opponent is not None  # noqa: S101 - only for players
    refusal = why_not(reader, view.match, view.opponent.user, view.now)
    return TalkSection(
        lines,
        refusal_text(refusal) if refusal else "",
        view.me.talk_muted,
        f"{view.address}talk/",
    )
