"""A world: one story, lived with one truth by the real commands, tasks and pages.

Everything that it wrote is rolled back, including sequences of primary keys.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import timedelta
from random import Random
from typing import Any
from unittest.mock import patch

from celery import current_app
from django.core import mail
from django.db import connection, transaction
from django.test import override_settings

from accounts.models import User
from config.logs.records import ContextFilter, JsonFormatter
from config.watch import metrics
from games.competitions.tournaments.models import Pairing
from games.notifications.channels import safe_http, webpush_crypto
from games.notifications.models import Device, Style, Webhook
from games.outbox import wake_worker
from games.outbox.models import Dispatch
from games.people.blocking import blocks
from games.people.models import ReportReason, Subject
from games.people.moderation import reporting
from games.people.moderation.reporting import Reported
from games.people.ports import excerpt
from games.play.commands import endings, matches, moderation, moves
from games.play.knowledge import marks
from games.play.knowledge.marks import Mark
from games.play.knowledge.memory import recall
from games.play.models.match import Match, Player, Status
from games.play.practice import progress, steps, stored
from games.play.practice.steps import Desk
from games.play.record import match_view
from games.play.record.sealed import drafts, notebooks
from games.play.setups import library
from games.play.setups.editing import Editing
from games.play.terms import Terms
from games.rules import registry
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal
from games.rules.core.text.notation import write_move
from games.talk import commands as talk
from games.watch import following
from tests.secrecy import between, by_mail, chance, channels, planning
from tests.secrecy.between import BETWEEN, OVERRUN, TASKS
from tests.secrecy.browsers import Browser
from tests.secrecy.channels import OPPONENT, SPECTATOR, STAFF, STRANGER
from tests.secrecy.dump import dump
from tests.secrecy.games import random_army
from tests.secrecy.scene import DAWN, Scene, say
from tests.secrecy.stories import Story
from tests.secrecy.transcript import Transcript
from tests.secrecy.visits import Visitor

LANGUAGES = ("en", "", "fr", "de", "zh-hant")
HOURS = 5 * 3600  # seconds between two acts of a player
EVERYONE, HOST = "everyone", "whoever reads the host's files"
log_line = JsonFormatter()  # which writes all that a line has, and more


def live(story: Story, side: int, scene: Scene) -> Transcript:
    """Everything that viewers other than the victim receive in a story."""
    with transaction.atomic():
        chance.restart_numbers()
        chance.forget()
        mail.outbox.clear()
        with chance.tamed() as drawn, _listening() as records:
            world = World(story, side, scene, drawn, records)
            try:
                with (
                    world.overhearing(),
                    override_settings(MAIL_AUTHSERV_ID=by_mail.SERVER),
                ):
                    world.live()
            except Refusal as refusal:
                world.note("commands", EVERYONE, "refused", str(refusal).encode())
                world.transcript.crashes.append(f"The match went differently: {refusal!r}")
        transaction.set_rollback(True)
    return world.transcript


class World:
    def __init__(
        self,
        story: Story,
        side: int,
        scene: Scene,
        drawn: chance.Chance,
        records: list[logging.LogRecord],
    ) -> None:
        self.story, self.scene, self.drawn, self.records = story, scene, drawn, records
        self.side = side
        self.game = story.truths[side]
        self.rng = Random(f"{story.seed}/public")  # draws the same in both worlds
        self.whim = Random(f"{story.seed}/victim/{side}")  # what only the victim decides
        self.transcript = Transcript()
        self.instant = DAWN + timedelta(days=1)
        self.acts = 0
        self.match = Match(ply=0)  # as it stands after each act
        self.victim = scene.seated(story.victim)
        self.opponent = scene.seated(story.victim.other)

    # --- the story

    def live(self) -> None:
        with self.act("open"):
            self._open()
            self._keep_apart()
        with self.act("prepare an army"):
            self._prepare_army()
        if self.story.kind.stage == "drafting":
            if self.rng.random() < 0.5:
                self._deploy(self.story.victim.other)
        else:
            self._talk()
            order = [self.story.victim, self.story.victim.other]
            if self.story.kind.stage == "waiting":
                order = order[:1]
            elif self.rng.random() < 0.5:
                order.reverse()
            for seat in order:
                self._deploy(seat)
            self._play()
        self.look("end")
        if self.story.kind.ending:
            with self.act("end"):
                self._end(self.story.kind.ending)
            self.look("after")
        self._close()

    def _open(self) -> None:
        speaks, reads = self.rng.choice(LANGUAGES), self.perhaps(0.75)
        User.objects.filter(pk=self.opponent.pk).update(language=speaks, match_emails=reads)
        User.objects.filter(pk=self.victim.pk).update(match_emails=self.perhaps(0.5))
        self._wish()
        with chance.dealing(self.game.armies):
            terms = Terms(
                self.story.seed.partition("/")[0],
                self.story.switches,
                setup_pace="5d",
                soft=self.story.kind.ending == "claimed",
                vacations=self.story.kind.between == "vacation",
                rated=True,  # not agreed on in the lobby, which would refuse changed rules
            )
            seats = {seat: self.scene.seated(seat) for seat in Seat}
            # Matches of a tournament have no pauses.
            in_event = self.perhaps(0.5) and self.story.kind.between != "pause"
            pairing = Pairing.objects.get()
            event = pairing.group.stage.tournament.event_key if in_event else ""
            self.match = matches.open_match(terms, seats, event=event)
            if in_event:
                Pairing.objects.update(match=self.match)
        self._report()
        following.follow(self.match.pk, self.scene.people.charlie)
        self.visitors = {
            name: self._visitor(name, user)
            for name, user in (
                (OPPONENT, self.opponent),
                (SPECTATOR, self.scene.people.charlie),
                (STRANGER, None),
                (STAFF, self.scene.dora),
            )
        }
        self.browser = Browser(self.scene.sessions[self.victim.pk])

    def _report(self) -> None:
        """The victim reports a line of the opponent in this match, which staff then sees."""
        number = say(self.match.pk, self.victim, self.opponent).number
        lines = excerpt(self.match.pk, number, self.victim)
        reported = Reported(self.opponent, Subject.LINE, lines, match=self.match.pk, line=number)
        reporting.report(self.victim, reported, ReportReason.ABUSE, "Again.")

    def _keep_apart(self) -> None:
        """The victim's blocks and preference: others in each world, where nobody may notice.

        There are as many blocks in each, since their keys count up.
        """
        one, other = self.whim.sample(self.scene.others, 2)
        blocks.block(self.victim, one)
        if not self.story.apart:
            return
        blocks.block(self.opponent, self.victim)
        blocks.block(self.victim, self.whim.choice((self.opponent, other)))
        # Others who challenge the victim may notice whether that is refused.
        visits = [visit for hand in self.story.looks.values() for visit in hand]
        if not any(c == "lobby:challenge" and who != OPPONENT for who, c in visits):
            prefers = self.whim.random() < 0.5
            User.objects.filter(pk=self.victim.pk).update(no_challenges=prefers)

    def _wish(self) -> None:
        """The channels by which the opponent is notified, how much, and when."""
        draw = Random(f"{self.story.seed}/preferences").choice
        # Usually at once: a delayed e-mail may come too late for its story.
        frequency = draw((*["now"] * 6, "calm", "twice"))
        preferred = {
            "frequency": self.story.kind.frequency if self.story.sure else frequency,
            "email_detail": draw(("turn", "move", "board", "board")),
            "push_detail": draw(("turn", "move")),
            "ways": ["push", "webhook"],
        }
        User.objects.filter(pk=self.opponent.pk).update(notification_preferences=preferred)
        style = draw(list(Style))
        follower = self.scene.people.charlie
        User.objects.filter(pk=follower.pk).update(notification_preferences=preferred)
        for reader, name in ((self.opponent, "1"), (follower, "2")):
            fields = {"user": reader, "added_at": self.instant}
            phone = {"endpoint": f"https://push/{name}", "digest": name, "name": name}
            Device.objects.create(**fields, **phone, p256dh="", auth="")
            Webhook.objects.create(**fields, url=f"https://hook/{name}", style=style, secret="00")

    def _prepare_army(self) -> None:
        rules, seat = self.game.rules, self.story.victim
        kept = rules if library.keeps(rules) else registry.ruleset("lattaque-en")
        placed = random_army(kept, seat, self.whim).placed
        library.save(self.victim, kept, seat, f"Secret {self.whim.random()}", placed)
        if seat not in rules.seats_setting_up:
            return
        drafted = dict(self.game.armies[seat].placed)
        for square in self.whim.sample(sorted(drafted), self.whim.randrange(len(drafted))):
            del drafted[square]
        if self.rng.random() < 0.5:
            self.browser.post(f"/match/{self.match.pk}/set-up/", {"do": "keep", **drafted})
        elif drafted:
            moves.prepare_setup(self.match.pk, self.victim, Editing(drafted).dump())

    def _deploy(self, seat: Seat) -> None:
        rules, army = self.game.rules, self.game.armies[seat]
        if seat not in rules.seats_setting_up:
            return
        with self.act(f"{seat.name} sets up", HOURS):
            user = self.scene.seated(seat)
            if self.rng.random() < 0.5:
                text = army.text(rules, seat)
                moves.submit_move(self.match.pk, user, text, None)
            elif seat is self.story.victim:
                self.browser.post(f"/match/{self.match.pk}/set-up/", {"do": "send", **army.placed})
            else:
                visitor = self._arrive(OPPONENT, "play:set_up")
                visitor.post("play:set_up", self.match.pk, do="send", **army.placed)

    def _talk(self) -> None:
        """The victim writes to the opponent, who is notified some minutes later.

        Not if one of them may block the other, and so reads nothing of them.
        """
        if self.story.apart:
            return
        with self.act("the victim writes"):
            talk.say(self.match.pk, self.victim, f"Good luck in match {self.match.pk}!")
        self.instant += timedelta(minutes=3)
        with self.act("the opponent is notified"):
            self.tasks(between.DRAIN)

    def _play(self) -> None:
        opening = self.match.opening or 0
        for number, move in enumerate(self.game.moves):
            if number == self.story.midway:
                happens = self.story.kind.between
                if happens:
                    BETWEEN[happens](self)
                self.look("midway")
                if happens == "pause":
                    between.resume(self)
            seat = Seat(number % 2)
            if planning.has_answered(self, opening + number):
                continue
            text = write_move(self.game.rules, move)
            ply = opening + number + self.match.off_board
            planning.before(self, number, seat)
            with self.act(f"move {number}", HOURS):
                # The page after the last move shows everything, if the rules end the match.
                kind, last = self.story.kind, number == len(self.game.moves) - 1
                opens = last and kind.reveals and kind.ending == "rules"
                by_web = seat is not self.story.victim and self.rng.random() < 0.2
                if by_web and not opens:
                    visitor = self._arrive(OPPONENT, "play:move")
                    visitor.post("play:move", self.match.pk, move=text, ply=ply)
                else:
                    moves.submit_move(self.match.pk, self.scene.seated(seat), text, ply)
                planning.in_the_act(self, number, seat)
            planning.after(self, number, seat)

    def _end(self, ending: str) -> None:
        one, other = self.rng.sample((self.victim, self.opponent), 2)
        number = self.match.pk
        match ending:
            case "abort":
                endings.abort(number, one)
            case "void":
                moderation.void(number, "The server stood still.")
            case "resign":
                endings.resign(number, one)
            case "draw":
                offered = self.match.draw_offer
                if offered is None:
                    endings.offer_draw(number, one)
                elif self.scene.seated(Seat(offered)) == other:
                    one, other = other, one
                endings.accept_draw(number, other)
            case "time" | "claimed" | "reopened":
                self.wait(timedelta(minutes=5))
                with chance.standing(self.instant):
                    OVERRUN[ending](self)

    # --- looks

    def look(self, when: str) -> None:
        """What viewers can see and try now, after the victim's own acts."""
        if when not in self.story.looks:
            return
        with self.act(f"{when}: the victim", moves=False):
            by_web = self._victims_whims()
            if by_web and self.match.status == Status.RUNNING:
                # Last of all: how much chance it draws depends on what the victim has tried.
                self.browser.get(f"/match/{self.match.pk}/practice/")
            # A reader of the host's files knows that they requested a page.
            self.records[:] = [record for record in self.records if record.name != "access"]
        if when == "after" and self.perhaps(0.4):
            self._visit(OPPONENT, "lobby:rematch", when)
        # Where something has happened between moves, most has been reported by then.
        is_settled = self.story.kind.between and self.rng.random() < 0.7
        if when != "midway" and not is_settled and self.perhaps(0.6):
            if self.perhaps(0.6):
                self.wait(timedelta(hours=-12))
            with self.act(f"{when}: tasks", moves=False):
                self.tasks(*TASKS)
        over = when == "after" or (when == "end" and self.story.kind.ending == "rules")
        if not (over and self.story.kind.reveals):
            with self.act(f"{when}: the board", moves=False):
                self._arrive(OPPONENT, "play:match").get("play:match", self.match.pk)
        for viewer, channel in self.story.looks[when]:
            self._visit(viewer, channel, when)
        if self.rng.random() < 0.4:
            self._probe()
        by_mail.write(self, when)
        # Only now, so that the opponent writes while the victim has a plan.
        planning.forget(self)

    def _victims_whims(self) -> bool:
        """The victim's own acts: pages that fill caches, and drafts, in some worlds.

        Whether some were done on pages, as in all worlds.
        """
        by_web = self.rng.random() < 0.25
        if by_web:
            # Their visit is visible in the admin, in both worlds.
            self.browser.get(f"/match/{self.match.pk}/")
        seen = match_view.view_match(self.match.pk, self.victim)
        if by_web:
            # Impossible moves, which are secret too.
            fields = {"move": f"{self.whim.choice(self.game.rules.board.squares)} or so"}
            self.browser.post(f"/match/{self.match.pk}/move/", {**fields, "ply": seen.number})
        self._note(seen)
        self._practise(seen)
        planning.muse(self, seen)
        if not seen.observation.moves or self.whim.random() < 0.2:
            drafts.delete(seen.players[self.story.victim])
            return by_web
        text = write_move(self.game.rules, self.whim.choice(seen.observation.moves))
        if by_web:
            fields = {"move": text, "ply": str(seen.number)}
            self.browser.post(f"/match/{self.match.pk}/prepare/", fields)
        else:
            moves.prepare_move(self.match.pk, self.victim, text, seen.number)
        return by_web

    def _note(self, seen: match_view.MatchView) -> None:
        """Notes and marks of the victim, others in each world, or none."""
        me = seen.players[self.story.victim]
        kept = self.whim.random() > 0.2
        notebooks.store_note(me.pk, f"Secret {self.whim.random()}" if kept else "")
        word = f"{self.whim.random()}"[:20] if kept else ""
        marks.put(me.pk, self.whim.choice(self.game.rules.board.squares), Mark(word=word))

    def _practise(self, seen: match_view.MatchView) -> None:
        """Guesses and lines of the victim on the practice board, others in each world, or none."""
        me = seen.players[self.story.victim]
        if seen.match.status != Status.RUNNING:
            return
        # In all worlds, since it may store the memory, which draws from chance.
        known = recall(seen)
        if self.whim.random() < 0.2:
            return
        desk = Desk(seen, known, progress.caught_up(seen, stored.read(me.pk)))
        line = desk.line()
        for square in self.whim.sample(sorted(line.where), min(3, len(line.where))):
            with suppress(Refusal):
                rank = self.whim.choice(line.start.army.pieces[line.where[square]].ranks)
                desk = desk._replace(practice=steps.guessed(desk, square, rank))
        for _ in range(self.whim.randrange(4)):
            listed = [write_move(self.game.rules, move) for move in desk.line().moves]
            if not listed:
                break  # the line has ended the imagined match
            with suppress(Refusal):
                desk = desk._replace(practice=steps.moved(desk, self.whim.choice(listed), ""))
        with suppress(Refusal):
            desk = desk._replace(practice=steps.kept(desk, f"Secret {self.whim.random()}"))
        stored.put(me.pk, desk.practice)

    def _visit(self, viewer: str, channel: str, when: str) -> None:
        with self.act(f"{when}: {viewer}, {channel}", moves=False):
            before = len(self.transcript.entries)
            channels.pages()[channel].visit(self._arrive(viewer, channel))
            assert len(self.transcript.entries) > before, f"{channel} was not visited."

    def _probe(self) -> None:
        """The opponent's tries by e-mail or program: refused alike, whatever the victim hides."""
        squares = self.game.rules.board.squares
        with self.act("probe", moves=False):
            for _ in range(6):
                text = "x".join(self.rng.sample(squares, 2))
                try:
                    moves.prepare_move(self.match.pk, self.opponent, text, self.match.ply)
                    outcome = "kept"
                except Refusal as refusal:
                    outcome = f"{type(refusal).__name__}: {refusal}"
                self.note("play:prepare", OPPONENT, f"prepare {text}", outcome.encode())

    def tasks(self, *names: str) -> None:
        for name in names:
            current_app.tasks[name]()
        for email in mail.outbox:
            self._email(email)
        mail.outbox.clear()
        for dispatch in Dispatch.objects.exclude(error=""):
            self.transcript.crashes.append(f"{dispatch.event} failed: {dispatch.error}")

    def _email(self, email: mail.EmailMessage) -> None:
        data = email.message().as_bytes()
        if email.to == [self.victim.email]:
            # Of a world with plans and one without, only the victim's e-mails may differ.
            if self.story.kind.plans == planning.EITHER:
                return
            self.note("emails", "the victim", str(email.to), f"{len(data)} bytes".encode())
        else:
            self.note("emails", ", ".join(email.to), str(email.subject), data)

    def _close(self) -> None:
        with self.act("close"):
            waiting: list[Any] = connection.run_on_commit
            for _, callback, _ in waiting:
                what = f"{callback.__module__}.{callback.__qualname__}"
                self.note("commits", HOST, what, what.encode())
            for message in messages():
                self.note("broker", HOST, "message", message)
            self.note("metrics", HOST, "metrics", metrics.text())
            for table, data in dump(channels.SEALED):
                self.note("database", HOST, table, data)

    # --- means

    def perhaps(self, share: float) -> bool:
        """Whether an event happens that happens in this share of the stories."""
        return self.rng.random() < share or self.story.sure

    def step(self, name: str) -> None:
        """The opponent's action other than moving."""
        self._arrive(OPPONENT, "play:step").post("play:step", self.match.pk, name)

    @contextmanager
    def act(self, name: str, longest: int = 60, *, moves: bool = True) -> Iterator[None]:
        """An event at its own instant, with its own randomness.

        `moves`: it may continue the match.
        """
        self.acts += 1
        self.label = f"{self.story.seed}/{self.acts}/{name}"
        self.drawn.begin(self.label)
        self.instant += timedelta(seconds=self.rng.randint(1, longest))
        with chance.standing(self.instant):
            yield
        if moves:
            self.match = Match.objects.get(pk=self.match.pk)
        for record in self.records:
            vars(record)["context"].pop("duration_ms", None)  # test_timing.py covers durations
            self.note("log", HOST, name, log_line.format(record).encode())
        self.records.clear()

    @contextmanager
    def overhearing(self) -> Iterator[None]:
        """Within the block, messages to devices and webhooks are recorded before encryption."""

        def overhear(url: str, body: bytes, headers: dict[str, str]) -> safe_http.Response:
            heard = repr(sorted(headers.items())).encode()
            self.note("outside", OPPONENT, url, heard + body)
            return safe_http.Response(200, b"")

        with (
            patch.object(safe_http, "post", overhear),
            patch.object(webpush_crypto, "encrypt", lambda message, *_: message),
            patch.object(webpush_crypto, "vapid_header", lambda _: "signed"),
        ):
            yield

    def note(self, channel: str, viewer: str, what: str, data: bytes) -> None:
        self.transcript.add(channel, viewer, self.match.ply, what, data)

    def wait(self, after: timedelta) -> None:
        """Wait until this long after the next deadline, unless it has passed."""
        waiting = Player.objects.filter(match=self.match, to_act=True, deadline__isnull=False)
        deadlines = waiting.values_list("deadline", flat=True)
        if deadlines:
            self.instant = max(self.instant, min(deadlines) + after)

    def _arrive(self, viewer: str, channel: str) -> Visitor:
        visitor = self.visitors[viewer]
        visitor.arrive(channel, self.match, self.label)
        return visitor

    def _visitor(self, name: str, user: User | None) -> Visitor:
        browser = Browser(self.scene.sessions[user.pk] if user else "")
        program = Browser(token=self.scene.tokens[user.pk] if user else "")
        seat = self.story.victim.other if name == OPPONENT else None
        number = self.match.pk
        return Visitor(name, user, seat, self.victim, number, browser, program, self.transcript)


def messages() -> Iterator[bytes]:
    """The messages that a wake-up leaves with the broker, and any others."""
    wake_worker.publish_wake_up()
    with current_app.connection_for_read() as broker:
        queue = broker.SimpleQueue("celery")
        while queue.qsize():
            message = queue.get_nowait()
            message.ack()
            yield repr((message.body, message.headers, message.properties)).encode()


@contextmanager
def _listening() -> Iterator[list[logging.LogRecord]]:
    """Everything that is logged within the block, at DEBUG; other handlers get nothing."""
    records: list[logging.LogRecord] = []
    ear = logging.Handler()
    ear.addFilter(ContextFilter())
    ear.emit = records.append  # type: ignore[method-assign, assignment]
    root = logging.getLogger()
    handlers, level = root.handlers, root.level
    root.handlers = [ear]
    root.setLevel(logging.DEBUG)
    try:
        yield records
    finally:
        root.handlers = handlers
        root.setLevel(level)
