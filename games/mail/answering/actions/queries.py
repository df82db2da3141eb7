"""Handlers of queries: board, moves, rules, help, matches, and the next match that waits."""

from datetime import datetime

from django.conf import settings
from django.urls import reverse
from django.utils.translation import gettext as _

from games.mail.answering import refusal_answers
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.email.replies.answer_words import quoted, word
from games.notifications.policy import summaries
from games.play.lists.overview import seat_opponents
from games.play.lists.waiting import next_waiting
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.record import match_view
from games.play.record.sealed.answering_plans import plan_answers_at
from games.play.words import rulebook
from games.play.words.times import clock_time
from games.rules.core.basics.moves import move_number
from lib.db_clock import now

MAX_MATCHES = 30
MAX_PLIES = 240  # listed per match; the site shows all


def show_board(context: MessageContext, command: Command) -> Answer:
    """The board of a match, now."""
    view = find_match(context, command)
    if view is None:
        return no_such_match(context, command)
    return Answer(MessageOutcome.SHOWN, (_("The current board."),), view.match.pk)


def show_board_list(context: MessageContext, command: Command) -> Answer:
    """The board of a match in sentences."""
    view = find_match(context, command)
    if view is None:
        return no_such_match(context, command)
    words = _("The current board in sentences.")
    return Answer(MessageOutcome.SHOWN, (words,), view.match.pk, board="list")


def show_moves(context: MessageContext, command: Command) -> Answer:
    """The moves of a match, two per line."""
    view = find_match(context, command)
    if view is None:
        return no_such_match(context, command)
    opening = view.match.opening or 0
    # Skip an even number of turns, so that each line begins with South.
    first = max(opening, view.match.ply - MAX_PLIES)
    first -= (first - opening) % 2
    entries = match_view.entries(view.match, first + 1, view.match.ply)
    played = [entry for entry in entries if entry.kind == PlyKind.MOVE]
    lines, texts = [], [entry.text for entry in played]
    for place in range(0, len(texts), 2):
        number = move_number(first - opening + place + 1)
        values = {"number": number, "moves": ", ".join(texts[place : place + 2])}
        lines.append(_("Move %(number)s was %(moves)s.") % values)
    if not lines:
        lines.append(_("No move has been played yet."))
    return Answer(
        MessageOutcome.SHOWN,
        (_("The moves so far."),),
        view.match.pk,
        board="",
        parts=((_("Moves of match %(number)s:") % {"number": view.match.pk}, tuple(lines)),),
    )


def show_rules(context: MessageContext, command: Command) -> Answer:
    """The rules of a match in sentences, with a link to the complete rules."""
    view = find_match(context, command)
    if view is None:
        return no_such_match(context, command)
    page = f"{settings.SITE_URL}{reverse('help_game', args=[view.rules.family])}"
    lines = (*rulebook.sentences(view.rules).values(), _("All rules: %(page)s") % {"page": page})
    return Answer(
        MessageOutcome.SHOWN,
        (_("The rules of this match."),),
        view.match.pk,
        board="",
        parts=((_(view.rules.title), lines),),
    )


