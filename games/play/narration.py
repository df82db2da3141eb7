"""What happened, in words: an entry of the record as sentences in the reader's language.

Everything is taken from the text that everybody saw, so nothing here can tell a secret. A fact is a
sentence, and each sentence stands alone, so that a language may turn it as it likes.
"""

from collections.abc import Iterable, Mapping

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from games.play.models.kind import Kind
from games.play.models.match import Match, Status
from games.play.scene import Entry, Scene
from games.play.sight import Look
from games.rules.core import notation
from games.rules.core.army import Rank, Seat
from games.rules.core.ruleset import Ruleset

Facts = Mapping[str, str | None]

# What a ply says that is no move.
DEEDS = {
    Kind.BEGIN: gettext_noop("The match began."),
    Kind.SETUP: gettext_noop("%(player)s has set up."),
    Kind.RESIGN: gettext_noop("%(player)s resigned."),
    Kind.DRAW: gettext_noop("%(player)s accepted the draw."),
    Kind.TIME: gettext_noop("The time for this move ran out."),
    Kind.ABORT: gettext_noop("%(player)s called the match off."),
    Kind.CANCEL: gettext_noop("The match was called off: not every army was set up in time."),
    Kind.VOID: gettext_noop("The match was annulled."),
    Kind.REOPEN: gettext_noop("The ending was taken back; the match goes on where it stood."),
}

# What the signs of the notation say of a battle.
OUTCOMES = {
    "+": gettext_noop("The defending %(defender)s fell."),
    "-": gettext_noop("The attacking %(attacker)s fell."),
    "=": gettext_noop("Both fell."),
    "#": gettext_noop("That decided the match."),
    "+d": gettext_noop("The defending %(defender)s was demoted."),
    "-d": gettext_noop("The attacking %(attacker)s was demoted."),
}

# Why a match ended: the words of the game record, and how a reader is told.
REASONS = {
    "flag captured": gettext_noop("flag captured"),
    "flag shot": gettext_noop("flag shot by archers"),
    "6-6 destroyed": gettext_noop("6-6 destroyed"),
    "both 6-6 destroyed": gettext_noop("both 6-6 destroyed"),
    "no mobile piece left": gettext_noop("no mobile piece left"),
    "no legal move": gettext_noop("no legal move"),
    "neither side can move": gettext_noop("neither side can move"),
    "no progress": gettext_noop("no progress"),
    "officers blown": gettext_noop("officers blown"),
    "fortress filled": gettext_noop("fortress filled"),
    "sixteen captured": gettext_noop("sixteen soldiers captured"),
    "soldiers cannot move": gettext_noop("the soldiers cannot move"),
    "officers blocked": gettext_noop("the officers are blocked"),
    "officers blocked (forbidden)": gettext_noop("the officers are blocked, which is forbidden"),
    "resigned": gettext_noop("the other side resigned"),
    "agreed": gettext_noop("the players agreed"),
    "time": gettext_noop("the other side ran out of time"),
    "aborted": gettext_noop("the match was called off before the first move"),
    "no set-up in time": gettext_noop("not every army was set up in time"),
}


def sentences(look: Scene, entry: Entry | None = None) -> list[str]:
    """What happened at the ply looked at, or at another entry, by the names of those who play."""
    return _describe(look.rules, entry or look.entry, look.sides)


def sentence(rules: Ruleset, entry: Entry) -> str:
    """What happened, in one text, by the names of the seats."""
    names = {seat: _(rules.seat_names[seat]) for seat in Seat}
    return " ".join(_describe(rules, entry, names))


def ending(look: Look) -> str:
    """How the match looked at ended, by the players' handles; "" while it goes on."""
    return result(look.match, look.sides)


def result(match: Match, names: Mapping[Seat, str] | None = None) -> str:
    """How a match ended, in a sentence, by these names or the seats'; "" while it goes on."""
    if match.is_live:
        return ""
    if match.status != Status.FINISHED:
        return _("No result: %(reason)s.") % {"reason": reason(match.reason)}
    return verdict(match.rules, match.result, match.reason, names)


