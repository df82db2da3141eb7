"""Shortcuts of the rules tests: positions, moves, random games and their endings in one line."""

import random
from collections.abc import Iterator

from games.rules.core.basics.moves import Move
from games.rules.core.basics.pieces import BySeat, Seat, is_piece, owner
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import Record, result_of
from games.rules.core.text.notation import (
    annotate,
    read_move,
    read_position,
    remarks,
    write_move,
    write_position,
    write_setup,
)
from games.rules.registry import ruleset

Step = tuple[Position, Seat, Move, Position, tuple[Event, ...]]


def rules_of(key: str, **options: bool | int | str) -> Ruleset:
    return ruleset(key, options)


def play(rules: Ruleset, position: str | Position, *moves: str) -> Position:
    """The position after some moves."""
    return list(happenings(rules, position, *moves))[-1][0] if moves else _read(rules, position)


def happenings(
    rules: Ruleset, position: str | Position, *moves: str
) -> Iterator[tuple[Position, tuple[Event, ...]]]:
    """Each position after a move, with what happened."""
    before = _read(rules, position)
    for text in moves:
        seat = before.turn
        before, events = advance(rules, before, seat, read_move(rules, before, seat, text))
        yield before, events


def legal(rules: Ruleset, position: str | Position) -> list[str]:
    """The legal moves of the side to move, as texts in order."""
    before = _read(rules, position)
    return sorted(write_move(rules, move) for move in rules.legal_moves(before, before.turn))


def legal_from(rules: Ruleset, position: str | Position, square: str) -> list[str]:
    """The legal moves of the piece on a square."""
    return [text for text in legal(rules, position) if text[: len(square)] == square]


def board(rules: Ruleset, position: Position) -> str:
    """The board of a position's text alone."""
    return write_position(rules, position).split()[0]


def ending(position: Position) -> tuple[Seat | None, str] | None:
    """Who has won and why, None while the game goes on."""
    outcome = position.outcome
    return (outcome[0], outcome[1]) if outcome else None


def opened(rules: Ruleset, seed: int) -> Position:
    """The position after random set-ups."""
    rng = random.Random(seed)
    position = begin(rules, rng)
    while position.awaited:
        seat = position.awaited[0]
        position, _ = advance(rules, position, seat, rules.random_setup(seat, rng, position))
    return position


def game(rules: Ruleset, seed: int, plies: int = 10_000) -> Iterator[Step]:
    """The turns of a random game: position before, seat, move, position after, events."""
    rng = random.Random(seed)
    position = opened(rules, seed)
    while position.outcome is None and plies > 0:
        seat = position.turn
        move = rng.choice(tuple(rules.legal_moves(position, seat)))
        after, events = advance(rules, position, seat, move)
        yield position, seat, move, after, events
        position, plies = after, plies - 1


def recorded(rules: Ruleset, seed: int, plies: int = 10_000) -> tuple[Record, Position]:
    """The annotated record of a random game, and its last position."""
    rng = random.Random(seed)
    position = begin(rules, rng)
    setups: BySeat[str | None] = BySeat(None, None)
    while position.awaited:
        seat = position.awaited[0]
        setup = rules.random_setup(seat, rng, position)
        setups = setups.put(seat, write_setup(rules, setup))
        position, events = advance(rules, position, seat, setup)
    opening = remarks(witness(events, Viewpoint.GALLERY)).strip()
    moves: list[str] = []
    while position.outcome is None and len(moves) < plies:
        move = rng.choice(tuple(rules.legal_moves(position, position.turn)))
        position, events = advance(rules, position, position.turn, move)
        moves.append(annotate(rules, move, witness(events, Viewpoint.GALLERY)))
    record = Record(
        edition=rules.key,
        tags={"South": 'Anna "the fox"', "North": "Bert \\ Ben"},
        setups=setups,
        moves=tuple(moves),
        result=result_of(rules, position.outcome),
        reason=position.outcome.reason if position.outcome else "",
        opening=opening,
    )
    return record, position


def army_size(position: Position, seat: Seat) -> int:
    return sum(is_piece(content) and owner(content) is seat for content in position.cells)


def _read(rules: Ruleset, position: str | Position) -> Position:
    return read_position(rules, position) if isinstance(position, str) else position
