"""L'Attaque: moves, battles, set-ups and editions (L1 to L11)."""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import compress
from random import Random
from typing import ClassVar

from games.rules.core.basics.board import EMPTY, Board
from games.rules.core.basics.moves import Attack, Move, Setup, Walk, shared
from games.rules.core.basics.options import choice, letters
from games.rules.core.basics.pieces import KIND, MARKED, Rank, Seat, Troop, piece
from games.rules.core.basics.refusals import IllegalMove, Refusal, gettext_noop
from games.rules.core.basics.termination import BoardTermination
from games.rules.core.ruleset import why_illegal
from games.rules.core.ruleset.hidden_armies import HiddenArmies
from games.rules.core.state.events import Clashed, Event, Shown
from games.rules.core.state.mobility import (
    ALL_DIRECTIONS,
    ALL_OPEN,
    DIRECTIONS,
    ENEMY,
    OPEN,
    OPEN_OR_ENEMY,
    backward,
    without,
)
from games.rules.core.state.position import Outcome, Position
from games.rules.systems.lattaque.army import ARMY, BOARDS, MOBILE, PLURALS
from games.rules.systems.lattaque.setup_aliases import LettersAndNumbers

SETUP_ALIASES = LettersAndNumbers()

Beyond = tuple[tuple[tuple[int, Walk, Attack], ...], ...]


