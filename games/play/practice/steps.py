"""Changes of a practice board: what each button of its page does to what is stored."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from games.play.knowledge.memory import Known
from games.play.practice import practice_board
from games.play.practice.hidden_pieces import shown_rank, standing_rank
from games.play.practice.line import Line, Start, follow, rebuilt
from games.play.practice.plan_text import Shows, plan_line
from games.play.practice.stored import (
    MAX_LINES,
    MAX_NAME_CHARACTERS,
    KeptLine,
    Practice,
)
from games.play.record.match_view import MatchView
from games.play.refusals import NotNow
from games.rules.core.basics.refusals import Refusal, gettext_noop


class Desk(NamedTuple):
    """A practice board with the match that it belongs to, as of the newest ply."""

    view: MatchView
    known: Known | None
    practice: Practice

    def __repr__(self) -> str:
        return f"<Desk {self.view.match.pk}>"

    def start(self, practice: Practice | None = None) -> Start:
        """The board on which lines begin, with the guesses of this or another practice board."""
        guesses = (practice or self.practice).guesses
        return practice_board.start_of(self.view, self.known, guesses)

    def line(self) -> Line:
        """The line on the board."""
        return follow(self.start(), self.practice.steps)


def moved(desk: Desk, text: str, taken_for: str) -> Practice:
    """With one more move in the line; raises RankAsked and Refusal."""
    line = desk.line()
    step = line.step(text, taken_for)
    line.extended(step)
    after = follow(line.start, (*line.steps, step))
    if len(after.steps) <= len(line.steps):
        raise NotNow(gettext_noop("This move does not go together with the rest of the line."))
    return desk.practice._replace(steps=after.steps)


def taken_back(desk: Desk) -> Practice:
    """Without the last move of the line."""
    return desk.practice._replace(steps=desk.line().steps[:-1])


def cleared(desk: Desk) -> Practice:
    """Without any move; guesses stay."""
    return desk.practice._replace(steps=())


def guessed(desk: Desk, square: str, rank: str) -> Practice:
    """With another guess for the hidden piece on a square, "" for none; raises Refusal.

    The moves of the line stay, if they are possible with it.
    """
    line = desk.line()
    first = line.where.get(square)
    if first is None:
        raise NotNow(gettext_noop("There is no hidden piece of your opponent on that square."))
    piece = line.start.army.pieces[first]
    guess = _guess(line, square, first, rank)
    practice = desk.practice._replace(guesses={**desk.practice.guesses, piece.start: guess})
    start = desk.start(practice)
    if guess and start.ranks.get(first) != standing_rank(line.rules, piece, guess):
        raise _no_more()
    try:
        again = rebuilt(start, line.steps)
    except Refusal as refusal:
        raise NotNow(
            gettext_noop(
                "With this guess, the line is not possible: %(reason)s Take its moves back first."
            ),
            reason=refusal,
        ) from refusal
    starts = {each.start for each in line.start.army.pieces.values()}
    guesses = {at: kept for at, kept in practice.guesses.items() if at in starts}
    return practice._replace(guesses=guesses, steps=again.steps)


def shown_now(line: Line, first: str, rank: str) -> str:
    """How battles show the rank of a hidden piece at the end of a line; "" if it would be gone."""
    now = line.present_rank(first, rank)
    return shown_rank(line.rules, now[0], demoted=now[1]) if now else ""


def shown_ranks(line: Line) -> Iterator[Iterator[str]]:
    """For each kind of hidden piece after a line, how battles show the ranks that it may have.

    Pieces that may be the same, and were hit as often, are one kind.
    """
    pieces = line.start.army.pieces
    kinds = {(pieces[first].ranks, line.hits.get(first, 0)): first for first in line.where.values()}
    for (ranks, _hits), first in kinds.items():
        yield (name for rank in ranks if (name := shown_now(line, first, rank)))


def _guess(line: Line, square: str, first: str, rank: str) -> str:
    """A guess as it is stored, of what the piece was when the line began; raises Refusal."""
    if not rank:
        return ""
    rules, army = line.rules, line.start.army
    piece = army.pieces[first]
    may_be = {shown_now(line, first, each): each for each in piece.ranks}
    if rank not in may_be:
        raise NotNow(
            gettext_noop("The piece on %(square)s cannot be that; choose one of what it may be."),
            square=square,
        )
    others = {at: other for at, other in line.ranks.items() if at != first}
    kind = rules.enlisted_as(may_be[rank], marked=piece.demoted)
    if not piece.identified and army.spare(rules, others)[kind] < 1:
        raise _no_more()
    return shown_rank(rules, may_be[rank], demoted=piece.demoted)


def _no_more() -> NotNow:
    return NotNow(
        gettext_noop(
            "Your opponent has no more pieces of this kind: first change the guess of another one."
        )
    )


def kept(desk: Desk, name: str) -> Practice:
    """With the line kept under a name; raises Refusal."""
    name, practice, steps = " ".join(name.split()), desk.practice, desk.line().steps
    if not steps:
        raise NotNow(gettext_noop("There is no move to keep yet: make the first move of a line."))
    if not 0 < len(name) <= MAX_NAME_CHARACTERS:
        raise NotNow(
            gettext_noop("A line needs a name of at most %(most)s characters."),
            most=MAX_NAME_CHARACTERS,
        )
    if len(practice.kept) >= MAX_LINES:
        raise NotNow(
            gettext_noop("You can keep at most %(most)s lines of a match: delete one first."),
            most=MAX_LINES,
        )
    line = KeptLine(name, practice.ply, practice.guesses, steps)
    return practice._replace(kept=(*practice.kept, line))


def loaded(desk: Desk, number: int | None) -> Practice:
    """With a line that is kept on the board, and its guesses; raises Refusal."""
    line = _kept_line(desk, number)
    if line.outdated:
        raise NotNow(
            gettext_noop(
                "The match has taken another way, so this line cannot be played any more. It can "
                "be read and deleted."
            )
        )
    practice = desk.practice._replace(guesses=line.guesses)
    steps = rebuilt(desk.start(practice), line.steps).steps
    return practice._replace(steps=steps)


def dropped(desk: Desk, number: int | None) -> Practice:
    """Without a line that was kept; raises Refusal."""
    gone = _kept_line(desk, number)
    lines = tuple(line for line in desk.practice.kept if line is not gone)
    return desk.practice._replace(kept=lines)


def _kept_line(desk: Desk, number: int | None) -> KeptLine:
    """The line of that number, from 1; raises Refusal."""
    if number is None or not 0 < number <= len(desk.practice.kept):
        raise NotNow(gettext_noop("Choose one of the lines that you have kept."))
    return desk.practice.kept[number - 1]


def first_move(desk: Desk) -> str:
    """The move with which the line begins, for a draft on the reader's own turn; raises Refusal."""
    steps = desk.line().steps
    if not desk.view.may_move:
        raise NotNow(gettext_noop("It is your opponent's turn, so there is no move to prepare."))
    if not steps:
        raise NotNow(gettext_noop("Make the first move of a line; it can be prepared then."))
    return steps[0].text


def planned(desk: Desk, shows: str) -> str:
    """The line as a line of a plan, on the opponent's turn; raises Refusal.

    `shows` is what of its battles has to come true, see plan_text.Shows.
    """
    if desk.view.my_turn:
        raise NotNow(
            gettext_noop(
                "A plan answers moves of your opponent, and it is your turn: this line begins with "
                "your own move."
            )
        )
    if shows not in list(Shows):
        raise NotNow(gettext_noop("Choose what your plan waits for in battles."))
    line = desk.line()
    texts = [step.text for step in line.steps]
    text = plan_line(line.rules, line.start.seat, texts, Shows(shows))
    if not text:
        raise NotNow(
            gettext_noop("A plan needs a move of your opponent and your answer: make both first.")
        )
    return text
