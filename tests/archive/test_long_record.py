"""The record of the longest match that can be imported: out by all doors, and in by all doors."""

import json
from datetime import timedelta
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client

from games.archive.importing import MAX_RECORD_CHARACTERS
from games.archive.models import ImportedRecord
from games.play.models.kind import PlyKind
from games.play.models.match import Match
from games.play.models.ply import Ply
from games.rules.__main__ import main
from games.rules.core.text.game_record import LONGEST_RECORD_PLIES, read_record
from tests.play import match_helpers
from tests.play.match_helpers import People

SOUTH = ("a4-a5", *("a5-a6", "a6-b6", "b6-b5", "b5-a5") * (LONGEST_RECORD_PLIES // 8))
NORTH = ("j7-j6", *("j6-j5", "j5-i5", "i5-i6", "i6-j6") * (LONGEST_RECORD_PLIES // 8))
NEW = "/archive/records/new/"


@pytest.fixture
def longest(who: People) -> Match:
    """A match of 5,000 moves, whose pieces walk in circles; only the public rows are written."""
    match = match_helpers.set_up(match_helpers.new_match(who, switches={"limit": 10_000}))
    texts = [move for pair in zip(SOUTH, NORTH, strict=True) for move in pair]
    first = Ply.objects.get(match=match, number=match.ply)
    plies = [
        Ply(
            match=match,
            number=match.ply + turn,
            seat=(turn - 1) % 2,
            kind=PlyKind.MOVE,
            text=text,
            sealed=b"",
            at=first.at - timedelta(days=5_000 - turn),
            head=first.head,
        )
        for turn, text in enumerate(texts[:LONGEST_RECORD_PLIES], 1)
    ]
    Ply.objects.bulk_create(plies)
    finished_at = plies[-1].at
    Match.objects.filter(pk=match.pk).update(
        status="finished",
        ply=plies[-1].number,
        result="S",
        reason="resigned",
        finished_at=finished_at,
    )
    return match


def test_the_longest_record_comes_out_and_goes_in(
    longest: Match, alice_client: Client, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = Client().get(f"/api/v1/matches/{longest.pk}/record").content.decode()
    (line,) = Client().get("/api/v1/archive/records").content.splitlines()
    assert json.loads(line)["record"] == text
    assert Client().get(f"/archive/{longest.pk}/record/").content.decode() == text
    assert len(read_record(text).moves) == LONGEST_RECORD_PLIES
    assert len(text) < MAX_RECORD_CHARACTERS

    pasted = alice_client.post(NEW, {"text": text.replace("\n", "\r\n")})
    uploaded = alice_client.post(NEW, {"file": SimpleUploadedFile("r.txt", text.encode())})
    assert (pasted.status_code, uploaded.status_code) == (302, 302)
    first, second = ImportedRecord.objects.all()
    assert first.plies == second.plies == LONGEST_RECORD_PLIES
    assert first.text == second.text == text
    assert alice_client.get(f"/archive/records/{first.pk}/?ply=5000").status_code == 200

    path = tmp_path / "record.txt"
    path.write_text(text)
    main(["replay", str(path)])
    assert capsys.readouterr().out.endswith("\nS\n")
