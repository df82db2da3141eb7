"""Fitting: whether a turn is what a condition says, by its annotated text."""

from games.plan_language.lines import Condition, Seen
from games.plan_language.words import Word
from games.rules.core.basics.pieces import Rank
from games.rules.core.basics.refusals import UnreadableMove
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text.notation import Annotated, read_annotated


def fits(rules: Ruleset, condition: Condition, turn: Annotated) -> bool:
    """Whether the opponent's turn is what a condition says."""
    text = condition.text
    if text == Word.ANY:
        return True
    if text == Word.QUIET:
        return not turn.attack and turn.huffed is None and not turn.volley
    if condition.is_strike:
        fitting = condition.square in struck(rules, turn)
    else:
        fitting = is_move(rules, text, turn)
    enemy = turn.battle[0] if turn.battle else None
    return fitting and shows(condition.seen, enemy, turn.result)


def shows(seen: Seen | None, enemy: Rank | None, result: str | None) -> bool:
    """Whether a battle showed what is asked for: the rank of the enemy's piece, or its sign."""
    if seen is None:
        return True
    return enemy in seen.ranks if seen.ranks else result == seen.sign


def struck(rules: Ruleset, turn: Annotated) -> tuple[str, ...]:
    """The squares of the pieces that a turn attacked, jumped over or huffed."""
    huffed = (turn.huffed,) if turn.huffed else ()
    if not turn.attack:
        return huffed
    if rules.jumps:
        return (*huffed, *rules.jumps.jumped_over(turn.path))
    return (*huffed, turn.path[-1])


def is_move(rules: Ruleset, text: str, turn: Annotated) -> bool:
    """Whether a turn is the move of a text, whatever it showed; a dash is no attack."""
    try:
        move = read_annotated(rules, text)
    except UnreadableMove:
        return False
    return (move.path, move.huffed, move.attack) == (turn.path, turn.huffed, turn.attack)
