"""Referee: plays one match of two players by the rules' engine, and gives each its lines."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from random import Random
from typing import Any, Protocol

from games.bots.arena.player_process import NoAnswer
from games.protocol.writing import DRAW, HeardActions, end_line, opening_volley, request_line
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import observe, witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.position import Outcome, Position
from games.rules.core.text.notation import annotate, read_move, remarks, write_move


class SeatPlayer(Protocol):
    """Answers the lines of one seat: in a process of its own, or in this one."""

    def ask(self, line: Mapping[str, Any], wall_seconds: float) -> str:
        """The answer to a line; raises NoAnswer."""

    def tell(self, line: Mapping[str, Any]) -> None:
        """Pass on a line that asks for no answer; raises NoAnswer."""


@dataclass
class Played:
    """The result of a match, or of its part before it was broken off, and its transcript.

    `lines` and `answers` have a list for each seat. `forfeit` is the seat and the fault.
    """

    winner: Seat | None = None
    reason: str = ""
    plies: int = 0
    forfeit: str = ""
    lines: tuple[list[dict[str, Any]], ...] = field(default_factory=lambda: ([], []))
    answers: tuple[list[str], ...] = field(default_factory=lambda: ([], []))


class Referee:
    """Plays one match between the players of two seats."""

    def __init__(
        self, rules: Ruleset, players: tuple[SeatPlayer, SeatPlayer], wall_seconds: float
    ) -> None:
        self.rules = rules
        self.players = players
        self.wall_seconds = wall_seconds
        self.heard: tuple[HeardActions, HeardActions] = ([], [])
        self.played = Played()

    def play(self, seed: int, plies: int | None = None) -> Played:
        """Play with the deal of a seed, to the end or up to a number of plies."""
        # The same seed must give the same deal.
        position = begin(self.rules, Random(seed))  # noqa: S311
        played = self.played
        while position.outcome is None:
            if plies is not None and position.ply >= plies:
                played.plies = position.ply
                return played
            seat = position.to_act[0]
            try:
                position = self._turn(position, seat)
            except (NoAnswer, Refusal) as fault:
                played.forfeit = f"{self.rules.seat_letters[seat]}: {fault}"
                played.winner, played.reason = seat.other, "forfeit"
                return played
        outcome: Outcome = position.outcome
        played.winner, played.reason, played.plies = outcome.winner, outcome.reason, position.ply
        letters = self.rules.seat_letters
        result = DRAW if outcome.winner is None else letters[outcome.winner]
        for seat in Seat:
            line = end_line(self.rules, seat, self.heard[seat], result, str(outcome.reason))
            try:
                self.players[seat].tell(line)
            except NoAnswer:
                continue
        return played

    def _turn(self, position: Position, seat: Seat) -> Position:
        rules, played = self.rules, self.played
        observation = observe(rules, position, Viewpoint.of_seat(seat))
        line = request_line(rules, observation, seat, self.heard[seat], seconds=2.0)
        self.heard[seat].clear()
        answer = self.players[seat].ask(line, self.wall_seconds)
        played.lines[seat].append(line)
        played.answers[seat].append(answer)
        setting_up = bool(position.awaited)
        move = read_move(rules, position, seat, answer)
        after, events = advance(rules, position, seat, move)
        sightings = witness(events, Viewpoint.GALLERY)
        if setting_up:
            if volley := remarks(sightings):
                self._publish(opening_volley(volley))
        else:
            if answer != write_move(rules, move):
                raise NoAnswer(f"The canonical text is {write_move(rules, move)}.")
            self._publish((rules.seat_letters[seat], annotate(rules, move, sightings)))
        return after

    def _publish(self, action: tuple[str, str]) -> None:
        for heard in self.heard:
            heard.append(action)
