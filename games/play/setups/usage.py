"""Results of a player's set-ups: of those in the library, and of repeated ones.

A set-up and its mirror image count as the same, and so do those of the two seats.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import NamedTuple

from games.play.models.setup import SavedSetup
from games.play.record import own_setups
from games.play.record.match_view import MatchView
from games.play.record.own_setups import SentSetup
from games.play.setups import arrangement, library
from games.play.setups.arrangement import Arrangement
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset

Likeness = tuple[str, Seat, str]  # the ground, the seat and the text of a set-up


class Tally(NamedTuple):
    """Results of the finished matches that were played with a set-up."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return sum(self)


def results_of(user_id: int, saved: Mapping[SavedSetup, Arrangement]) -> dict[SavedSetup, Tally]:
    """Results of saved set-ups, given as South's arrangements; one query for all."""
    families = {library.rules_of(each).family for each in saved}
    if not families:
        return {}
    results: dict[Likeness, list[bool | None]] = defaultdict(list)
    for sent in own_setups.sent_by(user_id, _presets(families), finished=True):
        results[_likeness_of(sent)].append(sent.won)
    tally_by_setup = {}
    for each, placed in saved.items():
        alike = _alike(library.rules_of(each), Seat.SOUTH, placed)
        came = [won for likeness in alike for won in results.get(likeness, ())]
        tally_by_setup[each] = Tally(came.count(True), came.count(None), came.count(False))
    return tally_by_setup


def used_against_opponent(view: MatchView, placed: Arrangement) -> list[int]:
    """Ids of matches against this opponent that began with the same set-up, newest first."""
    rules, seat = view.rules, view.seat
    if seat is None or not library.keeps(rules):
        return []
    me, opponent = view.players[seat].user_id, view.players[seat.other].user_id
    before = own_setups.sent_by(me, _presets({rules.family}), against=opponent)
    alike = _alike(rules, seat, placed)
    return [sent.match_id for sent in before if _likeness_of(sent) in alike]


def _alike(rules: Ruleset, seat: Seat, placed: Arrangement) -> set[Likeness]:
    """All set-ups that count as the same: unchanged and mirrored, in either seat."""
    likenesses = set()
    for each in (placed, arrangement.mirrored(rules, placed)):
        for where, stands in ((seat, each), (seat.other, arrangement.turned(rules, each))):
            text = arrangement.to_text(rules, where, stands)
            likenesses.add((library.ground(rules), where, text))
    return likenesses


def _likeness_of(sent: SentSetup) -> Likeness:
    return library.ground(sent.rules), sent.seat, sent.text


def _presets(families: set[str]) -> list[str]:
    return [rules.key for family in families for rules in registry.games[family]]
