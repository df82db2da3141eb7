"""Many racers around the answer of one plan, run with the service's keys (test_plan_racers.py).

`run(...)` prints one line of JSON. The racers are threads of several processes, each with a
connection of its own to the database; those with forms and programs ask real web servers.
"""

import json
import logging
import multiprocessing
import random
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from http.client import HTTPConnection
from itertools import cycle, islice
from multiprocessing.connection import Connection
from typing import Any
from urllib.parse import urlencode, urlsplit

from django.db import connections

from accounts.models import User
from accounts.tokens import making
from games.mail import intake
from games.mail.answering import worker
from games.mail.models import UNPROCESSED, IncomingMessage, MessageOutcome, WayIn
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.outbox.delivery import dispatcher
from games.outbox.models import Dispatch
from games.plan_language.lines import write_line
from games.plan_language.reading import read_line, read_lines
from games.play import time_controls
from games.play.commands import courtesies, deadlines, endings, moves
from games.play.commands.plans import answering, due, saving
from games.play.models.kind import PlyKind
from games.play.models.match import Match, Player
from games.play.models.plan import Plan, PlanState, Wait
from games.play.models.ply import Ply
from games.play.plans import judging
from games.play.record.sealed import plans
from games.play.record.sealed.plans import StoredPlan
from games.play.record.verification import Inspection
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from lib.db_clock import now
from tests.chaos.record import faults_of, session, turns_of
from tests.play import match_helpers

SERVER = "mx.example.org"  # whose sender authentication is trusted
SEAL = "c" * 32
PROCESSES = 4
GRACE = timedelta(seconds=0.3)  # after a deadline, instead of a minute
PATIENCE_SECONDS = 2.0  # for which a player waits for the turn
TIMEOUT_SECONDS = 60
ONE, OTHER = "b4-b5", "a5-a4"  # Alice's answers; a plan or a hand may play either
LINE = f"if j7-j6 then {ONE} if any then b5-b4"
EDITED = f"otherwise {OTHER}"
REPLACED = f"if j7-j6 then {OTHER}"  # by mail, in place of LINE
# What stands after the player's own move: each takes the other piece.
AFTERWARDS = {ONE: f"otherwise {OTHER}", OTHER: f"otherwise {ONE}"}
REFUSED = (409, 422)
BY_MAIL = "by mail"  # a change of the plan
KINDS = ("comes", "came", "waits")
# So that each of them wins now and then.
AHEAD = ("", "", "task drain due sweep", "page", "api", "mail", "edit withdraw", "now", "offer")


@dataclass(frozen=True)
class Turn:
    """A turn to be raced for, as its racers know it.

    `kind`: "comes" if the opponent's move is among the racers; "came" if it has been played, and
    the plan answers at once; "waits" if the answer is due in this instant. With `timed` the
    deadline comes in this instant too. Without `has_hands` Alice does not move by hand. `ply` and
    `version` are those that her forms name.
    """

    match: int
    kind: str
    timed: bool
    has_hands: bool
    offers: bool
    resigns: bool
    ply: int
    version: int
    message_ids: tuple[str, ...]
    ahead: str  # the roles that may start before the others; "" for none
    seed: str

    def delay(self, role: str) -> tuple[float, float]:
        """The shortest and the longest time in seconds for which a racer waits after the start."""
        is_behind = self.ahead and role not in self.ahead.split()
        return (0.1, 0.3) if is_behind else (0, 0.03)


@dataclass
class Answers:
    """The answers that the racers of a turn got.

    `moves` of Alice's that were acknowledged, in all ways. `plans`: acknowledged changes of the
    plan of that version. `faults`: what should not have happened.
    """

    moves: list[str] = field(default_factory=list)
    plans: list[str] = field(default_factory=list)
    offered: bool = False
    resigned: bool = False
    statuses: Counter[str] = field(default_factory=Counter)
    faults: list[str] = field(default_factory=list)

    def add(self, other: "Answers") -> None:
        self.moves += other.moves
        self.plans += other.plans
        self.offered |= other.offered
        self.resigned |= other.resigned
        self.statuses += other.statuses
        self.faults += other.faults


