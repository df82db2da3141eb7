"""Sealing of reports: copies of what was written, words of reporters, answers to decisions."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

from games.people.models import REPORTS, Complaint, Report
from games.people.ports import SpokenLine
from lib.sealing import seal, unseal


def seal_words(words: str, report_id: int, reporter_id: int) -> str:
    """The words of a reporter as `Complaint.words` stores them."""
    return seal(words, REPORTS, f"words/{report_id}/{reporter_id}") if words else ""


def seal_copy(lines: Sequence[SpokenLine], report_id: int, reporter_id: int) -> str:
    """Copied lines as `Complaint.copy` stores them; "" for none."""
    if not lines:
        return ""
    rows = [[line.number, line.author, line.at.isoformat(), line.text] for line in lines]
    return seal(json.dumps(rows), REPORTS, f"copy/{report_id}/{reporter_id}")


def seal_answer(text: str, report_id: int) -> str:
    """The answer to a decision as `Report.answer` stores it."""
    return seal(text, REPORTS, f"answer/{report_id}")


def words_of(complaint: Complaint) -> str:
    """What the reporter wrote; raises BrokenSealError."""
    return _unseal(complaint, "words")


def copy_of(complaint: Complaint) -> list[SpokenLine]:
    """The copied lines, the reported one last; raises BrokenSealError."""
    rows = json.loads(_unseal(complaint, "copy") or "[]")
    return [
        SpokenLine(number, author, datetime.fromisoformat(at), text)
        for number, author, at, text in rows
    ]


def answer_of(report: Report) -> str:
    """What the person answered, "" if nothing; raises BrokenSealError."""
    return _unseal(report, "answer")


def _unseal(row: Any, column: str) -> str:
    sealed: str = getattr(row, column)
    if not sealed:
        return ""
    field: Any = row._meta.get_field(column)
    columns = {name: value for name, value in vars(row).items() if not name.startswith("_")}
    return unseal(sealed, REPORTS, field.context_of(**columns))
