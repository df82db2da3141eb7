"""Sentences about plans, in the reader's language: lines in words, and faults.

* `plan_texts(rules, lines)`: a text for each line of a plan.
* `line_sentences(rules, line, plan)`: the sentences of a line of it; `line_text` joins them.
* `fault_text(fault)`: "Line 2: …".

No sentence is a line of a plan or a command, so an e-mail that is sent back does nothing.
"""

from collections.abc import Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from games.plan_language.faults import BadLine, Fault
from games.plan_language.lines import Condition, Line, Seen
from games.plan_language.words import Word
from games.play.words.narration import piece_name
from games.play.words.wording import refusal_text
from games.rules.core.basics.refusals import Refusal
from games.rules.core.ruleset.base import Ruleset
from lib.sentences import in_a_row

ALWAYS = "always"  # `any`, where the plan has no other condition for that turn

# The first answer of a line, and those after it, by what the opponent's turn has to be.
FIRST = {
    "exact": gettext_noop("After %(move)s your plan answers %(answer)s."),
    "strike": gettext_noop(
        "After a turn that strikes your piece on %(square)s your plan answers %(answer)s."
    ),
    Word.QUIET: gettext_noop("After a turn that strikes nothing your plan answers %(answer)s."),
    Word.ANY: gettext_noop("After any other turn your plan answers %(answer)s."),
    ALWAYS: gettext_noop("After any turn your plan answers %(answer)s."),
}
NEXT = {
    "exact": gettext_noop("Next, after %(move)s, it answers %(answer)s."),
    "strike": gettext_noop(
        "Next, after a turn that strikes your piece on %(square)s, it answers %(answer)s."
    ),
    Word.QUIET: gettext_noop("Next, after a turn that strikes nothing, it answers %(answer)s."),
    Word.ANY: gettext_noop("Next, after any other turn, it answers %(answer)s."),
    ALWAYS: gettext_noop("Next, after any turn, it answers %(answer)s."),
}
# What the battle of the opponent's turn has to show, for the answer.
SHOWN_BY_OPPONENT = {
    "+": gettext_noop("This counts only if your piece is captured."),
    "-": gettext_noop("This counts only if the attacking piece is captured."),
    "=": gettext_noop("This counts only if both pieces are captured."),
    "+d": gettext_noop("This counts only if your piece is demoted."),
    "-d": gettext_noop("This counts only if the attacking piece is demoted."),
}
RANKS_OF_OPPONENT = gettext_noop(
    "This counts only if the attacking piece is one of these: %(pieces)s."
)
# What the battle of an answer has to show, for the rest of the line.
SHOWN_BY_ANSWER = {
    "+": gettext_noop("It goes on only if this captures the enemy's piece."),
    "-": gettext_noop("It goes on only if your piece is captured."),
    "=": gettext_noop("It goes on only if both pieces are captured."),
    "+d": gettext_noop("It goes on only if this demotes the enemy's piece."),
    "-d": gettext_noop("It goes on only if your piece is demoted."),
}
RANKS_OF_ANSWER = gettext_noop("It goes on only if the piece attacked is one of these: %(pieces)s.")


def plan_texts(rules: Ruleset, lines: Sequence[Line]) -> list[str]:
    """What each line of a plan says."""
    return [line_text(rules, line, lines) for line in lines]


def line_sentences(rules: Ruleset, line: Line, plan: Sequence[Line] = ()) -> list[str]:
    """What a line of a plan says, each answer with its conditions, in the order of play."""
    sentences = []
    for number, step in enumerate(line.steps):
        condition = step.condition
        values = {"move": condition.text, "square": condition.square, "answer": step.answer}
        kind = _kind(condition)
        if kind == Word.ANY and not _has_others(plan, line, number):
            kind = ALWAYS
        sentences.append(_((NEXT if number else FIRST)[kind]) % values)
        sentences += _shown(rules, condition.seen, SHOWN_BY_OPPONENT, RANKS_OF_OPPONENT)
        sentences += _shown(rules, step.seen, SHOWN_BY_ANSWER, RANKS_OF_ANSWER)
    return sentences


def line_text(rules: Ruleset, line: Line, plan: Sequence[Line] = ()) -> str:
    """What a line of a plan says, as one text."""
    return in_a_row(line_sentences(rules, line, plan))


def fault_text(fault: Fault) -> str:
    """What is wrong with a line, and with which."""
    sentence = bad_line_text(fault.bad)
    if not fault.number:
        return sentence
    return _("Line %(line)s: %(fault)s") % {"line": fault.number, "fault": sentence}


def bad_line_text(bad: BadLine) -> str:
    """What is wrong with a line; with a refusal of the rules in it, if there is one."""
    values = {
        name: refusal_text(fact) if isinstance(fact, Refusal) else fact
        for name, fact in bad.values.items()
    }
    return _(bad.template) % values


def _has_others(plan: Sequence[Line], line: Line, number: int) -> bool:
    """Whether a plan has another condition for the turn that step `number` of a line answers."""
    begun, condition = line.steps[:number], line.steps[number].condition
    return any(
        other.steps[:number] == begun and other.steps[number].condition != condition
        for other in plan
        if len(other.steps) > number
    )


def _kind(condition: Condition) -> str:
    if condition.is_exact:
        return "exact"
    return "strike" if condition.is_strike else condition.text


def _shown(rules: Ruleset, seen: Seen | None, signs: Mapping[str, str], ranks: str) -> list[str]:
    if seen is None:
        return []
    if seen.sign:
        return [_(signs[seen.sign])]
    # In the order of the army list, as everywhere.
    order = list(rules.kinds)
    named = sorted(seen.ranks, key=lambda rank: order.index(rank.removesuffix(rules.mark_sign)))
    return [_(ranks) % {"pieces": ", ".join(piece_name(rules, rank) for rank in named)}]
