"""Narration: moves, battles and endings as sentences in the reader's language.

Everything is derived from the public text, so no sentence can reveal a secret. Each fact is a whole
sentence, so that translations can reorder it freely.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache

from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from games.play.models.kind import PlyKind
from games.play.models.match import Match, ServiceTermination, Status
from games.play.record.match_view import MatchView
from games.play.record.snapshot import Entry, Snapshot
from games.presentation import registry
from games.presentation.presentation import EventWords
from games.rules.core.basics.pieces import Rank, Seat
from games.rules.core.basics.termination import BoardTermination, OffBoardTermination
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation
from lib.sentences import in_a_row

Facts = Mapping[str, str | None]

# Events at a ply that is not a move, by its kind.
OTHER_PLIES = {
    PlyKind.BEGIN: gettext_noop("The match began."),
    PlyKind.SETUP: gettext_noop("%(player)s has finished the set-up."),
    PlyKind.RESIGN: gettext_noop("%(player)s resigned."),
    PlyKind.DRAW: gettext_noop("%(player)s accepted the draw."),
    PlyKind.TIME: gettext_noop("The time for this move ran out."),
    PlyKind.ABORT: gettext_noop("%(player)s aborted the match."),
    PlyKind.CANCEL: gettext_noop("The match was aborted: not every army was set up in time."),
    PlyKind.VOID: gettext_noop("The match was ended without a result."),
    PlyKind.REOPEN: gettext_noop("The result was undone; the match continues."),
    PlyKind.LOOK: gettext_noop("Staff looked at both armies. The match page says who and why."),
}

# The notation's signs of a battle.
OUTCOMES = {
    "+": gettext_noop("The defending %(defender)s was captured."),
    "-": gettext_noop("The attacking %(attacker)s was captured."),
    "=": gettext_noop("Both were captured."),
    "#": gettext_noop("That decided the match."),
    "+d": gettext_noop("The defending %(defender)s was demoted."),
    "-d": gettext_noop("The attacking %(attacker)s was demoted."),
}

# Why a match ended: the reason in the game record, and its phrase. The presentation of a game has
# the phrases of endings that only this game has.
REASONS: dict[str, str] = {
    BoardTermination.FLAG_CAPTURED: gettext_noop("flag captured"),
    BoardTermination.NO_MOBILE_PIECE: gettext_noop("no mobile piece left"),
    BoardTermination.NO_LEGAL_MOVE: gettext_noop("no legal move"),
    BoardTermination.NEITHER_CAN_MOVE: gettext_noop("neither side can move"),
    BoardTermination.NO_PROGRESS: gettext_noop("no progress"),
    OffBoardTermination.RESIGNED: gettext_noop("the other side resigned"),
    OffBoardTermination.AGREED: gettext_noop("the players agreed"),
    OffBoardTermination.TIME: gettext_noop("the other side ran out of time"),
    ServiceTermination.ABORTED: gettext_noop("the match was aborted before the first move"),
    ServiceTermination.NO_SHOW: gettext_noop("not every army was set up in time"),
}


def sentences(view: Snapshot, entry: Entry | None = None) -> list[str]:
    """What happened at the ply shown, or at another entry, with the players' names."""
    return _describe(view.rules, entry or view.entry, view.sides)


def aloud(view: Snapshot, entry: Entry) -> str:
    """What happened at an entry as one text, for screen readers; others see the notation."""
    return entry_text(view.rules, entry, view.sides)


def entry_text(rules: Ruleset, entry: Entry, names: Mapping[Seat, str]) -> str:
    """What happened at an entry as one text, with these names."""
    seat = entry.seat or Seat.SOUTH
    return _aloud(rules, seat, names[seat], entry.kind, entry.text, get_language() or "")


# A page lists thirty moves, of which one is new, and a sentence costs as much as its link.
@lru_cache(maxsize=20_000)
def _aloud(rules: Ruleset, seat: Seat, name: str, kind: PlyKind, text: str, _language: str) -> str:
    return in_a_row(_describe(rules, Entry(0, seat, kind, text), {seat: name}))


def sentence(rules: Ruleset, entry: Entry) -> str:
    """What happened as one text, with the names of the seats."""
    names = {seat: _(rules.seat_names[seat]) for seat in Seat}
    return in_a_row(_describe(rules, entry, names))


