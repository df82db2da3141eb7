"""Editing a set-up: the pieces placed, the piece chosen, and the steps that can be undone.

A set-up is edited by taps, one after the other: a piece, then its square. `static/js/setup.js` does
the same in the browser; without it each tap sends a form.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import NamedTuple

from games.play.setups import arrangement, placing
from games.play.setups.arrangement import Arrangement
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset

MAX_STEPS = 20  # that can be undone
HAND = "hand-"  # before a rank: an unplaced piece; the name of a square is a piece on the board
BETWEEN_STEPS = "|"
EMPTY_BOARD = "-"  # as a step


class Editing(NamedTuple):
    """A set-up that is being edited; `before` are earlier arrangements, the newest last."""

    placed: Arrangement
    chosen: str = ""  # the name of a square, or HAND and a rank
    before: tuple[Arrangement, ...] = ()

    def with_placed(self, placed: Arrangement, chosen: str = "") -> Editing:
        """The editing after a step, which can be undone."""
        if placed == self.placed:
            return self._replace(chosen=chosen)
        return Editing(placed, chosen, (*self.before, self.placed)[-MAX_STEPS:])

    def undone(self) -> Editing:
        """The editing before the last step."""
        if not self.before:
            return self._replace(chosen="")
        return Editing(self.before[-1], "", self.before[:-1])

    def dump(self) -> str:
        """The editing as text, to be stored sealed."""
        return json.dumps({**self._asdict(), "before": self.steps()}, separators=(",", ":"))

    def steps(self) -> str:
        """The steps that can be undone, on one line, for a hidden field of a form."""
        return BETWEEN_STEPS.join(
            " ".join(f"{square}={rank}" for square, rank in sorted(placed.items())) or EMPTY_BOARD
            for placed in self.before
        )


def load(text: str) -> Editing:
    """The editing that `dump` wrote; an empty board for an empty text."""
    if not text:
        return Editing({})
    kept = json.loads(text)
    return Editing(kept["placed"], kept["chosen"], tuple(map(_read, _split(kept["before"]))))


def from_form(rules: Ruleset, seat: Seat, fields: Mapping[str, str]) -> Editing:
    """The editing of a form that carries all its state; invalid values are left out."""
    steps = _split(fields.get("before", ""))[-MAX_STEPS:]
    return Editing(
        arrangement.pick(rules, seat, fields),
        fields.get("chosen", ""),
        tuple(arrangement.pick(rules, seat, _read(step)) for step in steps),
    )


def press(
    rules: Ruleset,
    seat: Seat,
    hand: tuple[Rank, ...],
    now: Editing,
    fields: Mapping[str, str],
) -> Editing:
    """The set-up after one of the editor's buttons, or unchanged if none was pressed.

    Raises BadSetup for a text that cannot be read, or NotNow.
    """
    if tapped := fields.get("tap"):
        return tap(rules, seat, hand, now, tapped)
    match fields.get("do"):
        # For a set-up that was sent meanwhile no pieces are left to place.
        case "place" if hand:
            return now.with_placed(placing.for_me(rules, seat, hand))
        case "mirror":
            return now.with_placed(arrangement.mirrored(rules, now.placed))
        case "clear":
            return now.with_placed({})
        case "undo":
            return now.undone()
        case "read":
            return now.with_placed(arrangement.from_pasted(rules, seat, fields.get("text", "")))
    return now._replace(chosen="")


def tap(rules: Ruleset, seat: Seat, hand: tuple[Rank, ...], now: Editing, target: str) -> Editing:
    """The set-up after a tap on a square or on an unplaced piece.

    The first tap chooses a piece. The second places it, exchanges two pieces, turns a tile that is
    tapped twice, or, on an unplaced piece, takes the chosen piece off the board.
    """
    if target.startswith(HAND):
        return _tap_hand(hand, now, target)
    if target not in rules.zone(seat):
        return now._replace(chosen="")
    placed, chosen = dict(now.placed), now.chosen
    if chosen.startswith(HAND):
        rank = chosen.removeprefix(HAND)
        if _left(hand, placed, rank) > 0:
            placed[target] = rank
        return now.with_placed(placed, chosen if _left(hand, placed, rank) > 0 else "")
    if chosen not in placed:
        return now._replace(chosen=target if target in placed else "")
    if chosen == target:
        placed[target] = arrangement.ways(rules, placed[target])[-1]
    else:
        moved, met = placed.pop(chosen), placed.pop(target, None)
        placed[target] = moved
        if met is not None:
            placed[chosen] = met
    return now.with_placed(placed)


def _tap_hand(hand: tuple[Rank, ...], now: Editing, target: str) -> Editing:
    if now.chosen in now.placed:
        return now.with_placed({s: rank for s, rank in now.placed.items() if s != now.chosen})
    rank = target.removeprefix(HAND)
    wanted = target != now.chosen and _left(hand, now.placed, rank) > 0
    return now._replace(chosen=target if wanted else "")


def _left(hand: tuple[Rank, ...], placed: Arrangement, rank: Rank) -> int:
    return arrangement.in_hand(hand, placed).get(rank, 0) if rank in hand else 0


def _split(steps: str) -> list[str]:
    return steps.split(BETWEEN_STEPS) if steps else []


def _read(step: str) -> Arrangement:
    pairs = (part.partition("=") for part in step.split())
    return {square: rank for square, _sign, rank in pairs if rank}
