"""Many copies of one match that look the same to the opponent, from which timing.py takes samples.

In half of the copies the victim has hidden one army, in the other half another; or all armies are
the same, and in half of the copies a plan of the victim waits, or they have a line on the practice
board. Both halves are equally frequent, so caches favour neither; they alternate in the database,
and all have been read before.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from random import Random

from django.db import transaction

from accounts.models import User
from accounts.tokens import making
from games.mail.answering import receipts
from games.mail.answering.actions import dispatch
from games.mail.answering.message_context import MessageContext
from games.mail.models import IncomingMessage, MessageOutcome
from games.mail.reading.commands import Command
from games.notifications.models import Purpose
from games.notifications.policy.localization import localized
from games.plan_language import reading
from games.play.commands import moves
from games.play.commands.plans import saving
from games.play.knowledge.memory import recall
from games.play.models.match import Player
from games.play.models.plan import PlanRow, PlanState
from games.play.practice import steps, stored
from games.play.practice.steps import Desk
from games.play.practice.stored import Practice, Step
from games.play.record import match_view
from games.play.record.sealed import plans
from games.play.record.sealed.plans import Contents
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text.notation import write_move
from lib.db_clock import now
from tests.mail.reading.reader import read_lines
from tests.play import match_helpers
from tests.secrecy import chance
from tests.secrecy.browsers import Browser
from tests.secrecy.games import Game, random_game, twin
from tests.secrecy.scene import session
from tests.secrecy.welch import Call

DIFFERENCES = ARMY, PLAN, PRACTICE, NOTHING = "army", "plan", "practice", "nothing"
PLIES = 12  # after which South is on turn, who is the opponent here
TRIES = 64  # impossible moves to choose from


@dataclass(frozen=True)
class Copies:
    """`numbers` of the matches, by which of the two truths they hide."""

    numbers: tuple[list[int], list[int]]
    truths: tuple[Game, Game]
    opponent: User
    browser: Browser
    program: Browser  # with a token
    ply: int
    playable: list[str]
    impossible: list[str]
    hidden: list[str]  # squares of pieces that the opponent does not know
    rng: Random

    def drawing(self, act: "Act") -> Callable[[int], Call]:
        """Draws a copy of either truth, with the opponent's act prepared."""
        for number in self.numbers[0] + self.numbers[1]:
            with rolled_back():
                act(self, number)()
        return lambda side: act(self, self.rng.choice(self.numbers[side]))


Act = Callable[[Copies, int], Call]


def lay(
    preset: str, people: match_helpers.People, each: int, rng: Random, differ: str = ARMY
) -> Copies:
    """Create copies of each truth of a random match, which differ in this one of DIFFERENCES."""
    game, other = _truths(preset, rng)
    truths = game, other if differ == ARMY else game
    numbers: tuple[list[int], list[int]] = ([], [])
    for _ in range(each):
        for side in rng.sample((0, 1), 2):
            numbers[side].append(_live(truths[side], people))
    seen = match_view.view_match(numbers[0][0], people.alice)
    playable = [write_move(seen.rules, move) for move in seen.observation.moves]
    quiet = next(text for text in playable if "-" in text and "x" not in text)
    for number in numbers[0] + numbers[1]:
        _begin_practice(number, people.alice, quiet)
    if differ == PLAN:
        for number in numbers[0]:
            _let_wait(number, people.bob, seen.number)
    if differ == PRACTICE:
        for number in numbers[0]:
            _begin_practice(number, people.bob, quiet)
    theirs = [at for at, p in seen.observation.pieces.items() if p.seat is Seat.NORTH]
    return Copies(
        numbers=numbers,
        truths=truths,
        opponent=people.alice,
        browser=Browser(session(people.alice)),
        program=Browser(token=making.create(people.alice, preset, making.SCOPES).text),
        ply=seen.number,
        playable=playable,
        impossible=_impossible(seen, people.alice, theirs, rng),
        hidden=[at for at in theirs if seen.observation.pieces[at].rank is None],
        rng=rng,
    )


# --- the opponent's acts at a match, prepared


def view(copies: Copies, number: int) -> Call:
    """View the board."""
    return partial(match_view.view_match, number, copies.opponent)


def page(copies: Copies, number: int) -> Call:
    """Request the whole page."""
    return partial(copies.browser.get, f"/match/{number}/")


def attempt(copies: Copies, number: int) -> Call:
    """Try whether an impossible move could be prepared."""
    text = copies.rng.choice(copies.impossible)
    return partial(_refused, moves.prepare_move, number, copies.opponent, text, copies.ply)


def prepare(copies: Copies, number: int) -> Call:
    """Prepare a legal move, without sending it."""
    text = copies.rng.choice(copies.playable)
    return partial(moves.prepare_move, number, copies.opponent, text, copies.ply)


def reject(copies: Copies, number: int) -> Call:
    """Send an impossible move."""
    text = copies.rng.choice(copies.impossible)
    return partial(_refused, moves.submit_move, number, copies.opponent, text, copies.ply)


def plan(copies: Copies, number: int) -> Call:
    """Enter a plan with a legal move, and both are done; a few are refused."""
    text, answer = (copies.rng.choice(copies.playable) for _ in range(2))
    lines = reading.read_lines(f"otherwise {answer}").lines
    save = partial(saving.save_plan, move=text)
    return partial(_refused, save, number, copies.opponent, copies.ply, lines)


def delete(copies: Copies, number: int) -> Call:
    """Delete a plan, which has been stored before the call."""
    _let_wait(number, copies.opponent, copies.ply - 2)
    return partial(saving.delete_plan, number, copies.opponent, copies.ply)


