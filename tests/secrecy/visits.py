"""How a reader tries the pages: what they may request and send, and what they should not.

A visit is a function of a Visitor. It knows what is public, and draws from the visitor's own
randomness, which is the same in both worlds; everything received and sent is recorded.
"""

import re
from collections.abc import Callable, Iterator
from random import Random

from django.apps import apps
from django.conf import settings
from django.contrib.admin.helpers import ACTION_CHECKBOX_NAME
from django.db.models import Model
from django.urls import reverse

from accounts.models import User
from accounts.people import unsubscribe
from games.competitions.tournaments.models import Tournament
from games.guide.lessons.registry import lessons_of
from games.lobby.invitations import private_links
from games.lobby.models import Invitation
from games.mail.models import IncomingMessage
from games.notifications.channels import feeds
from games.people.blocking import blocks
from games.people.models import Decision
from games.people.moderation import answers
from games.play.board.replay_blocks import BLOCK_PLIES
from games.play.knowledge.memory import recall
from games.play.models.look import Look
from games.play.models.match import Match, Player, Status
from games.play.models.plan import Plan, Wait
from games.play.models.setup import SavedSetup
from games.play.practice import progress, stored
from games.play.practice.steps import Desk
from games.play.record import match_view
from games.play.views.match.actions import ACTIONS
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.observation import Observation
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.text import notation
from tests.secrecy.browsers import Browser
from tests.secrecy.games import random_army
from tests.secrecy.transcript import Transcript


class Visitor:
    """A person with a browser, on a page of some channel; not the victim."""

    def __init__(
        self,
        name: str,
        user: User | None,
        seat: Seat | None,
        victim: User,
        match_id: int,
        browser: Browser,
        program: Browser,
        transcript: Transcript,
    ) -> None:
        self.name, self.user, self.seat, self.victim = name, user, seat, victim
        self.match_id = match_id
        self._browser, self._program, self._transcript = browser, program, transcript
        self.channel = ""
        self.rng = Random()

    def arrive(self, channel: str, match: Match, act: str) -> None:
        """From here on, what is received counts to this channel."""
        self.channel, self.rng = channel, Random(act)
        self.match = match

    @property
    def rules(self) -> Ruleset:
        return self.match.rules

    @property
    def played(self) -> int:
        """The moves that have been made."""
        return self.match.ply - self.match.opening if self.match.opening is not None else 0

    def square(self) -> str:
        return self.rng.choice(self.rules.board.squares)

    def get(self, where: str, *args: object, **query: object) -> None:
        path = where if where.startswith("/") else reverse(where, args=args)
        self._note(f"GET {path} {query or ''}", *self._browser.get(path, query))

    def post(self, where: str, *args: object, **fields: object) -> None:
        path = where if where.startswith("/") else reverse(where, args=args)
        self._note(f"POST {path} {fields or ''}", *self._browser.post(path, fields))

    def ask(self, path: str, *, body: object = None, key: str = "", **query: object) -> int:
        """A request of the API, below /api/v1; its status. What is read is asked for again."""
        method = "GET" if body is None else "POST"
        where = f"/api/v1{path}"
        what = f"{method} {where} {query or ''} {body or ''}"
        status, data = self._program.ask(method, where, query, body, key=key)
        self._note(what, status, data)
        tag = re.search(rb"^ETag: (.*?)\r\n", data, re.MULTILINE)
        if tag:
            for again in ("GET", "HEAD"):
                known = tag[1].decode() if again == "GET" else ""
                answer = self._program.ask(again, where, query, None, known)
                self._note(f"{what}, {again} again", *answer)
        return status

    def _note(self, what: str, status: int, data: bytes) -> None:
        self._transcript.add(self.channel, self.name, self.match.ply, what, data)
        if status >= 500:
            failure = self._browser.failure or self._program.failure
            self._transcript.crashes.append(f"{what}: {failure!r}")


Visit = Callable[[Visitor], None]


def tournament(name: str) -> Visit:
    """A page about the tournament in which the match may be played."""

    def visit(v: Visitor) -> None:
        v.get(name, Tournament.objects.get().pk)

    return visit


