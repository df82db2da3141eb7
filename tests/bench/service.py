"""The service under measurement, with its PostgreSQL, and a client that requests pages."""

import http.client
import json
import secrets
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import partial
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.bench.meter import Effort, cpu_each, take_turns
from tests.servers import MIGRATED, Postgres, Redis, wait_for
from tests.stack import Stack

SETTINGS = "tests.bench.settings"
MAX_CONNECTIONS = 1000  # opened until each process has its share
UNFINISHED_ROWS = """
    SELECT count(*) FROM outbox_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""


class Service:
    """The web server with so many processes of four threads, on a PostgreSQL of its own."""

    def __init__(self, stack: Stack, server: Postgres, processes: int, workers: int) -> None:
        self.stack, self.server, self._processes = stack, server, processes
        self._workers = [f"worker{number + 1}" for number in range(workers)]
        self.url = stack.url()

    def app(self) -> list[int]:
        """The pid of the web server; of several processes, that of their parent."""
        return [self.stack.pid("web1")]

    def everything(self) -> list[int]:
        """The same, and PostgreSQL's."""
        return [*self.app(), self.server.pid]

    def with_workers(self) -> list[int]:
        """All of it: web server, workers and PostgreSQL."""
        return [*self.everything(), *(self.stack.pid(name) for name in self._workers)]

    def wait_for_outbox(self) -> None:
        """Until everything that follows from the moves so far is done."""
        # One connection for all the questions: what it costs PostgreSQL to open one is counted.
        with self.server.connect(self.database_url.rpartition("/")[2]) as connection:

            def is_empty() -> bool:
                return connection.execute(UNFINISHED_ROWS).fetchone() == (0,)

            wait_for(is_empty, "The outbox should come to rest.", 120)

    @property
    def database_url(self) -> str:
        return self.stack.environment["DATABASE_URL"]

    def prepare(self, **options: int) -> dict[str, Any]:
        """People, sessions and matches, by the options of `manage.py prepare_bench`."""
        words = [f"--{name.replace('_', '-')}={value}" for name, value in options.items()]
        made: dict[str, Any] = json.loads(self.stack.manage("prepare_bench", *words))
        return made

    def clients(self, sessions: Sequence[str], count: int) -> list[list["Reader"]]:
        """So many clients, each with a reader for each session, spread evenly over the processes.

        A connection stays with the process that accepted it, and which one that is, is chance. So
        connections are opened until each process has its share; the others are closed. All readers
        of a client are at one process.
        """
        share = len(sessions) * count // self._processes
        held: dict[int, list[Reader]] = defaultdict(list)
        for _ in range(MAX_CONNECTIONS):
            if sum(map(len, held.values())) == share * self._processes:
                break
            reader = Reader(self.url, "")
            kept = held[int(reader.get("/floor/process/"))]
            if len(kept) < share:
                kept.append(reader)
            else:
                reader.close()
        else:
            counts = sorted(map(len, held.values()))
            raise RuntimeError(f"Of {share} connections each, the processes accepted {counts}.")
        readers = [reader for kept in held.values() for reader in kept]
        size = len(sessions)
        clients = [readers[first : first + size] for first in range(0, len(readers), size)]
        for client in clients:
            for reader, session in zip(client, sessions, strict=True):
                reader.sign_in(session)
        return clients

    def ask(self, statement: str) -> Any:
        """The first value that PostgreSQL answers."""
        name = self.database_url.rpartition("/")[2]
        with self.server.connect(name) as connection:
            row = connection.execute(statement).fetchone()
        return row[0] if row else None


@contextmanager
def postgres(*, durable: bool = False) -> Iterator[Postgres]:
    server = Postgres(durable=durable)
    try:
        server.start()
        yield server
    finally:
        server.stop()


@contextmanager
def redis() -> Iterator[Redis]:
    server = Redis()
    server.start()
    try:
        yield server
    finally:
        server.stop()


@contextmanager
def serving(
    server: Postgres,
    *,
    processes: int = 1,
    workers: int = 0,
    settings: str = SETTINGS,
    template: str = MIGRATED,
    **environment: str,
) -> Iterator[Service]:
    """The service on a new database of that server, with Redis as its broker."""
    with redis() as broker:
        web = Stack(
            database_url=server.create("bench", template),
            broker_url=broker.url,
            processes=processes,
            workers=workers,
            beat=0,
            extra={"DJANGO_SETTINGS_MODULE": settings, **environment},
        )
        # The floor's tables have no migrations.
        web.manage("migrate", "-v0", "--run-syncdb")
        if "HASHED_STATIC" in environment:
            web.manage("collectstatic", "-v0", "--no-input")
        with web:
            yield Service(web, server, processes, workers)


@contextmanager
def stock(server: Postgres) -> Iterator[tuple[Service, "Reader"]]:
    """Unmodified Django, next to the service, and a signed-in user there."""
    with serving(server, settings="tests.bench.stock_settings") as service:
        yield service, Reader(service.url, service.prepare(matches=0)["people"]["south"])


def everything(services: Iterable[Service]) -> list[int]:
    """Their processes, and those of the PostgreSQL that they share."""
    return list({pid for service in services for pid in service.everything()})


def cpu_by_name(
    services: Sequence[Service],
    effort: Effort,
    acts: Mapping[Any, Callable[[], object]],
    times: int = 150,
) -> dict[Any, list[float]]:
    """The CPU seconds of these services for each act, in turns; only one act runs at a time."""
    measures = {
        name: partial(cpu_each, partial(everything, services), effort.times(times), act)
        for name, act in acts.items()
    }
    return take_turns(measures, effort.rounds)


class Reader:
    """A browser of somebody who is logged in, on one connection that stays open."""

    def __init__(self, url: str, session: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._token = secrets.token_hex(16)
        self.sign_in(session)

    def sign_in(self, session: str) -> None:
        self._headers = {"Cookie": f"sessionid={session}; csrftoken={self._token}"}

    def close(self) -> None:
        self._connection.close()

    def get(self, path: str, encoding: str = "identity") -> bytes:
        """The response body of a URL, as received."""
        status, body = self._ask("GET", path, encoding=encoding)
        if status != 200:
            raise RuntimeError(f"{path} was answered with {status}.")
        return body

    def post(self, path: str, **fields: object) -> None:
        form = urlencode({"csrfmiddlewaretoken": self._token, **fields})
        status, body = self._ask("POST", path, form)
        if status != 302:
            raise RuntimeError(f"{path} was answered with {status}: {body[:2000]!r}")

    def _ask(
        self, method: str, path: str, form: str = "", encoding: str = "identity"
    ) -> tuple[int, bytes]:
        headers = {**self._headers, "Accept-Encoding": encoding}
        if form:
            headers["Content-Type"] = "application/x-www-form-urlencoded"
        self._connection.request(method, path, form or None, headers)
        answer = self._connection.getresponse()
        return answer.status, answer.read()
