"""Oracle: endings without a captured flag (C6, C7), and the two-square rule (C9).

Readings chosen where the text leaves room:
* C6(2), both armies without a mobile piece: the draw's reason is that test's own, "no mobile
  piece left".
* C6 tests what an action has led to. A position one starts from is not tested, so a game may
  start from one without a legal action, and it is not over.
* C9: the n forbidding moves are the n last own turns; losing the piece or an own turn elsewhere
  ends the row. A repeated pair is the pair of squares named in the move, also for a winner that
  went back to where it came from.
"""

from typing import Any

from tests.rules.oracle.notation import OTHER


def ending(game: Any, actor: str) -> list[str] | None:
    """[result, reason] after `actor` has acted and the turn has passed, else None."""
    next_seat = OTHER[actor]
    alive = [seat for seat in ("S", "N") if game.has_a_mobile_piece(seat)]
    if not alive:
        return ["draw", "no mobile piece left"]
    if len(alive) == 1:
        return [alive[0], "no mobile piece left"]
    if not game.actions(next_seat):
        if not game.actions(actor, ignore_repetition=True):
            return ["draw", "neither side can move"]
        return [actor, "no legal move"]
    if game.counter >= game.options["limit"]:
        return ["draw", "no progress"]
    return None


def shuttles_too_long(own_turns: list[Any], this_turn: Any, allowed: int) -> bool:
    """Whether each of the last `allowed` own turns was this piece between these squares (C9)."""
    if allowed == 0:
        return False
    last = own_turns[-allowed:]
    return len(last) == allowed and all(turn == this_turn for turn in last)