@dataclass
class Racers:
    """The racers of one process: how they ask the service, and the answers they got in a turn."""

    urls: list[str]
    cookie: str
    token: str
    turn: Turn
    over: Any  # an event of all processes: nobody else acts on this turn
    answers: Answers = field(default_factory=Answers)

    def __post_init__(self) -> None:
        self.alice, self.bob = (User.objects.get(username=name) for name in ("Alice", "Bob"))

    # --- those that go on until the turn is over

    def task(self, _number: int) -> None:
        """What the handler of the turn's notification asks for."""
        self._repeat(lambda: answering.answer_turn(self.turn.match, self.alice.pk, 4))

    def drain(self, _number: int) -> None:
        self._repeat(dispatcher.drain)

    def due(self, _number: int) -> None:
        self._repeat(due.answer_plans)

    def sweep(self, _number: int) -> None:
        self._repeat(lambda: deadlines.sweep(1))

    def _repeat(self, act: Callable[[], object]) -> None:
        while not self.over.is_set():
            act()
            time.sleep(0.005)

    # --- those that act once

    def page(self, number: int) -> None:
        if not self.turn.has_hands:
            return
        text = (ONE, OTHER)[number % 2]
        form = {"move": text, "ply": 4}
        if self._when_it_is_her_turn(lambda: self._form("move", number, form)) == 302:
            self.answers.moves.append(text)

    def api(self, number: int) -> None:
        if not self.turn.has_hands:
            return
        text = (OTHER, ONE)[number % 2]
        if self._when_it_is_her_turn(lambda: self._call(number, text)) == 200:
            self.answers.moves.append(text)

    def mail(self, number: int) -> None:
        """Read the message that was stored before; `add_answers_of_mail` says what came of it."""
        waiting = IncomingMessage.objects.filter(UNPROCESSED, key=self.turn.message_ids[number])
        until = time.monotonic() + PATIENCE_SECONDS
        while waiting.exists() and time.monotonic() < until:
            worker.process_waiting()

    def edit(self, number: int) -> None:
        """Save other lines; on the own turn with a move, both or neither."""
        text = (ONE, OTHER)[number % 2]
        form = {"lines": EDITED, "wait": "now", "do": "save"}
        if self.turn.kind != "comes" and self.turn.has_hands:
            form |= {"lines": AFTERWARDS[text], "move": text}
        if self._form("plan", number, self._seen(form)) == 302:
            self.answers.plans.append("edit")
            self.answers.moves += [form["move"]] if "move" in form else []

    def withdraw(self, number: int) -> None:
        if self._form("plan", number, self._seen({"do": "delete"})) == 302:
            self.answers.plans.append("withdraw")

    def now(self, number: int) -> None:
        if self._form("plan", number, self._seen({"do": "now"})) == 302:
            self.answers.plans.append("now")

    def opponent(self, number: int) -> None:
        """Bob's move, if it is to come; and his next one, as soon as the turn is answered."""
        if number and self.turn.resigns:
            with suppress(Refusal):
                endings.resign(self.turn.match, self.bob)
                self.answers.resigned = True
            return
        if not number and self.turn.kind == "comes":
            moves.submit_move(self.turn.match, self.bob, "j7-j6", 3)
        until = time.monotonic() + PATIENCE_SECONDS
        while time.monotonic() < until and not self._is_answered():
            time.sleep(0.005)
        with suppress(Refusal):
            moves.submit_move(self.turn.match, self.bob, ("j6-j7", "b7-b6")[number % 2], 5)

    def offer(self, number: int) -> None:
        """Bob's offer of a draw or a pause; and Alice's answer to either."""
        if not self.turn.offers:
            return
        if not number:
            draws = random.Random(self.turn.seed).random() < 0.5
            act = endings.offer_draw if draws else courtesies.offer_pause
            with suppress(Refusal):
                act(self.turn.match, self.bob)
                self.answers.offered = True
            return
        until = time.monotonic() + PATIENCE_SECONDS / 4
        while time.monotonic() < until and not self.over.is_set():
            for decline in (endings.decline_draw, courtesies.decline_pause):
                with suppress(Refusal):
                    decline(self.turn.match, self.alice)
                    return
            time.sleep(0.01)

    def _when_it_is_her_turn(self, ask: Callable[[], int]) -> int:
        """The status of the answer; asked again while the opponent's move is to come."""
        until = time.monotonic() + PATIENCE_SECONDS
        while (status := ask()) in REFUSED and self.turn.kind == "comes":
            if self._is_answered() or time.monotonic() > until:
                break
        return status

    def _is_answered(self) -> bool:
        return Ply.objects.filter(match=self.turn.match, number=5).exists()

    def _seen(self, form: Mapping[str, str]) -> dict[str, object]:
        return {**form, "ply": self.turn.ply, "version": self.turn.version}

    def _form(self, name: str, number: int, form: Mapping[str, object]) -> int:
        headers = {
            "Cookie": f"sessionid={self.cookie}; csrftoken={SEAL}",
            "Content-Type": "application/x-www-form-urlencoded",
        }
        body = urlencode({**form, "csrfmiddlewaretoken": SEAL})
        path = f"/match/{self.turn.match}/{name}/"
        return self._ask(number, path, body, headers, f"{name} {form.get('do', 'by page')}")

    def _call(self, number: int, text: str) -> int:
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        path = f"/api/v1/matches/{self.turn.match}/moves"
        return self._ask(number, path, json.dumps({"move": text, "ply": 4}), headers, "api")

    def _ask(self, number: int, path: str, body: str, headers: dict[str, str], what: str) -> int:
        server = urlsplit(self.urls[number % len(self.urls)]).netloc
        with closing(HTTPConnection(server, timeout=TIMEOUT_SECONDS)) as connection:
            connection.request("POST", path, body, headers)
            answer = connection.getresponse()
            answer.read()
        self.answers.statuses[f"{what} {answer.status}"] += 1
        if answer.status not in (200, 302, *REFUSED):
            self.answers.faults.append(f"{what} was answered with {answer.status}.")
        return answer.status