@dataclass(frozen=True, kw_only=True)
class Attaque(HiddenArmies):
    """Ruleset of L'Attaque. The defaults of its options are the English edition."""

    faceup: bool = choice(
        "faceup",
        gettext_noop("Revealed pieces"),
        gettext_noop(
            "Whether a piece that was revealed in a battle stays visible to both players."
        ),
        (False, gettext_noop("After a battle the survivor is hidden again.")),
        (
            True,
            gettext_noop(
                "The survivor of a battle, and a scout that has gone two squares or more, "
                "stays face up for the rest of the game."
            ),
        ),
    )
    winner: str = choice(
        "winner",
        gettext_noop("The winner's place"),
        gettext_noop("Where an attacker stands after winning a battle."),
        ("advance", gettext_noop("A winning attacker takes the loser's square.")),
        ("return", gettext_noop("A winning attacker goes back to where it came from.")),
    )
    spy_both: bool = choice(
        "spy_both",
        gettext_noop("The spy in defence"),
        gettext_noop("What happens to the spy when the marshal attacks it."),
        (False, gettext_noop("The spy beats the marshal only when it attacks.")),
        (True, gettext_noop("The spy beats the marshal in attack and in defence.")),
    )
    scout_long_attack: bool = choice(
        "scout_long_attack",
        gettext_noop("Attacks of the scout"),
        gettext_noop("How far from its target a scout may attack."),
        (True, gettext_noop("A scout may attack from afar.")),
        (False, gettext_noop("A scout attacks neighbouring squares only.")),
    )
    scout_return: bool = choice(
        "scout_return",
        gettext_noop("The winning scout"),
        gettext_noop("Where a scout stands after attacking and winning."),
        (False, gettext_noop("A winning scout follows the same rule as every winner.")),
        (True, gettext_noop("A scout that attacks and wins goes back to where it started.")),
    )
    no_back: str = letters(
        "no_back",
        gettext_noop("Going back"),
        gettext_noop("Which pieces may neither move nor attack toward their own side."),
        MOBILE,
        ("", gettext_noop("Every mobile piece can move backwards.")),
        (MOBILE, gettext_noop("No piece may move or attack backward.")),
        other=gettext_noop("These pieces may not move or attack backward: %(letters)s."),
    )
    board_size: str = choice(
        "board",
        gettext_noop("Board"),
        gettext_noop("The size of the board and the position of its lakes."),
        ("10x10", gettext_noop("Ten by ten squares with two lakes of four.")),
        ("9x10", gettext_noop("Nine by ten squares with three lakes of two.")),
    )

    family: ClassVar[str] = "lattaque"
    vital: ClassVar[tuple[Rank, ...]] = ("F",)
    mark: ClassVar[str] = "shown"
    mark_sign: ClassVar[str] = "!"
    depth: ClassVar[int] = 4
    army: ClassVar[tuple[Troop, ...]] = ARMY
    plurals: ClassVar[dict[Rank, str]] = PLURALS

    @property
    def board(self) -> Board:
        return BOARDS[self.board_size]

    # --- movement

    def directions_of(self, seat: Seat, kind: int) -> int:
        rank = self.ranks[kind] if kind < len(self.ranks) else ""
        if rank not in MOBILE or not rank:
            return 0
        return without(ALL_DIRECTIONS, backward(seat)) if rank in self.no_back else ALL_DIRECTIONS

    @cached_property
    def scouts(self) -> frozenset[int]:
        """The cell contents that are scouts, hidden or face up."""
        kind = self.kinds["R"]
        return frozenset(
            piece(seat, kind, marked=marked) for seat in Seat for marked in (False, True)
        )

    @cached_property
    def beyond(self) -> tuple[tuple[Beyond, ...], ...]:
        """The moves of a scout beyond its neighbours, by its cell and the open directions.

        The directions are the low half of a byte of `Mobility.around`. For each open direction
        there is a line of the cells after the neighbour, each with the walk and the attack to it.
        """
        return tuple(self._beyond(cell) for cell in range(self.board.size))

    def _beyond(self, cell: int) -> tuple[Beyond, ...]:
        rays = [self.mobility.ray(cell, direction)[1:] for direction in DIRECTIONS]
        lines = [
            tuple((end, shared(Walk(cell, end)), shared(Attack(cell, end))) for end in ray)
            for ray in rays
        ]
        return tuple(
            tuple(
                line
                for direction, line in zip(DIRECTIONS, lines, strict=True)
                if open_directions & OPEN << direction and line
            )
            for open_directions in range(ENEMY)
        )

    def pseudo_legal_moves(self, cells: bytes, seat: Seat) -> list[Move]:
        targets = OPEN_OR_ENEMY[seat]
        around = self.mobility.around(cells, self.movers[seat], targets)
        steps, scouts = self.mobility.steps, self.scouts
        moves: list[Move] = []
        for cell in compress(self.mobility.every, around):
            directions = around[cell]
            moves += steps[cell][directions]
            if cells[cell] in scouts:
                for line in self.beyond[cell][directions & ALL_OPEN]:
                    for target, walk, attack in line:
                        content = cells[target]
                        if content:
                            if targets[content] == ENEMY and self.scout_long_attack:
                                moves.append(attack)
                            break
                        moves.append(walk)
        return moves

    # --- battle

    @cached_property
    def battles(self) -> tuple[str, ...]:
        """The result of each battle, `+` `-` `=` or `#`, by kind of attacker * 64 + defender."""
        results = [""] * 64 * 64
        for attacker in MOBILE:
            for defender in self.kinds:
                key = self.kinds[attacker] * 64 + self.kinds[defender]
                results[key] = self._battle(attacker, defender)
        return tuple(results)

    def _battle(self, attacker: Rank, defender: Rank) -> str:
        if defender == "F":
            return "#"
        if defender == "B":
            return "+" if attacker == "E" else "-"
        if attacker == defender:
            return "="
        if (attacker, defender) == ("Y", "M"):
            return "+"
        if (attacker, defender) == ("M", "Y"):
            return "-" if self.spy_both else "+"
        return "+" if MOBILE.index(attacker) < MOBILE.index(defender) else "-"

    def goes_back(self, kind: int) -> bool:
        """Whether a winning attacker of that kind returns to its square (L9, L10)."""
        return self.winner == "return" or (self.scout_return and self.ranks[kind] == "R")

    def apply(
        self, position: Position, seat: Seat, move: Move
    ) -> tuple[Position, tuple[Event, ...]]:
        if isinstance(move, Walk):
            return self._walk(position, seat, move)
        if isinstance(move, Attack):
            return self._attack(position, seat, move)
        raise TypeError(f"{type(move).__name__} is no move of L'Attaque.")

    def _walk(
        self, position: Position, seat: Seat, move: Walk
    ) -> tuple[Position, tuple[Event, ...]]:
        source, target = move.source, move.target
        cells = bytearray(position.cells)
        walker = cells[source]
        events = self.walked[seat][source << 8 | target]
        if self.faceup and not walker & MARKED and target not in self.mobility.neighbours[source]:
            walker |= MARKED
            events = (*events, Shown(seat, self.board.names[target], self.rank_of(walker)))
        cells[source] = EMPTY
        cells[target] = walker
        shuttles = self.shuttled(position.shuttles, seat, move)
        return self.finish(position, bytes(cells), position.quiet + 1, events, shuttles)

    def _attack(
        self, position: Position, seat: Seat, move: Attack
    ) -> tuple[Position, tuple[Event, ...]]:
        source, target = move.source, move.target
        cells = bytearray(position.cells)
        attacker, defender = cells[source], cells[target]
        result = self.battles[(attacker & KIND) * 64 + (defender & KIND)]
        shown = MARKED if self.faceup else 0
        cells[source] = EMPTY
        if result == "-":
            cells[target] = defender | shown
        else:
            cells[target] = EMPTY
        if result in "+#":
            cells[source if self.goes_back(attacker & KIND) else target] = attacker | shown
        names, ranks = self.board.names, self.ranks
        clash = Clashed(
            seat,
            names[source],
            names[target],
            ranks[attacker & KIND],
            ranks[defender & KIND],
            result,
        )
        return self.finish(
            position,
            bytes(cells),
            0,
            (clash,),
            self.shuttled(position.shuttles, seat, move),
            outcome=Outcome(seat, BoardTermination.FLAG_CAPTURED) if result == "#" else None,
        )

    # --- words

    def objection(self, position: Position, seat: Seat, move: Walk | Attack) -> Refusal | None:
        board = self.board
        rank = self.rank_of(position.cells[move.source])
        values = {
            "piece": self.piece_names[rank],
            "source": board.names[move.source],
            "target": board.names[move.target],
        }
        step = board.heading(move.source, move.target)
        if not step:
            return why_illegal.not_in_line(self, move.source, move.target)
        if rank in self.no_back and step == self.mobility.offsets[backward(seat)]:
            return IllegalMove(
                gettext_noop(
                    "The %(piece)s may not go back from %(source)s to %(target)s: in this edition"
                    " it moves forward and sideways only."
                ),
                **values,
            )
        far = move.source + step != move.target
        if far and rank != "R":
            return IllegalMove(
                gettext_noop(
                    "The %(piece)s on %(source)s moves one square at a time; only a Scout could"
                    " go as far as %(target)s."
                ),
                **values,
            )
        if refusal := why_illegal.way_blocked(self, position, move.source, move.target):
            return refusal
        if far and isinstance(move, Attack) and not self.scout_long_attack:
            return IllegalMove(
                gettext_noop(
                    "In this edition a Scout attacks neighbouring squares only, and %(target)s is"
                    " too far from %(source)s."
                ),
                **values,
            )
        return None

    # --- set-up

    @property
    def setup_aliases(self) -> LettersAndNumbers:
        return SETUP_ALIASES

    def random_setup(self, seat: Seat, rng: Random, position: Position) -> Setup:
        men = [
            piece(seat, self.kinds[troop.rank]) for troop in self.army for _ in range(troop.number)
        ]
        zone = [self.board.index[square] for square in self.zone(seat)]
        men += [EMPTY] * (len(zone) - len(men))
        rng.shuffle(men)
        cells = bytearray(self.board.size)
        for cell, man in zip(zone, men, strict=True):
            cells[cell] = man
        return Setup(seat, bytes(cells))


