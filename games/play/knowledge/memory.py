"""Memory: what a player has seen of each piece of their match, stored in their notebook.

A page adds the plies since the notebook was last written, of which it has read the newest anyway.
So a long match costs no more than a short one.
"""

import json
from typing import NamedTuple

from games.play.knowledge import marks
from games.play.knowledge.marks import Mark
from games.play.models.kind import PlyKind
from games.play.models.match import Player
from games.play.record import match_view
from games.play.record.match_view import MatchView
from games.play.record.sealed import notebooks
from games.play.record.sealed.notebooks import Pages
from games.rules.core.knowledge.dossier import Dossier, dossier
from games.rules.core.knowledge.piece_tracker import Tracker

FORMAT = 3  # of the stored text; a notebook of another format is rebuilt from the plies
WRITE_EVERY_PLIES = 10  # half of the plies that a page reads anyway, so no page has to read more


class Known(NamedTuple):
    """What a reader knows of their match now, and their marks and notes."""

    dossier: Dossier | None  # None at earlier plies, and from another viewpoint
    marks: dict[str, Mark]  # by the square on which the piece began
    note: str
    note_version: str


def recall(view: MatchView) -> Known | None:
    """What the reader of a match page has seen and noted; None if they do not play in it."""
    me = view.me
    if me is None or view.opening is None:
        return None
    pages = notebooks.of_reader(me)
    # Once everything is open, no memory is needed.
    if not (view.is_own and view.is_newest):
        return Known(None, {}, pages.note, pages.note_version)
    try:
        pieces = _dossier(view, me, pages)
    except (LookupError, ValueError, TypeError):
        pieces = _dossier(view, me, Pages())
    return Known(pieces, marks.load(pages.marks), pages.note, pages.note_version)


def _dossier(view: MatchView, me: Player, pages: Pages) -> Dossier:
    tracker, ply = _restored(view, pages)
    if ply < view.number:
        entries = view.entries
        if entries[0].number > ply + 1:
            entries = match_view.entries(view.match, ply + 1, view.number)
        for entry in entries:
            if entry.kind == PlyKind.MOVE and entry.seat is not None and entry.number > ply:
                tracker.add_turn(entry.seat, entry.text)
    due = not pages.memory or view.number - ply >= WRITE_EVERY_PLIES
    text = json.dumps([FORMAT, tracker.dump()], separators=(",", ":")) if due else ""
    pieces = dossier(tracker, view.observation)
    if due:
        notebooks.store_memory(me.pk, view.number, text)
    return pieces


def _restored(view: MatchView, pages: Pages) -> tuple[Tracker, int]:
    """The tracker as stored, or a new one, and the ply up to which it has read."""
    if pages.memory and pages.ply <= view.number and view.viewpoint.seat is not None:
        layout, state = json.loads(pages.memory)
        if layout == FORMAT:
            return Tracker.restore(view.rules, view.viewpoint.seat, state), pages.ply
    first, text = match_view.opening_board(view)
    return Tracker.begin(view.rules, first, text), view.opening or 0
