"""Sampled alpha-beta: the search board obeys the rules, blind attacks pay, flags are confined."""

from dataclasses import replace
from random import Random

import pytest

from games.bots.belief.tracked_units import TrackedUnits
from games.bots.boards.battle_tables import battle_tables
from games.bots.boards.distances import distances
from games.bots.boards.single_step_board import SingleStepBoard
from games.bots.evaluation.flag_confinement import FlagConfinement
from games.bots.evaluation.piece_square_tables import PieceSquareTables
from games.bots.evaluation.situation import Situation
from games.bots.levels import MARSHAL
from games.bots.player import Player
from games.bots.search.sampled_alphabeta import SampledAlphaBeta
from games.protocol.reading import read_line
from games.protocol.writing import request_line
from games.rules.core.basics.moves import Attack, Walk
from games.rules.core.basics.pieces import Seat, piece
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance
from games.rules.core.observation import observe, witness
from games.rules.core.state.position import Position
from games.rules.core.text.notation import annotate, read_move, read_position, write_move
from games.rules.registry import ruleset
from tests import tiers

DOMINO = ruleset("domino")
CLOSE = "<66><05><13>5/<60><44>6/2<36><52>4/2[46]<00>4/8/3[61][63]3/<21>[12]6/8/4[34][00]2/"
CLOSE += "[66][51]6"


def search_on(board: str) -> SampledAlphaBeta:
    """A search by South, which knows no enemy, in the position of a board."""
    position = read_position(DOMINO, f"{board} S 0 0")
    seen = observe(DOMINO, position, Viewpoint.SOUTH)
    request = read_line(request_line(DOMINO, seen, Seat.SOUTH, [], 2.0))
    units = TrackedUnits(DOMINO, Seat.SOUTH)
    units.update(request.heard, request.observation)
    situation = Situation(units, request.observation)
    search = SampledAlphaBeta(
        situation, PieceSquareTables(situation), Random(1), MARSHAL.alphabeta_positions
    )
    search.load(position.cells)
    return search


# With immobile pieces, and scouts.
FIELD = "2bf1b4/3ek1r3/10/1mjl1y4/1R~~e1~~1R/S1~~2~~2/2KM1J4/1E1Y2C3/3BF1B3/10"


@pytest.mark.parametrize(
    ("preset", "start"),
    tiers.parameters(
        [
            ("domino", CLOSE),
            ("domino-return", CLOSE),
            ("lattaque-en", FIELD),
            ("lattaque-en-forward", FIELD),
        ],
        fast=[("domino-return", CLOSE), ("lattaque-en-forward", FIELD)],
    ),
)
def test_make_obeys_the_rules_and_unmake_restores_everything(preset: str, start: str) -> None:
    rules = ruleset(preset)
    board = SingleStepBoard(battle_tables(rules))
    rng = Random(7)
    played = 0
    for _ in range(12):
        position = read_position(rules, f"{start} S 0 0")
        while position.outcome is None and position.ply < 60:
            board.load(position.cells)
            before = (list(board.cells), list(board.pieces), board.key)
            moves = [
                move
                for move in rules.legal_moves(position, position.turn)
                if isinstance(move, Walk | Attack)
            ]
            for move in moves:
                assert board.cells[move.source] in board.mobile
                after, _ = rules.apply(position, position.turn, move)
                defender = board.cells[move.target]
                if defender and board.battle(board.cells[move.source], defender).over:
                    assert after.outcome
                    continue
                undo = board.make(move.source, move.target)
                made = (list(board.cells), list(board.pieces), board.key)
                assert bytes(made[0]) == after.cells
                board.unmake(move.source, move.target, undo)
                assert (board.cells, board.pieces, board.key) == before
                board.load(after.cells)
                assert (board.cells, board.pieces, board.key) == made
                board.load(position.cells)
                played += 1
            position, _ = rules.apply(position, position.turn, rng.choice(moves))
    assert played > 2_000


def test_only_games_of_single_steps_use_this_search() -> None:
    assert battle_tables(DOMINO).single_steps
    assert battle_tables(ruleset("lattaque-en")).single_steps
    assert not battle_tables(ruleset("tactique")).single_steps


def test_a_6_6_is_confined_more_the_nearer_its_pursuers_are() -> None:
    board = SingleStepBoard(battle_tables(DOMINO))
    values = []
    for place in (
        "7<66>/8/8/8/8/8/8/8/8",
        "7<66>/8/8/3[60]4/8/8/8/8/8",
        "6[46]<66>/8/6[60]1/8/8/8/8/8/8",
    ):
        board.load(read_position(DOMINO, f"{place}/[66]7 S 0 0").cells)
        confinement = FlagConfinement(board, Seat.SOUTH, battle_tables(DOMINO).flag_kinds)
        values.append(confinement.value(Seat.NORTH) if confinement.pursuits else 0.0)
    assert values[0] == 0 < values[1] < values[2]
    # A tile that cannot beat it does not pursue it.
    board.load(read_position(DOMINO, "6[46]<66>/8/8/8/8/8/8/8/8/[66]7 S 0 0").cells)
    assert not FlagConfinement(board, Seat.SOUTH, battle_tables(DOMINO).flag_kinds).pursuits


