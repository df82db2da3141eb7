"""Handlers: list tournaments, enter one, leave it, which withdraws once it runs."""

from __future__ import annotations

from dataclasses import replace

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from games.competitions.tournaments.commands import entering, withdrawing
from games.competitions.tournaments.models import Entry, State, Tournament
from games.mail.answering import refusal_answers
from games.mail.answering.actions import argument_sentences
from games.mail.answering.answer import Answer
from games.mail.answering.message_context import MessageContext
from games.mail.models import MessageOutcome
from games.mail.reading.commands import Command, Verb
from games.notifications.email.replies.answer_words import quoted, word
from games.notifications.models import Asks
from games.play.words.times import span, with_zone
from games.rules.core.basics.refusals import Refusal

MAX_LISTED = 20
CONFIRMED = "yes"  # after the number, in the command that a plain "yes" stands for


def show_tournaments(context: MessageContext, command: Command) -> Answer:
    """List the tournaments that are open for entry, and those of the player."""
    tournaments = Tournament.objects.order_by("-pk")
    own_entries = Entry.objects.filter(user=context.user).exclude(status=Entry.Status.DROPPED)
    own = tournaments.filter(entries__in=own_entries, state__in=(State.OPEN, State.RUNNING))
    others = tournaments.filter(state=State.OPEN).exclude(entries__user=context.user)
    listed = list(others[:MAX_LISTED])
    empty = (_("None at the moment."),)
    parts = (
        (_("Tournaments open for entry:"), tuple(map(_open, listed)) or empty),
        (_("Your tournaments:"), tuple(map(_own, own[:MAX_LISTED])) or empty),
    )
    words = [_("The tournaments at the moment.")]
    if listed:
        hint = _("To enter one, reply with “enter %(number)s”, for example, on a line of its own.")
        words.append(hint % {"number": listed[0].pk})
    return Answer(MessageOutcome.SHOWN, tuple(words), parts=parts)


def enter(context: MessageContext, command: Command) -> Answer:
    """Enter the tournament with the given number."""
    understood = quoted(f"enter {command.argument}")
    try:
        entering.enter(int(command.argument), context.user)
    except Tournament.DoesNotExist:
        return _no_such(context, understood)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    words = _("You have entered tournament %(number)s; it is drawn when entry closes.")
    return Answer(MessageOutcome.ACCEPTED, (words % {"number": command.argument},))


def leave(context: MessageContext, command: Command) -> Answer:
    """Leave a tournament before the draw; once it runs, ask first, then withdraw."""
    text, _space, confirmation = command.argument.partition(" ")
    understood, number = quoted(f"leave {text}"), int(text)
    entry = (
        Entry.objects.filter(tournament=number, user=context.user, status__in=_playing())
        .select_related("tournament")
        .first()
    )
    if entry is None:
        words = _("You do not play in a tournament with that number.")
        return refusal_answers.refused(
            context, understood, words, argument_sentences.list_of_tournaments()
        )
    try:
        if entry.tournament.state == State.OPEN:
            entering.leave(number, context.user)
            words = _("You have left tournament %(number)s.") % {"number": number}
            return Answer(MessageOutcome.DECLINED, (words,))
        if confirmation != CONFIRMED:
            withdrawing.check_in_play(entry.tournament, context.user)
            return _ask(context, entry.tournament)
        withdrawing.withdraw(number, context.user)
    except Refusal as refusal:
        return refusal_answers.from_refusal(context, understood, refusal)
    words = _("You have withdrawn from tournament %(number)s.") % {"number": number}
    return Answer(MessageOutcome.RESIGNED, (words,))


def confirmed(context: MessageContext, command: Command) -> Command:
    """A plain "yes" to the question of `leave` as that command; other commands as they are."""
    if command.verb is not Verb.YES or command.match is not None:
        return command
    return replace(command, verb=Verb.LEAVE, argument=f"{context.proposal} {CONFIRMED}")


def _ask(context: MessageContext, tournament: Tournament) -> Answer:
    matches = withdrawing.running_matches(tournament, context.user)
    lines = [
        _("Tournament %(number)s runs, so leaving it is withdrawing for good.")
        % {"number": tournament.pk},
        _("Reply “%(yes)s” to withdraw, or ignore this e-mail to keep playing.")
        % {"yes": word("yes")},
    ]
    listed = tuple(
        _("Match %(number)s ends and counts for your opponent.") % {"number": match.pk}
        for match in matches
    )
    if missed := withdrawing.count_missed(matches, context.user):
        listed += (
            ngettext(
                "%(count)s of them counts as not set up, on your profile and for being barred: "
                "you have made fewer than two moves in it.",
                "%(count)s of them count as not set up, on your profile and for being barred: "
                "you have made fewer than two moves in them.",
                missed,
            )
            % {"count": missed},
        )
    parts = ((_("Of your running matches:"), listed),) if listed else ()
    return Answer(
        MessageOutcome.ASKED,
        tuple(lines),
        parts=parts,
        asks=Asks.LEAVE,
        proposal=str(tournament.pk),
    )


def _playing() -> tuple[Entry.Status, Entry.Status]:
    return Entry.Status.ENTERED, Entry.Status.PLAYING


def _no_such(context: MessageContext, understood: str) -> Answer:
    words = _("There is no tournament with that number.")
    return refusal_answers.refused(
        context, understood, words, argument_sentences.list_of_tournaments()
    )


def _facts(tournament: Tournament) -> dict[str, object]:
    return {
        "number": tournament.pk,
        "title": tournament.title,
        "game": _(tournament.rules.title),
        "pace": span(tournament.pace),
    }


def _open(tournament: Tournament) -> str:
    sentence = _("Number %(number)s: “%(title)s”, %(game)s, %(pace)s; entry closes at %(at)s.")
    return sentence % {**_facts(tournament), "at": with_zone(tournament.closes_at)}


def _own(tournament: Tournament) -> str:
    return _("Number %(number)s: “%(title)s”, %(game)s, %(pace)s.") % _facts(tournament)
