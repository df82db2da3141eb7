"""Dispatches the commands of a message: one action per match, with notes, words and queries.

games/mail/reading/action_grouping.py says which commands may go together.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace
from string import ascii_lowercase

from django.db import transaction
from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.actions import (
    argument_sentences,
    endings,
    invitations,
    ladders,
    lobby,
    private_notes,
    queries,
    talk,
    time_commands,
    tournaments,
)
from games.mail.answering.actions.turns import plans, submitted_moves, submitted_setups
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.action_grouping import (
    PLANNING,
    UNSUPPORTED,
    Action,
    group_actions,
    is_action,
    other_commands,
)
from games.mail.reading.commands import Command, Verb
from games.notifications.email.replies.answer_words import in_marks, quoted
from games.notifications.models import Asks, Purpose
from games.play.models.match import Match

Handler = Callable[[MessageContext, Command], Answer]

QUERIES: dict[Verb, Handler] = {
    Verb.BOARD: queries.show_board,
    Verb.BOARD_LIST: queries.show_board_list,
    Verb.MOVES: queries.show_moves,
    Verb.RULES: queries.show_rules,
    Verb.HELP: queries.show_help,
    Verb.PLAN: plans.show_plan,
    Verb.MATCHES: queries.show_matches,
    Verb.NEXT: queries.show_next,
    Verb.LOBBY: lobby.show_lobby,
    Verb.TOURNAMENTS: tournaments.show_tournaments,
    Verb.LADDER: ladders.show_ladder,
}
MATCH_COMMANDS: dict[Verb, Handler] = {
    Verb.MOVE: submitted_moves.play_move,
    Verb.SETUP: submitted_setups.set_up,
    Verb.RANDOM: submitted_setups.propose,
    Verb.KEEP: submitted_setups.keep,
    Verb.RESIGN: endings.resign,
    Verb.ABORT: endings.abort,
    Verb.YES: endings.answer_yes,
    Verb.NO: endings.answer_no,
    Verb.DRAW_OFFER: endings.offer_draw,
    Verb.ACCEPT: endings.accept,
    Verb.DECLINE: endings.decline,
    Verb.WAIT: time_commands.give_day,
    Verb.CLAIM: time_commands.claim,
    Verb.REMATCH: invitations.rematch,
    Verb.IF: plans.change_plan,
    Verb.FORGET: plans.change_plan,
    Verb.NOTE: private_notes.add_note,
    Verb.SAY: talk.say,
}
INVITATION_COMMANDS: dict[Verb, Handler] = {
    Verb.ACCEPT: invitations.accept,
    Verb.YES: invitations.accept,
    Verb.DECLINE: invitations.decline,
    Verb.NO: invitations.decline,
    Verb.WITHDRAW: invitations.withdraw,
}
LOBBY_COMMANDS: dict[Verb, Handler] = {
    Verb.PLAY: lobby.play,
    Verb.SEAT: lobby.offer_seat,
    Verb.CHALLENGE: lobby.challenge,
    Verb.LADDER_CHALLENGE: ladders.challenge,
    Verb.JOIN: lobby.join,
    Verb.WITHDRAW: invitations.withdraw,
    Verb.ENTER: tournaments.enter,
    Verb.LEAVE: tournaments.leave,
}
MAX_LISTED = 8  # conflicting commands in an answer
TURN_COMMANDS = (Verb.MOVE, Verb.SETUP, Verb.KEEP, Verb.IF)
NEEDS_CONFIRMATION = (Verb.RESIGN, Verb.ABORT, Verb.RANDOM)
# What may accompany anything, and is no query.
ASIDES = (Verb.NOTE, Verb.SAY)
NOT_DONE = frozenset(
    (
        MessageOutcome.REFUSED, MessageOutcome.AMBIGUOUS, MessageOutcome.STALE,
        MessageOutcome.LATE, MessageOutcome.OVER, MessageOutcome.CLOSED,
    )
)  # fmt: skip
ALLOWED_LONG_AFTER = (Verb.REMATCH, Verb.MOVES, Verb.HELP, Verb.NOTE)
# Other commands about a match that is over are answered with how it ended.
ALLOWED_WHEN_OVER = (
    *ALLOWED_LONG_AFTER,
    *(Verb.RULES, Verb.MATCHES, Verb.NEXT, Verb.LOBBY, Verb.LADDER, Verb.TOURNAMENTS),
)


def act(context: MessageContext, commands: Sequence[Command]) -> Answer | None:
    """Carry out the commands of a message; None if there are none.

    If a line of a plan is refused, none of them is carried out.
    """
    try:
        with transaction.atomic():
            return _act(context, commands)
    except plans.NothingDone as undone:
        words = _("Nothing of your message was done; please correct it and send it again.")
        return replace(undone.answer, lines=(*undone.answer.lines, words))


def _act(context: MessageContext, commands: Sequence[Command]) -> Answer | None:
    commands = _without_our_drawings(context, commands)
    if context.asks == Asks.LEAVE:
        commands = [tournaments.confirmed(context, each) for each in commands]
    if not commands and (name := submitted_setups.find_saved_name(context)):
        commands = [Command(Verb.SETUP, argument=name)]
    if not commands:
        return None
    if context.purpose in (Purpose.DIGEST, Purpose.LOBBY):
        commands = [_numbered(context, each) for each in commands]
        if any(map(_lacks_number, commands)):
            return _which_match(context, commands[0])
    else:
        commands = [
            replace(each, match=None) if each.match == context.match_id else each
            for each in commands
        ]
    actions = group_actions(commands)
    answers = [
        (action.match, _do_for(context, action, alone=len(actions) == 1)) for action in actions
    ]
    failed = {number for number, answer in answers if answer.outcome in NOT_DONE}
    others = other_commands(commands)
    notes = [_aside(context, each, failed) for each in others if each.verb in ASIDES]
    if not answers and not notes:
        return _show(context, others)
    if not answers:
        answer = notes.pop(0)
    else:
        answer = answers[0][1] if len(answers) == 1 else _combined(answers)
    notes += [_unsupported(context, each) for each in others if each.verb in UNSUPPORTED]
    lines = dict.fromkeys(line for each in (answer, *notes) for line in each.lines)
    has_more = answer.has_more or any(map(_has_more, notes))
    answer = replace(answer, lines=tuple(lines), has_more=has_more)
    return _with_queries(context, answer, [each for each in others if each.verb in QUERIES])


def _without_our_drawings(context: MessageContext, commands: Sequence[Command]) -> list[Command]:
    """The commands without set-up rows that are only quoted from our own e-mail.

    While the player has to set up, quoted rows were empty in our e-mail, so the player filled them
    in. After that, quoted rows are our drawing; rows that are not quoted count only if the message
    has no other command.
    """
    drawn = [each for each in commands if each.verb is Verb.SETUP and each.drawn]
    if not drawn or (
        not any(each.quoted for each in drawn) and submitted_setups.is_setup_awaited(context)
    ):
        return list(commands)
    drew_proposal = context.asks in (Asks.SETUP, Asks.CLOSED)
    if submitted_setups.is_setup_awaited(context) and not drew_proposal:
        return list(commands)
    alone = len(drawn) == len(commands)
    return [each for each in commands if each not in drawn or (alone and not each.quoted)]


def asks_for_actions(commands: Sequence[Command]) -> bool:
    """Whether a message has an action, a note or words to the opponent, not only queries."""
    return any(is_action(each) or each.verb in ASIDES for each in commands)


def _numbered(context: MessageContext, command: Command) -> Command:
    """The command with a match number; if it has none, that of the only match of the digest."""
    if _lacks_number(command) and len(context.matches) == 1:
        return replace(command, match=next(iter(context.matches)))
    return command


def _lacks_number(command: Command) -> bool:
    return (
        command.match is None
        and command.verb in MATCH_COMMANDS
        and command.verb not in LOBBY_COMMANDS
    )


def _do_for(context: MessageContext, action: Action, *, alone: bool) -> Answer:
    """Carry out an action in the match it names, or in the match of the e-mail."""
    if not alone and action.command.verb in NEEDS_CONFIRMATION:
        words = _("This needs to be confirmed, so please send it in a separate message.")
        return refusal_answers.refused(context, described(action.command), words)
    if action.match is not None:
        if action.match not in context.matches:
            return _other_match(context, action.command)
        context = context.for_match(action.match, context.matches[action.match])
    if action.is_ambiguous:
        return ambiguous(context, (action.command, *action.rivals))
    planning = [each for each in action.companions if each.verb in PLANNING]
    answer = _do(context, action.command, planning)
    if answer.outcome == MessageOutcome.PLAYED:
        others = [each for each in action.companions if each.verb not in PLANNING]
        answer = _with_companions(context, answer, others)
    return answer


def _aside(context: MessageContext, command: Command, failed: Collection[int | None]) -> Answer:
    """Store a note, even if the action in its match is refused, or pass on words, unless it is.

    `failed` has the matches whose actions were refused.
    """
    is_refused = command.match in failed
    if command.match is not None:
        if command.match not in context.matches:
            return _other_match(context, command)
        context = context.for_match(command.match, context.matches[command.match])
    if command.verb is Verb.SAY and is_refused:
        words = _("Nothing was passed on to your opponent, since the rest was not done.")
        return refusal_answers.refused(context, described(command), words)
    return MATCH_COMMANDS[command.verb](context, command)


def ambiguous(context: MessageContext, commands: Sequence[Command]) -> Answer:
    """The answer to conflicting commands: nothing is done."""
    named = _listed(list(dict.fromkeys(map(described, commands))))
    words = _(
        "Your message contains different commands: %(commands)s. Nothing was done; send only one."
    )
    return Answer(
        MessageOutcome.AMBIGUOUS,
        (words % {"commands": named},),
        context.match_id,
        context.invitation_id,
    )


def differing(context: MessageContext, commands: Sequence[Command]) -> Answer:
    """The answer to a message whose text and HTML ask for different actions: nothing is done."""
    answer = ambiguous(context, [each for each in commands if is_action(each)])
    words = _("The plain text of your message and its formatted text are not the same.")
    return replace(answer, lines=(*answer.lines, words))


def _listed(commands: Sequence[str]) -> str:
    """Commands, each with a letter before it: a wrapped line must never be a command."""
    shown = zip(ascii_lowercase, commands[:MAX_LISTED], strict=False)
    named = ", ".join(f"({letter}){command}" for letter, command in shown)
    return f"{named} …" if len(commands) > MAX_LISTED else named


def described(command: Command) -> str:
    """A command as a receipt repeats it."""
    if command.verb is Verb.MOVE:
        return in_marks(command.move_text)
    if command.verb is Verb.SETUP:
        return _("a set-up")
    if command.verb in ASIDES:
        return quoted(command.verb.value)  # The text is not repeated.
    if command.verb is Verb.IF:
        return _("a line of a plan")  # A line that is wrapped must never be one.
    if command.verb is Verb.LADDER_CHALLENGE:
        return quoted(f"{Verb.CHALLENGE.value} {command.argument}")
    return quoted(f"{command.verb.value.removesuffix(' offer')} {command.argument}".rstrip())


def _do(context: MessageContext, command: Command, planning: Sequence[Command] = ()) -> Answer:
    """Carry out a command; `planning` are the changes of the plan that accompany it."""
    answer = _carry_out(context, command, planning)
    if answer.outcome == MessageOutcome.OVER and _plays_turn(context, command):
        return refusal_answers.with_overtaken(context, answer)
    return answer


def _plays_turn(context: MessageContext, command: Command) -> bool:
    """Whether a command would have played a turn, so that the clock would not have ended."""
    if command.verb is Verb.YES:
        return context.asks == Asks.SETUP
    # The name of a saved set-up only proposes it.
    return command.verb in TURN_COMMANDS and not (command.verb is Verb.SETUP and command.argument)


def _carry_out(context: MessageContext, command: Command, planning: Sequence[Command]) -> Answer:
    if context.is_long_over and command.verb not in ALLOWED_LONG_AFTER:
        return _long_over(context, command)
    handler = _handlers(context).get(command.verb)
    if handler is None:
        words = [
            _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        ]
        if command.verb in LOBBY_COMMANDS:
            words.append(argument_sentences.where_to_write())
        return refusal_answers.refused(context, described(command), *words)
    # A repeated move or set-up may be the one that ended the match; its handler recognizes it.
    allowed = (*ALLOWED_WHEN_OVER, Verb.MOVE, Verb.SETUP)
    if command.verb not in allowed and _is_over(context):
        return refusal_answers.over(context, described(command))
    if planning:
        return plans.change_plan(context, command, *planning)
    return handler(context, command)


def _long_over(context: MessageContext, command: Command) -> Answer:
    words = _("This match was over long ago.")
    return refusal_answers.refused(
        context, described(command), words, outcome=MessageOutcome.CLOSED
    )


def _handlers(context: MessageContext) -> dict[Verb, Handler]:
    if context.match_id is not None:
        return MATCH_COMMANDS
    return INVITATION_COMMANDS if context.invitation_id is not None else LOBBY_COMMANDS


def _with_companions(
    context: MessageContext, answer: Answer, companions: Sequence[Command]
) -> Answer:
    """Carry out the companions of a move; the move itself has declined any offer."""
    lines, has_more = list(answer.lines), answer.has_more
    for command in companions:
        if command.verb is Verb.DECLINE:
            continue
        if not context.view().match.is_live:
            break
        done = MATCH_COMMANDS[command.verb](context, command)
        lines += done.lines
        has_more = has_more or _has_more(done)
    return replace(answer, lines=tuple(lines), has_more=has_more)


def _has_more(companion: Answer) -> bool:
    """Whether the answer to what accompanies a move is more than that it was done."""
    return companion.has_more or companion.outcome in NOT_DONE


def _show(context: MessageContext, commands: Sequence[Command]) -> Answer:
    """Answer a message that has only queries and unsupported commands."""
    first = next((each for each in commands if each.verb in QUERIES), None)
    if first is None:
        return _unsupported(context, commands[0])
    rest = [each for each in commands if each.verb in QUERIES and each is not first]
    if context.is_long_over and first.verb not in ALLOWED_LONG_AFTER:
        return _long_over(context, first)
    if first.verb in (Verb.BOARD, Verb.BOARD_LIST) and first.match is None and _is_over(context):
        return refusal_answers.over(context, described(first))
    if context.invitation_id is not None and first.verb is Verb.RULES:
        return _with_queries(context, invitations.show_rules(context, first), rest)
    return _with_queries(context, QUERIES[first.verb](context, first), rest)


def _unsupported(context: MessageContext, command: Command) -> Answer:
    words = _("Moves cannot be taken back.")
    return refusal_answers.refused(context, described(command), words)


def _is_over(context: MessageContext) -> bool:
    return context.match_id is not None and not Match.objects.get(pk=context.match_id).is_live


def _with_queries(context: MessageContext, answer: Answer, commands: Sequence[Command]) -> Answer:
    """The answer with the results of queries below it."""
    parts, board = list(answer.parts), answer.board
    for command in commands:
        more = QUERIES[command.verb](context, command)
        parts += more.parts
        if more.outcome == MessageOutcome.SHOWN and more.match_id == answer.match_id:
            board = more.board or board
    has_more = answer.has_more or bool(commands)
    return replace(answer, parts=tuple(parts), board=board, has_more=has_more)


def _other_match(context: MessageContext, command: Command) -> Answer:
    words = _(
        "This address is only for match %(number)s; reply to the e-mail about the other match."
    )
    if context.match_id is None:
        words = _("The e-mail you replied to is not about match %(number)s.")
    number = context.match_id or command.match
    return refusal_answers.refused(context, described(command), words % {"number": number})


def _which_match(context: MessageContext, command: Command) -> Answer:
    words = _("Which match? Please start the line with its number, such as “7: d4-d5”.")
    return refusal_answers.refused(context, described(command), words)


def _combined(answers: Sequence[tuple[int | None, Answer]]) -> Answer:
    """One answer for several matches; its outcome is PLAYED if any move was played."""
    outcomes = [answer.outcome for _number, answer in answers]
    lines: list[str] = []
    for number, answer in answers:
        prefix = _("Match %(number)s:") % {"number": number} if number else ""
        lines += [f"{prefix} {line}".strip() for line in answer.lines]
    parts = [part for _number, answer in answers for part in answer.parts]
    matches = {answer.match_id for _number, answer in answers if answer.match_id is not None}
    return Answer(
        MessageOutcome.PLAYED if MessageOutcome.PLAYED in outcomes else outcomes[0],
        tuple(lines),
        several=tuple(sorted(matches)),
        parts=tuple(parts),
        overtaken=any(answer.overtaken for _number, answer in answers),
        has_more=any(
            answer.has_more or answer.outcome != MessageOutcome.PLAYED
            for _number, answer in answers
        ),
    )