def enter_tournament(v: Visitor) -> None:
    v.post("tournaments:enter", Tournament.objects.get().pk)


def leave_tournament(v: Visitor) -> None:
    """Asks, and does not answer: withdrawing would end the match."""
    v.post("tournaments:leave", Tournament.objects.get().pk)


# --- the match


def home(v: Visitor) -> None:
    v.get("home")


def next_match(v: Visitor) -> None:
    v.get("play:next", **v.rng.choice(({}, {"after": v.match_id})))


def match(v: Visitor) -> None:
    """Now, earlier, or later than now; with a chosen piece that is one's own, another's or none."""
    then = v.rng.randint(0, v.played)
    seen = match_view.view_match(v.match_id, v.user).observation
    huff, path = _begun(v, seen)
    hidden = [square for square, piece in seen.pieces.items() if piece.rank is None]
    dark = v.rng.choice(hidden or v.rules.board.squares)
    queries: tuple[dict[str, object], ...] = (
        {},
        {"ply": then},
        {"ply": max(0, v.played - 1)},
        {"ply": v.played + 1},
        {"from": path[:1], "via": path[1:]},
        {"from": path[:1], "via": [*path[1:], v.square()]},
        {"from": path[:1], "via": [dark]},
        {"from": dark, "via": [v.square()]},
        {"huff": huff or path[:1], "from": path[1:]},
        {"from": v.square()},
        {"from": v.square(), "via": [v.square(), dark]},
        {"huff": v.square(), "from": v.square()},
        {"from": v.square(), "ply": then},
        {"ply": "-1", "from": "a0"},
    )
    v.get("play:match", v.match_id, **v.rng.choice(queries))


def _begun(v: Visitor, seen: Observation) -> tuple[list[str], list[str]]:
    """The squares of a move that the reader may play: those that are huffed, and the path."""
    if not seen.moves:
        return [], [v.square(), v.square()]
    path = notation.read_path(v.rules, notation.write_move(v.rules, v.rng.choice(seen.moves)))
    names = v.rules.board.names
    huffed = [] if path.huffed is None else [names[path.huffed]]
    return huffed, [names[cell] for cell in path.squares]


def moves(v: Visitor) -> None:
    v.get("play:moves", v.match_id, **v.rng.choice(({}, {"page": 2}, {"page": "x"})))


def news(v: Visitor) -> None:
    v.get("play:news", v.match_id, **v.rng.choice(({}, {"ply": 1}, {"ply": v.match.ply})))