def verdict(rules: Ruleset, result: str, why: str, names: Mapping[Seat, str] | None = None) -> str:
    """A victory or a draw as records write them, in a sentence."""
    facts = {"reason": reason(why)}
    if result == "draw":
        return _("Draw: %(reason)s.") % facts
    winner = Seat(rules.seat_letters.index(result))
    facts["side"] = names[winner] if names else _(rules.seat_names[winner])
    return _("%(side)s won: %(reason)s.") % facts


def reason(words: str) -> str:
    """Why a match ended, in the reader's language where the house or a game has a phrase for it;
    what was written by hand about an annulled one stays as it was written."""
    plain = words.rstrip(" .")
    return _(REASONS.get(plain, plain)) if plain else ""


def piece_name(rules: Ruleset, rank: Rank) -> str:
    """What a reader calls a piece: "Scout", "demoted Pikeman", "4-0"."""
    bare = rank.removesuffix("'")
    name = _(rules.piece_names[bare])
    # A rank that no army begins with is a demoted one by its name alone.
    if bare == rank or all(troop.rank != bare for troop in rules.army):
        return name
    return _("demoted %(piece)s") % {"piece": name}


def _describe(rules: Ruleset, entry: Entry, names: Mapping[Seat, str]) -> list[str]:
    who = {} if entry.seat is None else {"player": names[entry.seat]}
    if entry.kind == Kind.MOVE:
        return _move(rules, entry.text, who)
    # Archers may shoot as soon as the last army stands (T8).
    return [_(DEEDS[entry.kind]) % who, *_volley(_hits(entry.text))]


def _move(rules: Ruleset, text: str, who: Facts) -> list[str]:
    done = notation.read_annotated(rules, text)
    facts = {**who, "source": done.source, "via": done.via, "target": done.target}
    told = []
    if done.blown:
        told.append(_("%(player)s blew the officer on %(point)s.") % {**who, "point": done.blown})
    if done.battle and done.result:
        told += _battle(rules, done.battle, done.result, facts)
    elif done.attack:
        told.append(_capture(done.path, who))
    elif done.source:
        told.append(_("%(player)s moved from %(source)s to %(target)s.") % facts)
    return told + _volley(done.volley)


def _battle(rules: Ruleset, pieces: tuple[Rank, Rank], result: str, facts: Facts) -> list[str]:
    attacker, defender = (piece_name(rules, rank) for rank in pieces)
    facts = {**facts, "attacker": attacker, "defender": defender}
    told = []
    if facts["via"]:
        told.append(_("%(player)s charged from %(source)s to %(via)s.") % facts)
        facts["source"] = facts["via"]
    told.append(
        _("%(player)s attacked %(target)s from %(source)s: %(attacker)s against %(defender)s.")
        % facts
    )
    told.append(_(OUTCOMES[result]) % facts)
    if result.endswith("d") and rules.switches.get("convert"):
        told.append(_("It changed sides."))
    return told


def _capture(path: tuple[str, ...], who: Facts) -> str:
    """An officer's jumps; each takes one soldier (A11)."""
    count = len(path) - 1
    return ngettext(
        "%(player)s captured %(count)s soldier, jumping along %(path)s.",
        "%(player)s captured %(count)s soldiers, jumping along %(path)s.",
        count,
    ) % {**who, "count": count, "path": ", ".join(path)}


def _hits(text: str) -> Iterable[tuple[str, bool]]:
    return ((hit[1], bool(hit[2])) for hit in notation.HIT.finditer(text))


def _volley(hits: Iterable[tuple[str, bool]]) -> list[str]:
    """The squares that archers hit; who shot and from where is told to nobody (T9)."""
    return [
        (
            _("Archers removed the piece on %(square)s.")
            if removed
            else _("Archers demoted the piece on %(square)s.")
        )
        % {"square": square}
        for square, removed in hits
    ]
