"""P6: e-mails of one worker, from the row in the outbox to the mail server and back to the row."""

import json
from collections.abc import Iterator

from tests.bench.meter import Effort, compare
from tests.bench.report import Goal, Result, milliseconds
from tests.bench.service import postgres, serving
from tests.servers import SmtpSink

EMAILS = Goal(must=0.6, aim=0.8, least=True)
LONE = Goal(must=3, aim=2)
EACH = 200  # e-mails in a round


def measure(effort: Effort) -> Iterator[Result]:
    sink = SmtpSink()
    sink.start()
    try:
        with postgres() as server, serving(server, EMAIL_URL=sink.url) as service:
            service.prepare(matches=effort.times(EACH), played=10)
            output = service.stack.manage("measure_emails", f"--rounds={effort.rounds}")
    finally:
        sink.stop()
    seconds = json.loads(output)
    rates = {name: [1 / each for each in values] for name, values in seconds.items()}
    floors = {
        "looked": ("matches read, as much text rendered, put into MIME and sent", EMAILS),
        "bare": ("the same without the matches", None),
    }
    for name, (words, goal) in floors.items():
        comparison = compare(rates["everything"], rates[name])
        yield Result(
            "P6",
            "e-mails of one worker, everything done",
            f"{comparison.one:,.0f}/s of CPU",
            f"{words}: {comparison.other:,.0f}/s",
            comparison.ratio,
            goal,
        )
    comparison = compare(seconds["lone"], seconds["everything"])
    yield Result(
        "P6",
        "an e-mail that is alone in its batch, CPU",
        milliseconds(comparison.one),
        f"one of {EACH}: {milliseconds(comparison.other)}",
        comparison.ratio,
        LONE,
    )
