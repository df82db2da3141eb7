"""Choosing the action: one a message or one a match of a digest, and what may go with it.

What may go together, games/mail/reading/actions.py says.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from string import ascii_lowercase

from django.utils.translation import gettext as _

from games.mail.answering import refusing
from games.mail.answering.actions import (
    endings,
    invitations,
    lobby,
    moves,
    noting,
    setups,
    showing,
    time,
)
from games.mail.answering.incoming_message import Answer, Case
from games.mail.models import MessageOutcome
from games.mail.reading.actions import Action, actions_of, asides_of, is_action
from games.mail.reading.commands import Command, Verb
from games.notifications.models import Asks, Purpose
from games.play.models.match import Match

Act = Callable[[Case, Command], Answer]

SHOWING: dict[Verb, Act] = {
    Verb.BOARD: showing.board,
    Verb.BOARD_LIST: showing.board_list,
    Verb.MOVES: showing.moves,
    Verb.RULES: showing.rules,
    Verb.HELP: showing.help_with,
    Verb.MATCHES: showing.matches,
    Verb.NEXT: showing.following,
    Verb.LOBBY: lobby.show,
}
OF_MATCH: dict[Verb, Act] = {
    Verb.MOVE: moves.play,
    Verb.SETUP: setups.set_up,
    Verb.RANDOM: setups.propose,
    Verb.KEEP: setups.keep,
    Verb.RESIGN: endings.resign,
    Verb.ABORT: endings.abort,
    Verb.YES: endings.agree,
    Verb.NO: endings.disagree,
    Verb.DRAW_OFFER: endings.offer_draw,
    Verb.ACCEPT: endings.accept,
    Verb.DECLINE: endings.decline,
    Verb.WAIT: time.give_day,
    Verb.CLAIM: time.claim,
    Verb.REMATCH: invitations.rematch,
    Verb.NOTE: noting.note,
}
OF_INVITATION: dict[Verb, Act] = {
    Verb.ACCEPT: invitations.accept,
    Verb.YES: invitations.accept,
    Verb.DECLINE: invitations.decline,
    Verb.NO: invitations.decline,
    Verb.WITHDRAW: invitations.withdraw,
}
OF_LOBBY: dict[Verb, Act] = {
    Verb.SEAT: lobby.offer_seat,
    Verb.CHALLENGE: lobby.challenge,
    Verb.JOIN: lobby.join,
    Verb.WITHDRAW: invitations.withdraw,
}
MAX_NAMED = 8  # of different commands
ASKED_BACK = (Verb.RESIGN, Verb.ABORT, Verb.RANDOM)
AFTERWARDS = (Verb.REMATCH, Verb.MOVES, Verb.HELP, Verb.NOTE)
# What an e-mail of a match that is over still takes; of the rest it says that the match is over.
WHEN_OVER = (*AFTERWARDS, Verb.RULES, Verb.MATCHES, Verb.NEXT, Verb.LOBBY)


def act(case: Case, commands: Sequence[Command]) -> Answer | None:
    """Do what a message asks for; None if it holds no command."""
    told = _without_our_drawings(case, commands)
    if not told and (name := setups.saved_in(case)):
        told = [Command(Verb.SETUP, argument=name)]
    if not told:
        return None
    if case.purpose in (Purpose.DIGEST, Purpose.LOBBY):
        told = [_numbered(case, each) for each in told]
        if any(_lacks_number(case, each) for each in told):
            return _which_match(case, told[0])
    else:
        told = [replace(each, match=None) if each.match == case.match_id else each for each in told]
    actions = actions_of(told)
    answers = [(action.match, _do_for(case, action, alone=len(actions) == 1)) for action in actions]
    asides = asides_of(told)
    notes = [_note(case, each) for each in asides if each.verb is Verb.NOTE]
    if not answers and not notes:
        return _show(case, asides)
    if not answers:
        answer = notes.pop(0)
    else:
        answer = answers[0][1] if len(answers) == 1 else _together(answers)
    lines = dict.fromkeys(line for each in (answer, *notes) for line in each.lines)
    answer = replace(answer, lines=tuple(lines))
    return _beneath(case, answer, [each for each in asides if each.verb in SHOWING])


def _without_our_drawings(case: Case, commands: Sequence[Command]) -> list[Command]:
    """The commands without rows that we drew ourselves, and that only came back.

    Rows that are quoted were empty in our e-mail, and were filled in, only as long as this army
    does not stand. Where it stands, rows are what an e-mail drew; but alone they are a set-up.
    """
    drawn = [each for each in commands if each.verb is Verb.SETUP and each.drawn]
    if not drawn or (not any(each.quoted for each in drawn) and setups.is_awaited(case)):
        return list(commands)
    if setups.is_awaited(case) and case.asks != Asks.SETUP:
        return list(commands)
    alone = len(drawn) == len(commands)
    return [each for each in commands if each not in drawn or (alone and not each.quoted)]


def asks_for_actions(commands: Sequence[Command]) -> bool:
    """Whether a message asks for more than to be shown something."""
    return any(is_action(each) or each.verb is Verb.NOTE for each in commands)


def _numbered(case: Case, command: Command) -> Command:
    """A command without a number, if one match alone waits, is about that."""
    if _lacks_number(case, command) and len(case.matches) == 1:
        return replace(command, match=next(iter(case.matches)))
    return command


def _lacks_number(case: Case, command: Command) -> bool:
    return command.match is None and command.verb in OF_MATCH and command.verb not in OF_LOBBY


def _do_for(case: Case, action: Action, *, alone: bool) -> Answer:
    """Do an action in the match that it names, or in that of the e-mail."""
    if not alone and action.command.verb in ASKED_BACK:
        words = _("This needs to be confirmed, so please send it in a separate message.")
        return refusing.refused(case, described(action.command), words)
    if action.match is not None:
        if action.match not in case.matches:
            return _other_match(case, action.command)
        case = case.about(action.match, case.matches[action.match])
    if action.is_ambiguous:
        return ambiguous(case, (action.command, *action.rivals))
    answer = _do(case, action.command)
    if answer.outcome == MessageOutcome.PLAYED:
        answer = _with_the_move(case, answer, action.companions)
    return answer


def _note(case: Case, command: Command) -> Answer:
    """Keep a note, whatever becomes of the rest of the message."""
    if command.match is not None:
        if command.match not in case.matches:
            return _other_match(case, command)
        case = case.about(command.match, case.matches[command.match])
    return noting.note(case, command)


def ambiguous(case: Case, commands: Sequence[Command]) -> Answer:
    """Two commands that cannot both be meant: none is done."""
    named = _listed(list(dict.fromkeys(map(described, commands))))
    words = _(
        "Your message contains different commands: %(commands)s. Nothing was done; send only one."
    )
    return Answer(
        MessageOutcome.AMBIGUOUS,
        (words % {"commands": named},),
        case.match_id,
        case.invitation_id,
        lobby=case.match_id is None and case.invitation_id is None,
    )


def _listed(commands: Sequence[str]) -> str:
    """Several commands, each with a letter close to it: wrapped anew, one could fill a line."""
    shown = zip(ascii_lowercase, commands[:MAX_NAMED], strict=False)
    named = ", ".join(f"({letter}){command}" for letter, command in shown)
    return f"{named} …" if len(commands) > MAX_NAMED else named


def described(command: Command) -> str:
    """A command as a receipt repeats it."""
    if command.verb is Verb.MOVE:
        return f"“{command.move_text}”"
    if command.verb is Verb.SETUP:
        return _("a set-up")
    if command.verb is Verb.NOTE:
        return "note"  # Its words stay where they were written.
    return f"“{f'{command.verb.value} {command.argument}'.strip()}”"


def _do(case: Case, command: Command) -> Answer:
    if case.is_afterwards and command.verb not in AFTERWARDS:
        return refusing.refused(
            case,
            described(command),
            _("This match was over long ago."),
            outcome=MessageOutcome.CLOSED,
        )
    action = _actions_of(case).get(command.verb)
    if action is None:
        words = _("You cannot reply with that to this e-mail; reply “help” for what you can write.")
        return replace(
            refusing.refused(case, described(command), words),
            lobby=case.match_id is None and case.invitation_id is None,
        )
    # A move finds out by itself that it ended the match, when it is sent again.
    may_follow = (*WHEN_OVER, Verb.MOVE, Verb.SETUP)
    if command.verb not in may_follow and _is_over(case):
        return refusing.over(case, described(command))
    return action(case, command)


def _actions_of(case: Case) -> dict[Verb, Act]:
    if case.match_id is not None:
        return OF_MATCH
    return OF_INVITATION if case.invitation_id is not None else OF_LOBBY


def _never(verb: Verb) -> str:
    if verb is Verb.IF:
        return _(
            "Conditional moves are not supported by e-mail yet; send the move when it is your turn."
        )
    if verb is Verb.UNDO:
        return _("Moves cannot be taken back.")
    return _("There is no chat: nothing is passed on to your opponent.")


def _with_the_move(case: Case, answer: Answer, beside: Sequence[Command]) -> Answer:
    """What was sent with a move, done after it; the move itself declines an offer."""
    lines = list(answer.lines)
    for command in beside:
        if command.verb is Verb.DECLINE:
            continue
        if not case.view().match.is_live:
            break
        lines += OF_MATCH[command.verb](case, command).lines
    return replace(answer, lines=tuple(lines))


def _show(case: Case, asides: Sequence[Command]) -> Answer:
    """What is only to be shown, and what is never done."""
    first = next((each for each in asides if each.verb in SHOWING), None)
    if first is None:
        verb = asides[0].verb
        return refusing.refused(case, verb.value, _never(verb))
    rest = [each for each in asides if each.verb in SHOWING and each is not first]
    if case.is_afterwards and first.verb not in AFTERWARDS:
        return refusing.refused(
            case,
            described(first),
            _("This match was over long ago."),
            outcome=MessageOutcome.CLOSED,
        )
    if first.verb in (Verb.BOARD, Verb.BOARD_LIST) and first.match is None and _is_over(case):
        return refusing.over(case, described(first))
    if case.invitation_id is not None and first.verb is Verb.RULES:
        return _beneath(case, invitations.rules(case, first), rest)
    return _beneath(case, SHOWING[first.verb](case, first), rest)


def _is_over(case: Case) -> bool:
    return case.match_id is not None and not Match.objects.get(pk=case.match_id).is_live


def _beneath(case: Case, answer: Answer, shown: Sequence[Command]) -> Answer:
    """The answer with what else was asked for beneath it."""
    parts, board = list(answer.parts), answer.board
    for command in shown:
        more = SHOWING[command.verb](case, command)
        parts += more.parts
        if more.outcome == MessageOutcome.SHOWN and more.match_id == answer.match_id:
            board = more.board or board
    return replace(answer, parts=tuple(parts), board=board)


def _other_match(case: Case, command: Command) -> Answer:
    words = _(
        "This address is only for match %(number)s; reply to the e-mail about the other match."
    )
    if case.match_id is None:
        words = _("The e-mail you replied to is not about match %(number)s.")
    facts = {"number": case.match_id or command.match}
    answer = refusing.refused(case, described(command), words % facts)
    return replace(answer, lobby=case.match_id is None and case.invitation_id is None)


def _which_match(case: Case, command: Command) -> Answer:
    words = _("Which match? Please start the line with its number, such as “7: d4-d5”.")
    return replace(refusing.refused(case, described(command), words), lobby=True)


def _together(answers: Sequence[tuple[int | None, Answer]]) -> Answer:
    """One answer for several matches: the word is that of a move, if any was played."""
    words = [answer.outcome for _number, answer in answers]
    lines: list[str] = []
    for number, answer in answers:
        head = _("Match %(number)s:") % {"number": number} if number else ""
        lines += [f"{head} {line}".strip() for line in answer.lines]
    parts = [part for _number, answer in answers for part in answer.parts]
    return Answer(
        MessageOutcome.PLAYED if MessageOutcome.PLAYED in words else words[0],
        tuple(lines),
        parts=tuple(parts),
        lobby=True,
        overtaken=any(answer.overtaken for _number, answer in answers),
    )
