"""Reads pasted texts in a limited child process, so that a hostile text can harm only the child.

At most MAX_WAITING requests of a process wait for the child, so the other threads stay free.
"""

from typing import Any

from games.play.pasted import wire
from games.play.pasted.records import CheckedRecord
from games.play.refusals import NotNow
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import BadRecord, BadSetup, Refusal, gettext_noop
from games.rules.core.ruleset.base import Ruleset
from lib.child_processes import Child, ChildBusy, ChildLost

PROGRAM = (
    "import sys; sys.path.insert(0, sys.argv[1]);"
    "from games.play.pasted.server import serve; serve()"
)
ANSWER_SECONDS = 45  # the server gives up on a text before that
MAX_WAITING = 2  # of the four threads of a web process

reader = Child(PROGRAM, ANSWER_SECONDS, MAX_WAITING)


class ReaderAway(NotNow):
    """The child could not be started, or died twice; not the text's fault. Try again later."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop("The text could not be read just now. Try again in a minute.")
        )


def read_record(text: str) -> CheckedRecord:
    """The record of a text, replayed and annotated; raises BadRecord, or NotNow."""
    answer = _ask({"record": text})
    if answer is None:
        raise BadRecord(
            gettext_noop("This record takes too long to check. Is it a record of one game?")
        )
    checked = CheckedRecord(*answer["record"])
    return checked._replace(plies=[(words, position) for words, position in checked.plies])


def read_setup(rules: Ruleset, seat: Seat, text: str) -> str:
    """The canonical text of a set-up, possibly unfinished; raises BadSetup, or NotNow."""
    answer = _ask(wire.setup_question(rules, seat, text))
    if answer is None:
        raise BadSetup(gettext_noop("This set-up takes too long to read."))
    return str(answer["setup"])


def stop() -> None:
    """End the child of this process, if there is one."""
    reader.stop()


def _ask(question: dict[str, Any]) -> dict[str, Any] | None:
    """The child's answer; None if it exceeded its limits. Raises Refusal."""
    try:
        answer = wire.load(reader.ask(wire.dump(question)))
    except ChildBusy:
        raise NotNow(
            gettext_noop("Many texts are being read just now. Try again in a minute.")
        ) from None
    except ChildLost:
        raise ReaderAway from None
    if answer and "refused" in answer:
        refusal: Refusal = wire.load_refusal(answer["refused"])
        raise refusal
    return answer
