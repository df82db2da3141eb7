"""verify.py and a second checker, written apart from it, say the same of every bundle."""

import random

import pytest

from games.rules.core.basics.pieces import Seat
from tests.rules.proof import checker
from tests.rules.proof.conftest import Verify
from tests.rules.proof.matches import PRESETS, Match, begun
from tests.rules.proof.tampering import Forger
from tests.rules.proof.test_verify_tampering import DEEDS, FIRST_DEEDS, MATCHES, OPERATOR
from tests.tiers import editions, parameters

EDITS = {"fast": 12, "soak": 150}  # for each preset; 22 presets
FEW = {"few": 4} | EDITS
NAME = "match-17.proof"


def agree(check: Verify, text: str | bytes) -> bool:
    """Whether both say that a bundle holds; fails if they differ."""
    data = text if isinstance(text, bytes) else text.encode()
    status, output = check({NAME: data})
    assert output.startswith(f"{NAME}: ")
    assert (status == 0) == checker.holds(data), output
    return status == 0


@pytest.mark.parametrize("preset", editions(PRESETS))
def test_both_accept_a_true_match(check: Verify, preset: str) -> None:
    match = begun(preset)
    assert agree(check, match.bundle())
    match.set_up()
    while not match.position.outcome and match.plies < 150:
        assert agree(check, match.play(25).bundle())
    if not match.position.outcome:
        assert agree(check, match.resign(Seat.SOUTH).bundle())


@pytest.mark.parametrize(("kind", "number"), parameters(DEEDS, fast=FIRST_DEEDS))
def test_both_detect_changes_by_an_operator(check: Verify, kind: str, number: int) -> None:
    forger = Forger(MATCHES[kind]())
    OPERATOR[kind][number](forger)
    assert not agree(check, forger.bundle(signed=True))


def edited(rng: random.Random, data: bytes) -> bytes:
    """The bytes of a file after one small edit."""
    at = rng.randrange(len(data))
    length = rng.choice((1, 1, 1, 2, 5, 40))
    lines = data.split(b"\n")
    row = rng.randrange(len(lines))
    match rng.randrange(9):
        case 0:
            return data[:at] + bytes([rng.randrange(256)]) + data[at + 1 :]
        case 1:
            return data[:at] + data[at + length :]
        case 2:
            return data[:at] + rng.randbytes(length) + data[at:]
        case 3:
            return data[:at]
        case 4:
            return b"\n".join([*lines[:row], *lines[row + 1 :]])
        case 5:
            return b"\n".join([*lines[:row], lines[row], *lines[row:]])
        case 6:
            rng.shuffle(lines)
            return b"\n".join(lines)
        case 7:
            digit = rng.choice(b"0123456789abcdefSNMRxv+-=#~! ")
            return data[:at] + bytes([digit]) + data[at + 1 :]
        case _:
            other = rng.randrange(len(data))
            return data[:at] + data[other : other + length] + data[at + length :]


def plain(data: bytes) -> bytes:
    """A bundle without what proves nothing: CR and BOM, and keys that sign nothing."""
    title, first, *lines = data.removeprefix(b"\xef\xbb\xbf").replace(b"\r\n", b"\n").split(b"\n")
    return b"\n".join([title, first, *(line for line in lines if not line.startswith(b"key "))])


@pytest.mark.parametrize("tier", parameters(EDITS, fast=["fast"]))
@pytest.mark.parametrize("preset", editions(PRESETS))
def test_no_random_edit_of_a_bundle_is_accepted(check: Verify, preset: str, tier: str) -> None:
    rng = random.Random(f"{preset} {tier}")
    match = begun(preset, seed=5).set_up().play(rng.randrange(40))
    if rng.random() < 0.5 and not match.position.outcome:
        match.draw()
    data = match.bundle().encode()
    for _ in range(EDITS[tier]):
        changed = edited(rng, data)
        held = agree(check, changed)
        assert not held or plain(changed) == plain(data)


@pytest.mark.parametrize("tier", parameters(EDITS, fast=["fast"]))
def test_no_random_edit_of_a_signed_match_causes_a_traceback(check: Verify, tier: str) -> None:
    """An operator edits the plies at random, and hashes and signs them."""
    rng = random.Random(tier)
    for _ in range(EDITS[tier] * 4):
        forger = Forger(MATCHES[rng.choice(sorted(MATCHES))]())
        ply = rng.choice(forger.plies)
        field = rng.randrange(6)
        before = ply[field]
        pool = [one[field] for one in forger.plies] + [None, "", 0, 7, "x", [], {}]
        ply[field] = rng.choice([value for value in pool if value != before])
        agree(check, forger.bundle(signed=True))


def unquoted_lines(witness: bytes) -> str:
    """The lines of a pasted text, without quoting and empty lines."""
    lines = [
        line.lstrip("> \t").rstrip() for line in witness.decode("utf-8", "replace").split("\n")
    ]
    return "\n".join(line for line in lines if line)


@pytest.mark.parametrize("tier", parameters(FEW, fast=["few"]))
def test_no_random_edit_of_a_witness_is_accepted(check: Verify, tier: str) -> None:
    rng = random.Random(tier)
    match: Match = begun("domino").set_up().play(20)
    receipt, letter = match.receipt(Seat.NORTH).encode(), match.letter(10)
    lines = "\n".join((*match.proof(10), "")).encode()
    for _ in range(FEW[tier] * 8):
        true = rng.choice((receipt, lines))
        witness = edited(rng, true)
        status, output = check({NAME: match.bundle(), "witness.txt": witness})
        assert status or unquoted_lines(true) in unquoted_lines(witness), output
        status, output = check({NAME: match.bundle(), "letter.eml": edited(rng, letter)})
        assert f"{NAME}: HOLDS" in output
