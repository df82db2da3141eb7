"""Handlers: change the plan, by lines and by deleting it, with a move or without; show it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import groupby

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.mail.answering import refusal_answers
from games.mail.answering.actions import queries
from games.mail.answering.actions.turns import submitted_moves
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.action_grouping import PLANNING
from games.mail.reading.commands import Command, Verb
from games.notifications.email.composing.line_wrapping import LONG_COLUMNS
from games.notifications.email.replies import answer_words
from games.plan_language.faults import BadLine, Fault, gettext_noop, listed
from games.plan_language.lines import Line
from games.plan_language.reading import (
    MAX_TYPED_LINES,
    NumberedLine,
    mail_line,
    read_line,
)
from games.play.commands.plans import saving
from games.play.commands.plans.refusing import (
    AnswerWaits,
    BadPlan,
    PlanEdited,
    PlanOutdated,
    no_plan_yet,
)
from games.play.models.match import Status
from games.play.models.plan import PlanState, Wait
from games.play.plans import sentences
from games.play.record.match_view import MatchView
from games.rules.core.basics.refusals import Refusal
from lib.sentences import in_a_row
from lib.spelling.columns import columns

DONE = frozenset((MessageOutcome.PLAYED, MessageOutcome.PLANNED))
READABLE = frozenset((PlanState.STANDING, PlanState.DROPPED, PlanState.FAILED))


class NothingDone(Exception):  # noqa: N818 - a refusal is an answer and no error.
    """An action whose effects are rolled back; `answer` says why."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.outcome)
        self.answer = answer


def change_plan(context: MessageContext, command: Command, *companions: Command) -> Answer:
    """Play a move, if there is one, and change the plan in the order written: all or nothing.

    `command` is the move or the first change. Raises NothingDone if it is refused, since then
    nothing of the message may be done.
    """
    try:
        with transaction.atomic():
            answer = _change(context, command, companions)
            if answer.outcome not in DONE:
                raise NothingDone(answer)
    except NothingDone as undone:
        if undone.answer.outcome == MessageOutcome.REFUSED:
            raise
        return undone.answer
    return answer


def show_plan(context: MessageContext, command: Command) -> Answer:
    """The lines of the plan in sentences, and whether it counts."""
    view = queries.find_match(context, command)
    if view is None:
        return queries.no_such_match(context, command)
    plan = saving.own_plan(view)
    if plan is None or plan.row.state not in READABLE or not plan.contents.lines:
        words = _("You have no plan in this match.")
        return Answer(MessageOutcome.SHOWN, (words,), view.match.pk)
    stands = saving.counts(view, plan)
    words = _("This plan does not count any more. Send its lines again to take them up.")
    return Answer(
        MessageOutcome.SHOWN,
        (_when(plan.contents.wait) if stands else words,),
        view.match.pk,
        parts=_listed(view),
    )


def shown_text(view: MatchView) -> str:
    """The plan as receipts show it, line by line; "" if there is none."""
    plan = saving.own_plan(view)
    if plan is None or plan.row.state not in READABLE or not plan.contents.lines:
        return ""
    ((heading, lines),) = _listed(view)
    return "\n".join([heading, *(f"* {line}" for line in lines)])


def _change(context: MessageContext, command: Command, companions: Sequence[Command]) -> Answer:
    move = command if command.verb is Verb.MOVE else None
    changes = [each for each in (command, *companions) if each.verb in PLANNING]
    try:
        return _carry_out(context, move, changes)
    except BadPlan as bad:
        return _bad_lines(context, bad.faults)
    except AnswerWaits as refusal:
        answer = refusal_answers.from_refusal(context, _lines(), refusal)
        words = _("Reply “%(forget)s” to stop it.") % {"forget": answer_words.word("forget")}
        return replace(answer, lines=(*answer.lines, words))
    except (PlanOutdated, PlanEdited):
        is_live = context.view().match.is_live
        answer_for = refusal_answers.stale if is_live else refusal_answers.over
        return answer_for(context, _lines())
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, _lines(), refusal)