def ending(view: MatchView) -> str:
    """How the match shown ended, with the players' names; "" while it is running.

    The reader who resigned reads "you resigned" in place of "the other side resigned".
    """
    match = view.match
    if view.seat is not None and match.reason == OffBoardTermination.RESIGNED:
        winner = view.seat.other
        if match.result == view.rules.seat_letters[winner]:
            values = {"side": view.sides[winner], "reason": _("you resigned")}
            return _("%(side)s won: %(reason)s.") % values
    return result(match, view.sides)


def result(match: Match, names: Mapping[Seat, str] | None = None) -> str:
    """How a match ended, with these names or the seats'; "" while it is running."""
    if match.is_live:
        return ""
    if match.status != Status.FINISHED:
        return _("No result: %(reason)s.") % {"reason": reason(match.reason)}
    return verdict(match.rules, match.result, match.reason, names)


def verdict(rules: Ruleset, result: str, why: str, names: Mapping[Seat, str] | None = None) -> str:
    """A victory or a draw, as records write them, in a sentence."""
    values = {"reason": reason(why)}
    if result == "draw":
        return _("Draw: %(reason)s.") % values
    winner = Seat(rules.seat_letters.index(result))
    values["side"] = names[winner] if names else _(rules.seat_names[winner])
    return _("%(side)s won: %(reason)s.") % values


def reason(words: str) -> str:
    """Why a match ended, translated; an administrator's own sentence stays as written."""
    plain = words.rstrip(" .")
    return _(REASONS.get(plain) or registry.ending(plain) or plain) if plain else ""


def piece_name(rules: Ruleset, rank: Rank) -> str:
    """The name of a piece: "Scout", "demoted Pikeman", "4-0"."""
    bare = rank.removesuffix("'")
    name = _(rules.piece_names[bare])
    # A rank that no army begins with has a name that says it is demoted.
    if bare == rank or all(troop.rank != bare for troop in rules.army):
        return name
    return _("demoted %(piece)s") % {"piece": name}


def _describe(rules: Ruleset, entry: Entry, names: Mapping[Seat, str]) -> list[str]:
    who = {} if entry.seat is None else {"player": names[entry.seat]}
    if entry.kind == PlyKind.MOVE:
        return _move(rules, entry.text, who)
    # Archers may shoot as soon as both armies are set up (T8).
    return [_(OTHER_PLIES[entry.kind]) % who, *_volley(_events(rules), _hits(entry.text))]


def _events(rules: Ruleset) -> EventWords:
    return registry.presentation_of(rules.family).events


def _move(rules: Ruleset, text: str, who: Facts) -> list[str]:
    done, words = notation.read_annotated(rules, text), _events(rules)
    values = {**who, "source": done.source, "via": done.via, "target": done.target}
    sentences = []
    if done.huffed and words.huffed:
        sentences.append(_(words.huffed) % {**who, "point": done.huffed})
    if done.battle and done.result:
        sentences += _battle(rules, done.battle, done.result, values)
    elif done.attack and words.captured:
        count = len(done.path) - 1  # each jump captures one piece (A11)
        jumps = {"count": count, "path": ", ".join(done.path)}
        sentences.append(words.captured(count) % {**who, **jumps})
    elif done.source:
        sentences.append(_("%(player)s moved from %(source)s to %(target)s.") % values)
    return sentences + _volley(words, done.volley)


def _battle(rules: Ruleset, pieces: tuple[Rank, Rank], result: str, values: Facts) -> list[str]:
    attacker, defender = (piece_name(rules, rank) for rank in pieces)
    values = {**values, "attacker": attacker, "defender": defender}
    sentences = []
    if values["via"]:
        sentences.append(_("%(player)s charged from %(source)s to %(via)s.") % values)
        values["source"] = values["via"]
    sentences.append(
        _("%(player)s attacked %(target)s from %(source)s: %(attacker)s against %(defender)s.")
        % values
    )
    sentences.append(_(OUTCOMES[result]) % values)
    if result.endswith("d") and rules.options.get("convert"):
        sentences.append(_("It changed sides."))
    return sentences


def _hits(text: str) -> Iterable[tuple[str, bool]]:
    return ((hit[1], bool(hit[2])) for hit in notation.HIT.finditer(text))


def _volley(words: EventWords, hits: Iterable[tuple[str, bool]]) -> list[str]:
    """The squares hit by a volley; the archers and their squares stay secret (T9)."""
    return [
        _(sentence) % {"square": square}
        for square, removed in hits
        if (sentence := words.volley_removed if removed else words.volley_demoted)
    ]
