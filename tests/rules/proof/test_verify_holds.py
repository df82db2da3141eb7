"""verify.py says that true proofs hold, at every ply of a match and however e-mails are stored."""

import subprocess
from pathlib import Path

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.proof import verify
from games.rules.registry import ruleset
from tests.floors import at_least
from tests.rules.proof.conftest import Verify
from tests.rules.proof.matches import HIDDEN, PRESETS, PUBLIC, Match, begun, played
from tests.rules.proof.tampering import Forger
from tests.tiers import editions, parameters

BOM = "\ufeff"


def files_of(match: Match, **options: bool) -> dict[str, str | bytes]:
    """The bundle of a match, its receipts, and an e-mail from its middle."""
    files: dict[str, str | bytes] = {"match-17.proof": match.bundle(**options)}
    for seat in match.setup_plies:
        files[f"receipt-{int(seat)}.txt"] = match.receipt(seat)
    return {**files, "letter.eml": match.letter(match.plies // 2)}


def holds(check: Verify, match: Match, **options: bool) -> str:
    """Check that all files of a match hold; returns what is said of the bundle."""
    files = files_of(match, **options)
    status, output = check(files)
    assert status == 0, output
    output_lines = output.splitlines()
    assert [line.split(": ")[0] for line in output_lines] == list(files)
    assert f"Witnesses that agree: {len(files) - 1}." in output_lines[0]
    return output_lines[0]


@pytest.mark.parametrize("preset", parameters(PRESETS, fast=["domino", "tactique-volley-all"]))
def test_a_match_holds_at_every_tenth_ply(check: Verify, preset: str) -> None:
    match = begun(preset)
    holds(check, match)
    if match.rules.hidden:
        holds(check, match.set_up(Seat.NORTH))
    match.set_up()
    while not match.position.outcome and match.plies < 200:
        assert "not over" in holds(check, match.play(10)) or match.position.outcome
    if not match.position.outcome:
        match.resign(Seat.SOUTH)
    output_lines = holds(check, match)
    assert ("Armies: both open." in output_lines) == match.rules.hidden


@pytest.mark.parametrize("seed", parameters(range(20), fast=[0]))
@pytest.mark.parametrize("preset", editions(PRESETS))
def test_a_whole_match_holds(check: Verify, preset: str, seed: int) -> None:
    match = played(preset, 1_000, seed)
    holds(check, match if match.position.outcome else match.draw())


@pytest.mark.parametrize(
    "preset",
    parameters(["lattaque-en", "tactique-convert", "domino", "assaut"], fast=["domino", "assaut"]),
)
def test_every_other_ending_holds(check: Verify, preset: str) -> None:
    def match() -> Match:
        return played(preset, 6, seed=2)

    opened = ["Armies: both open."] if match().rules.hidden else []
    closed = ["Armies: not open."] if match().rules.hidden else []
    for seat in Seat:
        for part in [*opened, f"{match().rules.seat_letters[seat.other]} resigned"]:
            assert part in holds(check, match().resign(seat))
    for part in [*opened, "draw agreed"]:
        assert part in holds(check, match().draw())
    for part in [*opened, " time."]:
        assert part in holds(check, match().time(), time_is_final=True)
    output_lines = holds(check, match().time(), time_is_final=False)
    assert ("Armies: not open until 2026-11-0" in output_lines) == match().rules.hidden
    holds(check, match().time().reopen().play(4))
    for ended in (match().time().void(), match().time().reopen().void(), match().void()):
        for part in [*closed, "- void"]:
            assert part in holds(check, ended)
    for ended in (match().look().play(3), begun(preset).abort(), begun(preset).look().no_show()):
        holds(check, ended)
    for part in [*closed, "- aborted"]:
        assert part in holds(check, begun(preset).set_up().abort(Seat.NORTH))
    assert "- no set-up in time" in holds(check, begun(preset).no_show())
    holds(check, begun(preset).no_show().reopen().set_up().play(3))


def test_a_look_of_staff_is_named_with_its_ply(check: Verify) -> None:
    def match() -> Match:
        return played("lattaque-en", 6, seed=2)

    assert "Staff looked" not in holds(check, match())
    looked = match().look()
    first = looked.plies
    assert f" Staff looked at ply {first}. Not checked: " in holds(check, looked.play(3))
    second = looked.look().plies
    words = f"Staff looked at ply {first}. Staff looked at ply {second}. Not checked: "
    assert words in holds(check, looked)


def test_it_says_what_it_has_not_checked(check: Verify) -> None:
    """A changed ending and a changed rules line hold if the service signs them again."""
    match = played("lattaque-en", 6, seed=2).resign(Seat.NORTH)
    forger = Forger(match)
    forger.plies[-1][5] = "S flag captured"
    forger.plies[-1][2] = "time"
    forger.rule["army"]["M"] = 9
    status, output = check({"match-17.proof": forger.bundle(signed=True)})
    assert status == 0, output
    assert "Not checked: that the rules line, moves and ending are right" in output


def test_a_volley_after_the_set_ups_may_end_the_match(check: Verify) -> None:
    ended = [
        match
        for seed in range(60)
        if (match := begun("tactique", seed, volley_flag=True).set_up()).position.outcome
    ]
    for match in at_least(2, ended):
        assert " flag shot. Armies: both open." in holds(check, match)


@pytest.mark.parametrize("preset", editions(HIDDEN))
def test_matches_with_other_options_hold(check: Verify, preset: str) -> None:
    holds(check, played(preset, 120, seed=1, limit=30, two_square=3))


def test_domino_holds_without_words_and_with_any(check: Verify) -> None:
    for words in (("", ""), ("顺风 – ça va", "head estafette/head/1"), ("", "x" * 100)):
        match = begun("domino")
        match = Match(match.rules, words=words).set_up().play(30).resign(Seat.NORTH)
        holds(check, match)


# --- how witnesses are kept


def quoted(letter: bytes, marks: str = "> ") -> str:
    return "".join(f"{marks}{line}\n" for line in letter.decode("utf-8", "replace").split("\n"))


def test_an_email_holds_however_it_is_stored(check: Verify) -> None:
    match = played("lattaque-en")
    lines = "\n".join(match.proof(20))
    receipt = match.receipt(Seat.SOUTH)
    wordy = "Anna wrote:\n\n> > Keep this e-mail\n> > {}\n>\n> > {}\n\nThat was it."
    ways: dict[str, str | bytes] = {
        "quoted-printable.eml": match.letter(20, attached=receipt),
        "base64.eml": match.letter(20, attached=receipt, transfer="base64"),
        "unix.eml": match.letter(20).replace(b"\r\n", b"\n"),
        "box.eml": b"From anna Thu Nov 26 2026\n" + match.letter(20),
        "pasted.txt": f"My letter says:\n{lines}\nand no more.",
        "quoted.txt": wordy.format(*match.proof(20)),
        "tabs.txt": "\t> head".join(("", *lines.split("head", 1)[1:])),
        "crlf.txt": lines.replace("\n", "\r\n"),
        "bom.txt": BOM + lines,
        "receipt.txt": quoted(receipt.encode()),
        "receipt-crlf.txt": BOM + receipt.replace("\n", "\r\n"),
        "twice.txt": lines + "\n\n" + receipt + "\n" + lines,
    }
    status, output = check({"match-17.proof": match.bundle(), **ways})
    assert status == 0, output
    assert f"Witnesses that agree: {len(ways)}." in output


def test_a_forwarded_email_holds(check: Verify) -> None:
    match = played("lattaque-en")
    inner = match.letter(20).decode().replace("\r\n", "\n")
    outer = "From: bob@example.org\nMIME-Version: 1.0\nContent-Type: message/rfc822\n\n" + inner
    status, output = check({"match-17.proof": match.bundle(), "forwarded.eml": outer})
    assert status == 0, output


def test_a_bundle_holds_with_crlf_and_a_bom(check: Verify) -> None:
    text = BOM + played("domino").bundle().replace("\n", "\r\n")
    assert check({"match-17.proof": text})[0] == 0


def test_a_match_is_found_among_several(check: Verify) -> None:
    files: dict[str, str | bytes] = {}
    for number in (16, 17, 18):
        match = Match(ruleset("tactique"), number=number, seed=number).set_up().play(20)
        files |= {f"{number}.proof": match.bundle(), f"{number}.eml": match.letter(5)}
    files["17 later.proof"] = begun("tactique", 17).set_up().play(40).bundle()
    status, output = check(files)
    assert status == 0, output
    assert "17.proof: HOLDS. Match 17, 22 plies, not over." in output
    assert output.count("Witnesses that agree: 1.") == 2
    assert output.count("Witnesses that agree: 2.") == 2


def test_without_a_witness_it_explains_what_that_means(check: Verify) -> None:
    status, output = check({"match-17.proof": played("lattaque-en").bundle()})
    assert status == 0
    assert "Witnesses that agree: 0." in output


def test_only_named_keys_count(check: Verify) -> None:
    files = files_of(played("lattaque-en"))
    assert check(files, keys=(PUBLIC[0],))[0] == 0
    assert check(files, keys=(PUBLIC[1], PUBLIC[0]))[0] == 0
    assert check(files, keys=(PUBLIC[1],))[0] == 1


def test_old_emails_hold_after_the_key_was_changed(check: Verify) -> None:
    match = played("lattaque-en")
    old = "\n".join(match.proof(10, key=1))
    files = {"match-17.proof": match.bundle(), "old.txt": old}
    assert check(files)[0] == 1
    assert check(files, keys=(PUBLIC[0], PUBLIC[1]))[0] == 0


# --- the program


def test_it_runs_on_a_bare_python(tmp_path: Path) -> None:
    match = played("tactique-convert", 20)
    for name, content in files_of(match).items():
        path = tmp_path / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
    names = sorted(str(path) for path in tmp_path.iterdir())
    command = ["python3", "-I", verify.__file__, *names]
    done = subprocess.run(command, capture_output=True, text=True, env={}, check=False)
    assert (done.returncode, done.stderr) == (0, ""), done
    assert done.stdout.count(": HOLDS. ") == len(names)


def test_it_is_short_enough_to_be_read() -> None:
    lines = Path(verify.__file__).read_text().splitlines()
    assert sum(bool(line.strip()) for line in lines) <= 350
