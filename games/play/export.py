"""What play exports of a person: matches, records, notebooks, plans, set-ups and days off."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from django.db.models import Q

from games.play.lists import own_data
from games.play.models.look import Look
from games.play.models.setup import SavedSetup
from games.play.models.time import Vacation
from games.play.setups import library
from lib.exports.files import File, csv_file, in_batches, json_file, json_rows, text_file, values
from lib.exports.parts import OF_THE_PERSON, OF_THE_SITE, WITHOUT_MEANING, Exported, Part

if TYPE_CHECKING:
    from accounts.models import User

TO_MEASURE = "It guards the service against overload and mistakes, and is deleted after 30 days."

SETUP = Exported(
    "setups.json",
    ("name", "preset", "ground", "changed_at", "sealed"),
    {"id": WITHOUT_MEANING, "user": OF_THE_PERSON},
)
LOOK = Exported(
    "looks.json",
    ("match", "asker", "reason", "asked_at", "agreed_by", "agreed_at", "ply"),
    {"id": WITHOUT_MEANING},
)
VACATION = Exported(
    "time_off.json",
    ("start", "end", "planned"),
    {
        "id": WITHOUT_MEANING,
        "user": OF_THE_PERSON,
        "unannounced": "It says whether opponents were notified yet.",
    },
)


def files(user: User) -> Iterator[File]:
    """What EXPORT lists: tables, and a file for each match in some folders."""
    yield csv_file("matches.csv", own_data.HEADER, own_data.matches(user))
    for number, record in own_data.records(user):
        yield text_file(f"records/{number}.txt", record)
    for number, receipt in own_data.receipts_of(user):
        yield text_file(f"receipts/{number}.txt", receipt)
    for number, notebook in own_data.notes(user):
        yield _of_match("notebooks", number, notebook)
    for number, plan in own_data.planned(user):
        yield _of_match("plans", number, plan)
    yield json_rows("setups.json", _setups(user))
    own_looks = Look.objects.filter(Q(asker=user) | Q(agreed_by=user)).order_by("pk")
    yield json_rows("looks.json", (values(row, LOOK.columns) for row in in_batches(own_looks)))
    vacations = Vacation.objects.filter(user=user).order_by("start")
    yield json_rows("time_off.json", (values(row, VACATION.columns) for row in vacations))


def _of_match(folder: str, number: int, fields: dict[str, Any]) -> File:
    return json_file(f"{folder}/{number}.json", lambda: fields)


def _setups(user: User) -> Iterator[dict[str, Any]]:
    """Each set-up of the library, with the piece on each square, as South."""
    for saved in in_batches(SavedSetup.objects.filter(user=user).order_by("name")):
        columns = [name for name in SETUP.columns if name != "sealed"]
        yield values(saved, columns) | {"pieces": library.read(saved)}


EXPORT = Part(
    files,
    {
        "play.Match": Exported(
            "matches.csv",
            own_data.MATCH_COLUMNS,
            {
                "off_board": "It is counted from the plies.",
                "draws_offered": "It numbers notifications.",
                "pauses_offered": "It numbers notifications.",
                "chain": "It says whether there are proofs: then there is a receipt.",
                "looks": "It is counted from the plies.",
                "newest_looks": "It is counted from the plies.",
            },
        ),
        "play.Player": Exported(
            "matches.csv",
            own_data.PLAYER_COLUMNS,
            {
                "id": WITHOUT_MEANING,
                "match": "It is the match of the row.",
                "user": OF_THE_PERSON,
                "live": "It follows from the status of the match.",
                "check_at": "It says when the service looks at the clock again.",
                "clock_version": "It counts changes of the clock.",
                "draw_offered_at": "It says when another draw may be offered.",
                "pause_offered_at": "It says when another pause may be offered.",
                "receipt_sent": "It says whether an e-mail has brought the receipt.",
            },
        ),
        "play.Ply": Exported(
            "records/N.txt",
            ("match", "number", "seat", "kind", "text", "at", "sealed"),
            {
                "head": "It is a hash by which changes of the record are found.",
                "extra": "It is a hash of a set-up, or repeats the result of the match.",
            },
        ),
        "play.MatchSecrets": Exported(
            "receipts/N.txt", ("sealed",), {"match": "It is the match in the file's name."}
        ),
        "play.Notebook": Exported(
            "notebooks/N.json",
            ("ply", "memory", "marks", "note", "practice"),
            {"player": "It is the match in the file's name."},
        ),
        "play.Plan": Exported(
            "plans/N.json",
            ("ply", "state", "due_at", "counts_at", "played", "sealed"),
            {
                "player": "It is the match in the file's name.",
                "version": "It counts changes of the plan.",
                "failures": "It counts attempts at an answer that failed.",
            },
        ),
        "play.Look": LOOK,
        "play.SavedSetup": SETUP,
        "play.Vacation": VACATION,
    },
    {
        "play.Draft": "A prepared move is on the page of its match, and ends with the next ply.",
        "play.Postponement": "The deadlines themselves are in matches.csv.",
        "play.Adjustment": "It is public: the clock log on the page of each match.",
        "play.LossOnTime": "matches.csv says which matches were lost on time.",
        "play.HeavyRequest": TO_MEASURE,
        "play.Heartbeat": OF_THE_SITE,
        "play.WebServer": OF_THE_SITE,
        "play.Outage": OF_THE_SITE,
        "play.Halt": OF_THE_SITE,
        "play.HeldPlayer": "It says whose time-outs were held back during a fault of the service.",
    },
)