def show_help(context: MessageContext, command: Command) -> Answer:
    """The commands, on one screen."""
    # Short lines that end in prose: however a line is wrapped, no part of it is a command.
    parts = (
        (
            _("To move:"),
            (
                _("“a4-a5” moves; “a4xa5” if it is meant as an attack"),
                _("“d2-d5xd6” is a charge; a chain of jumps lists all its points"),
                _("“huff d6 c4-c5” removes an officer, then moves"),
            ),
        ),
        (
            _("To plan answers in advance:"),
            (
                _("a line “if e7-e6 then d5xe6” answers that move, should it come"),
                _("write it during the opponent's turn, or along with your move"),
                _("instead of a move “if” may have “quiet”, “any” or “xd4”"),
                _("“plan” shows your lines in words; “forget” deletes them"),
            ),
        ),
        (
            _("To set up:"),
            (
                _("your rows as shown in the e-mail, with dots for empty squares"),
                _("“random” proposes one; reply “keep” to use it"),
            ),
        ),
        (
            _("To offer something, or to end the match:"),
            (
                _("“draw?” offers a draw; “accept” or “decline” answers one"),
                _("“accept” or “decline” also answers the offer of a pause"),
                _("“wait 1d” gives your opponent another day for the move"),
                _("“claim” claims the win when their time has run out"),
                _("“resign” has to be confirmed; so does “abort”, before the first move"),
                _("“rematch” offers another match once this one is over"),
            ),
        ),
        (
            _("To read:"),
            (
                _("“board”, “moves” and “rules” of the match, at any time"),
                _("“board list” is the board in sentences, for screen readers"),
                _("text after “say” on a line is passed on to your opponent"),
                _("text after “note” on a line is saved in your private notes"),
                _("“matches” lists yours; “next” sends one that waits for you"),
                _("“7: d4-d5” if an e-mail is about several matches"),
            ),
        ),
        (
            _("To find an opponent:"),
            (
                _("“lobby” lists who is looking for one; you can reply to it with"),
                _("“seat domino 3d”, “challenge clara assaut” or “join 12”"),
                _("“play domino 3d” finds an opponent of your strength"),
                _("“rated” or “friendly” may follow after “seat” or “challenge”"),
                _("“tournaments” lists those open for entry; you can reply to it with"),
                _("“enter 7”, or “leave 7” if you no longer want to play in it"),
                _("“ladder domino” shows the ladder of a game, if it has one"),
                _("“challenge clara ladder domino” begins a match there at once"),
            ),
        ),
    )
    words = _("Write each command on a line of its own; everything else in a message is ignored.")
    return Answer(
        MessageOutcome.SHOWN,
        (words,),
        context.match_id,
        context.invitation_id,
        board="",
        parts=parts,
    )


def show_matches(context: MessageContext, command: Command) -> Answer:
    """The player's running matches; those that wait for the player come first."""
    players = list(
        Player.objects.filter(user=context.user, live=True)
        .select_related("match")
        .annotate(answers_at=plan_answers_at())
        .order_by("-to_act", "deadline", "match")[:MAX_MATCHES]
    )
    seat_opponents(players)
    at = now()
    lines = tuple(_listed(player, at) for player in players)
    heading = _("Your running matches:")
    none = _("You have no running match; reply “lobby” to see who is looking for an opponent.")
    return Answer(
        MessageOutcome.SHOWN,
        (heading if lines else none,),
        parts=(("", lines),) if lines else (),
    )


def show_next(context: MessageContext, command: Command) -> Answer:
    """The board of the next match that waits for the player."""
    player = next_waiting(context.user, after=context.match_id)
    if player is None or not player.match.is_live:
        words = _("No other match is waiting for you.")
        return Answer(MessageOutcome.SHOWN, (words,), context.match_id, board="")
    words = _("The next match that is waiting for you.")
    return Answer(MessageOutcome.SHOWN, (words,), player.match_id)


def find_match(context: MessageContext, command: Command) -> match_view.MatchView | None:
    """The match that the command is about, if the player takes part in it; else None."""
    number = command.match or context.match_id
    if number is None and len(context.matches) == 1:
        number = next(iter(context.matches))
    if number is None:
        return None
    try:
        view = match_view.view_match(number, context.user)
    except Match.DoesNotExist:
        return None
    return view if view.seat is not None else None


def no_such_match(context: MessageContext, command: Command) -> Answer:
    if command.match is None:
        words = [_("Add the number of the match, as in “board 7” on a line of its own.")]
    else:
        words = [
            _("You have no match with the number %(number)s.") % {"number": command.match},
            _("Write “%(matches)s” to get the list of yours.") % {"matches": word("matches")},
        ]
    return refusal_answers.refused(context, quoted(command.verb.value), *words)


def _listed(player: Player, at: datetime) -> str:
    values = {
        "number": player.match_id,
        "opponent": player.opponent.user,
        "game": _(player.match.rules.title),
    }
    sentence = _("Match %(number)s against %(opponent)s, %(game)s:") % values
    if not player.to_act:
        waits = _("your opponent's turn.")
        return f"{sentence} {waits}"
    if answers_at := player.answers_at:  # type: ignore[attr-defined]  # annotated above
        planned = _("your plan answers at about %(time)s.") % {"time": clock_time(answers_at, at)}
        return f"{sentence} {planned}"
    yours, due = _("your turn."), summaries.must_be_here(player, at)
    return f"{sentence} {yours} {due}".strip()