LASTING = {name: getattr(Racers, name) for name in ("task", "drain", "due", "sweep")}
ACTING = {
    name: getattr(Racers, name)
    for name in ("page", "api", "mail", "edit", "withdraw", "now", "opponent", "offer")
}
ROLES: tuple[str, ...] = (
    *("task", "page", "opponent", "edit", "drain", "mail"),
    *("withdraw", "due", "api", "now", "offer", "sweep"),
)


def cast(racers: int) -> list[tuple[str, int]]:
    """The role of each racer, and the number that it has there."""
    given: Counter[str] = Counter()
    roles = []
    for role in islice(cycle(ROLES), racers):
        roles.append((role, given[role]))
        given[role] += 1
    return roles


def message(turn: Turn, number: int) -> str:
    """What Alice's message of that number says."""
    if turn.kind == "comes":
        return (REPLACED, "forget")[number % 2]
    if not turn.has_hands:
        return ("board", "forget")[number % 2]
    return (OTHER, ONE)[number % 2]


class Faults(logging.Handler):
    """Errors that the service logs, instead of raising them."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.lines: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.lines.append(f"{record.name}: {record.getMessage()} {record.exc_info or ''}")


def race(pipe: Connection, roles: list[tuple[str, int]], asks: dict[str, Any], sync: Any) -> None:
    """A process: its racers race for each turn that comes through the pipe, until None comes."""
    start, done, over = sync
    time_controls.DEADLINE_GRACE = GRACE
    faults = Faults()
    logging.getLogger().addHandler(faults)
    while turn := pipe.recv():
        racers = Racers(turn=turn, over=over, **asks)
        connections.close_all()

        def run(role: str, number: int, racers: Racers = racers) -> None:
            draw = random.Random(f"{racers.turn.seed}/{role}/{number}")
            try:
                start.wait(TIMEOUT_SECONDS)
                time.sleep(draw.uniform(*racers.turn.delay(role)))
                {**LASTING, **ACTING}[role](racers, number)
            except Refusal:
                pass
            except Exception as error:
                racers.answers.faults.append(f"{role}: {error!r}")
            finally:
                connections.close_all()
                if role in ACTING:
                    done.wait(TIMEOUT_SECONDS)

        threads = [threading.Thread(target=run, args=role) for role in roles]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        racers.answers.faults += faults.lines
        faults.lines = []
        pipe.send(racers.answers)


def run(urls: list[str], turns: int, racers: int, seed: str) -> None:
    """Race for so many turns; prints what came of it."""
    people = match_helpers.people()
    asks = {
        "urls": urls,
        "cookie": session(people.alice),
        "token": making.create(people.alice, "race", making.SCOPES).text,
    }
    roles = cast(racers)
    processes = multiprocessing.get_context("fork")
    acting = sum(role in ACTING for role, _number in roles)
    start, done = processes.Barrier(racers), processes.Barrier(acting + 1)
    over = processes.Event()
    pipes = []
    connections.close_all()
    for place in range(PROCESSES):
        ours, theirs = processes.Pipe()
        # Racers of one role are in different processes.
        group = [each for i, each in enumerate(roles) if (i + i // len(ROLES)) % PROCESSES == place]
        arguments = (theirs, group, asks, (start, done, over))
        processes.Process(target=race, args=arguments, daemon=True).start()
        pipes.append(ours)
    time_controls.DEADLINE_GRACE = GRACE
    ways: Counter[str] = Counter()
    statuses: Counter[str] = Counter()
    wrong: list[str] = []
    mails = sum(role == "mail" for role, _number in roles)
    for number in range(turns):
        over.clear()
        turn = begin(people, f"{seed}/{number}", mails)
        for pipe in pipes:
            pipe.send(turn)
        done.wait(TIMEOUT_SECONDS)
        over.set()
        answers = Answers()
        for pipe in pipes:
            answers.add(pipe.recv())
        settle(turn)
        add_answers_of_mail(turn, answers)
        way, faults = judge(turn, answers)
        ways[way] += 1
        statuses += answers.statuses
        wrong += [f"{turn}: {fault}" for fault in (*answers.faults, *faults)]
    for pipe in pipes:
        pipe.send(None)
    wrong += Inspection("default", everything=True).faults
    wrong += [
        f"An e-mail is given up: {row.error}" for row in Dispatch.objects.exclude(dead_at=None)
    ]
    print(json.dumps({"wrong": wrong, "ways": ways, "statuses": statuses}))


def begin(people: match_helpers.People, seed: str, mails: int) -> Turn:
    """A match with a plan of Alice's whose turn is to come, or has come."""
    draw = random.Random(seed)
    kind = draw.choice(KINDS)
    match = match_helpers.running_match(people, "a4-a5")
    wait = Wait.WHILE if kind == "waits" else Wait.NOW
    saving.save_plan(match.pk, people.alice, 3, read_lines(LINE).lines, wait=wait)
    player = Player.objects.get(match=match, user=people.alice)
    timed = kind != "comes" and draw.random() < 0.4
    if kind != "comes":
        match_helpers.play(match, "j7-j6")
        if kind == "waits":
            assert answering.answer_turn(match.pk, people.alice.pk, 4) is answering.Outcome.WAITS
            due_at = now() + timedelta(seconds=draw.uniform(0, 0.05))
            Plan.objects.filter(player=player).update(due_at=due_at, counts_at=due_at)
        if timed:
            deadline = now() + timedelta(seconds=draw.uniform(0.1, 0.3))
            check_at = deadline + GRACE
            clock = {"since": deadline - timedelta(days=3), "check_at": check_at}
            Player.objects.filter(pk=player.pk).update(deadline=deadline, **clock)
    plan = plans.read(player.pk)
    assert plan is not None
    turn = Turn(
        match=match.pk,
        kind=kind,
        timed=timed,
        has_hands=draw.random() < 0.6,
        offers=draw.random() < 0.4,
        resigns=draw.random() < 0.1,
        ply=match.ply,
        version=plan.row.version,
        message_ids=(),
        ahead=draw.choice(AHEAD),
        seed=seed,
    )
    before = IncomingMessage.objects.count()
    for number in range(mails):
        key = f"{match.pk}.{number}"
        about = About(
            dispatch_key=key,
            purpose=Purpose.MATCH,
            user=people.alice,
            match_id=match.pk,
            ply=match.ply,
        )
        address = reply_addresses.issue(about)
        raw = (
            f"Authentication-Results: {SERVER}; dmarc=pass header.from=example.org\r\n"
            f"From: {people.alice.email}\r\nMessage-ID: <{key}@example.org>\r\n\r\n"
            f"{message(turn, number)}\r\n"
        )
        intake.store_message(raw.encode(), address, people.alice.email, way_in=WayIn.LISTENER)
    stored = IncomingMessage.objects.order_by("pk").values_list("key", flat=True)[before:]
    return Turn(**{**vars(turn), "message_ids": tuple(stored)})


