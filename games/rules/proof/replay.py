"""Replay of an opened bundle: plays the match through the rules and compares what the bundle says.

verify.py follows the pieces without knowing the rules; this knows which moves are legal, which
volleys are due, and when a match is over. It checks no hash and no signature.
"""

import json
from collections.abc import Iterable

from games.rules.core.basics.moves import Setup
from games.rules.core.basics.pieces import Rank, Seat, piece
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.termination import OffBoardTermination
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import result_of
from games.rules.core.text.notation import annotate, read_move, read_setup, remarks
from games.rules.proof.bundle import BadBundle, Bundle, read_bundle
from games.rules.proof.chain import ending_extra
from games.rules.proof.opened import ChainedPly, read_plies
from games.rules.proof.rules_line import rules_line
from games.rules.proof.seals import GAP
from games.rules.registry import ruleset


class Mismatch(ValueError):  # noqa: N818 - its argument is the sentence to answer with.
    """A bundle does not say what the rules say."""


def replay_bundle(text: str) -> str:
    """A sentence on a bundle that fits the rules; raises BadBundle or Mismatch."""
    bundle = read_bundle(text)
    try:
        plies = read_plies(bundle.lines)
        _format, _match, preset, switches, *_rest = json.loads(bundle.lines[0])
        rules = ruleset(preset, dict(switches))
        number_of_plies = [ply.number for ply in plies]
    except Refusal as refusal:
        raise BadBundle(f"Ply 0: {refusal}") from refusal
    except (ValueError, TypeError, RecursionError) as fault:
        raise BadBundle("The plies of this bundle are not in their form.") from fault
    if number_of_plies != list(range(1, len(plies) + 1)):
        raise Mismatch("The plies are not numbered without gaps.")
    if rules_line(rules) != bundle.rules_line:
        raise Mismatch(f"The rules line is not that of {preset} with these options.")
    if rules.hidden and bundle.ranks is None:
        raise BadBundle("The armies are not open, so the match cannot be played through.")
    position = begin(rules, None)
    for ply in plies:
        try:
            position = _play(rules, bundle, position, ply)
        except Refusal as refusal:
            raise Mismatch(f"Ply {ply.number}: {refusal}") from refusal
    return f"Match {bundle.match}: {len(plies)} plies fit the rules of {preset}."


def _play(rules: Ruleset, bundle: Bundle, position: Position, ply: ChainedPly) -> Position:
    """The position after a ply; raises Mismatch or a Refusal."""
    if ply.kind not in ("setup", "move"):
        _compare_off_board(rules, position, ply)
        return position
    if ply.seat not in (0, 1):
        raise Mismatch(f"Ply {ply.number} is of no seat.")
    seat = Seat(ply.seat)
    if ply.kind == "setup":
        move = _setup(rules, bundle, seat, ply)
        after, events = advance(rules, position, seat, move)
        text = _remarks(events)
    else:
        played = read_move(rules, position, seat, ply.text)
        after, events = advance(rules, position, seat, played)
        text = annotate(rules, played, witness(events, Viewpoint.GALLERY))
    if ply.text != text:
        raise Mismatch(f"Ply {ply.number} says “{ply.text[:80]}”, and the rules “{text}”.")
    ending = ""
    if after.outcome:
        ending = ending_extra(result_of(rules, after.outcome), after.outcome.reason)
    _compare_ending(ply, ending)
    return after


def _remarks(events: Iterable[Event]) -> str:
    return remarks(witness(tuple(events), Viewpoint.GALLERY)).strip()


def _setup(rules: Ruleset, bundle: Bundle, seat: Seat, ply: ChainedPly) -> Setup:
    """The set-up of a seat; raises Mismatch or BadSetup."""
    if bundle.ranks is None:
        return read_setup(rules, seat, ply.extra)
    zone, ranks = rules.zone(seat), bundle.ranks[seat]
    if len(zone) != len(ranks):
        raise Mismatch(f"Ply {ply.number} needs a rank for each of {len(zone)} squares.")
    cells = bytearray(rules.board.size)
    for square, rank in zip(zone, ranks, strict=True):
        cells[rules.board.index[square]] = _content(rules, seat, rank)
    return Setup(seat, bytes(cells))


def _content(rules: Ruleset, seat: Seat, rank: Rank) -> int:
    if rank == GAP:
        return 0
    if rank not in rules.kinds:
        raise Mismatch(f"There is no rank {rank} in {rules.key}.")
    return piece(seat, rules.kinds[rank])


def _compare_off_board(rules: Ruleset, position: Position, ply: ChainedPly) -> None:
    """Compare an ending by the players, the clock or the service."""
    letters = rules.seat_letters
    if ply.kind == "resign" and ply.seat in (0, 1):
        winner = letters[Seat(ply.seat).other]
        _compare_ending(ply, ending_extra(winner, OffBoardTermination.RESIGNED))
    elif ply.kind == "draw":
        _compare_ending(ply, ending_extra("draw", OffBoardTermination.AGREED))
    elif ply.kind == "time":
        winner = letters[position.turn.other]
        _compare_ending(ply, ending_extra(winner, OffBoardTermination.TIME))


def _compare_ending(ply: ChainedPly, ending: str) -> None:
    if ply.ending != ending:
        recorded, due = ply.ending or "no ending", ending or "no ending"
        raise Mismatch(f"Ply {ply.number} says “{recorded[:80]}”, and the rules “{due}”.")