def plies(v: Visitor) -> None:
    """Earlier plies in blocks, with and without both armies; and a block later than now."""
    block = v.rng.choice((0, 0, v.played // BLOCK_PLIES, v.played // BLOCK_PLIES + 1))
    v.get("play:plies", v.match_id, block, **v.rng.choice(({}, {"eyes": "open"}, {"v": "x"})))


def proof(v: Visitor) -> None:
    v.get("play:proof", v.match_id)


def bundle(v: Visitor) -> None:
    v.get("play:bundle", v.match_id)


def receipt(v: Visitor) -> None:
    """The receipt of somebody who has no seat, or sits opposite, or has not set up yet."""
    v.get("play:receipt", v.match_id)


def small(v: Visitor) -> None:
    """Small boards of plies that were played, and of one that was not."""
    for ply in (v.played, v.rng.randint(0, v.played + 1)):
        v.get("play:small", v.match_id, ply)


def picture(v: Visitor) -> None:
    """Pictures for link previews, of plies that were played and of one that was not."""
    for ply in (v.played, v.rng.randint(0, v.played + 1)):
        v.get(v.channel, v.match_id, ply)


def picture_of(v: Visitor) -> None:
    """Both armies, or one side's view: there once the match is open."""
    eyes = v.rng.choice(("open", "south", "north", "gallery"))
    v.get("play:picture_of", v.match_id, v.rng.randint(0, v.played), eyes)


def watch(v: Visitor) -> None:
    """The list, in each order and with every game."""
    queries: tuple[dict[str, object], ...] = (
        {},
        {"order": "longest", "with": "all"},
        {"game": v.rules.family, "with": "all"},
        {"after": v.match_id},
    )
    v.get("watch:index", **v.rng.choice(queries))


def follow(v: Visitor) -> None:
    """Follow the match, stop that, or neither: its players cannot, and nobody else can tell."""
    v.post("watch:follow", v.match_id, do=v.rng.choice(("follow", "leave", "dance")))
    v.get("play:match", v.match_id)


def plan(v: Visitor) -> None:
    """The reader's own plan, with lines that are refused or not; none is left behind.

    Others have no page.
    """
    v.get("play:plan", v.match_id)
    one, other, third = v.square(), v.square(), v.square()
    shapes = (
        f"if {one}-{other} then {third}-{one}",
        f"if x{one} then {one}x{third}",
        f"if {one}x{other}[S] then {third}x{other}",
        f"if quiet then {one}-{other}\notherwise {third}-{one}",
        f"otherwise {one}-{other}",
        "what is there?",
    )
    sent = {"ply": v.match.ply, "lines": v.rng.choice(shapes), "wait": v.rng.choice(list(Wait))}
    for text in tries(v, 1):
        # A legal move would be played, and the game has other moves.
        with_move = {} if is_playable(v, text) else {"move": text}
        v.post("play:plan", v.match_id, version=_version(v), **sent, **with_move)
    v.post("play:plan", v.match_id, version=_version(v), **sent)
    v.post("play:plan", v.match_id, ply=v.match.ply, version=_version(v), do="now")
    v.post("play:plan", v.match_id, ply=v.match.ply, version=_version(v), do="delete")


def _version(v: Visitor) -> int:
    """The version of the reader's own plan."""
    own = Plan.objects.filter(player__match=v.match_id, player__user=v.user)
    return own.values_list("version", flat=True).first() or 0


def battles(v: Visitor) -> None:
    v.get("play:battles", v.match_id)


def move(v: Visitor) -> None:
    """On the reader's turn or not: a refusal must reveal nothing."""
    for text in tries(v, 1):
        # A legal move would be played, and the game has other moves.
        if not is_playable(v, text):
            v.post("play:move", v.match_id, move=text, ply=v.match.ply)
    before = v.rng.choice(("", "x", -1, 0, v.match.ply + 1, v.match.ply - 1, v.match.ply - 2))
    v.post("play:move", v.match_id, move=v.rng.choice(list(tries(v, 1))), ply=before)


def prepare(v: Visitor) -> None:
    for text in tries(v, 1):
        v.post("play:prepare", v.match_id, move=text, ply=v.match.ply)


def practice(v: Visitor) -> None:
    """The reader's own practice board: moves of both sides, guesses, and every button."""
    squares = {"from": v.square(), "via": v.square()}
    v.get("play:practice", v.match_id, **v.rng.choice(({}, squares, {"piece": v.square()})))
    ply, ranks = v.match.ply, [troop.rank for troop in v.rules.army]
    for _ in range(4):
        for text in (*_practice_move(v), *tries(v, 1)):
            _practise(v, ply, do="move", move=text)
            if v.rng.random() < 0.5:
                _practise(v, ply, do="move", move=text, **{"as": v.rng.choice(ranks)})
    _practise(v, ply, do="guess", square=v.square(), rank=v.rng.choice(ranks))
    others = ("back", "clear", "keep", "load", "drop", "draft", "plan")
    _practise(v, ply, do=v.rng.choice(others), name="A try", line=1, shows="rank")
    v.get("play:practice", v.match_id)


def _practise(v: Visitor, ply: int, **fields: object) -> None:
    own_seat = Player.objects.filter(match=v.match_id, user=v.user and v.user.pk).first()
    version = stored.read(own_seat.pk).version if own_seat else 0
    v.post("play:practice", v.match_id, ply=ply, version=version, **fields)


def _practice_move(v: Visitor) -> list[str]:
    """A move that the reader's practice board lists now, of either side, if there is any."""
    own_seat = Player.objects.filter(match=v.match_id, user=v.user and v.user.pk).first()
    view = match_view.view_match(v.match_id, v.user)
    if own_seat is None or view.match.status != Status.RUNNING:
        return []
    tried = progress.caught_up(view, stored.read(own_seat.pk))
    moves = [notation.write_move(v.rules, m) for m in Desk(view, recall(view), tried).line().moves]
    return v.rng.sample(moves, min(1, len(moves)))


def tries(v: Visitor, count: int) -> Iterator[str]:
    """Texts of moves that fit the board, and others."""
    for _ in range(count):
        one, other, third = v.square(), v.square(), v.square()
        shapes = (f"{one}-{other}", f"{one}x{other}", f"{one}{other}", f"{one}-{other}x{third}")
        others = (f"*{one},{other}-{third}", f"{one} z99", "what is there?", "", f"{one}x{one}")
        yield v.rng.choice(shapes * 2 + others)


def is_playable(v: Visitor, text: str) -> bool:
    """Whether some legal move of the reader leads from the text's first square to its last."""
    try:
        tried = notation.read_path(v.rules, text).squares
    except Refusal:
        return False
    legal = match_view.view_match(v.match_id, v.user).observation.moves
    paths = [notation.read_path(v.rules, notation.write_move(v.rules, m)).squares for m in legal]
    ends = {(path[0], path[-1]) for path in paths if path}  # a huff alone has no squares
    return bool(tried) and (tried[0], tried[-1]) in ends


def put_aside(v: Visitor) -> None:
    v.post("play:put_aside", v.match_id)


def mark(v: Visitor) -> None:
    """Marks on existing pieces and others, and the page's text about one."""
    for guess in (v.rng.choice([troop.rank for troop in v.rules.army]), "", "no rank"):
        fields = {"piece": v.square(), "guess": guess, "word": "seen", "colour": "red"}
        v.post("play:mark", v.match_id, **fields)
    for _ in range(3):
        v.get("play:match", v.match_id, piece=v.square())


def note(v: Visitor) -> None:
    v.post("play:note", v.match_id, note=f"Noted {v.rng.random()}")
    v.get("home")


def set_up(v: Visitor) -> None:
    """Every button of the editor except the one that sends the set-up."""
    seat = Seat.SOUTH if v.seat is None else v.seat
    placed = random_army(v.rules, seat, v.rng).placed
    saved = v.rng.choice(list(SavedSetup.objects.values_list("pk", flat=True)))
    pressed: tuple[dict[str, object], ...] = (
        {"do": "random"},
        {"do": "place"},
        {"do": "undo", **placed},
        {"tap": v.square(), **placed},
        {"tap": "hand-F", "by": "lists", **placed},
        {"do": "mirror", **placed},
        {"do": "clear"},
        {"do": "read", "text": "RRRR/2"},
        {"do": "load", "saved": saved},
        {"do": "save", "name": "A try", **placed},
        {"do": "check", **placed},
        {"do": "send", **dict(list(placed.items())[1:])},
        {"do": "keep", **dict(list(placed.items())[:9])},
    )
    v.post("play:set_up", v.match_id, **v.rng.choice(pressed))


def step(v: Visitor) -> None:
    """Actions other than moves: their pages, or the actions where they have no effect."""
    vain = vain_actions(v)
    if vain and v.rng.random() < 0.5:
        v.post("play:step", v.match_id, v.rng.choice(vain))
    else:
        v.get("play:step", v.match_id, v.rng.choice([*ACTIONS, "nonsense"]))


def vain_actions(v: Visitor) -> list[str]:
    """Actions that have no effect on the match as it is."""
    vain = ["accept-pause", "decline-pause", "claim"]
    if v.match.paused_at is None:
        vain.append("resume")
    if v.played and v.match.status == Status.RUNNING:
        vain.append("abort")
    if v.match.draw_offer is None:
        vain += ["accept-draw", "decline-draw"]
    if v.seat is None or not v.match.is_live:
        vain = [*ACTIONS]
    return vain


def time_off(v: Visitor) -> None:
    """One's own days off: viewed, or sent in a form that is refused."""
    if v.rng.random() < 0.5:
        v.get("play:time_off")
    else:
        v.post("play:time_off", do=v.rng.choice(("rest", "plan")), zone="Nowhere", first="x")


def time_off_of(v: Visitor) -> None:
    v.get("play:time_off_of", v.victim.username)


def withdraw_vacation(v: Visitor) -> None:
    v.post("play:withdraw_vacation", 1)


def setups(v: Visitor) -> None:
    v.get("play:setups")


def new_setup(v: Visitor) -> None:
    placed = random_army(v.rules, Seat.SOUTH, v.rng).placed
    if v.rng.random() < 0.5:
        v.get("play:new_setup", v.match.preset)
    else:
        v.post("play:new_setup", v.match.preset, do=v.rng.choice(("random", "mirror")), **placed)


def edit_setup(v: Visitor) -> None:
    """One's own, and the victim's, whose number is easily guessed."""
    owner = v.rng.choice((v.user, v.victim, v.victim))
    kept = SavedSetup.objects.filter(user=owner and owner.pk).order_by("pk").last()
    number = kept.pk if kept else 9999
    if owner == v.user or v.rng.random() < 0.5:
        v.get("play:edit_setup", number)
    else:
        v.post("play:edit_setup", number, do=v.rng.choice(("delete", "save", "mirror")))


# --- reports


def report_profile(v: Visitor) -> None:
    """The victim reported, or nearly."""
    reason = v.rng.choice(("abuse", "nonsense", "other"))
    if v.rng.random() < 0.5:
        v.get("moderation:report_profile", v.victim.username)
    else:
        v.post("moderation:report_profile", v.victim.username, reason=reason, words="")


def report_line(v: Visitor) -> None:
    """What the victim has said, and lines that there are not."""
    line = v.rng.choice((1, 2, 3, 99))
    if v.rng.random() < 0.5:
        v.get("moderation:report_line", v.match_id, line)
    else:
        v.post("moderation:report_line", v.match_id, line, reason="threat", words="He knows.")


def report_invitation(v: Visitor) -> None:
    v.get("lobby:report", any_invitation(v))


def decision(v: Visitor) -> None:
    """The page of a decision by its link, or by a guess at one."""
    made = Decision.objects.order_by("pk").first()
    guess = reverse("moderation:decision", args=["1:guessed"])
    v.get(answers.path(made.pk) if made and v.rng.random() < 0.5 else guess)


# --- the lobby


def lobby_index(v: Visitor) -> None:
    v.get("lobby:index", **v.rng.choice(({}, {"all": "1"})))


def lobby_new(v: Visitor) -> None:
    if v.rng.random() < 0.5:
        v.get("lobby:new")
    else:
        v.post("lobby:new", kind="challenge", opponent=v.victim.username, preset="nonsense")


def strength(v: Visitor) -> None:
    if v.rng.random() < 0.5:
        v.get("lobby:strength")
    else:
        v.post("lobby:strength", preset=v.rng.choice(("lattaque-en", "nonsense")), pace="3d")


def challenge(v: Visitor) -> None:
    """The form, and a challenge that is sent."""
    v.get("lobby:challenge", v.victim.username)
    fields = {"kind": "challenge", "opponent": v.victim.username, "preset": "lattaque-en"}
    v.post("lobby:challenge", v.victim.username, **fields, pace="3d", setup_days="")


def link(v: Visitor) -> None:
    held = Invitation.objects.filter(kind="link").first()
    v.get("lobby:link", v.rng.choice((private_links.write_token(held.pk), "1.guessed")))


def rematch(v: Visitor) -> None:
    v.post("lobby:rematch", v.match_id)


def invitation(v: Visitor) -> None:
    v.get("lobby:detail", any_invitation(v))


def accept(v: Visitor) -> None:
    v.post("lobby:accept", any_invitation(v))


def decline(v: Visitor) -> None:
    v.post("lobby:decline", any_invitation(v))


def withdraw(v: Visitor) -> None:
    v.post("lobby:withdraw", any_invitation(v))


def prolong(v: Visitor) -> None:
    v.post("lobby:prolong", any_invitation(v))


def any_invitation(v: Visitor) -> int:
    return int(v.rng.choice(Invitation.objects.order_by("pk").values_list("pk", flat=True)))


# --- the archive


def archive(v: Visitor) -> None:
    query = {"player": v.victim.username, "preset": v.match.preset}
    v.get("archive:index", **v.rng.choice(({}, query)))


def history(v: Visitor) -> None:
    v.get("archive:history")


def replay(v: Visitor) -> None:
    eyes = v.rng.choice(("open", "south", "north", "gallery", "nobody"))
    query: dict[str, object] = {"eyes": eyes, "ply": v.rng.randint(0, v.played + 1)}
    if v.rng.random() < 0.5:
        query |= {"piece": v.square(), "who": v.rng.choice(("south", "north", "x"))}
    v.get("archive:match", v.match_id, **v.rng.choice(({}, query)))


def summary(v: Visitor) -> None:
    """The summary, or its chart: there once the match is open."""
    v.get(v.channel, v.match_id)


def replay_plies(v: Visitor) -> None:
    eyes = v.rng.choice(("open", "south", "north", "gallery", "nobody"))
    v.get("archive:plies", v.match_id, v.rng.randint(0, 1), **v.rng.choice(({}, {"eyes": eyes})))


def replay_battles(v: Visitor) -> None:
    v.get("archive:battles", v.match_id)


def film(v: Visitor) -> None:
    """Films are asked for; before the match is open nobody gets one."""
    v.post("archive:film", v.match_id, eyes=v.rng.choice(("open", "gallery", "south", "")))


def film_file(v: Visitor) -> None:
    eyes = v.rng.choice(("open", "gallery", "south"))
    v.post("archive:film", v.match_id, eyes=eyes)
    v.get("archive:film_file", v.match_id, eyes)


def record(v: Visitor) -> None:
    v.get("archive:record", v.match_id)


def thought(v: Visitor) -> None:
    v.get("house:thought", v.match_id, **v.rng.choice(({}, {"turn": v.rng.randint(0, 9)})))


# --- e-mails, people, the admin


def mailbox(v: Visitor) -> None:
    v.get("mailbox")


def mailbox_email(v: Visitor) -> None:
    v.get("mailbox_email", "1-00000000")


def mailbox_html(v: Visitor) -> None:
    v.get("mailbox_html", "1-00000000")


def confirm(v: Visitor) -> None:
    """A message of the opponent's whose sender was not authenticated."""
    waiting = IncomingMessage.objects.filter(outcome="confirm").order_by("pk").last()
    v.get("mail:confirm", waiting.pk if waiting else 1)


def profile(v: Visitor) -> None:
    v.get("accounts:profile", v.victim.username)


def leaders(v: Visitor) -> None:
    v.get("ratings:family", v.rules.family, **v.rng.choice(({}, {"after": v.victim.pk})))


def ratings_of_victim(v: Visitor) -> None:
    v.get("ratings:person", v.victim.username, v.rules.family)


def blocked(v: Visitor) -> None:
    """One's own list and preferences: viewed, or sent in a form that is refused."""
    if v.rng.random() < 0.5:
        v.get("people:blocked")
    else:
        v.post("people:blocked", challenges_from="friends", no_talk="on")


def block(v: Visitor) -> None:
    """Both buttons of the victim's page; readers who block the victim already leave it so."""
    kept = v.user is not None and blocks.has_blocked(v.user.pk, v.victim.pk)
    v.post("people:block", v.victim.username)
    v.get("accounts:profile", v.victim.username)
    if not kept:
        v.post("people:unblock", v.victim.username)


def stop_emails(v: Visitor) -> None:
    v.get(unsubscribe.stop_path(v.user or v.victim, "match"))


def preferences(v: Visitor) -> None:
    v.get("accounts:preferences")


def feed(name: str) -> Visit:
    """One's own feed, or the victim's, by a person who knows its address."""

    def visit(v: Visitor) -> None:
        for owner in (v.user, v.victim):
            if owner is not None:
                feeds.renew(owner)
                feed_addresses = feeds.addresses(owner)
                address = getattr(feed_addresses, name.removeprefix("notifications:"))
                v.get(address.removeprefix(settings.SITE_URL))

    return visit


def leave(v: Visitor) -> None:
    v.get("accounts:leave")


def export(v: Visitor) -> None:
    """One's own data, with the records of all matches; once an hour, so not always."""
    v.post("accounts:export")


def guide(v: Visitor) -> None:
    """The rules of the game that is played."""
    v.get("help_game", v.rules.family)


def guide_picture(v: Visitor) -> None:
    """A picture of them: their board is of no match."""
    v.get("help_picture", v.rules.family, "board")


def lesson(v: Visitor) -> None:
    """A lesson of the game that is played, with a square chosen: its board is of no match."""
    v.get("lesson", v.rules.family, _lesson(v), **{"from": v.square(), "via": v.square()})


def lesson_move(v: Visitor) -> None:
    """A move that may do in the lesson what it does in the match."""
    v.post("lesson_move", v.rules.family, _lesson(v), move=next(tries(v, 1)))


def lesson_prepare(v: Visitor) -> None:
    v.post("lesson_prepare", v.rules.family, _lesson(v), move=next(tries(v, 1)))


def _lesson(v: Visitor) -> str:
    return v.rng.choice(lessons_of(v.rules.family)).name


def talk(v: Visitor) -> None:
    """The talk of the match, and a try to write something."""
    v.get("talk:page", v.match_id)
    v.post("talk:page", v.match_id, text=f"Hello {v.square()}")


def mute_talk(v: Visitor) -> None:
    """Fold the talk, and unfold it: later lines are to be received."""
    for muted in ("1", ""):
        v.post("talk:mute", v.match_id, muted=muted)


def page(name: str) -> Visit:
    """A page that needs no parameters."""
    return lambda v: v.get(name)


def ladder(name: str) -> Visit:
    """A page of the ladder of L'Attaque, on which the two players stand; or a button there."""

    def visit(v: Visitor) -> None:
        if name in ("ladders:join", "ladders:leave") and v.rng.random() < 0.8:
            v.post(name, "lattaque")
        v.get(name, "lattaque")

    return visit


def ladder_challenge(v: Visitor) -> None:
    v.post("ladders:challenge", "lattaque", v.rng.choice((v.victim.username, "Nobody")))


# Fields that staff could filter lists by, to learn what no page of the admin shows.
BEHIND: tuple[str, ...] = (
    "players__draft__isnull",
    "draft__isnull",
    "plies__sealed__gt",
    "setups__isnull",
    "players__talk_lines__gt",
    "talk_lines__gt",
    "talk_unread__gt",
)


def admin(label: str) -> Visit:
    """The pages of a model in the admin: the list, searched and sorted, and those of one row."""

    def visit(v: Visitor) -> None:
        model = apps.get_model(label)
        pages = f"admin:{model._meta.app_label}_{model._meta.model_name}_"
        queries: tuple[dict[str, str], ...] = (
            {},
            {"q": v.victim.username, "o": str(v.rng.randint(1, 5))},
            {v.rng.choice(BEHIND): v.rng.choice("01")},
        )
        v.get(pages + "changelist", **v.rng.choice(queries))
        v.get(pages + v.rng.choice(("change", "history", "delete")), _row(v, model))

    return visit


def stewardship(v: Visitor) -> None:
    """The admin's actions on a match: each asks for a reason, and clocks may be extended."""
    chosen = {ACTION_CHECKBOX_NAME: v.match_id}
    action = v.rng.choice(("extend", "void"))
    v.post("admin:play_match_changelist", action=action, **chosen)
    fields = {"apply": "1", "days": "1", "seat": "", "reason": "A holiday."}
    v.post("admin:play_match_changelist", action="extend", **chosen, **fields)


def look_position(v: Visitor) -> None:
    """The page of the position of a look, by staff who have not asked for it."""
    v.get("admin:play_look_position", _row(v, Look))


def _row(v: Visitor, model: type[Model]) -> object:
    rows = model._default_manager.order_by("-pk").values_list("pk", flat=True)[:5]
    return v.rng.choice(list(rows)) if rows else 1
