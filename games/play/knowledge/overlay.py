"""Overlay: what a reader remembers and has marked, drawn on the pieces of the opponent."""

from html import escape

from django.utils.translation import gettext as _

from games.play.board.boards import Overlaid
from games.play.knowledge import marks
from games.play.knowledge.marks import COLOURS, Mark
from games.play.knowledge.memory import Known
from games.play.record.match_view import MatchView
from games.play.words.narration import piece_name
from games.rules.core.basics.moves import move_number
from games.rules.core.observation import SeenPiece
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import DEDUCED, TrackedPiece

REMEMBERED = "remembered"  # of a piece that is drawn faint


def overlay(view: MatchView, known: Known | None) -> dict[str, Overlaid]:
    """What to draw on each enemy piece, by square; each links to the panel about the piece."""
    if known is None or known.dossier is None:
        return {}
    names = view.rules.board.names
    return {
        square: _overlaid(view, square, one, marks.mark_of(known.marks, names[one.start]))
        for square, one in known.dossier.enemies().items()
    }


def _overlaid(view: MatchView, square: str, one: TrackedPiece, mark: Mark) -> Overlaid:
    seen, words, html = view.observation.pieces[square], [], ""
    piece = None
    if view.match.memory_aid and seen.rank is None and one.rank is not None:
        piece = SeenPiece(seen.seat, one.rank, seen.marks | {REMEMBERED})
        turn = _seen_in(one)
        if turn is None:
            words.append(_("follows from the other pieces"))
        else:
            move = move_number(turn)
            words.append(_("seen on move %(move)s") % {"move": move})
            html += f"<i>{move}</i>"
    if any(mark):
        words.append(_("your mark: %(mark)s") % {"mark": _spoken(view.rules, mark)})
        tint = f" {mark.colour}" if mark.colour else ""
        html += f'<i class="mark{tint}">{escape(marks.sign(mark)) or "●"}</i>'
    return Overlaid(
        address=f"?piece={square}#piece",
        words=", ".join(words),
        html=html,
        piece=piece,
    )


def _seen_in(one: TrackedPiece) -> int | None:
    """The turn in which the reader last saw an identified piece; None if its rank is deduced."""
    if one.last_fight is not None:
        return one.last_fight.turn
    if not one.reasons or one.reasons[-1].why in DEDUCED:
        return None
    return max(reason.turn for reason in one.reasons if reason.why not in DEDUCED)


def _spoken(rules: Ruleset, mark: Mark) -> str:
    parts = [
        piece_name(rules, mark.guess) + "?" if mark.guess else "",
        mark.word,
        _(COLOURS[mark.colour]) if mark.colour else "",
    ]
    return ", ".join(part for part in parts if part)
