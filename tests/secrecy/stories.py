"""The plans of worlds: which match is played, how it ends, and who looks at what on the way.

A plan knows all its truths, so that what is decided here holds for every world alike. Each truth
but the first makes a pair with the first.
"""

from collections.abc import Collection
from dataclasses import dataclass
from math import ceil
from random import Random
from typing import NamedTuple

from games.rules import registry
from games.rules.core.basics.options import Value
from games.rules.core.basics.pieces import Seat
from games.rules.core.ruleset.base import Ruleset
from tests.secrecy import channels
from tests.secrecy.games import Game, end, has_same_public_record, random_army, random_game, twin

MEAN = 7  # moves of a match
LONGEST = 60
TRUTHS = 5  # of a story
APART = 0.4  # share of the stories whose opponent blocks the victim
# Each preset begins with another kind of story, so that few stories are of many kinds.
PLACES = {rules.key: place for place, rules in enumerate(registry.editions())}
STRIDE = 11
# Stories that are left when all visits should be made: the last may be of a kind that allows none.
SPARE = 3

OPENING = ("resign", "draw", "rules")  # endings that nobody can take back


class StoryKind(NamedTuple):
    """`stage`: "drafting" (the victim prepares), "waiting" (only the victim has set up), or "play".

    In `alike` worlds the armies are the same, and only drafts and library differ: what is opened
    when a match is over may then be compared as well. `between` is what happens between two moves
    (between.py); `frequency` is that of the opponent's e-mails in the kind's first story.
    `plans` says that the victim answers by plans (planning.py): "planned" in every world, or "by
    plan or by hand", by plans in the first and by hand, at the same instants, in the others.
    """

    stage: str
    ending: str = ""
    alike: bool = False
    between: str = ""
    frequency: str = "now"
    plans: str = ""

    @property
    def reveals(self) -> bool:
        """Whether the match ends so that its record is opened."""
        return not self.alike and self.ending in OPENING

    def suits(self, victim: Seat, number: int) -> bool:
        """Whether what happens between two moves may happen before the move of that number."""
        mover = {"gift": victim.other, "outage": victim.other, "vacation": victim}
        return mover.get(self.between, number % 2) == number % 2


KINDS = (
    StoryKind("play", between="gift"),
    StoryKind("drafting"),
    StoryKind("play", "void", between="pause"),
    StoryKind("waiting", frequency="twice"),
    StoryKind("play", "resign", between="draw"),
    StoryKind("play", "claimed"),
    StoryKind("waiting", "abort"),
    StoryKind("play", "draw", between="outage"),
    StoryKind("play", "reopened"),
    StoryKind("play", "time"),
    StoryKind("drafting", "time"),
    StoryKind("play", "rules"),
    StoryKind("play", "resign", alike=True),
    StoryKind("waiting", "void"),
    StoryKind("unplayed", "abort"),
    StoryKind("play", between="vacation"),
    StoryKind("play", "resign", plans="planned"),
    StoryKind("play", plans="by plan or by hand"),
)


# Where armies stand open, only what is prepared and not sent is anybody's secret.
OPEN_KINDS = tuple(
    kind._replace(alike=kind.stage != "drafting")
    for kind in KINDS
    if kind.stage in ("play", "drafting")
)


class Deal(NamedTuple):
    """One visit: whose, and of which channel."""

    viewer: str
    channel: str


@dataclass(frozen=True)
class Story:
    seed: str
    kind: StoryKind
    victim: Seat
    switches: dict[str, Value]
    truths: tuple[Game, ...]
    # Whether nothing is left to chance that has to happen some time.
    sure: bool
    # Whether the opponent blocks the victim: then all doors between them are shut, and the victim's
    # own block and preference are nobody else's to know.
    apart: bool
    midway: int  # the look on the way is before this move, and what happens between two
    looks: dict[str, list[Deal]]  # by "midway", "end", "after"

    def __str__(self) -> str:
        what = f"{self.kind.stage} {self.kind.ending}".strip()
        return f"Story {self.seed!r} ({what}, {self.victim.name} is the victim)"


