"""Piece tracker: follows every piece from the set-ups on, from what one seat could see.

A tracker starts with the seat's first observation and takes in one turn after another. It can be
stored in between, so that a long match is not replayed from the beginning.
"""

from typing import Any

from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.knowledge.rule_probes import is_attacker, probes
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import Fight, Shot, TrackedPiece, Why, load
from games.rules.core.text.notation import HIT, Annotated, read_annotated

DECISIVE = "#"  # the result after which no archer shoots any more


class Tracker:
    """The pieces of both sides as one seat has followed them.

    `at` holds the pieces on the board by cell, `gone` the others, `turn` the number of turns taken
    in so far, `shots` the hits on own pieces of which it was not clear at once who shot.
    """

    def __init__(self, rules: Ruleset, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.turn = 0
        self.at: dict[int, TrackedPiece] = {}
        self.gone: list[TrackedPiece] = []
        self.shots: list[Shot] = []
        self.army = tuple(troop.rank for troop in rules.army)

    # --- the beginning

    @classmethod
    def begin(cls, rules: Ruleset, first: Observation, opening: str = "") -> "Tracker":
        """Start with the board before the first move; `opening` is the text of a first volley."""
        seat = first.viewpoint.seat
        if seat is None:
            raise ValueError("Only a player follows pieces.")
        tracker, index = cls(rules, seat), rules.board.index
        hits = {index[square]: bool(removed) for square, removed in HIT.findall(opening)}
        for square, seen in first.pieces.items():
            hit = index[square] in hits
            tracker._enlist(index[square], seen.seat, seen.rank, marked=bool(seen.marks), hit=hit)
        # The own losses are listed in the order of the hits.
        own_losses = iter(first.fallen[seat])
        for cell, removed in hits.items():
            if removed:
                name = rules.board.names[cell]
                side = next(side for side in Seat if name in rules.zone(side))
                rank = next(own_losses, None) if side is seat else None
                tracker._enlist(cell, side, rank, marked=False, hit=False)
        tracker._volley(Seat.SOUTH, hits, opening=True)
        return tracker

    def _enlist(
        self, cell: int, seat: Seat, rank: Rank | None, *, marked: bool, hit: bool = False
    ) -> TrackedPiece:
        """Add a piece as it was when the armies were complete.

        A piece that was hit since is added as before the hit, which is taken in afterwards.
        """
        lines, rules = self.army, self.rules
        if rank is not None:
            lines = (rules.enlisted_as(rank, marked=marked and rules.mark == "demoted"),)
            rank = lines[0] if hit else rank
        tracked = TrackedPiece(seat, seat, cell, cell, lines, rank, marked=marked and not hit)
        self.at[cell] = tracked
        return tracked

    # --- turns

    def add_turn(self, seat: Seat, text: str) -> None:
        """Take in a turn of a seat by its annotated text."""
        self.add_action(seat, read_annotated(self.rules, text))

    def add_action(self, seat: Seat, action: Annotated) -> None:
        """Take in a turn of a seat."""
        self.turn += 1
        index = self.rules.board.index
        if action.huffed:
            self._remove(index[action.huffed])
        if action.source and action.target and action.source != action.target:
            if action.attack and not action.battle:
                self._jump(action)
            else:
                self._move(seat, action)
        if action.result != DECISIVE:
            hits = {index[square]: removed for square, removed in action.volley}
            self._volley(seat.other, hits)

    def _jump(self, action: Annotated) -> None:
        """Take in a chain of captures; nothing about it is hidden."""
        index, jumps = self.rules.board.index, self.rules.jumps
        jumper = self.at.pop(index[action.path[0]])
        for square in jumps.jumped_over(action.path) if jumps else ():
            cell = index[square]
            taken = self._remove(cell)
            if taken:
                jumper.fights.append(self._fight(jumper, taken, cell, "won", attacked=True))
                taken.fights.append(self._fight(taken, jumper, cell, "lost", attacked=False))
        jumper.path += [(self.turn, index[square]) for square in action.path[1:]]
        jumper.cell = index[action.path[-1]]
        self.at[jumper.cell] = jumper

    def _fight(
        self, own: TrackedPiece, other: TrackedPiece, cell: int, result: str, *, attacked: bool
    ) -> Fight:
        return Fight(self.turn, cell, attacked, own.rank or "", other.rank or "", result)

    def _move(self, seat: Seat, action: Annotated) -> None:
        """Take in a walk, an attack or a charge."""
        index = self.rules.board.index
        source, target = index[action.source or ""], index[action.target or ""]
        mover = self.at.pop(source, None) or self._enlist(source, seat, None, marked=False)
        self.at.pop(source, None)
        stop = index[action.via] if action.via else source if action.attack else target
        if stop != source:
            mover.path.append((self.turn, stop))
            self._walked(mover, source, stop)
        mover.cell = stop
        self.at[stop] = mover
        if action.battle:
            self._battle(mover, stop, target, action)

    def _walked(self, mover: TrackedPiece, source: int, target: int) -> None:
        """Rule out the ranks that could not have gone from one cell to another."""
        rules, probe = self.rules, probes(self.rules)
        # A known rank needs no more evidence, but a walk may reveal it to the other side.
        if not rules.hidden or (mover.rank is not None and mover.open):
            return
        lines = mover.lines if mover.rank is None else self.army
        able = tuple(
            line
            for line in lines
            if any(
                probe.can_go(mover.seat, rank, source, target)
                for rank in rules.stands_as(line, marked=self._is_demoted(mover))
            )
        )
        if mover.rank is not None:
            mover.open = len(able) == 1
            return
        mover.rule_out(probe.immobile, Why.MOVED, self.turn, source, target)
        unable = tuple(line for line in mover.lines if line not in able)
        mover.rule_out(unable, Why.WENT, self.turn, source, target)
        self._identify(mover)

    def _battle(self, mover: TrackedPiece, stop: int, target: int, action: Annotated) -> None:
        """Identify both pieces of a battle, and place the survivors where the rules place them."""
        if action.battle is None:
            return
        foe = self.at.get(target) or self._enlist(target, mover.seat.other, None, marked=False)
        attacker = self._name(mover, action.battle[0], target)
        defender = self._name(foe, action.battle[1], target)
        left = probes(self.rules).battle(attacker, defender)
        del self.at[target]
        del self.at[stop]
        for cell, content in ((stop, left.source), (target, left.target)):
            if not content:
                continue
            own = is_attacker(self.rules, attacker, content, on_source=cell == stop)
            survivor = mover if own else foe
            if survivor.cell != cell:
                survivor.path.append((self.turn, cell))
            survivor.cell, survivor.seat = cell, owner(content)
            survivor.marked = bool(content & MARKED)
            survivor.rank = self.rules.rank_of(content)
            self.at[cell] = survivor
        self._note_battle(mover, foe, target, action)

    def _note_battle(
        self, mover: TrackedPiece, foe: TrackedPiece, target: int, action: Annotated
    ) -> None:
        """Add a battle to the history of both pieces, and remove the losers."""
        if action.battle is None:
            return
        standing = {id(tracked) for tracked in self.at.values()}
        mover_stands, foe_stands = id(mover) in standing, id(foe) in standing
        for tracked, stands, other_stands, attacked in (
            (mover, mover_stands, foe_stands, True),
            (foe, foe_stands, mover_stands, False),
        ):
            rank, other = action.battle if attacked else reversed(action.battle)
            result = _result(action.result or "", stands, other_stands, attacked=attacked)
            tracked.fights.append(Fight(self.turn, target, attacked, rank, other, result))
            if not stands:
                self._lay_down(tracked)

    def _name(self, tracked: TrackedPiece, rank: Rank, cell: int) -> int:
        """Identify a piece by the rank shown in a battle; returns the content of its cell."""
        rules = self.rules
        sign, demoted = rules.mark_sign, False
        if sign and rank.endswith(sign):
            rank, demoted = rank.removesuffix(sign), True
        tracked.marked = tracked.marked or demoted
        line = rules.enlisted_as(rank, marked=self._is_demoted(tracked))
        others = tuple(other for other in tracked.lines if other != line)
        tracked.rule_out(others, Why.FOUGHT, self.turn, cell)
        tracked.lines, tracked.rank, tracked.open = (line,), rank, True
        return piece(tracked.seat, rules.kinds[rank], marked=tracked.marked)

    def _is_demoted(self, tracked: TrackedPiece) -> bool:
        return tracked.marked and self.rules.mark == "demoted"

    def _identify(self, tracked: TrackedPiece) -> None:
        """Set the rank of a piece once it can be one thing only."""
        if tracked.rank is None and len(tracked.lines) == 1:
            standing = self.rules.stands_as(tracked.lines[0], marked=self._is_demoted(tracked))
            tracked.rank = standing[0] if len(standing) == 1 else None

    def _remove(self, cell: int) -> TrackedPiece | None:
        """Take a piece off the board; None if there is none."""
        tracked = self.at.pop(cell, None)
        if tracked is not None:
            self._lay_down(tracked)
        return tracked

    def _lay_down(self, tracked: TrackedPiece) -> None:
        tracked.fell = self.turn
        self.gone.append(tracked)

    # --- volleys

    def _volley(self, turn: Seat, hits: dict[int, bool], *, opening: bool = False) -> None:
        """Take in the volley before a turn: draw inferences from it, then apply the hits.

        Does nothing in a game without volleys.
        """
        volleys = self.rules.volleys
        if volleys is None:
            return
        for shot in volleys.shots(self.seat, self.at, turn, hits):
            if shot.least < len(shot.suspects):
                self.shots.append(shot._replace(turn=self.turn))
        for inference in list(volleys.inferences(self.seat, self.at, turn, hits, opening=opening)):
            tracked = self.at[inference.cell]
            tracked.rule_out(inference.ruled_out, inference.why, self.turn, inference.about)
            self._identify(tracked)
        for cell, removed in hits.items():
            hit = self.at.get(cell)
            if hit is None:
                continue
            hit.hits.append(self.turn)
            if removed:
                self._remove(cell)
            else:
                self._demote(hit)

    def _demote(self, tracked: TrackedPiece) -> None:
        never = tuple(line for line in tracked.lines if not self.rules.stands_as(line, marked=True))
        tracked.rule_out(never, Why.DEMOTED, self.turn, tracked.cell)
        tracked.marked = True
        if tracked.rank is not None:
            lower = self.rules.stands_as(tracked.lines[0], marked=True)
            tracked.rank = lower[0] if lower else None
        self._identify(tracked)

    # --- the present board

    def reconcile(self, observation: Observation) -> None:
        """Add what the board shows; raises LookupError if the turns do not lead to this board."""
        rules, index = self.rules, self.rules.board.index
        for square, seen in observation.pieces.items():
            cell = index[square]
            tracked = self.at.get(cell)
            if tracked is None or tracked.seat is not seen.seat:
                raise LookupError("The actions do not lead to this board.")
            tracked.marked = bool(seen.marks)
            if "shown" in seen.marks:
                tracked.open = True
            if seen.rank is not None and tracked.rank is None:
                line = rules.enlisted_as(seen.rank, marked=self._is_demoted(tracked))
                others = tuple(other for other in tracked.lines if other != line)
                tracked.rule_out(others, Why.SHOWN, self.turn, cell)
                tracked.lines, tracked.rank = (line,), seen.rank

    @property
    def pieces(self) -> tuple[TrackedPiece, ...]:
        """All pieces, those on the board first."""
        return (*self.at.values(), *self.gone)

    # --- storage

    def dump(self) -> list[Any]:
        """The state as plain lists, for JSON; `restore` reads it."""
        return [self.turn, [tracked.dump(self.army) for tracked in self.pieces], self.shots]

    @classmethod
    def restore(cls, rules: Ruleset, seat: Seat, state: list[Any]) -> "Tracker":
        """The tracker that `dump` wrote."""
        tracker = cls(rules, seat)
        tracker.turn = state[0]
        tracker.shots = [
            Shot(turn, cell, tuple(suspects), least, most)
            for turn, cell, suspects, least, most in state[2]
        ]
        for tracked in (load(values, tracker.army) for values in state[1]):
            if tracked.fell is None:
                tracker.at[tracked.cell] = tracked
            else:
                tracker.gone.append(tracked)
        return tracker


def _result(result: str, stands: bool, other_stands: bool, *, attacked: bool) -> str:
    """The result of a battle for one of its pieces, as `Fight.result` names it."""
    if stands and other_stands:
        return "demoted" if (result == "-d") == attacked else "demoted-other"
    if stands == other_stands:
        return "both"
    return "won" if stands else "lost"