def test_a_tile_next_to_a_pursuer_confines_a_6_6_as_well() -> None:
    """A 6-6 that captures it is captured there."""
    values = []
    for rows in ("7[21]/7[00]", "8/7[00]"):
        board = SingleStepBoard(battle_tables(DOMINO))
        board.load(read_position(DOMINO, f"7<66>/{rows}/8/8/8/8/8/8/[66]7 S 0 0").cells)
        values.append(
            FlagConfinement(board, Seat.SOUTH, battle_tables(DOMINO).flag_kinds).value(Seat.NORTH)
        )
    assert values[0] > values[1]


def test_without_winning_chances_a_6_6_pursues_the_other() -> None:
    """For a draw by their battle; the other does not pursue it."""
    board = SingleStepBoard(battle_tables(DOMINO))
    values = []
    for rows in ("8/8/8/8/8/8/8/8/[66]7", "8/6[66]1/8/8/8/8/8/8/8"):
        board.load(read_position(DOMINO, f"7<66>/{rows} S 0 0").cells)
        assert not FlagConfinement(board, Seat.SOUTH, battle_tables(DOMINO).flag_kinds).pursuits
        confinement = FlagConfinement(
            board, Seat.SOUTH, battle_tables(DOMINO).flag_kinds, is_dead=True
        )
        assert len(confinement.pursuits) == 1
        values.append(confinement.value(Seat.NORTH))
    assert values[0] < values[1]


def test_an_immobile_flag_is_not_pursued() -> None:
    rules = ruleset("lattaque-en")
    board = SingleStepBoard(battle_tables(rules))
    board.load(read_position(rules, f"{FIELD} S 0 0").cells)
    assert not FlagConfinement(board, Seat.SOUTH, battle_tables(rules).flag_kinds).pursuits


def test_it_attacks_unknown_pieces_only_where_that_pays() -> None:
    """Not with its 6-6, which a 6 or the 0-0 would beat."""
    board = "<06><66><45><33><12><13><41><15>/<22><23><24><11><35><44><55><50>/"
    board += "8/8/8/8/8/8/[66][60][52][01]4/8"
    search = search_on(board)
    crown, other = (piece(Seat.SOUTH, DOMINO.kinds[rank]) for rank in ("66", "52"))
    for hidden in ("06", "33"):
        defender = piece(Seat.NORTH, DOMINO.kinds[hidden])
        assert search.would_attack(other, defender)
        assert not search.would_attack(crown, defender)


def test_an_enemy_attacks_an_unknown_piece_if_that_pays_on_average() -> None:
    board = "<54><04><66>5/8/8/8/8/8/8/8/[66][13][01][52][43]3/8"
    search = search_on(board)
    strong, weak = (piece(Seat.NORTH, DOMINO.kinds[rank]) for rank in ("54", "04"))
    for own in ("13", "01"):
        defender = piece(Seat.SOUTH, DOMINO.kinds[own])
        assert search.would_attack(strong, defender)
        assert not search.would_attack(weak, defender)


def test_an_enemy_recognises_the_6_6_once_nothing_else_is_unknown() -> None:
    search = search_on("<60><04><66>5/8/8/8/8/8/8/8/[66][13][01]5/8")
    killer, crown = piece(Seat.NORTH, DOMINO.kinds["60"]), piece(Seat.SOUTH, DOMINO.kinds["66"])
    search.unrevealed.intersection_update({crown})
    assert search.would_attack(killer, crown)


@pytest.mark.parametrize("positions", [2_000, MARSHAL.alphabeta_positions])
def test_a_number_of_positions_bounds_an_answer(positions: int) -> None:
    seen = observe(DOMINO, read_position(DOMINO, f"{CLOSE} S 0 0"), Viewpoint.SOUTH)
    player = Player(1, replace(MARSHAL, alphabeta_positions=positions))
    assert player.answer(request_line(DOMINO, seen, Seat.SOUTH, [], 2.0))
    # What is unfinished at the end of the budget ends with static values.
    assert 0.5 * positions < player.nodes < 2 * positions


def flight(position: Position) -> str:
    """The move of a lone 6-6 that leads farthest away from the tiles that can beat it."""
    far = distances(DOMINO.board)
    pursuers = [
        cell
        for cell in DOMINO.board.cells
        if position.cells[cell] and DOMINO.rank_of(position.cells[cell]) in ("00", "60", "61")
    ]
    moves = [one for one in DOMINO.legal_moves(position, position.turn) if isinstance(one, Walk)]
    return write_move(
        DOMINO, max(moves, key=lambda move: min(far[one][move.target] for one in pursuers))
    )


@pytest.mark.soak
@pytest.mark.parametrize("seed", tiers.parameters((1, 2, 3), fast=(1,)))
def test_a_fleeing_6_6_is_captured(seed: int) -> None:
    position = read_position(DOMINO, "3<66>4/8/8/8/8/8/[00]1[46][60][61][56]2/8/8/[66]7 S 0 0")
    player = Player(seed, MARSHAL)
    heard: list[tuple[str, str]] = []
    while position.outcome is None and position.ply < 150:
        seat = position.turn
        seen = observe(DOMINO, position, Viewpoint.of_seat(seat))
        if seat is Seat.SOUTH:
            text, heard = player.answer(request_line(DOMINO, seen, seat, heard, 2.0)), []
        else:
            text = flight(position)
        move = read_move(DOMINO, position, seat, text or "")
        position, events = advance(DOMINO, position, seat, move)
        heard.append(
            (DOMINO.seat_letters[seat], annotate(DOMINO, move, witness(events, Viewpoint.GALLERY)))
        )
    assert position.outcome
    assert position.outcome.winner is Seat.SOUTH
