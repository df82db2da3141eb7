"""Choices on the board: the squares that a reader may click next, and the highlighted ones.

Made from a snapshot only, of a match or of a lesson. A move is chosen square by square, in the
order of its text: the piece and its target; in a charge then the enemy; in a chain each point where
the officer lands; after a huff the officer first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice, repeat

from django.utils.translation import gettext as _

from games.play.board import preview
from games.play.board.boards import SquareLink
from games.play.board.move_tree import Branch, Squares, Tree
from games.play.models.kind import PlyKind
from games.play.record.snapshot import SeatedSnapshot, Snapshot
from games.presentation.presentation import EventWords
from games.presentation.registry import presentation_of
from games.rules.core.observation import SeenPiece
from games.rules.core.text import notation

MAX_SCRIPTED_MOVES = 500  # with more, the reader chooses by links only
MAX_SQUARES = 20  # of a move; a chain ends with the sixteenth jump


@dataclass(frozen=True)
class Choices:
    """The links of the board and the states of its squares."""

    moves: tuple[str, ...]  # all legal moves of the reader, for the script; may be empty
    jumps: dict[str, str]  # also for the script: the square jumped over, by the two ends of a jump
    begun: Squares  # the squares chosen so far
    made: str  # the move that these squares make, or ""
    prompt: str  # what to do next, in a sentence; "" if nothing is chosen
    draft: str  # the saved move; a move that is being chosen takes precedence
    huffs: tuple[SquareLink, ...]  # a button for each piece that may be huffed now (A13)
    huff_prompt: str  # for the script: what to do after a huff, `%s` for its square
    links: dict[str, SquareLink]
    marks: dict[str, list[str]]
    drafted: dict[str, SeenPiece]  # the piece of an unsent move, on its target square


def choices(view: SeatedSnapshot, *, chosen: Iterable[str] = (), draft: str = "") -> Choices:
    """The choices on the page of a match; none if it is not the reader's turn.

    `chosen` are the names of the squares that the reader has chosen, in order; the longest prefix
    that begins a legal move counts. `draft` is the text of the reader's saved move.
    """
    tree = Tree(view)
    begun, made = tree.follow(tuple(islice(chosen, MAX_SQUARES)))
    draft = "" if begun else draft
    drawn = preview.of_squares(view, begun) if begun else preview.of_move(view, draft)
    # A move that begins with a huff continues as any other, from the square after it.
    start = begun[:1] if begun and preview.strikes_first(view, begun) else ()
    sources = tree.branches(start)
    onward = tree.branches(begun) if begun != start else {}
    links = _sources(view, start, sources) | _onward(view, start, begun, onward)
    if made:
        links[begun[-1]] = SquareLink(move=made, words=_("stop here:"))
    huffs = (
        [] if start else [square for square in sources if preview.strikes_first(view, (square,))]
    )
    marks = last_action(view)
    for state, squares in (("offender", huffs), ("target", onward)):
        for square in squares:
            marks[square].append(state)
    for square, states in drawn.marks.items():
        marks[square] += states
    events = presentation_of(view.rules.family).events
    scripted = len(tree.moves) <= MAX_SCRIPTED_MOVES
    return Choices(
        moves=tree.moves if scripted else (),
        jumps=tree.jumps() if scripted else {},
        begun=begun,
        made=made,
        prompt=_prompt(events, begun, made, huff=bool(start), further=bool(onward)),
        draft=draft,
        huffs=tuple(_huff(events, square, links[square]) for square in huffs),
        huff_prompt=_(events.huff_prompt) % {"square": "%s"} if huffs or start else "",
        links=links,
        marks=marks,
        drafted=drawn.drafted,
    )


def _sources(
    view: SeatedSnapshot, start: Squares, branches: Mapping[str, Branch]
) -> dict[str, SquareLink]:
    """The links of the pieces that may be chosen, and of the officers that may be huffed."""
    links, events = {}, presentation_of(view.rules.family).events
    for square, branch in branches.items():
        strikes = not start and preview.strikes_first(view, (square,))
        words = _(events.huff_label) if strikes else ""
        squares = (*start, square)
        links[square] = _link(view, squares, branch, huff=bool(start) or strikes, words=words)
    return links


def _onward(
    view: SeatedSnapshot, start: Squares, begun: Squares, branches: Mapping[str, Branch]
) -> dict[str, SquareLink]:
    """The links of the squares where the move may continue."""
    links = {}
    for square, branch in branches.items():
        attacked = square in view.observation.pieces and square not in begun
        words = _("attack %(square)s:") if attacked else _("to %(square)s")
        words %= {"square": square}
        links[square] = _link(view, (*begun, square), branch, huff=bool(start), words=words)
    return links


def _link(
    view: SeatedSnapshot, squares: Squares, branch: Branch, *, huff: bool, words: str
) -> SquareLink:
    """A link that continues the move, or the button that prepares it."""
    if not branch.further:
        return SquareLink(move=branch.move, words=words)
    names = chain(["huff", "from"] if huff else ["from"], repeat("via"))
    query = "&".join(f"{name}={square}" for name, square in zip(names, squares, strict=False))
    return SquareLink(address=f"{view.address}?{query}#board", words=words)


def _huff(events: EventWords, square: str, link: SquareLink) -> SquareLink:
    """The button below the board that huffs a piece, or begins the move that does."""
    words = events.huff_button_then_move if link.address else events.huff_button
    return link._replace(words=_(words) % {"point": square})


def _prompt(events: EventWords, begun: Squares, made: str, *, huff: bool, further: bool) -> str:
    """What a reader who has begun a move may do next, in a sentence."""
    if not begun:
        return ""
    if made:
        sentence = _("Not sent yet: %(move)s") % {"move": made}
        way_on = _("Send it as it is, or choose how it continues.")
        return f"{sentence} · {way_on}" if further else sentence
    if huff and len(begun) == 1:
        sentence = _(events.huff_prompt)
    elif huff or len(begun) == 1:
        sentence = _("The piece on %(square)s is selected. Choose where it moves.")
    else:
        sentence = _("The capture must continue from %(square)s. Choose where to.")
    return sentence % {"square": begun[-1]}


def last_action(view: Snapshot) -> dict[str, list[str]]:
    """The squares of the action that led to the ply shown."""
    marks: dict[str, list[str]] = defaultdict(list)
    entry = view.entry
    if entry.kind != PlyKind.MOVE:
        # Archers may shoot as soon as both armies are set up (T8).
        struck = [hit[1] for hit in notation.HIT.finditer(entry.text)]
    else:
        done = notation.read_annotated(view.rules, entry.text)
        if done.source and done.target:
            marks[done.source].append("last-from")
            marks[done.target].append("battle" if done.battle else "last-to")
        if done.via:
            marks[done.via].append("last-to")
        struck = [square for square, _removed in done.volley]
        struck += [done.huffed] if done.huffed else []
        if view.rules.jumps:
            struck += view.rules.jumps.jumped_over(done.path)
    for square in struck:
        marks[square].append("hit")
    return marks