def _carry_out(context: MessageContext, move: Command | None, changes: list[Command]) -> Answer:
    view = context.view()
    runs = list(_runs(changes))
    if view.match.status == Status.SETUP and any(runs):
        raise no_plan_yet()
    answer_lines: tuple[str, ...] = ()
    played = False
    for lines in runs:
        if not lines:
            saving.delete_plan(view.match.pk, context.user)
        elif move and not played:
            answer = submitted_moves.play_move(context, move, lines)
            if answer.outcome != MessageOutcome.PLAYED:
                return answer
            played, answer_lines = True, answer.lines
            context = replace(context, ply=context.view().match.ply)
        elif context.view().match.is_live:
            ply = -1 if context.ply is None else context.ply
            saving.save_plan(view.match.pk, context.user, ply, lines, newer_wins=True)
    if move and not played:
        answer = submitted_moves.play_move(context, move)
        if answer.outcome != MessageOutcome.PLAYED:
            return answer
        answer_lines = answer.lines
    return _done(context, answer_lines, is_deleted=not runs[-1])


def _runs(changes: list[Command]) -> Iterator[list[NumberedLine]]:
    """The lines between commands that delete the plan, in order; an empty list is such a command.

    Raises BadPlan with what is wrong with lines that cannot be read.
    """
    read_lines = [(each, _read(each)) for each in changes if each.verb is Verb.IF]
    faults = [Fault(each.line + 1, bad) for each, bad in read_lines if isinstance(bad, BadLine)]
    if len(read_lines) > MAX_TYPED_LINES:
        too_many = gettext_noop("Write at most %(limit)s lines; there are %(count)s.")
        faults.insert(0, Fault(0, BadLine(too_many, limit=MAX_TYPED_LINES, count=len(read_lines))))
    if faults:
        raise BadPlan(listed(faults))
    lines = {each.line: line for each, line in read_lines if isinstance(line, Line)}
    for is_deletion, group in groupby(changes, lambda each: each.verb is Verb.FORGET):
        numbers = [] if is_deletion else [each.line for each in group]
        yield [NumberedLine(number + 1, lines[number]) for number in numbers]


def _read(command: Command) -> Line | BadLine:
    """The line of a plan that a command holds, or what is wrong with it."""
    if command.wrapped:
        return BadLine(
            gettext_noop(
                "Leave a blank line between this line and the long one next to it; a program may "
                "have wrapped it, so where it ends is not certain."
            )
        )
    line = mail_line(command.argument)
    assert line is not None  # noqa: S101 - the reader has found a line of a plan
    return line


def _done(context: MessageContext, answer_lines: tuple[str, ...], *, is_deleted: bool) -> Answer:
    """The answer: what happened on the board, and the plan as it is now."""
    view = context.view()
    outcome = MessageOutcome.PLAYED if answer_lines else MessageOutcome.PLANNED
    if not view.match.is_live:
        return Answer(outcome, answer_lines, view.match.pk)
    plan = saving.own_plan(view)
    if is_deleted or plan is None:
        return Answer(outcome, (*answer_lines, _("There is no plan now.")), view.match.pk)
    words = (*answer_lines, _("Plan saved."), _when(plan.contents.wait))
    return Answer(outcome, words, view.match.pk, parts=_listed(view))


def _bad_lines(context: MessageContext, faults: Sequence[Fault]) -> Answer:
    answer = refusal_answers.refused(context, _lines())
    listed = tuple(
        _ended(sentences.fault_text(fault), _("This line was not saved.")) for fault in faults
    )
    return replace(answer, parts=((_("What is wrong with them:"), listed),))


def _listed(view: MatchView) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """The lines of the stored plan in words, in the order in which they are tried."""
    plan = saving.own_plan(view)
    lines = [read_line(line) for line in plan.contents.lines] if plan else []
    texts = sentences.plan_texts(view.rules, lines)
    listed = tuple(
        _in_words(text, len(line.steps)) for text, line in zip(texts, lines, strict=True)
    )
    heading = _("Your plan in match %(number)s:") % {"number": view.match.pk}
    return ((heading, listed),)


def _in_words(text: str, count: int) -> str:
    """What a line says, and at the end of a long text how many answers it has."""
    answers = ngettext("This line has one answer.", "This line has %(count)s answers.", count) % {
        "count": count
    }
    return _ended(text, answers)


def _ended(text: str, sentence: str) -> str:
    """A text with a sentence behind it if it takes more than one line of an e-mail.

    Otherwise a move might be alone on its last line, and be a command when the e-mail is quoted.
    """
    return in_a_row([text, sentence]) if columns(text) > LONG_COLUMNS else text


def _when(wait: str) -> str:
    if wait == Wait.NOW:
        return _("Your plan answers at once.")
    return _("Your plan answers after a while: from three minutes to two hours.")


def _lines() -> str:
    """What was not done, as a receipt names it."""
    return _("the lines for your plan")
