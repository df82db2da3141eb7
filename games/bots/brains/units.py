"""Units: the pieces of both armies as one seat has followed them since they were set up."""

from collections import Counter
from dataclasses import dataclass

from games.bots.brains.battles import Battles, battles
from games.bots.lines import Heard
from games.rules.core.clashes import attacker_stays
from games.rules.core.notation import Annotated, read_annotated
from games.rules.core.observation import Observation
from games.rules.core.pieces import MARKED, Rank, Seat, owner, piece
from games.rules.core.ruleset import Ruleset


@dataclass(eq=False, slots=True)
class Unit:
    """One piece: where it began and stands, what it may be, and what both sides know of it.

    `ranks` are lines of the army list; one is left when the piece is identified. `content` is what
    it stands as, where this seat knows it; `told` says whether the other seat knows it too.
    """

    seat: Seat  # its side now; a game may let pieces change sides
    raised_by: Seat  # whose army list it belongs to
    start: int
    cell: int
    ranks: tuple[Rank, ...]
    content: int | None = None
    marked: bool = False
    told: bool = False
    moves: int = 0
    attacks: int = 0
    faced: tuple[int, ...] = ()  # known pieces that it went up to of its own accord


class Units:
    """What one seat has worked out from all that it was told."""

    def __init__(self, rules: Ruleset, seat: Seat) -> None:
        self.rules = rules
        self.seat = seat
        self.battles: Battles = battles(rules)
        self.at: dict[int, Unit] = {}
        self.gone: list[Unit] = []
        self.trail: list[tuple[Seat, int, int]] = []  # source and target of each action
        self.army = tuple(troop.rank for troop in rules.army)

    def hear(self, heard: tuple[Heard, ...], observation: Observation) -> None:
        """Take in what happened since the last line, then what the board shows now."""
        if not self.at:
            self._muster(heard, observation)
        for action in heard:
            self._act(action)
        self._reconcile(observation)

    # --- the beginning

    def _muster(self, heard: tuple[Heard, ...], observation: Observation) -> None:
        """The pieces as they stood before the first actions, as far as the board tells."""
        index = self.rules.board.index
        came_from: dict[int, int] = {}
        for action in heard:
            if action.seat is not None:
                told = read_annotated(self.rules, action.text)
                if told.source and told.target:
                    came_from[index[told.via or told.target]] = index[told.source]
                    if told.battle:
                        came_from[index[told.target]] = index[told.source]
        for square, seen in observation.pieces.items():
            cell = index[square]
            if cell not in came_from:
                self._enlist(cell, seen.seat)

    def _enlist(self, cell: int, seat: Seat) -> Unit:
        unit = Unit(seat, seat, cell, cell, self.army)
        self.at[cell] = unit
        return unit

    # --- actions

    def _act(self, action: Heard) -> None:
        told = read_annotated(self.rules, action.text if action.seat is not None else "a1-a1")
        volley = told.volley
        if action.seat is None:
            volley = read_annotated(self.rules, f"a1-a1 {action.text}").volley
        elif told.source and told.target:
            self._move(action.seat, told)
        for square, removed in volley:
            self._hit(self.rules.board.index[square], removed)

    def _move(self, seat: Seat, told: Annotated) -> None:
        index = self.rules.board.index
        source, target = index[told.source or ""], index[told.target or ""]
        self.trail.append((seat, source, target))
        unit = self.at.pop(source, None) or self._enlist(source, seat)
        self.at.pop(source, None)
        unit.moves += 1
        stop = index[told.via] if told.via else source if told.attack else target
        if stop != source:
            self._walked(unit, source, stop)
        unit.cell = stop
        self.at[stop] = unit
        if told.battle and told.attack:
            unit.attacks += 1
            self._battle(unit, stop, target, told.battle)
        elif not told.attack:
            self._facing(unit, stop)

    def _walked(self, unit: Unit, source: int, target: int) -> None:
        """Rule out what could not have gone that way."""
        able = tuple(
            rank
            for rank in unit.ranks
            if any(
                self.battles.can_walk(unit.seat, standing, source, target)
                for standing in self.rules.stands_as(rank, marked=unit.marked)
            )
        )
        self._narrow(unit, able)
        if unit.seat is self.seat and len(able) == 1:
            unit.told = True

    def _facing(self, unit: Unit, cell: int) -> None:
        """Remember the known enemies beside which an unknown piece has come to stand."""
        board = self.rules.board
        for step in (1, -1, board.stride, -board.stride):
            other = self.at.get(cell + step)
            if other and other.seat is not unit.seat and other.told and other.content:
                unit.faced = (*unit.faced, other.content)

    def _battle(self, unit: Unit, stop: int, target: int, ranks: tuple[Rank, Rank]) -> None:
        foe = self.at.get(target) or self._enlist(target, unit.seat.other)
        attacker = self._name(unit, ranks[0])
        defender = self._name(foe, ranks[1])
        clash = self.battles.clash(attacker, defender)
        del self.at[target]
        del self.at[stop]
        # Which of the two a piece that is left must be: by its kind, then by its square.
        for cell, content in ((stop, clash.behind), (target, clash.ahead)):
            if not content:
                continue
            stays = (
                unit if attacker_stays(self.rules, attacker, content, behind=cell == stop) else foe
            )
            stays.content, stays.cell = content, cell
            stays.seat, stays.marked = owner(content), bool(content & MARKED)
            self.at[cell] = stays
        self.gone += [one for one in (unit, foe) if one not in self.at.values()]

    def _name(self, unit: Unit, rank: Rank) -> int:
        """Identify a piece by the rank that a battle told, and what it stands as."""
        sign = self.rules.mark_sign
        if sign and rank.endswith(sign):
            rank, unit.marked = rank.removesuffix(sign), True
        unit.content = piece(unit.seat, self.rules.kinds[rank], marked=unit.marked)
        unit.ranks = (self.rules.enlisted_as(rank, marked=self._demoted(unit)),)
        unit.told = True
        return unit.content

    def _demoted(self, unit: Unit) -> bool:
        return unit.marked and self.rules.mark == "demoted"

    def _hit(self, cell: int, removed: bool) -> None:
        unit = self.at.get(cell)
        if unit is None:
            return
        if removed:
            self.gone.append(self.at.pop(cell))
            return
        unit.marked = True
        if unit.content:
            unit.content = self.battles.hit(unit.content) or unit.content
        self._narrow(
            unit, tuple(rank for rank in unit.ranks if self.rules.stands_as(rank, marked=True))
        )

    def _narrow(self, unit: Unit, ranks: tuple[Rank, ...]) -> None:
        """Leave a piece only these ranks; who is left with one is identified."""
        if not ranks or unit.content is not None:
            return
        unit.ranks = ranks
        if len(ranks) == 1 and unit.seat is not self.seat:
            standing = self.rules.stands_as(ranks[0], marked=unit.marked)
            if len(standing) == 1:
                kind = self.rules.kinds[standing[0]]
                unit.content = piece(unit.seat, kind, marked=unit.marked)

    # --- what the board shows

    def _reconcile(self, observation: Observation) -> None:
        """Make the pieces agree with the board, which is right where a deduction is not."""
        rules = self.rules
        shown = {rules.board.index[square]: seen for square, seen in observation.pieces.items()}
        for cell in [cell for cell in self.at if cell not in shown]:
            self.gone.append(self.at.pop(cell))
        for cell, seen in shown.items():
            unit = self.at.get(cell)
            if unit is None or unit.seat is not seen.seat or unit.cell != cell:
                unit = self._enlist(cell, seen.seat)
            unit.marked = bool(seen.marks)
            if seen.rank is not None:
                unit.content = piece(seen.seat, rules.kinds[seen.rank], marked=unit.marked)
                unit.ranks = (rules.enlisted_as(seen.rank, marked=self._demoted(unit)),)
                unit.told = unit.told or (unit.marked and rules.mark == "shown")

    def enemies(self) -> list[Unit]:
        """The standing pieces of the other side, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is not self.seat]

    def own(self) -> list[Unit]:
        """The standing pieces of this side, by cell."""
        return [self.at[cell] for cell in sorted(self.at) if self.at[cell].seat is self.seat]

    def pool(self) -> Counter[Rank]:
        """What the other side's unidentified pieces may be, with how many of each are left."""
        foe = self.seat.other
        left = Counter({troop.rank: troop.number for troop in self.rules.army})
        for unit in (*self.at.values(), *self.gone):
            if unit.raised_by is foe and unit.content is not None:
                left[unit.ranks[0]] -= 1
        return +left
