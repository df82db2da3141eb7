"""E-mails of the opponent: words, impossible moves, lines of a plan, and a forgery."""

from __future__ import annotations

from random import Random
from typing import TYPE_CHECKING

from games.mail import intake
from games.mail.models import WayIn
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.play.record import match_view
from games.rules.core.text.notation import read_path, write_move

if TYPE_CHECKING:
    from tests.secrecy.worlds import World

SERVER = "mx.example.org"  # whose sender authentication is trusted
READ, DRAIN = "games.mail.tasks.read_messages", "games.outbox.tasks.drain"
WORDS = ("board", "board list", "moves", "rules", "help", "matches", "next", "no", "Nice weather")
LOOKS = 0.5  # at which something is written
PROBES = 1  # of squares at each look; a run has several hundred looks
PLANS = 0.3  # in addition, with lines for a plan that is deleted again
FORGERIES = 0.25  # in addition to what is written


def write(world: World, when: str) -> None:
    """The opponent sends queries and tries squares; sometimes a forger does in their name."""
    draw = Random(f"{world.story.seed}/mail/{when}")
    if draw.random() > LOOKS:
        return
    with world.act(f"{when}: by mail", moves=False):
        texts = [draw.choice(WORDS), *_probes(world, draw)]
        if draw.random() < PLANS:
            # Without a move that can be played, since the game has other moves.
            texts += ["\n".join([*_probes(world, draw), _lines(world, draw)]), "forget"]
        for number, text in enumerate(texts):
            _send(world, f"{when}/{number}", text, proved=True)
        if draw.random() < FORGERIES:
            _send(world, f"{when}/forged", "resign", proved=False)
        world.tasks(READ, DRAIN)


def _probes(world: World, draw: Random) -> list[str]:
    """Squares that are no legal move of the opponent's, by what they see themselves."""
    seen = match_view.view_match(world.match.pk, world.opponent)
    rules = seen.rules
    paths = [read_path(rules, write_move(rules, move)).squares for move in seen.observation.moves]
    legal = {(path[0], path[-1]) for path in paths if path}
    index, probes = rules.board.index, []
    for _ in range(PROBES):
        one, other = draw.sample(rules.board.squares, 2)
        known = bool(seen.observation.moves) or not seen.my_turn
        if known and (index[one], index[other]) not in legal:
            probes.append(f"{one}{draw.choice('-x')}{other}")
    return probes


def _lines(world: World, draw: Random) -> str:
    """Lines of a plan, accepted or not: what is known of the board decides, and nothing else."""
    one, other, third = draw.sample(world.game.rules.board.squares, 3)
    return draw.choice(
        (
            f"if {one}-{other} then {third}-{one}",
            f"if x{one} then {other}x{one}",
            f"if {one}x{other}[S] then {third}x{other}",
            f"if quiet then {one}-{other}\notherwise {third}-{one}",
            f"otherwise {one}-{other}",
        )
    )


def _send(world: World, key: str, text: str, *, proved: bool) -> None:
    about = About(
        dispatch_key=f"{world.match.pk}/{key}",
        purpose=Purpose.MATCH,
        user=world.opponent,
        match_id=world.match.pk,
        ply=world.match.ply,
    )
    domain = world.opponent.email.rpartition("@")[2]
    header = f"Authentication-Results: {SERVER}; dmarc=pass header.from={domain}\r\n"
    raw = (
        f"{header if proved else ''}From: {world.opponent.email}\r\n"
        f"Message-ID: <{world.match.pk}.{key.replace('/', '.')}@example.org>\r\n\r\n{text}\r\n"
    )
    intake.store_message(
        raw.encode(), reply_addresses.issue(about), world.opponent.email, way_in=WayIn.LISTENER
    )
