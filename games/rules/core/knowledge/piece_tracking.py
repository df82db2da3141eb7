"""Following pieces: from what one seat saw and heard, each piece's way since the set-ups.

A tracker begins with the seat's first observation and takes in one action after the other, so that
a long match need not be gone through again: it can be written down in between and read again.
"""

from collections.abc import Iterable
from typing import Any

from games.rules.core.basics.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.knowledge.clashes import attacker_stays, clashes
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.evidence import Fight, Traced, Why, load
from games.rules.core.text.notation import HIT, Annotated, read_annotated

DECISIVE = "#"  # the result after which no archer shoots any more


class Tracker:
    """The pieces of both sides as one seat has followed them."""

    def __init__(self, rules: Ruleset, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.turn = 0  # how many turns were taken in
        self.at: dict[int, Traced] = {}
        self.gone: list[Traced] = []
        self.army = tuple(troop.rank for troop in rules.army)

    # --- the beginning

    @classmethod
    def begin(cls, rules: Ruleset, first: Observation, opening: str = "") -> "Tracker":
        """Begin with the board before the first move; `opening` is what archers did to it."""
        seat = first.viewpoint.seat
        if seat is None:
            raise ValueError("Only a player follows pieces.")
        tracker, index = cls(rules, seat), rules.board.index
        struck = {index[square]: bool(gone) for square, gone in HIT.findall(opening)}
        for square, seen in first.pieces.items():
            fresh = index[square] in struck
            tracker._enlist(index[square], seen.seat, seen.rank, marked=bool(seen.marks), hit=fresh)
        # The own ones are told in the order of the hits.
        fallen = iter(first.fallen[seat])
        for cell, removed in struck.items():
            if removed:
                name = rules.board.names[cell]
                side = next(side for side in Seat if name in rules.zone(side))
                rank = next(fallen, None) if side is seat else None
                tracker._enlist(cell, side, rank, marked=False, hit=False)
        tracker._volley(Seat.SOUTH, struck, opening=True)
        return tracker

    def _enlist(
        self, cell: int, seat: Seat, rank: Rank | None, *, marked: bool, hit: bool = False
    ) -> Traced:
        """A piece as it stood when the armies were complete; a hit will be told to it again."""
        lines, rules = self.army, self.rules
        if rank is not None:
            lines = (rules.enlisted_as(rank, marked=marked and rules.mark == "demoted"),)
            rank = lines[0] if hit else rank
        one = Traced(seat, seat, cell, cell, lines, rank, marked=marked and not hit)
        self.at[cell] = one
        return one

    # --- actions

    def hear(self, seat: Seat, text: str) -> None:
        """Take in a turn of a seat by its annotated text."""
        self.follow(seat, read_annotated(self.rules, text))

    def follow(self, seat: Seat, told: Annotated) -> None:
        """Take in a turn of a seat."""
        self.turn += 1
        index = self.rules.board.index
        if told.huffed:
            self._falls(index[told.huffed])
        if told.source and told.target and told.source != told.target:
            if told.attack and not told.battle:
                self._jumps(told)
            else:
                self._goes(seat, told)
        if told.result != DECISIVE:
            hits = {index[square]: removed for square, removed in told.volley}
            self._volley(seat.other, hits)

    def _jumps(self, told: Annotated) -> None:
        """A chain of captures, of which every part is open to both sides."""
        index = self.rules.board.index
        one = self.at.pop(index[told.path[0]])
        jumps = self.rules.jumps
        for square in jumps.jumped_over(told.path) if jumps else ():
            taken = self._falls(index[square])
            if taken:
                one.fights.append(self._fight(one, taken, index[square], "won", attacked=True))
                taken.fights.append(self._fight(taken, one, index[square], "lost", attacked=False))
        one.path += [(self.turn, index[square]) for square in told.path[1:]]
        one.cell = index[told.path[-1]]
        self.at[one.cell] = one

    def _fight(
        self, one: Traced, other: Traced, cell: int, result: str, *, attacked: bool
    ) -> Fight:
        return Fight(self.turn, cell, attacked, one.rank or "", other.rank or "", result)

    def _goes(self, seat: Seat, told: Annotated) -> None:
        index = self.rules.board.index
        source, target = index[told.source or ""], index[told.target or ""]
        one = self.at.pop(source, None) or self._enlist(source, seat, None, marked=False)
        self.at.pop(source, None)
        stop = index[told.via] if told.via else source if told.attack else target
        if stop != source:
            one.path.append((self.turn, stop))
            self._walked(one, source, stop)
        one.cell = stop
        self.at[stop] = one
        if told.battle:
            self._battle(one, stop, target, told)

    def _walked(self, one: Traced, source: int, target: int) -> None:
        """Rule out what could not have gone that way."""
        # What is known needs no more proof, but the other side learns from such a way as well.
        rules, ways = self.rules, clashes(self.rules)
        if not rules.hidden or (one.rank is not None and one.open):
            return
        lines = one.lines if one.rank is None else self.army
        able = tuple(
            line
            for line in lines
            if any(
                ways.can_go(one.seat, rank, source, target)
                for rank in rules.stands_as(line, marked=self._is_demoted(one))
            )
        )
        if one.rank is not None:
            one.open = len(able) == 1
            return
        one.rule_out(ways.immobile, Why.MOVED, self.turn, source, target)
        others = tuple(line for line in one.lines if line not in able)
        one.rule_out(others, Why.WENT, self.turn, source, target)
        self._identify(one)

    def _battle(self, one: Traced, stop: int, target: int, told: Annotated) -> None:
        """Name both pieces, and put what is left where the rules leave it."""
        if told.battle is None:
            return
        foe = self.at.get(target) or self._enlist(target, one.seat.other, None, marked=False)
        attacker = self._name(one, told.battle[0], target)
        defender = self._name(foe, told.battle[1], target)
        left = clashes(self.rules).clash(attacker, defender)
        del self.at[target]
        del self.at[stop]
        for cell, content in ((stop, left.behind), (target, left.ahead)):
            if not content:
                continue
            stays = (
                one if attacker_stays(self.rules, attacker, content, behind=cell == stop) else foe
            )
            if stays.cell != cell:
                stays.path.append((self.turn, cell))
            stays.cell, stays.seat = cell, owner(content)
            stays.marked = bool(content & MARKED)
            stays.rank = self.rules.rank_of(content)
            self.at[cell] = stays
        self._remember(one, foe, target, told)

    def _remember(self, one: Traced, foe: Traced, target: int, told: Annotated) -> None:
        """Note a battle with both of its pieces, and lay down who is gone."""
        if told.battle is None:
            return
        standing = {id(each) for each in self.at.values()}
        stands, remains = id(one) in standing, id(foe) in standing
        for each, here, there, attacked in (
            (one, stands, remains, True),
            (foe, remains, stands, False),
        ):
            mine, theirs = told.battle if attacked else reversed(told.battle)
            result = self._result(told.result or "", here=here, there=there, attacked=attacked)
            each.fights.append(Fight(self.turn, target, attacked, mine, theirs, result))
            if not here:
                self._lay_down(each)

    def _result(self, result: str, *, here: bool, there: bool, attacked: bool) -> str:
        """What came of a battle for one of its pieces."""
        if here and there:
            return "demoted" if (result == "-d") == attacked else "demoted-other"
        if here == there:
            return "both"
        return "won" if here else "lost"

    def _name(self, one: Traced, told: Rank, cell: int) -> int:
        """Identify a piece by the rank that a battle told; what it stands as, as a content."""
        rules = self.rules
        sign, demoted = rules.mark_sign, False
        if sign and told.endswith(sign):
            told, demoted = told.removesuffix(sign), True
        one.marked = one.marked or demoted
        line = rules.enlisted_as(told, marked=self._is_demoted(one))
        others = tuple(other for other in one.lines if other != line)
        one.rule_out(others, Why.FOUGHT, self.turn, cell)
        one.lines, one.rank, one.open = (line,), told, True
        return piece(one.seat, rules.kinds[told], marked=one.marked)

    def _is_demoted(self, one: Traced) -> bool:
        return one.marked and self.rules.mark == "demoted"

    def _identify(self, one: Traced) -> None:
        """What a piece stands as, once it can be one thing only."""
        if one.rank is None and len(one.lines) == 1:
            standing = self.rules.stands_as(one.lines[0], marked=self._is_demoted(one))
            one.rank = standing[0] if len(standing) == 1 else None

    def _falls(self, cell: int) -> Traced | None:
        one = self.at.pop(cell, None)
        if one is not None:
            self._lay_down(one)
        return one

    def _lay_down(self, one: Traced) -> None:
        one.fell = self.turn
        self.gone.append(one)

    # --- volleys

    def _volley(self, turn: Seat, hits: dict[int, bool], *, opening: bool = False) -> None:
        """Take in the volley before a turn: learn who the archers are, then remove what they hit.

        Does nothing in a game without volleys.
        """
        volleys = self.rules.volleys
        if volleys is None:
            return
        for inference in list(volleys.inferences(self.seat, self.at, turn, hits, opening=opening)):
            one = self.at[inference.cell]
            one.rule_out(inference.ruled_out, inference.why, self.turn, inference.about)
            self._identify(one)
        for cell, removed in hits.items():
            hit = self.at.get(cell)
            if hit is None:
                continue
            hit.hits.append(self.turn)
            if removed:
                self._falls(cell)
            else:
                self._demote(hit)

    def _demote(self, one: Traced) -> None:
        never = tuple(line for line in one.lines if not self.rules.stands_as(line, marked=True))
        one.rule_out(never, Why.DEMOTED, self.turn, one.cell)
        one.marked = True
        if one.rank is not None:
            lower = self.rules.stands_as(one.lines[0], marked=True)
            one.rank = lower[0] if lower else None
        self._identify(one)

    # --- what the board shows

    def agree(self, observation: Observation) -> None:
        """Bring the pieces into line with the board; LookupError if they cannot stand there."""
        rules, index = self.rules, self.rules.board.index
        for square, seen in observation.pieces.items():
            cell = index[square]
            one = self.at.get(cell)
            if one is None or one.seat is not seen.seat:
                raise LookupError("The actions do not lead to this board.")
            one.marked = bool(seen.marks)
            if "shown" in seen.marks:
                one.open = True
            if seen.rank is not None and one.rank is None:
                line = rules.enlisted_as(seen.rank, marked=self._is_demoted(one))
                others = tuple(other for other in one.lines if other != line)
                one.rule_out(others, Why.SHOWN, self.turn, cell)
                one.lines, one.rank = (line,), seen.rank

    @property
    def pieces(self) -> tuple[Traced, ...]:
        """All pieces, the standing ones first."""
        return (*self.at.values(), *self.gone)

    # --- written down

    def dump(self) -> list[Any]:
        """The state as plain lists, for JSON; `restore` reads it."""
        return [self.turn, [one.dump(self.army) for one in self.pieces]]

    @classmethod
    def restore(cls, rules: Ruleset, seat: Seat, state: list[Any]) -> "Tracker":
        """The tracker that `dump` wrote."""
        tracker = cls(rules, seat)
        tracker.turn = state[0]
        for one in (load(values, tracker.army) for values in state[1]):
            if one.fell is None:
                tracker.at[one.cell] = one
            else:
                tracker.gone.append(one)
        return tracker

    def hear_all(self, turns: Iterable[tuple[Seat, str]]) -> "Tracker":
        """Take in many turns."""
        for seat, text in turns:
            self.hear(seat, text)
        return self