ENGLISH = Attaque(
    key="lattaque-en",
    title=gettext_noop("L'Attaque"),
    about=gettext_noop(
        "The survivor of a battle is hidden again, and every piece except bombs and the flag can "
        "move backwards."
    ),
)
CHINESE = replace(
    ENGLISH,
    key="lattaque-zh",
    title=gettext_noop("L'Attaque, face-up edition"),
    about=gettext_noop(
        "The survivor of a battle stays face up for the rest of the game, and so does a scout "
        "that has gone two squares or more."
    ),
    faceup=True,
)
EDITIONS = (
    ENGLISH,
    replace(
        ENGLISH,
        key="lattaque-en-forward",
        title=gettext_noop("L'Attaque, forward only"),
        about=gettext_noop("Pieces go forward and sideways: none may move or attack backward."),
        no_back=MOBILE,
    ),
    CHINESE,
    replace(
        CHINESE,
        key="lattaque-zh-return",
        title=gettext_noop("L'Attaque, face-up edition, winners go back"),
        about=gettext_noop(
            "As the face-up edition, but whoever wins by attacking goes back to where it came from."
        ),
        winner="return",
    ),
    replace(
        ENGLISH,
        key="lattaque-gibson",
        title=gettext_noop("L'Attaque, Gibson's board"),
        about=gettext_noop(
            "The historical board of nine by ten squares with three lakes; winning scouts go back."
        ),
        board_size="9x10",
        scout_return=True,
    ),
    replace(
        ENGLISH,
        key="lattaque-en-isf2sq",
        title=gettext_noop("L'Attaque, five times back and forth"),
        about=gettext_noop(
            "As L'Attaque, but no piece moves between two squares more than five times in a row."
        ),
        two_square=5,
    ),
    replace(
        ENGLISH,
        key="lattaque-en-shortscout",
        title=gettext_noop("L'Attaque, scouts attack at close quarters"),
        about=gettext_noop("As L'Attaque, but a scout attacks neighbouring squares only."),
        scout_long_attack=False,
    ),
    replace(
        CHINESE,
        key="lattaque-zh-spyboth",
        title=gettext_noop("L'Attaque, face-up edition, the spy also defends"),
        about=gettext_noop(
            "As the face-up edition, but the spy beats the marshal in defence, too."
        ),
        spy_both=True,
    ),
)
