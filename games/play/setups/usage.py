"""How a player's set-ups have fared: results of those in the library, and repeated ones.

A set-up and its mirror image count as the same, and so do those of the two seats.
"""

from collections import defaultdict
from collections.abc import Iterable
from typing import NamedTuple

from games.play.models.match import Match
from games.play.models.setup import SavedSetup
from games.play.record import own_setups
from games.play.record.match_view import MatchView
from games.play.record.own_setups import SentSetup
from games.play.setups import arrangement, library
from games.play.setups.arrangement import Arrangement
from games.rules import registry
from games.rules.core.pieces import Seat
from games.rules.core.ruleset import Ruleset

Ground = str
Likeness = tuple[Ground, str]


class Tally(NamedTuple):
    """Results of the finished matches that were played with a set-up."""

    won: int = 0
    drawn: int = 0
    lost: int = 0

    @property
    def played(self) -> int:
        return sum(self)


def tallies(
    user_id: int, placed: dict[int, Arrangement], saved: Iterable[SavedSetup]
) -> dict[int, Tally]:
    """The results of saved set-ups, by their keys; one query for all.

    `placed` is what each of them places, as South.
    """
    saved = list(saved)
    families = {library.rules_of(each).family for each in saved}
    results: dict[Likeness, list[bool | None]] = defaultdict(list)
    if families:
        for sent in own_setups.sent_by(user_id, _presets(families), finished=True):
            results[_likeness_of(sent)].append(sent.won)
    found = {}
    for each in saved:
        rules = library.rules_of(each)
        came = results.get(likeness(rules, Seat.SOUTH, placed[each.pk]), [])
        found[each.pk] = Tally(came.count(True), came.count(None), came.count(False))
    return found


def used_against_opponent(view: MatchView, placed: Arrangement) -> list[Match]:
    """Other matches with the reader's opponent that began with the same set-up, newest first."""
    rules, seat = view.rules, view.seat
    if seat is None or not library.keeps(rules):
        return []
    me, opponent = view.players[seat].user_id, view.players[seat.other].user_id
    before = own_setups.sent_by(me, _presets({rules.family}), against=opponent)
    same = likeness(rules, seat, placed)
    return [sent.match for sent in before if _likeness_of(sent) == same]


def likeness(rules: Ruleset, seat: Seat, placed: Arrangement) -> Likeness:
    """What two set-ups have in common that are the same but for a mirror or the seat."""
    southern = placed if seat is Seat.SOUTH else arrangement.turned(rules, placed)
    both = (southern, arrangement.mirrored(rules, southern))
    return library.ground(rules), min(map(arrangement.dump, both))


def _likeness_of(sent: SentSetup) -> Likeness:
    rules = sent.match.rules
    return likeness(rules, sent.seat, arrangement.from_text(rules, sent.seat, sent.text))


def _presets(families: set[str]) -> list[str]:
    return [rules.key for family in families for rules in registry.systems[family]]
