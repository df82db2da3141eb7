"""Sentences about a piece: why it may have its possible ranks, its path, and its fights."""

from collections.abc import Container, Iterable, Iterator

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
    Why.OTHERS_SHOT: gettext_noop(
        "Only other archers shot at %(from)s on move %(move)s, so not: %(ranks)s."
    ),
    Why.COUNTED: gettext_noop("All accounted for elsewhere: %(ranks)s."),
    Why.MOVERS: gettext_noop(
        "The pieces that have moved, and those you know, account for everything but: %(left)s."
    ),
    Why.UNDEALT: gettext_noop(
        "The other pieces, and those not dealt, account for everything but: %(left)s."
    ),
    Why.REST: gettext_noop("The other pieces account for everything but: %(left)s."),
}

ABOUT_ALL = (Why.MOVERS, Why.UNDEALT, Why.REST)
SHARED = gettext_noop("All accounted for among other pieces: %(ranks)s.")
SHARED_BY_NAMED = gettext_noop("All accounted for by the pieces on %(squares)s: %(ranks)s.")

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
    """Why a piece may have its possible ranks, a sentence for each reason.

    The ranks of a demoted piece are those with which it may have begun, unless it was seen later.
    """
    sentences: list[str] = []
    counted: list[Rank] = []
    left = {*one.lines}  # after a reason; the reasons are read from the last back to the first
    says_all = False  # whether a later reason speaks of all other pieces
    for reason in reversed(reasons_shown(one)):
        if reason.why is Why.COUNTED:
            counted = counted if says_all else [*reason.ruled_out, *counted]
        else:
            says_all = says_all or reason.why in ABOUT_ALL
            sentences.insert(0, _reason(rules, one, reason, left))
        left.update(reason.ruled_out)
    if counted:
        sentences.append(_(REASONS[Why.COUNTED]) % {"ranks": names(rules, counted)})
    if not one.marked or rules.mark != "demoted":
        return sentences
    if not one.fights:
        before = _("Before it was demoted: %(ranks)s.") % {"ranks": names(rules, one.lines)}
        return [before, *sentences]
    return [*sentences, *_demoted_since(rules, one)]


def _reason(rules: Ruleset, one: TrackedPiece, reason: Reason, left: Container[Rank]) -> str:
    """One reason as a sentence; `left` are the ranks that were left after it."""
    squares = [rules.board.names[cell] for cell in reason.cells]
    values = {
        "move": move_number(reason.turn),
        "ranks": names(rules, reason.ruled_out),
        "from": squares[0] if squares else "",
        "to": squares[-1] if squares else "",
        "squares": joined(squares),
        "left": names(rules, (troop.rank for troop in rules.army if troop.rank in left)),
        "piece": rank_name(rules, _seen_as(one, reason.turn) or one.lines[0]),
    }
    if reason.why is Why.SHARED:
        return _(SHARED_BY_NAMED if squares else SHARED) % values
    return _(REASONS[reason.why]) % values


def _seen_as(one: TrackedPiece, turn: int) -> Rank | None:
    """The rank of a piece as a battle in that turn showed it; None if there was none."""
    return next((fight.rank for fight in one.fights if fight.turn == turn), None)


def _demoted_since(rules: Ruleset, one: TrackedPiece) -> Iterator[str]:
    """When a piece was demoted that had been seen before."""
    sign = rules.mark_sign
    if one.rank is None or one.fights[0].rank.endswith(sign):
        return
    lost = [fight.turn for fight in one.fights if fight.result == "demoted"]
    values = {
        "move": move_number((lost or one.hits)[0]),
        "piece": rank_name(rules, one.rank + sign),
    }
    yield _("It was demoted on move %(move)s: %(piece)s.") % values


def known_name(rules: Ruleset, one: TrackedPiece, rank: Rank | None) -> str:
    """The name of a piece by the rank that it has now; empty for None."""
    if rank is None:
        return ""
    demoted = one.marked and rules.mark == "demoted"
    return rank_name(rules, rank + rules.mark_sign * demoted)


def fights(rules: Ruleset, one: TrackedPiece) -> list[str]:
    """The enemies that a piece fought, with the results."""
    return [_fight(rules, fight) for fight in one.fights]


def _fight(rules: Ruleset, fight: Fight) -> str:
    values = {
        "move": move_number(fight.turn),
        "square": rules.board.names[fight.cell],
        "piece": rank_name(rules, fight.rank),
        "other": rank_name(rules, fight.other),
    }
    return _(FIGHTS[fight.result]) % values


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
    return joined(piece_name(rules, rank) for rank in ranks)


def joined(words: Iterable[str]) -> str:
    """Words joined by commas."""
    return pgettext("between the words of a list", ", ").join(words)
