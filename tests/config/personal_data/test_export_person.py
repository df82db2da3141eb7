"""`manage.py export_person`: a file that only its owner can read, or a sentence."""

from io import StringIO
from pathlib import Path
from zipfile import ZipFile

import pytest
from django.core.management import CommandError, call_command

from accounts.models import User
from config.personal_data import export_file, exports
from tests.play import match_helpers
from tests.play.match_helpers import People

pytestmark = pytest.mark.django_db


def test_the_file_is_complete_and_only_its_owner_can_read_it(who: People, tmp_path: Path) -> None:
    match = match_helpers.finished_match(who)
    file = tmp_path / "alice.zip"
    call_command("export_person", "alice", "--output", str(file), stdout=StringIO())
    assert file.stat().st_mode & 0o777 == 0o600
    with ZipFile(file) as archive:
        assert archive.testzip() is None
        assert f"records/{match.pk}.txt" in archive.namelist()


def test_no_file_is_overwritten(alice: User, tmp_path: Path) -> None:
    file = tmp_path / "there"
    file.write_text("mine")
    with pytest.raises(CommandError, match="exists already"):
        call_command("export_person", "Alice", "--output", str(file))
    assert file.read_text() == "mine"


@pytest.mark.parametrize(
    ("name", "output", "sentence"),
    [
        ("Zoe", "zoe.zip", "Nobody has the username Zoe"),
        ("Alice", "no/such/folder.zip", "No such file or directory"),
    ],
)
def test_errors_are_reported_with_a_sentence(
    alice: User, tmp_path: Path, name: str, output: str, sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("export_person", name, "--output", str(tmp_path / output))
    assert list(tmp_path.iterdir()) == []


def test_a_failed_export_leaves_no_file(
    alice: User, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(user: User) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(exports, "files", fail)
    with pytest.raises(CommandError, match="No space left"):
        call_command("export_person", "Alice", "--output", str(tmp_path / "a.zip"))
    assert list(tmp_path.iterdir()) == []


def test_it_reports_its_progress(
    who: People, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(export_file, "PROGRESS_FILES", 5)
    output = StringIO()
    file = tmp_path / "a.zip"
    call_command("export_person", "Alice", "--output", str(file), stderr=output, stdout=StringIO())
    assert output.getvalue().splitlines() == [f"{count} files so far." for count in (5, 10, 15)]
