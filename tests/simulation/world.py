"""Some people, some matches, thirty days: their actions, due tasks, and faults."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from random import Random

from django.core.management import call_command
from django.db import OperationalError

from accounts.models import User
from accounts.people import presence
from games.idempotency import replay
from games.outbox.models import PENDING, Dispatch
from games.play.commands import endings, matches, moves
from games.play.models.match import Match, Player, Status
from games.play.record import match_store
from games.play.setups import arrangement
from games.play.terms import Terms
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text.notation import write_move
from lib.db_clock import frozen_at
from tests.secrecy import chance
from tests.simulation import timetable
from tests.simulation.correspondence import SHARE, Correspondence
from tests.simulation.faults import Broker, Crash, Faults, Mailbox, Post, Taken

DAWN = datetime(2026, 3, 20, 6, tzinfo=UTC)  # nine days before Europe's clocks change
ZONES = ("UTC", "Europe/Paris", "America/New_York", "Asia/Taipei")
PRESETS = ("tactique", "lattaque-en", "domino", "assaut-compulsory")
PACES = ("1d", "2d", "12h", "24h+4h^72h", "30h+2h")
FREQUENCIES = ("now", "calm", "daily", "twice")
THINKING = 6 * 3600  # seconds between two actions, on average
AWAY = 12 * 3600  # the longest time in seconds that a mail server is down
OUTAGE = 8 * 3600  # the longest time in seconds that the service is down
QUIET = timedelta(minutes=10)


@dataclass(frozen=True)
class Acknowledged:
    """An action whose success was reported to its player."""

    match: int
    ply: int
    text: str


@dataclass
class World:
    """One seed. `live` goes through the days; everything is checked afterwards."""

    seed: int
    days: int = 30
    people: int = 3
    matches: int = 2
    rate: float = 0.004  # of a fault, at each place where one is possible
    transcript: list[str] = field(default_factory=list)
    acknowledged: list[Acknowledged] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.rng = Random(self.seed)
        self.faults = Faults(Random(f"faults/{self.seed}"), self.rate)
        self.mailbox = Mailbox(DAWN)
        self.by_mail = Correspondence(self.mailbox)
        self.broker = Broker(Random(f"broker/{self.seed}"), self.faults)
        self.at = DAWN

    @contextmanager
    def inside(self) -> Iterator[None]:
        """Replace everything outside the service by this world."""
        Post.faults, Post.mailbox = self.faults, self.mailbox
        with ExitStack() as stack:
            drawn = stack.enter_context(chance.tamed())
            drawn.begin(f"simulation/{self.seed}")
            stack.enter_context(self.faults.around_commits())
            stack.enter_context(self.broker.carrying())
            yield

    def live(self) -> None:
        call_command("flush", interactive=False, verbosity=0, reset_sequences=True)
        chance.forget()
        with self.inside():
            self._begin()
            end = DAWN + timedelta(days=self.days)
            while self.at < end:
                self._next(end)
            self._heal()

    # --- events

    def _begin(self) -> None:
        self.faults.rate = 0.0
        with chance.standing(self.at):
            users = [
                User.objects.create_confirmed(
                    f"player{n}",
                    f"player{n}@example.org",
                    zone=self.rng.choice(ZONES),
                    notification_preferences={"frequency": self.rng.choice(FREQUENCIES)},
                )
                for n in range(self.people)
            ]
            timetable.beat()
        self.users = users
        span = self.days * 86400 * 2 / 3
        self.openings = sorted(self._later(self.rng.uniform(0, span)) for _ in range(self.matches))
        self.faults.rate = self.rate

    def _open(self) -> None:
        """Two players begin a match; if this crashes, there is no match."""
        self.openings.pop(0)
        pair = self.rng.sample(self.users, 2)
        pace, preset = self.rng.choice(PACES), self.rng.choice(PRESETS)
        vacations = self.rng.random() < 0.3

        def begin() -> str:
            terms = Terms(preset, pace=pace, setup_pace="1d", vacations=vacations)
            match = matches.open_match(terms, dict(zip(Seat, pair, strict=True)))
            return f"{match}: {preset}, {pace}, {pair[0]} against {pair[1]}"

        self._say(self._process(begin))

    def _next(self, end: datetime) -> None:
        """Advance to the next event: a player, a wake-up, or a due task."""
        agenda: list[tuple[datetime, str]] = [(end, "end")]
        if self.faults.strike(2):
            self._go_down(end)
            return
        if player := self._impatient():
            agenda.append((self._later(self.rng.expovariate(1 / THINKING)), "player"))
        if self.openings:
            agenda.append((max(self.openings[0], self.at), "opening"))
        if wake_up := self.broker.first():
            agenda.append((max(wake_up, self.at), "wake-up"))
        if (due := timetable.next_due()) is not None:
            # Beat does not start at once. While no e-mail can be sent, checking from time to time
            # is enough.
            late = self.rng.uniform(0, 3600 if self.mailbox.away_until > self.at else 30)
            agenda.append((max(due, self.at) + timedelta(seconds=late), "due"))
        instant, what = min(agenda)
        self._move_to(instant)
        if what == "player" and player:
            self._act(player)
        elif what == "opening":
            self._open()
        elif what == "wake-up":
            self.broker.take(instant)
            self._run("drain", timetable.wake)
        elif what == "due":
            self._tick()
        if self.faults.strike(2):
            self.mailbox.away_until = self._later(self.rng.uniform(0, AWAY))
            self._say(f"the mail server is away until {self.mailbox.away_until:%d %H:%M}")

    def _later(self, seconds: float) -> datetime:
        return self.at + timedelta(seconds=seconds)

    def _go_down(self, end: datetime) -> None:
        """The whole service is down; the first task when it is up again is a beat."""
        self._say("the service goes down")
        self.at = min(self._later(self.rng.uniform(60, OUTAGE)), end)
        self._run("beat", timetable.beat)

    def _move_to(self, instant: datetime) -> None:
        self.at = instant
        timetable.has_beaten(instant)
        if self.faults.strike(0.5):
            # An administrator has set the database's clock back.
            self.at -= timedelta(minutes=5)

    def _impatient(self) -> int | None:
        """A player on turn; they may take longer than their time."""
        players: list[int] = [pk for (pk,) in timetable.to_act()]
        return self.rng.choice(players) if players and self.rng.random() < 0.9 else None

    def _act(self, number: int) -> None:
        player = Player.objects.select_related("match", "user").get(pk=number)
        match = player.match
        text, what = self._wish(player)
        email = self.by_mail.email_to(player.user, match)
        if email and what != "resign" and self.rng.random() < SHARE:
            self._write(player, email, Acknowledged(match.pk, match.ply + 1, text))
            return
        with frozen_at(self.at):
            key = replay.new_key(player.user)
        answer = "crash"
        for _ in range(1000):
            answer = self._send(player, match, what, text, key)
            if answer not in ("crash", "error"):
                break
            self.at += timedelta(seconds=self.rng.uniform(1, 30))
        self._say(f"{player.user} {what} {match.pk}/{match.ply + 1} {text}: {answer}")
        if answer == "done" and what in ("move", "resign"):
            self.acknowledged.append(Acknowledged(match.pk, match.ply + 1, text))

    def _write(self, player: Player, email: Taken, action: Acknowledged) -> None:
        """A reply to an e-mail, delivered until the intake has acknowledged it."""
        message_id = self.by_mail.write(action)

        def bring() -> str:
            self.by_mail.send(message_id, email)
            self.faults.maybe_crash()
            return "taken"

        answer = ""
        while answer != "taken":
            answer = self._process(bring)
            if answer != "taken":
                self.at += timedelta(seconds=self.rng.uniform(1, 30))
        self.by_mail.has_been_taken(message_id)
        self._say(f"{player.user} writes {message_id} {action.match}/{action.ply} {action.text}")

    def _wish(self, player: Player) -> tuple[str, str]:
        match, user = player.match, player.user
        presence.mark_present(user)
        if match.status == Status.SETUP:
            with frozen_at(self.at):
                placed = moves.random_setup(match.pk, user)
            return arrangement.to_text(match.rules, Seat(player.seat), placed), "set-up"
        if self.rng.random() < 0.003:
            return "", "resign"
        table = match_store.load_match(match.pk)
        legal = table.rules.legal_moves(table.position, Seat(player.seat))
        return self.rng.choice([write_move(table.rules, move) for move in legal]), "move"

    def _send(self, player: Player, match: Match, what: str, text: str, key: str) -> str:
        """One form, sent once: "done", "refused", or "" if the player gets no response."""

        def post() -> str:
            idempotency_key = replay.key_for(player.user.pk, key, f"{what} {match.pk} {text}")
            if replay.stored_response(idempotency_key):
                return "done"
            with replay.in_progress(idempotency_key):
                if what == "resign":
                    endings.resign(match.pk, player.user)
                else:
                    ply = None if what == "set-up" else match.ply
                    moves.submit_move(match.pk, player.user, text, ply)
                replay.store_response(idempotency_key, 302, f"/match/{match.pk}/")
            self.faults.maybe_crash()
            return "done"

        return self._process(post)

    def _process(self, work: Callable[[], str]) -> str:
        """Run something as its own process, which may crash."""
        try:
            with frozen_at(self.at):
                return work()
        except Crash:
            timetable.bury()
            return "crash"
        except Refusal as refusal:
            return f"refused ({type(refusal).__name__})"
        except OperationalError:
            timetable.bury()
            return "error"

    def _tick(self) -> None:
        tasks = timetable.TASKS if self.rng.random() < 0.9 else timetable.TASKS + timetable.CHORES
        for name, task in self.rng.sample(tasks, len(tasks)):
            for _ in range(self.rng.choice((0, 1, 1, 1, 2))):
                self._run(name, task)

    def _run(self, name: str, task: Callable[[], object]) -> None:
        done = self._process(lambda: str(task()))
        if done not in ("0", "None", "(0, 0)"):
            self._say(f"{name}: {done}")

    def _heal(self) -> None:
        """No more faults: within ten minutes everything has to be done."""
        self.faults.rate = 0.0
        self.mailbox.away_until = self.at
        until = self.at + QUIET
        # What has failed for long is retried within the hour; do not wait for that here.
        tired = Dispatch.objects.filter(PENDING, attempts__gt=0, not_before__gt=until)
        tired.update(not_before=self.at)
        while self.at < until:
            self._move_to(self._later(15))
            for name, task in timetable.TASKS:
                self._run(name, task)

    def _say(self, line: str) -> None:
        self.transcript.append(f"{self.at:%m-%d %H:%M:%S.%f} {line}")

    def digest(self) -> str:
        """Of everything that happened and every row that is left."""
        everything = [*self.transcript, *map(str, self.mailbox.emails), *timetable.rows()]
        return sha256("\n".join(everything).encode()).hexdigest()
