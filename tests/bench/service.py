"""The service under measurement, with its PostgreSQL, and somebody who asks it for pages."""

import http.client
import json
import secrets
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Any
from urllib.parse import urlencode, urlsplit

from tests.servers import Postgres, Redis, wait_for
from tests.stack import Stack

SETTINGS = "tests.bench.settings"
GUNICORN = "--keep-alive 75 --log-level warning"
UNFINISHED_ROWS = """
    SELECT count(*) FROM outbox_dispatch
    WHERE sent_at IS NULL AND superseded_at IS NULL AND dead_at IS NULL
"""


class Service:
    """Gunicorn with so many processes of four threads, on a PostgreSQL of its own."""

    def __init__(self, stack: Stack, server: Postgres, workers: int) -> None:
        self.stack, self.server = stack, server
        self._workers = [f"worker{number + 1}" for number in range(workers)]
        self.url = stack.url()

    def app(self) -> list[int]:
        """The pid of the web server's process, whose children do the work."""
        return [self.stack.pid("web1")]

    def everything(self) -> list[int]:
        """The same, and PostgreSQL's."""
        return [*self.app(), self.server.pid]

    def with_workers(self) -> list[int]:
        """All of it: web server, workers and PostgreSQL."""
        return [*self.everything(), *(self.stack.pid(name) for name in self._workers)]

    def wait_for_outbox(self) -> None:
        """Until all that the moves so far have brought about is done."""
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
    **environment: str,
) -> Iterator[Service]:
    """The service on a new database of that server, with Redis as its broker."""
    extra = {
        "DJANGO_SETTINGS_MODULE": settings,
        "WEB_CONCURRENCY": str(processes),
        "GUNICORN_CMD_ARGS": GUNICORN,
    }
    with redis() as broker:
        web = Stack(
            database_url=server.create("bench"),
            broker_url=broker.url,
            workers=workers,
            beat=0,
            extra=extra | environment,
        )
        # The floor's tables have no migrations.
        web.manage("migrate", "-v0", "--run-syncdb")
        if "HASHED_STATIC" in environment:
            web.manage("collectstatic", "-v0", "--no-input")
        with web:
            yield Service(web, server, workers)


@contextmanager
def stock(server: Postgres) -> Iterator[tuple[Service, "Reader"]]:
    """Django as it comes, beside the service, and somebody who is logged in there."""
    with serving(server, settings="tests.bench.stock_settings") as service:
        yield service, Reader(service.url, service.prepare(matches=0)["people"]["south"])


def everything(services: Iterable[Service]) -> list[int]:
    """Their processes, and those of the PostgreSQL that they share."""
    return list({pid for service in services for pid in service.everything()})


class Reader:
    """A browser of somebody who is logged in, on one connection that stays open."""

    def __init__(self, url: str, session: str) -> None:
        self._connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=60)
        self._token = secrets.token_hex(16)
        self._headers = {"Cookie": f"sessionid={session}; csrftoken={self._token}"}

    def get(self, path: str, encoding: str = "identity") -> bytes:
        """What lies at an address, as it came over the wire."""
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