def settle(turn: Turn) -> None:
    """Do what is still due, as the tasks would."""
    if turn.timed and (player := Player.objects.filter(match=turn.match, to_act=True).first()):
        left = (player.deadline or now()) + GRACE - now()
        if left < timedelta(seconds=1):
            time.sleep(max(left.total_seconds(), 0) + 0.01)
    for _ in range(2):
        worker.process_waiting()
        dispatcher.drain()
        due.answer_plans()
        deadlines.sweep()


def add_answers_of_mail(turn: Turn, answers: Answers) -> None:
    """Add what the receipts of the turn's messages say."""
    outcomes = dict(
        IncomingMessage.objects.filter(key__in=turn.message_ids).values_list("key", "outcome")
    )
    for number, key in enumerate(turn.message_ids):
        outcome = outcomes[key]
        answers.statuses[f"mail {outcome}"] += 1
        if outcome in (MessageOutcome.PLAYED, MessageOutcome.REPEATED):
            answers.moves.append(message(turn, number))
        elif outcome == MessageOutcome.PLANNED:
            answers.plans.append(BY_MAIL)


def judge(turn: Turn, answers: Answers) -> tuple[str, list[str]]:
    """How the turn was answered, and what is wrong with the record, the plan and the e-mails."""
    match = Match.objects.get(pk=turn.match)
    record = list(Ply.objects.filter(match=match).order_by("number"))
    users = dict(Player.objects.filter(match=match).values_list("seat", "user"))
    alice = User.objects.get(username="Alice")
    plan = plans.read(Player.objects.get(match=match, user=alice).pk)
    by_plan = [ply.number for ply in record if plan and ply.number in plan.row.played]
    own = [ply for ply in record[5:] if users.get(ply.seat) == alice.pk]
    answer = own[0].text if own and (own[0].kind, own[0].number) == (PlyKind.MOVE, 5) else ""
    last = record[-1].kind
    ended = "" if last in (PlyKind.MOVE, PlyKind.SETUP) else last
    faults = [*faults_of(match, record), *_faults_of_answer(turn, answers, answer, ended)]
    if plan:
        if answer and 5 not in by_plan and answer not in answers.moves:
            faults.append(f"No racer was answered that {answer} was played, and it was no plan.")
        faults += [
            f"Ply {ply.number} {ply.text} was played by nobody."
            for ply in own
            if ply.kind == PlyKind.MOVE and ply.number > 5 and ply.number not in by_plan
        ]
        faults += _faults_of_plan(turn, answers, match, plan, [ply.text for ply in record], by_plan)
    rows = Dispatch.objects.filter(event="turn-came", ref__match=turn.match)
    counts = Counter((row.ref["ply"], row.user_id) for row in rows)
    expected = Counter((number, users[seat]) for number, seat in turns_of(match, record))
    if counts != expected:
        faults.append(f"Players were notified of {counts}, and it was {expected}.")
    # The end of a match deletes its plans; what was acknowledged is known without them.
    is_by_plan = 5 in by_plan if plan else answer not in answers.moves
    way = ("plan" if is_by_plan else "hand") if answer else ended or "neither"
    return f"{turn.kind}: {way}", faults


