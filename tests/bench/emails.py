"""P6: e-mails of one worker, from the row in the outbox to the mail server and back to the row."""

import json
from collections.abc import Iterator

from tests.bench.meter import Effort, compare
from tests.bench.report import Goal, Result
from tests.bench.service import postgres, serving
from tests.servers import SmtpSink

EMAILS = Goal(must=0.5, aim=0.8, least=True)
EACH = 200  # e-mails in a round


def measure(effort: Effort) -> Iterator[Result]:
    sink = SmtpSink()
    sink.start()
    try:
        with postgres() as server, serving(server, EMAIL_URL=sink.url) as service:
            service.prepare(matches=effort.times(EACH), played=10)
            told = service.stack.manage("measure_emails", f"--rounds={effort.rounds}")
    finally:
        sink.stop()
    figures = {name: [1 / each for each in seconds] for name, seconds in json.loads(told).items()}
    floors = {
        "bare": "as much text, rendered, put into MIME and sent",
        "from looks": "the same e-mails, what they say at hand",
    }
    for name, words in floors.items():
        found = compare(figures["everything"], figures[name])
        yield Result(
            "P6",
            "e-mails of one worker, everything done",
            f"{found.one:,.0f}/s of CPU",
            f"{words}: {found.other:,.0f}/s",
            found.ratio,
            EMAILS,
        )
