"""What a reader may do next on the board, and which squares stand out: made from a Look alone.

A move is chosen square by square, as its text names them: the piece and where it goes, in a charge
the enemy after that, in a chain each point where the officer lands, in a blow the officer first.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from itertools import chain, islice, repeat

from django.utils.translation import gettext as _

from games.play import sketch
from games.play.boards import Door
from games.play.branches import Branch, Squares, Tree
from games.play.models.kind import Kind
from games.play.scene import Scene
from games.play.sight import Look
from games.rules.core import notation
from games.rules.core.observation import SeenPiece

MOST_FOR_THE_SCRIPT = 500  # moves; where there are more, a reader chooses by the links alone
LONGEST = 20  # squares of a move; a chain ends with the sixteenth jump


@dataclass(frozen=True)
class Choices:
    """The doors of the board and the states of its squares."""

    moves: tuple[str, ...]  # all legal moves of the reader, for the script; may be left out
    begun: Squares  # what is chosen so far
    made: str  # the move that this is if nothing is added, or ""
    prompt: str  # what to do next, in a sentence; "" if nothing is chosen
    draft: str  # the move that was kept; what is being chosen goes before it
    blows: dict[str, Door]  # the officers that may be blown now (A13)
    doors: dict[str, Door]
    marks: dict[str, list[str]]
    ghosts: dict[str, SeenPiece]  # the piece of a move that is being written, where it would stand


def choices(look: Look, *, asked: Iterable[str] = (), draft: str = "") -> Choices:
    """The choices on the page of a match.

    `asked` are the squares that the reader has chosen, in their order, `draft` the move they kept.
    """
    tree = Tree(look)
    begun, made = tree.follow(tuple(islice(asked, LONGEST)))
    draft = "" if begun else draft
    drawn = sketch.of_squares(look, begun) if begun else sketch.of_move(look, draft)
    # A move that begins with a blow goes on as any other does, from the square after it.
    start = begun[:1] if begun and sketch.strikes_first(look, begun) else ()
    sources = tree.branches(start)
    onward = tree.branches(begun) if begun != start else {}
    doors = _sources(look, start, sources) | _onward(look, start, begun, onward)
    if made:
        doors[begun[-1]] = Door(move=made, words=_("stop here:"))
    blows = [] if start else [square for square in sources if sketch.strikes_first(look, (square,))]
    marks = last_action(look)
    for state, squares in (("offender", blows), ("target", onward)):
        for square in squares:
            marks[square].append(state)
    for square, states in drawn.marks.items():
        marks[square] += states
    return Choices(
        moves=tree.moves if len(tree.moves) <= MOST_FOR_THE_SCRIPT else (),
        begun=begun,
        made=made,
        prompt=_prompt(begun, made, blow=bool(start), further=bool(onward)),
        draft=draft,
        blows={square: doors[square] for square in blows},
        doors=doors,
        marks=marks,
        ghosts=drawn.ghosts,
    )


def _sources(look: Look, start: Squares, branches: Mapping[str, Branch]) -> dict[str, Door]:
    """The doors of the pieces that may be chosen, and of the officers that may be blown."""
    doors = {}
    for square, branch in branches.items():
        strikes = not start and sketch.strikes_first(look, (square,))
        words = _("blow:") if strikes else ""
        squares = (*start, square)
        doors[square] = _door(look, squares, branch, blow=bool(start) or strikes, words=words)
    return doors


def _onward(
    look: Look, start: Squares, begun: Squares, branches: Mapping[str, Branch]
) -> dict[str, Door]:
    """The doors of the squares where the move may go on."""
    doors = {}
    for square, branch in branches.items():
        attacked = square in look.observation.pieces and square not in begun
        words = _("attack %(square)s:") if attacked else _("to %(square)s")
        words %= {"square": square}
        doors[square] = _door(look, (*begun, square), branch, blow=bool(start), words=words)
    return doors


def _door(look: Look, squares: Squares, branch: Branch, *, blow: bool, words: str) -> Door:
    """A link to where the move goes on, or the button that prepares it."""
    if not branch.further:
        return Door(move=branch.move, words=words)
    names = chain(["blow", "from"] if blow else ["from"], repeat("via"))
    query = "&".join(f"{name}={square}" for name, square in zip(names, squares, strict=False))
    return Door(address=f"{look.address}?{query}#board", words=words)


def _prompt(begun: Squares, made: str, *, blow: bool, further: bool) -> str:
    """What a reader who has begun a move may do next."""
    if not begun:
        return ""
    if made:
        told = _("%(move)s is not sent yet.") % {"move": made}
        way_on = _("Send it as it is, or choose how it goes on.")
        return f"{told} {way_on}" if further else told
    if blow and len(begun) == 1:
        told = _("You blow the officer on %(square)s. Choose the soldier that moves.")
    elif blow or len(begun) == 1:
        told = _("The piece on %(square)s is chosen. Choose where it goes.")
    else:
        told = _("The capture has to go on from %(square)s. Choose where to.")
    return told % {"square": begun[-1]}


def last_action(look: Scene) -> dict[str, list[str]]:
    """The squares of the action that led to the ply looked at."""
    marks: dict[str, list[str]] = defaultdict(list)
    entry = look.entry
    if entry.kind != Kind.MOVE:
        # Archers may shoot as soon as the last army stands (T8).
        struck = [hit[1] for hit in notation.HIT.finditer(entry.text)]
    else:
        done = notation.read_annotated(look.rules, entry.text)
        if done.source and done.target:
            marks[done.source].append("last-from")
            marks[done.target].append("battle" if done.battle else "last-to")
        if done.via:
            marks[done.via].append("last-to")
        struck = [square for square, _removed in done.volley]
        struck += [done.blown] if done.blown else []
        struck += sketch.jumped(look, done.path)
    for square in struck:
        marks[square].append("hit")
    return marks
