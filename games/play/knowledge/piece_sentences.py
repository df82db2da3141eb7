"""Sentences about a piece: why it may have its possible ranks, its path, and its fights."""

from collections.abc import Iterable

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, pgettext

from games.play.words.narration import piece_name
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Rank
from games.rules.core.knowledge.dossier import reasons_shown
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.tracked_pieces import Fight, Reason, TrackedPiece, Why

REASONS = {
    Why.MOVED: gettext_noop("Moved from %(from)s to %(to)s on move %(move)s, so not: %(ranks)s."),
    Why.WENT: gettext_noop("Went from %(from)s to %(to)s on move %(move)s, so not: %(ranks)s."),
    Why.FOUGHT: gettext_noop("You saw it on move %(move)s: %(piece)s."),
    Why.SHOWN: gettext_noop("It is face up: %(piece)s."),
    Why.DEMOTED: gettext_noop("Archers demoted it on move %(move)s, so not: %(ranks)s."),
    Why.SPARED: gettext_noop(
        "Your archers reached it on move %(move)s and did not hit it: %(piece)s."
    ),
    Why.SHOT: gettext_noop("Nothing else can have shot at %(from)s on move %(move)s: %(piece)s."),
    Why.HELD_FIRE: gettext_noop("Did not shoot at %(from)s on move %(move)s, so not: %(ranks)s."),
    Why.FELL: gettext_noop("One arrow removed it on move %(move)s: %(piece)s."),
    Why.COUNTED: gettext_noop("All accounted for elsewhere: %(ranks)s."),
}

FIGHTS = {
    "won": gettext_noop("Move %(move)s on %(square)s: %(piece)s against %(other)s, won."),
    "lost": gettext_noop("Move %(move)s on %(square)s: %(piece)s against %(other)s, lost."),
    "both": gettext_noop(
        "Move %(move)s on %(square)s: %(piece)s against %(other)s, both captured."
    ),
    "demoted": gettext_noop("Move %(move)s on %(square)s: %(piece)s against %(other)s, demoted."),
    "demoted-other": gettext_noop(
        "Move %(move)s on %(square)s: %(piece)s against %(other)s, which was demoted."
    ),
}


def reasons(rules: Ruleset, one: TrackedPiece) -> list[str]:
    """Why a piece may have its possible ranks, a sentence for each reason."""
    sentences: list[str] = []
    counted: list[Rank] = []
    for reason in reasons_shown(one):
        if reason.why is Why.COUNTED:
            counted += reason.ruled_out
        else:
            sentences.append(_reason(rules, one, reason))
    if counted:
        sentences.append(_(REASONS[Why.COUNTED]) % {"ranks": names(rules, counted)})
    return sentences


def _reason(rules: Ruleset, one: TrackedPiece, reason: Reason) -> str:
    squares = [rules.board.names[cell] for cell in reason.cells]
    facts = {
        "move": move_number(reason.turn),
        "ranks": names(rules, reason.ruled_out),
        "from": squares[0] if squares else "",
        "to": squares[-1] if squares else "",
        "piece": piece_name(rules, one.lines[0]),
    }
    return _(REASONS[reason.why]) % facts


def fights(rules: Ruleset, one: TrackedPiece) -> list[str]:
    """The enemies that a piece fought, with the results."""
    return [_fight(rules, fight) for fight in one.fights]


def _fight(rules: Ruleset, fight: Fight) -> str:
    facts = {
        "move": move_number(fight.turn),
        "square": rules.board.names[fight.cell],
        "piece": rank_name(rules, fight.rank),
        "other": rank_name(rules, fight.other),
    }
    return _(FIGHTS[fight.result]) % facts


def rank_name(rules: Ruleset, revealed: Rank) -> str:
    """The name of a rank as a battle revealed it, with the sign of its mark."""
    sign = rules.mark_sign
    if sign and revealed.endswith(sign) and rules.mark == "demoted":
        return piece_name(rules, revealed.removesuffix(sign) + "'")
    return piece_name(rules, revealed.removesuffix(sign) if sign else revealed)


def path(rules: Ruleset, one: TrackedPiece) -> str:
    """The squares of a piece since the set-ups, in order."""
    squares = [rules.board.names[one.start]]
    squares += [rules.board.names[cell] for _turn, cell in one.path]
    return " → ".join(squares)


def names(rules: Ruleset, ranks: Iterable[Rank]) -> str:
    """The names of some ranks, joined by commas."""
    return pgettext("between the words of a list", ", ").join(
        piece_name(rules, rank) for rank in ranks
    )
