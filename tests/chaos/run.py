"""One run: start the service, let people play, break and repair things, check everything."""

import json
import os
import random
import shutil
import subprocess
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.chaos import checks
from tests.chaos.history import History
from tests.chaos.nemeses import Parts, kills, unleash
from tests.chaos.player_mailboxes import SERVER, PlayerMailboxes
from tests.chaos.players import Player
from tests.servers import Postgres, Redis, SmtpSink
from tests.stack import Stack

DISK = 400  # megabytes of the database's disk, and as many again for each ten minutes
QUIET = 180.0  # seconds within which all e-mails must be sent after the last repair
HARMFUL = ("kill worker", "kill database", "fill disk")
IN_HAND = 4  # e-mails that the workers can be sending at one time

Tell = Callable[[str], None]


@dataclass(frozen=True)
class Outcome:
    """What a run did, and the faults found after it."""

    seconds: float
    actions: Counter[str]  # by the answer
    by_mail: int
    tries: int  # forms and messages sent, including repetitions
    harm: Counter[str]
    emails: int
    twice: int
    waited: tuple[float, float]  # seconds from a post to its e-mail: of half of them, of 99 in 100
    slowest: float  # seconds until an action was answered
    quiet_after: float  # seconds from the last repair until every e-mail was sent
    faults: list[str]


def run(
    seconds: float,
    *,
    people: int,
    matches: int,
    seed: int,
    log: Path,
    tell: Tell,
    least_kills: int = 0,
) -> Outcome:
    """Let `people` play `matches` for each pair, and break things for this many seconds.

    Continues longer if by then fewer processes than `least_kills` have been killed.
    """
    rng = random.Random(seed)
    with ExitStack() as parts_of_it:
        disk = parts_of_it.enter_context(small_disk(DISK * (1 + int(seconds / 600))))
        if disk is None:
            tell("No disk can be made small here, so none will be full.")
        postgres, redis, sink = Postgres(disk), Redis(), SmtpSink()
        for server in (postgres, redis, sink):
            server.start()
            parts_of_it.callback(server.stop)
        service = parts_of_it.enter_context(
            Stack(
                database_url=postgres.create("chaos"),
                broker_url=redis.url,
                email_url=sink.url,
                web=2,
                workers=2,
                beat=2,
                mail=True,
                pool="prefork",
                extra={"MAIL_AUTHSERV_ID": SERVER, "MAIL_ANSWERS_PER_HOUR": "100000"},
            )
        )
        tell(f"Setting up {people // 2 * matches} matches ...")
        cookies = _ask(service, f"prepare({people}, {matches})")
        history = parts_of_it.enter_context(closing(History(log)))
        mailboxes = PlayerMailboxes(sink, ("127.0.0.1", service.mail_port))
        players = [
            Player(service, name, cookie, seed, history, mailboxes)
            for name, cookie in cookies.items()
        ]
        for player in players:
            player.start()
        began = time.monotonic()

        def note_harm(name: str) -> None:
            history.remark(harm=name)
            tell(f"{time.monotonic() - began:6.1f} s  {len(history.actions):6} actions  {name}")

        def enough(done: Counter[str]) -> bool:
            return kills(done) >= least_kills and time.monotonic() - began >= seconds

        harm = unleash(Parts(service, postgres, redis, sink, disk), rng, enough, note_harm)
        for player in players:
            player.leave.set()
        for player in players:
            player.join(60)
        tell("All is mended; waiting for the e-mails ...")
        mended = time.monotonic()
        left = _until_quiet(service)
        quiet_after = time.monotonic() - mended
        for name in ("worker1", "worker2", "web1", "web2", "beat1", "beat2", "mail1"):
            shutil.copy(service.log(name), log.with_suffix(f".{name}.log"))
        tell("Checking the record ...")
        record = _ask(service, "report()")
        # A player waits some time for a receipt, then may move by the page; the receipt came later.
        actions = [
            action._replace(outcome=mailboxes.outcome(action.key)) if action.is_by_mail else action
            for action in history.actions
        ]
        faults = [
            *(f"{row}: it still waits." for row in left),
            *checks.acknowledged_actions_are_stored_once(actions, record),
            *checks.every_ply_was_requested(actions, record),
            *checks.records_are_whole(record),
            *checks.emails_are_there(record, sink.taken, _allowance(harm)),
            *checks.every_message_has_a_receipt(actions, mailboxes, record),
            *checks.no_server_error_was_final(actions),
            *service.ended,
        ]
        return Outcome(
            seconds=round(mended - began, 1),
            actions=Counter(action.outcome for action in actions),
            by_mail=sum(action.is_by_mail for action in actions),
            tries=sum(action.tries for action in actions),
            harm=harm,
            emails=len(sink.taken),
            twice=len(sink.taken) - len(checks.message_ids(sink.taken)),
            waited=checks.waits(record),
            slowest=max((action.seconds for action in actions), default=0.0),
            quiet_after=round(quiet_after, 1),
            faults=faults,
        )


def _until_quiet(service: Stack) -> Any:
    """Wait until the outbox is empty, up to a limit; returns what is left in it."""
    until = time.monotonic() + QUIET
    while (left := _ask(service, "waiting()")) and time.monotonic() < until:
        time.sleep(1)
    return left


def _allowance(harm: Counter[str]) -> int:
    """How many e-mails may arrive twice: those being sent when their mark could not be stored."""
    return IN_HAND * sum(harm[name] for name in HARMFUL)


def _ask(service: Stack, question: str) -> Any:
    code = f"from tests.chaos import record; record.{question}"
    return json.loads(service.shell(code).splitlines()[-1])


@contextmanager
def small_disk(megabytes: int) -> Iterator[Path | None]:
    """A disk of this size in megabytes that can be filled; None without the right to mount one."""
    folder = Path(tempfile.mkdtemp(prefix="estafette-disk-"))
    mount = ["mount", "-t", "tmpfs", "-o", f"size={megabytes}m,mode=755", "tmpfs", str(folder)]
    mounted = os.geteuid() == 0 and subprocess.run(mount, capture_output=True).returncode == 0
    try:
        yield folder if mounted else None
    finally:
        if mounted:
            subprocess.run(["umount", "-l", str(folder)], check=True)
        folder.rmdir()
