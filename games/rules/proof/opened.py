"""What a bundle opens: follows from the lines of the chain, and from how long ago the match ended.

No rank is opened that the players do not know: battles open both their pieces, and the end
of a match opens both armies.
"""

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import HIT, read_annotated
from games.rules.proof.chain import NO_RESULT
from games.rules.proof.rules_line import rules_line
from games.rules.proof.seals import GAP, SealedArmy

Origin = tuple[Seat, str]  # a piece, by the seat that placed it and the square where it began


class ChainedPly(NamedTuple):
    """The fields of a line of the chain, from line 1 on."""

    number: int
    seat: int | None
    kind: str
    text: str
    at: str
    extra: str

    @property
    def ending(self) -> str:
        """The result and reason of an ending, `S flag captured`; "" for any other ply."""
        if self.kind == "setup":
            return self.extra.partition(" ")[2]
        return "" if self.kind in ("look", "reopen") else self.extra


class Opened(NamedTuple):
    """Both whole armies, or some squares: the gaps, and where pieces began that have fought."""

    whole: bool
    origins: frozenset[Origin] = frozenset()


NOTHING = Opened(whole=False)


def read_plies(lines: Sequence[str]) -> list[ChainedPly]:
    """The plies of a chain's lines, line 0 left out."""
    return [ChainedPly(*json.loads(line)) for line in lines[1:]]


def opened(
    rules: Ruleset,
    plies: Sequence[ChainedPly],
    armies: Mapping[Seat, SealedArmy],
    *,
    time_is_final: bool,
) -> Opened:
    """What a bundle opens after these plies.

    `time_is_final` says that an ending on time can no longer be undone: its 48 hours are over.
    """
    if not rules.hidden or set(armies) != set(rules.seats_setting_up):
        return NOTHING
    ending = newest_ending(plies)
    is_final = ending is not None and (ending.kind != "time" or time_is_final)
    if ending and is_final and not ending.ending.startswith(f"{NO_RESULT} "):
        return Opened(whole=True)
    return Opened(False, gaps(rules, armies) | fighters(rules, plies, armies))


def newest_ending(plies: Sequence[ChainedPly]) -> ChainedPly | None:
    """The ply that ended the match; None while it runs."""
    for ply in reversed(plies):
        if ply.kind == "reopen":
            return None
        if ply.ending:
            return ply
    return None


def gaps(rules: Ruleset, armies: Mapping[Seat, SealedArmy]) -> frozenset[Origin]:
    """The squares that set-ups have left empty."""
    return frozenset(
        (seat, square)
        for seat, army in armies.items()
        for square, rank in zip(rules.zone(seat), army.ranks, strict=True)
        if rank == GAP
    )


def fighters(
    rules: Ruleset, plies: Sequence[ChainedPly], armies: Mapping[Seat, SealedArmy]
) -> frozenset[Origin]:
    """The pieces that have fought, followed over the board by the texts of the plies."""
    going_back = json.loads(rules_line(rules))["returns"].split()
    board = {
        square: (seat, square)
        for seat, army in armies.items()
        for square, rank in zip(rules.zone(seat), army.ranks, strict=True)
        if rank != GAP
    }
    fought: set[Origin] = set()
    for ply in plies:
        if ply.kind == "move":
            _follow(board, rules, ply.text, going_back, fought)
        for square, removed in HIT.findall(ply.text):
            if removed:
                del board[square]
    return frozenset(fought)


def _follow(
    board: dict[str, Origin],
    rules: Ruleset,
    text: str,
    going_back: Sequence[str],
    fought: set[Origin],
) -> None:
    """Carry out a move, its volley left out; add the pieces of a battle to `fought`."""
    move = read_annotated(rules, text)
    source, target = str(move.source), str(move.target)
    mover = board.pop(source)
    if not move.battle:
        board[target] = mover
        return
    stop = move.via or source
    fought |= {mover, board[target]}
    board[stop] = mover
    if move.result in ("+", "=", "#"):
        del board[target]
    if move.result in ("-", "="):
        del board[stop]
    elif move.result in ("+", "#") and move.battle[0] not in going_back:
        board[target] = board.pop(stop)