class Deck:
    """All visits that there are, in turn; `unseen` are those that have not been dealt yet.

    They are to all channels or `only` to some, and `without` these.
    """

    def __init__(
        self, rng: Random, only: Collection[str] = (), without: Collection[Deal] = ()
    ) -> None:
        self._rng = rng
        self._without = without
        pages = channels.pages()
        self._pages = {name: pages[name] for name in only or pages}
        self._left: list[Deal] = []
        self.unseen = set(self._all())
        self._kinds: set[StoryKind] = set()

    def is_first(self, kind: StoryKind) -> bool:
        """Whether no story of that kind has been planned yet, by this deck."""
        if kind in self._kinds:
            return False
        self._kinds.add(kind)
        return True

    def deal(self, count: int, *, reveals: bool) -> list[Deal]:
        """The next visits; none of them to what is open by now to everybody."""
        closed = [d for d in self._all() if not (reveals and self._pages[d.channel].opens)]
        hand: list[Deal] = []
        while closed and len(hand) < count:
            dealt = next((deal for deal in self._left if deal in closed), None)
            if dealt is None:
                self._left += self._rng.sample(self._all(), len(self._all()))
                continue
            hand.append(dealt)
            self._left.remove(dealt)
        self.unseen.difference_update(hand)
        return hand

    def _all(self) -> list[Deal]:
        deals = (Deal(who, name) for name, page in self._pages.items() for who in page.viewers)
        return [deal for deal in deals if deal not in self._without]


def kind_of(rules: Ruleset, number: int, kinds: tuple[StoryKind, ...] = ()) -> StoryKind:
    """The kind of a preset's story of that number: one of these, or of all that suit the preset."""
    kinds = kinds or (KINDS if rules.hidden else OPEN_KINDS)
    return kinds[(number + STRIDE * PLACES[rules.key]) % len(kinds)]


def plan(
    preset: str,
    number: int,
    deck: Deck,
    left: int = 1,
    kinds: tuple[StoryKind, ...] = (),
    seed: str = "",
) -> Story:
    """The story of that number, one of so many that are left to go through the deck.

    With another seed, it is another story of the same kind.
    """
    seed = f"{preset}/{number}" + (f"/{seed}" if seed else "")
    rng = Random(seed)
    rules = registry.ruleset(preset)
    kind = kind_of(rules, number, kinds)
    victim = Seat(rng.randrange(2))
    if kind.stage == "drafting" and victim not in rules.seats_setting_up:
        victim = victim.other
    switches: dict[str, Value] = {}
    if kind.ending == "rules":
        # A match that soon ends by itself.
        switches = {"limit": rng.randint(3, 8)}
    truths = _truths(registry.ruleset(preset, switches), kind, victim, rng)
    # Whether everything is open by then.
    looks = {"after": kind.reveals} if kind.ending else {"end": False}
    if kind.stage == "play" and rng.random() < 0.5:
        looks["midway"] = False
    elif kind.ending:
        looks["end"] = kind.ending == "rules"
    count = max(1, ceil(len(deck.unseen) / max(1, left - SPARE) / len(looks)))
    hands = {when: deck.deal(count, reveals=reveals) for when, reveals in looks.items()}
    suited = [turn for turn in range(len(truths[0].moves)) if kind.suits(victim, turn)]
    midway = rng.choice(suited) if suited else 0
    sure = deck.is_first(kind)
    apart = not sure and Random(f"{seed}/apart").random() < APART
    return Story(seed, kind, victim, switches, truths, sure, apart, midway, hands)


def _truths(rules: Ruleset, kind: StoryKind, victim: Seat, rng: Random) -> tuple[Game, ...]:
    while True:
        plies = 1 + min(int(rng.expovariate(1 / MEAN)), LONGEST)
        if kind.between:
            plies = max(plies, 2)  # Each is to move once.
        if kind.plans:
            plies = max(plies, 4)  # The victim answers once, whichever side began.
        if kind.ending == "claimed":
            plies += (plies - victim) % 2  # It is the victim whose time runs out.
        if kind.ending == "rules":
            plies = LONGEST
        game = random_game(rules, rng, plies if kind.stage == "play" else 0)
        if (game.outcome is not None) != (kind.ending == "rules"):
            continue
        others = [_another(game, kind, victim, rng) for _ in range(TRUTHS - 1)]
        if None not in others:
            return (game, *filter(None, others))


def _another(game: Game, kind: StoryKind, victim: Seat, rng: Random) -> Game | None:
    """Another truth behind the same public record, if one is found."""
    if kind.stage in ("drafting", "waiting"):
        return game.with_army(victim, random_army(game.rules, victim, rng))
    if kind.alike:
        return game
    other = twin(game, victim, rng)
    return other if other is not None and _is_public(game, other) else None


def _is_public(game: Game, other: Game) -> bool:
    """Whether both truths lead to the same counters, the same player to act and the same ending."""
    one, two = end(game), end(other)
    faces = [(p.turn, p.ply, p.quiet, p.shuttles, p.outcome) for p in (one, two)]
    return faces[0] == faces[1] and has_same_public_record(other)