def contradict(copies: Copies, number: int) -> Call:
    """Enter lines of a plan with a legal move: they contradict each other, so nothing is done."""
    text, one, other = (copies.rng.choice(copies.playable) for _ in range(3))
    lines = [f"if quiet then {one}", f"if quiet then {other}", f"otherwise {other}"]
    read = reading.read_lines("\n".join(lines))
    save = partial(saving.save_plan, move=text)
    return partial(_refused, save, number, copies.opponent, copies.ply, read.lines)


def receipt(copies: Copies, number: int) -> Call:
    """Send an impossible move by mail, up to the text of its receipt."""
    commands = read_lines([copies.rng.choice(copies.impossible)], None)
    return partial(_answered, copies.opponent, number, copies.ply, commands)


def practise(copies: Copies, number: int) -> Call:
    """Request the practice board, with a move made there, after which the other side moves."""
    return partial(copies.browser.get, f"/match/{number}/practice/")


def practise_for_the_other(copies: Copies, number: int) -> Call:
    """Try there whether a hidden piece could make some move, without storing it."""
    mover, other = copies.rng.choice(copies.hidden), copies.rng.choice(copies.playable)[-2:]
    user = copies.opponent
    return partial(_refused, _try_for_the_other, number, user, f"{mover}-{other}")


def api_board(copies: Copies, number: int) -> Call:
    """Request the board over the API."""
    return partial(copies.program.ask, "GET", f"/api/v1/matches/{number}/board", {}, None)


def api_lines(copies: Copies, number: int) -> Call:
    """Request the lines for a program."""
    return partial(copies.program.ask, "GET", f"/api/v1/matches/{number}/lines", {}, None)


def api_move(copies: Copies, number: int) -> Call:
    """Play a legal move over the API."""
    body = {"move": copies.rng.choice(copies.playable), "ply": copies.ply}
    return partial(copies.program.ask, "POST", f"/api/v1/matches/{number}/moves", {}, body)


def api_reject(copies: Copies, number: int) -> Call:
    """Send an impossible move over the API."""
    body = {"move": copies.rng.choice(copies.impossible), "ply": copies.ply}
    return partial(copies.program.ask, "POST", f"/api/v1/matches/{number}/moves", {}, body)


API_ACTS: dict[str, Act] = {
    act.__name__: act for act in (api_board, api_lines, api_move, api_reject)
}
ACTS: dict[str, Act] = {
    act.__name__: act
    for act in (
        *(view, attempt, prepare, reject, plan, delete, contradict, page, receipt),
        *(practise, practise_for_the_other),
    )
} | API_ACTS


@contextmanager
def rolled_back() -> Iterator[None]:
    """A transaction that is rolled back, so that each sample finds the matches as they were."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def _try_for_the_other(number: int, user: User, text: str) -> None:
    view = match_view.view_match(number, user)
    assert view.me is not None
    steps.moved(Desk(view, recall(view), stored.read(view.me.pk)), text, "")


def _begin_practice(number: int, user: User, text: str) -> None:
    """Store a practice line of one move."""
    view = match_view.view_match(number, user)
    assert view.me is not None
    stored.put(view.me.pk, Practice(ply=view.number, steps=(Step(text),)))


def _let_wait(number: int, user: User, ply: int) -> None:
    """Store a plan of this user for the board of that ply."""
    player = Player.objects.get(match=number, user=user)
    row = PlanRow(ply, 0, PlanState.STANDING, None, None, [])
    assert plans.store(player.pk, row, Contents(("otherwise a1-a2",)), None)


def _answered(user: User, number: int, ply: int, commands: list[Command]) -> None:
    at = now()
    case = MessageContext(user, Purpose.MATCH, at, at, match_id=number, ply=ply)
    with localized(user):
        answer = dispatch.act(case, commands)
        assert answer is not None and answer.outcome == MessageOutcome.REFUSED
        receipts.write(IncomingMessage(), user, answer, "<a@example.org>", "<b@example.org>")


def _refused(command: Callable[..., object], *given: object) -> None:
    with suppress(Refusal):
        command(*given)


def _truths(preset: str, rng: Random) -> tuple[Game, Game]:
    """A game and a twin of it."""
    while True:
        game = random_game(registry.ruleset(preset), rng, PLIES)
        other = twin(game, Seat.NORTH, rng)
        if game.outcome is None and other is not None:
            return game, other


def _live(game: Game, people: match_helpers.People) -> int:
    """The number of a match in which all this has been played."""
    with chance.dealing(game.armies):
        match = match_helpers.new_match(people, game.rules.key)
    for seat in Seat:
        text = game.armies[seat].text(game.rules, seat)
        moves.submit_move(match.pk, people[seat], text, None)
    match.refresh_from_db()
    for number, move in enumerate(game.moves):
        text, ply = write_move(game.rules, move), (match.opening or 0) + number
        moves.submit_move(match.pk, people[number % 2], text, ply)
    return match.pk


def _impossible(
    seen: match_view.MatchView, user: User, theirs: list[str], rng: Random
) -> list[str]:
    """Refused moves: from any square onto a piece of the victim, and to anywhere."""
    squares = seen.rules.board.squares
    impossible: list[str] = []
    while len(impossible) < TRIES:
        text = f"{rng.choice(squares)}x{rng.choice(theirs if rng.random() < 0.8 else squares)}"
        try:
            moves.prepare_move(seen.match.pk, user, text, seen.number)
        except Refusal:
            impossible.append(text)
    return impossible