def _faults_of_answer(turn: Turn, answers: Answers, answer: str, ended: str) -> Iterator[str]:
    """What is wrong with the answer to a turn, by the answers its racers got."""
    # Forms name a version, messages do not.
    forms = [change for change in answers.plans if change != BY_MAIL]
    if len(forms) > 1:
        yield f"Several changes of one version were acknowledged: {forms}."
    for text in answers.moves:
        if text != answer:
            yield f"{text} was acknowledged, and the answer is {answer or 'none'}."
    if "now" in forms and not answer:
        yield "The plan was said to have answered, and has not."
    if ended == PlyKind.TIME and not (answers.plans or answers.offered):
        yield "The time of a turn ran out that a plan had answered."
    if answers.resigned and ended != PlyKind.RESIGN:
        yield f"A resignation was acknowledged, and the end is {ended or 'none'}."
    if turn.timed and not (answer or ended):
        yield "A turn was left when its time had run out."


def _faults_of_plan(
    turn: Turn,
    answers: Answers,
    match: Match,
    plan: StoredPlan,
    texts: list[str],
    by_plan: list[int],
) -> Iterator[str]:
    """What is wrong with a plan after the race, by what it has played."""
    row, lines = plan.row, plan.contents.lines
    if row.state is PlanState.FAILED or Plan.objects.get(player=plan.player_id).failures:
        yield "An answer failed."
    if BY_MAIL not in answers.plans:
        # Each plan fits the turn; one that began by mail answers after a while.
        is_left = match.is_live and match.turn_ply == 4 and row.state is PlanState.STANDING
        seat = Seat(Player.objects.values_list("seat", flat=True).get(pk=plan.player_id))
        if is_left and row.ply == 3 and not answering.is_held(match, seat):
            yield f"A plan stands and has not answered, due at {row.due_at}."
        if "withdraw" in answers.plans and 5 in by_plan:
            yield "A plan has answered that was said to be deleted."
        if "edit" in answers.plans and 5 in by_plan and texts[5] != OTHER:
            yield "A plan has answered that was said to be replaced."
    if row.state is PlanState.DELETED and not lines:
        return
    allowed: set[tuple[tuple[str, ...], int, str]] = set()
    for first in ((LINE,), (EDITED,), (REPLACED,), (REPLACED, EDITED)):
        allowed |= set(_lives(match, first, 3, texts, by_plan))
    for line in AFTERWARDS.values():
        allowed |= set(_lives(match, (line,), 5, texts, by_plan))
    if (lines, row.ply, row.state) not in allowed:
        yield f"The plan is {row.state}, for ply {row.ply}, {lines}, after {texts[3:]} {by_plan}."


def _lives(
    match: Match, lines: tuple[str, ...], ply: int, texts: list[str], by_plan: list[int]
) -> Iterator[tuple[tuple[str, ...], int, str]]:
    """What may stand of a plan that began with these lines for the board of that ply."""
    rules = match.rules
    while True:
        theirs, own = ply + 1, ply + 2
        played = own in by_plan and own < len(texts)
        judged = None
        if theirs < len(texts):
            judged = judging.judge(rules, tuple(map(read_line, lines)), texts[theirs])
        if not played:
            yield lines, ply, PlanState.STANDING
            if theirs < len(texts):
                # Its answer is another piece's move by now, or no line fits.
                yield lines, ply, PlanState.DROPPED
            return
        if judged is None or judged.answer != texts[own]:
            return
        left = judging.after_own(rules, judged.lines, texts[own])
        lines, ply = tuple(map(write_line, left)), own
        if not lines:
            yield (), own, PlanState.ENDED
            return
