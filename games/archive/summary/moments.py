"""Key moments of a match, by fixed rules: no engine judges them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import groupby
from typing import NamedTuple

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.archive.summary.walk import Step, Walk
from games.play.words.narration import entry_text, piece_name
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.ruleset.base import Ruleset

QUIET_TURNS = 2  # a shorter stretch without a battle is none


class Moment(NamedTuple):
    """A moment with its name, a sentence, and the ply to look at, counted from the first move."""

    name: str
    text: str
    ply: int


class _Loss(NamedTuple):
    step: Step
    seat: Seat
    rank: Rank


def moments(walk: Walk) -> list[Moment]:
    """The key moments that the match had, in the order of their rules."""
    rules = (_first_battle, _dearest_loss, _best_fighter, _quietest_stretch, _last_blow)
    return [moment for rule in rules if (moment := rule(walk)) is not None]


def sentence(walk: Walk, step: Step) -> str:
    """What happened in a turn, with the players' names."""
    return entry_text(walk.rules, step.entry, walk.names) if step.entry else ""


def _first_battle(walk: Walk) -> Moment | None:
    return _battle(walk, _("First battle"), walk.battles[:1])


def _last_blow(walk: Walk) -> Moment | None:
    return _battle(walk, _("Last blow"), walk.battles[1:][-1:])


def _battle(walk: Walk, name: str, steps: list[Step]) -> Moment | None:
    return Moment(name, sentence(walk, steps[0]), steps[0].ply) if steps else None


def _dearest_loss(walk: Walk) -> Moment | None:
    """The captured piece of which an army has the fewest; of equals, the one listed first."""
    rules = walk.rules
    places = {troop.rank: (troop.number, place) for place, troop in enumerate(rules.army)}
    losses = [loss for loss in _losses(walk) if _line(rules, loss.rank) in places]
    if not losses:
        return None
    dearest = min(losses, key=lambda loss: places[_line(rules, loss.rank)])
    values = {
        "player": walk.names[dearest.seat],
        "piece": piece_name(rules, dearest.rank),
        "move": move_number(dearest.step.turn),
    }
    text = _("%(player)s lost this piece on move %(move)s: %(piece)s.") % values
    return Moment(_("Dearest loss"), text, dearest.step.ply)


def _losses(walk: Walk) -> Iterator[_Loss]:
    """The pieces that battles removed, as both players saw them."""
    for step in walk.battles:
        done, entry = step.done, step.entry
        if done is None or done.battle is None or entry is None or entry.seat is None:
            continue
        attacker, defender = done.battle
        if done.result in ("-", "="):
            yield _Loss(step, entry.seat, attacker)
        if done.result in ("+", "="):
            yield _Loss(step, entry.seat.other, defender)


def _line(rules: Ruleset, rank: Rank) -> Rank:
    """A rank without the sign of its mark."""
    return rank.removesuffix(rules.mark_sign) if rules.mark_sign else rank


def _best_fighter(walk: Walk) -> Moment | None:
    """The piece that won most battles; of several, South's, then the one that began first."""
    rules, best = walk.rules, None
    for seat in Seat:
        tracker = walk.trackers[seat]
        own = [one for one in (*tracker.at.values(), *tracker.gone) if one.raised_by is seat]
        for one in sorted(own, key=lambda one: one.start):
            wins = [fight.turn for fight in one.fights if fight.result == "won"]
            if wins and (best is None or len(wins) > len(best[2])):
                best = (seat, one, wins)
    if best is None:
        return None
    seat, one, wins = best
    values = {
        "player": walk.names[seat],
        "piece": piece_name(rules, one.rank or one.lines[0]),
        "square": rules.board.names[one.start],
        "count": len(wins),
    }
    text = ngettext(
        "%(player)s's piece that began on %(square)s won %(count)s battle: %(piece)s.",
        "%(player)s's piece that began on %(square)s won %(count)s battles: %(piece)s.",
        len(wins),
    )
    return Moment(_("Most battles won"), text % values, walk.steps[wins[-1]].ply)


def _quietest_stretch(walk: Walk) -> Moment | None:
    """The longest run of turns in which nothing was struck at or hit; of several, the first."""
    runs = [list(run) for quiet, run in groupby(walk.steps[1:], lambda s: not s.fought) if quiet]
    longest = max(runs, key=len, default=[])
    if len(longest) < QUIET_TURNS:
        return None
    first, last = move_number(longest[0].turn), move_number(longest[-1].turn)
    if first == last:
        return None
    values = {"first": first, "last": last}
    text = _("No battle from move %(first)s to move %(last)s.") % values
    return Moment(_("Longest quiet stretch"), text, longest[0].ply)
