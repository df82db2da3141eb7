"""verify.py finds every kind of tampering, and names the file that does not hold."""

import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from games.rules.core.basics.pieces import Seat
from games.rules.proof import deal, seals, verify
from tests import tiers
from tests.floors import at_least
from tests.rules.proof.conftest import Verify
from tests.rules.proof.matches import PUBLIC, Match, begun, played, sign
from tests.rules.proof.tampering import Forger

Deed = Callable[[Forger], None]
HEX = "ab" * 32


def running() -> Match:
    """A match with battles, moves and gaps that is not over."""
    matches = (played("lattaque-en", 60, seed) for seed in range(20))
    return next(match for match in matches if not match.position.outcome)


def over() -> Match:
    return running().resign(Seat.SOUTH)


def domino() -> Match:
    return played("domino", 40, seed=1).draw()


def demoting() -> Match:
    return next(
        match
        for seed in range(100)
        if not (match := played("tactique-convert", 24, seed)).position.outcome
        and re.search(r"[+-]d", "".join(match.lines))
        and " ~" in "".join(match.lines)
    )


def soldiers() -> Match:
    return played("assaut", 20, seed=1)


def edit(part: str, number: int, value: Any) -> Deed:
    """Change a field of the first move whose text has a part."""

    def deed(forger: Forger) -> None:
        forger.first("move", part)[number] = value

    return deed


def text(part: str, pattern: str, new: str) -> Deed:
    """Change the text of the first move whose text has a part."""

    def deed(forger: Forger) -> None:
        ply = forger.first("move", part)
        changed = re.sub(pattern, new, ply[3], count=1)
        assert changed != ply[3]
        ply[3] = changed

    return deed


def line(old: str, new: str) -> Callable[[str], str]:
    """Change one line of a finished bundle."""

    def change(bundle: str) -> str:
        changed = re.sub(old, new, bundle, count=1, flags=re.MULTILINE)
        assert changed != bundle
        return changed

    return change


# --- by an operator, who hashes and signs again


def swap_plies(forger: Forger) -> None:
    forger.plies[10], forger.plies[11] = forger.plies[11], forger.plies[10]


def swap_and_number(forger: Forger) -> None:
    swap_plies(forger)
    forger.plies[10][0], forger.plies[11][0] = 11, 12


def drop_ply(forger: Forger) -> None:
    del forger.plies[10]
    for number, ply in enumerate(forger.plies, 1):
        ply[0] = number


def unnumbered(forger: Forger) -> None:
    del forger.plies[10]


def twice(forger: Forger) -> None:
    forger.plies.insert(11, forger.plies[10])


def early(forger: Forger) -> None:
    forger.plies[10][4] = forger.start[8]


def third_setup(forger: Forger) -> None:
    forger.plies.append([len(forger.plies) + 1, 0, "setup", "", forger.plies[-1][4], HEX])


def appended(*fields: Any) -> Deed:
    def deed(forger: Forger) -> None:
        forger.plies.append([len(forger.plies) + 1, *fields[:3], forger.plies[-1][4], fields[3]])

    return deed


def open_unfought(forger: Forger) -> None:
    opened = {(row[0], row[1]) for row in forger.opens}
    forger.open(*next(place for place in forger.sealed if place not in opened))


def close_gap(forger: Forger) -> None:
    forger.opens.remove(next(row for row in forger.opens if row[2] == "-"))


def close_fighter(forger: Forger) -> None:
    forger.opens.remove(next(row for row in forger.opens if row[2] != "-"))


def unsorted_opens(forger: Forger) -> None:
    forger.opens.reverse()


def repeated_open(forger: Forger) -> None:
    forger.opens.insert(0, forger.opens[0])


def false_open(forger: Forger) -> None:
    forger.opens[-1][2] = "M" if forger.opens[-1][2] != "M" else "G"


def other_nonce(forger: Forger) -> None:
    forger.opens[0][3] = HEX


def strange_square(forger: Forger) -> None:
    forger.opens[0][1] = "a5"


def withheld(forger: Forger) -> None:
    forger.seals = []


def withheld_with_gaps(forger: Forger) -> None:
    forger.seals = []
    for place, (rank, _nonce) in list(forger.sealed.items()):
        if rank == "-":
            forger.open(*place)


def one_army(forger: Forger) -> None:
    del forger.seals[1]


def other_secret(forger: Forger) -> None:
    forger.seals[0] = re.sub("[0-9a-f]{64}", HEX, forger.seals[0])


def other_ranks(forger: Forger) -> None:
    ranks = forger.seals[0].split()
    ranks[3], ranks[4], ranks[5] = ranks[5], ranks[3], ranks[4]
    assert ranks != forger.seals[0].split()
    forger.seals[0] = " ".join(ranks)


def short_seal(forger: Forger) -> None:
    forger.seals[0] = forger.seals[0].rsplit(" ", 1)[0]


def seals_and_opens(forger: Forger) -> None:
    forger.open("S", "a4")


def no_armies(forger: Forger) -> None:
    forger.armies = {}


def swapped_armies(forger: Forger) -> None:
    forger.armies = {"S": forger.armies["N"], "N": forger.armies["S"]}


def other_leaf(forger: Forger) -> None:
    forger.armies["S"][0] = HEX


def fewer_leaves(forger: Forger) -> None:
    forger.armies["S"].pop()


def rehashed_leaves(change: Callable[[list[str]], object]) -> Deed:
    """Change the leaves of South's army, and its hash in the chain."""

    def deed(forger: Forger) -> None:
        leaves = forger.armies["S"]
        change(leaves)
        setup = next(ply for ply in forger.plies if (ply[1], ply[2]) == (0, "setup"))
        setup[5] = seals.army_hash(17, "S", leaves)

    return deed


def other_extra(forger: Forger) -> None:
    forger.plies[0][5] = HEX


def resealed(new: str) -> Deed:
    """Change the rank of a piece that has fought, as if before it was sealed."""

    def deed(forger: Forger) -> None:
        fought = [row for row in forger.opens if row[2] not in ("-", new)]
        forger.reseal(fought[0][0], fought[0][1], new)

    return deed


def two_marshals(forger: Forger) -> None:
    place = next(place for place, row in forger.sealed.items() if place[0] == "S" and row[0] == "S")
    forger.reseal(*place, "M")


def strange_rank(forger: Forger) -> None:
    place = next(place for place, row in forger.sealed.items() if place[0] == "S" and row[0] == "S")
    forger.reseal(*place, "Q")


def one_more_piece(forger: Forger) -> None:
    place = next(place for place, row in forger.sealed.items() if row[0] == "-")
    forger.reseal(*place, "R")


def weaker_marshal(forger: Forger) -> None:
    attacker = re.search(r"\[(.+)v", forger.first("move", "[")[3])
    assert attacker
    signs = forger.rule["battle"][attacker[1]]
    forger.rule["battle"][attacker[1]] = signs.translate(str.maketrans("+-=", "-+#"))


def other_rules(forger: Forger) -> None:
    forger.rule["pieces"] = 35


def unbound_rules(forger: Forger) -> None:
    forger.start[6] = HEX


def other_preset(forger: Forger) -> None:
    forger.start[2] = "lattaque-zh"


def other_match(forger: Forger) -> None:
    forger.start[1] = 18


def unsorted_switches(forger: Forger) -> None:
    forger.start[3] = [["two_square", 5], ["limit", 5]]


def loose_switches(forger: Forger) -> None:
    forger.start[3] = {"limit": 5}


def dealt(forger: Forger) -> None:
    forger.start[7] = [HEX, HEX, HEX]


def undealt(forger: Forger) -> None:
    forger.start[7] = None


def loose_rules(forger: Forger) -> None:
    forger.is_loose = True


def start(number: int, value: Any) -> Deed:
    """Change a field of ply 0."""

    def deed(forger: Forger) -> None:
        forger.start[number] = value

    return deed


def strange_times(forger: Forger) -> None:
    forger.plies[3][4] = "2026-11-31T00:00:00.000001+00:00"


def no_ending(forger: Forger) -> None:
    forger.plies[-1][5] = ""


def wrong_winner(forger: Forger) -> None:
    forger.plies[-1][5] = "S resigned"


def resigned_by_nobody(forger: Forger) -> None:
    forger.plies[-1][1] = None


def other_seed(forger: Forger) -> None:
    forger.seed = [f"seed {HEX}"]


def no_seed(forger: Forger) -> None:
    forger.seed = []


def another_lot(forger: Forger) -> None:
    """Commit to another seed after the set-ups, as an operator who conspires could."""
    forger.seed = [f"seed {HEX}"]
    forger.start[7][0] = deal.commitment(bytes.fromhex(HEX))


def other_words(forger: Forger) -> None:
    forger.start[7][1] = deal.words_hash("foul wind")


def turned_tile(forger: Forger) -> None:
    fighter = re.search(r"\[(\d)(\d)v", forger.first("move", "[")[3])
    assert fighter
    for (seat, square), row in list(forger.sealed.items()):
        if row[0] == fighter[1] + fighter[2] and row[0] != row[0][::-1]:
            forger.reseal(seat, square, row[0][::-1])
            return
    place = next(place for place, row in forger.sealed.items() if row[0] == "01")
    forger.reseal(*place, "66")


def stays(forger: Forger) -> None:
    forger.rule["convert"] = False


def demoted_twice(forger: Forger) -> None:
    ply = next(ply for ply in forger.plies if re.search(r" ~[a-h][1-8]( |$)", ply[3]))
    square = re.findall(r" (~[a-h][1-8])(?= |$)", ply[3])[0]
    ply[3] += f" {square}"


def shot_at_nothing(forger: Forger) -> None:
    ply = next(ply for ply in forger.plies if " ~" in ply[3])
    ply[3] += " ~w99"


def early_volley(forger: Forger) -> None:
    forger.plies[0][3] = "~a4"


def sealed_soldiers(forger: Forger) -> None:
    forger.plies[0][5] = HEX


def soldiers_set_up(forger: Forger) -> None:
    forger.plies[0][1] = 0


def armies_of_soldiers(forger: Forger) -> None:
    forger.armies = {"N": [HEX]}


def soldiers_of_a_game_that_hides(forger: Forger) -> None:
    forger.rule["preset"] = forger.start[2] = "lattaque-en"


def rules_without(*fields: str) -> Deed:
    def deed(forger: Forger) -> None:
        forger.rule = {key: value for key, value in forger.rule.items() if key not in fields}

    return deed


def more_rules(forger: Forger) -> None:
    forger.rule["more"] = ""


def rules_in_another_order(forger: Forger) -> None:
    forger.rule["army"] = forger.rule.pop("army")


OPERATOR: dict[str, list[Deed]] = {
    "running": [
        swap_plies, swap_and_number, drop_ply, unnumbered, twice, early, third_setup,
        appended(0, "reopen", "", ""), appended(0, "move", "a1-a2", "S flag captured"),
        appended(1, "resign", "", "N resigned"), appended(None, "draw", "", "- agreed"),
        appended(None, "void", "", "- because of Bob"), appended(None, "cancel", "", "S aborted"),
        appended(0, "begin", "", ""), appended(None, "look", "", "who knows"),
        appended(None, "look", "a1-a2", HEX),
        text("-", "^[a-j][0-9]+", "e5"), text("[", r"\[.v", "[Qv"), text("[", r"v.\]", "vQ]"),
        text("[", r"\].$", "]#"), text("[", r"x[a-j][0-9]+", "xe5"), text("[", r"\[.*", ""),
        text("-", "$", " ~a1"), text("-", "$", "?"), edit("-", 1, None),
        edit("-", 5, "B flag captured"),
        edit("-", 2, "abort"), open_unfought, close_gap, close_fighter, unsorted_opens,
        repeated_open, false_open, other_nonce, strange_square, no_armies, swapped_armies,
        other_leaf, fewer_leaves, other_extra, resealed("Q"), resealed("Y"), weaker_marshal,
        other_rules, unbound_rules, other_preset, other_match, unsorted_switches,
        loose_switches, dealt, strange_times, early_volley, loose_rules,
        start(0, "estafette/match/1"), start(4, 3), start(5, "a\\b"), start(5, "ü"),
        start(8, "2026-11-01T00:00:00+00:00"), start(8, ""), start(3, [["limit", "a b"]]),
        start(8, "2026-02-31T00:00:00.000001+00:00"), start(3, [["limit", 5], ["limit", 6]]),
        start(3, [["limit", None]]), start(3, [["limit", 1.5]]), start(3, [["limit"]]),
        start(3, [["limit", [5]]]), start(3, [5]),
        rehashed_leaves(list.pop), rehashed_leaves(lambda leaves: leaves.append(HEX)),
        rules_without("returns"), rules_without("lower", "convert"), more_rules,
        rules_in_another_order,
    ],
    "over": [
        withheld, withheld_with_gaps, one_army, other_secret, other_ranks, short_seal,
        seals_and_opens,
        two_marshals, strange_rank, one_more_piece, no_ending, wrong_winner, resigned_by_nobody,
        appended(0, "move", "a4-a5", ""), appended(None, "reopen", "", ""),
        appended(None, "void", "", "- void"),
    ],
    "dealt": [
        start(7, True), start(7, "seed"), start(7, []), start(7, [HEX, HEX, "words"]),
        start(7, {"seed": HEX}), start(7, [1, 2, 3]),
    ],
    "domino": [undealt, other_seed, no_seed, another_lot, other_words, turned_tile, withheld],
    "demoting": [stays, demoted_twice, shot_at_nothing],
    "soldiers": [
        sealed_soldiers, soldiers_set_up, armies_of_soldiers, soldiers_of_a_game_that_hides,
        more_rules,
    ],
}  # fmt: skip
MATCHES = {
    "running": running,
    "over": over,
    "dealt": lambda: played("domino", 10, seed=2),
    "domino": domino,
    "demoting": demoting,
    "soldiers": soldiers,
}
DEEDS = [(kind, number) for kind, deeds in OPERATOR.items() for number in range(len(deeds))]
FIRST_DEEDS = [(kind, 0) for kind in OPERATOR]


@pytest.mark.parametrize(("kind", "number"), at_least(70, DEEDS))
def test_changes_signed_again_by_an_operator_do_not_hold(
    check: Verify, kind: str, number: int
) -> None:
    forger = Forger(MATCHES[kind]())
    assert check({"match-17.proof": forger.bundle(signed=True)})[0] == 0
    OPERATOR[kind][number](forger)
    status, output = check({"match-17.proof": forger.bundle(signed=True)})
    assert status in (1, 2), output
    assert output.startswith("match-17.proof: ") and len(output.splitlines()) == 1


@pytest.mark.parametrize(("kind", "number"), tiers.parameters(DEEDS, fast=FIRST_DEEDS))
def test_changes_without_the_key_do_not_hold(check: Verify, kind: str, number: int) -> None:
    forger = Forger(MATCHES[kind]())
    OPERATOR[kind][number](forger)
    assert check({"match-17.proof": forger.bundle(signed=False)})[0] in (1, 2)


@pytest.mark.parametrize("place", ["a line", "the rules"])
def test_a_forged_file_does_not_move_the_cursor(check: Verify, place: str) -> None:
    """What a file says is printed as text: an escape sequence could show that it holds."""
    forger = Forger(running())
    if place == "the rules":
        attacker = re.search(r"\[(.+)v", forger.first("move", "[")[3])
        assert attacker
        signs = forger.rule["battle"][attacker[1]].split()
        forger.rule["battle"][attacker[1]] = " ".join("\x1b[2J\u202e" for _ in signs)
        forged = forger.bundle(signed=True)
    else:
        forged = forger.bundle(signed=True).replace("army S", "\x1b[2J\u202e\x07\narmy S")
    status, output = check({"match-17.proof": forged})
    assert status in (1, 2)
    assert "?[2J?" in output
    assert output.removesuffix("\n").isprintable()


@pytest.mark.parametrize("target", ["a11", "a99", "k4", "w9"])
def test_a_walk_off_the_board_does_not_hold(check: Verify, target: str) -> None:
    matches = (begun("lattaque-en", seed).set_up().play(1) for seed in range(20))
    forger = Forger(next(match for match in matches if "x" not in match.lines[-1]))
    walk = forger.first("move")
    walk[3] = f"{walk[3].split('-')[0]}-{target}"
    status, output = check({"match-17.proof": forger.bundle(signed=True)})
    assert (status, f"{target} is not free, or off the board." in output) == (1, True)


# --- receipts and e-mails


def histories() -> tuple[Match, Match]:
    """A match, and the same one as an operator has rewritten it after ply 20."""
    true, rewritten = (played("lattaque-en", 40, seed=3) for _ in range(2))
    line = rewritten.lines[21]
    rewritten.lines[21] = line.replace(".000001+", ".000002+")
    assert rewritten.lines[21] != line
    return true, rewritten


def test_an_email_of_another_history_does_not_hold(check: Verify) -> None:
    true, rewritten = histories()
    files = {"match-17.proof": rewritten.bundle(), "20.eml": true.letter(20)}
    assert check(files)[0] == 0
    status, output = check({**files, "21.eml": true.letter(21)})
    assert status == 1
    assert "21.eml: DOES NOT HOLD. Up to ply 21 it has another history. This service" in output
    assert "match-17.proof: HOLDS." in output


def test_two_players_with_two_histories_detect_it(check: Verify) -> None:
    true, rewritten = histories()
    status, output = check({"anna.proof": true.bundle(), "bob.proof": rewritten.bundle()})
    assert status == 1
    last = min(len(true.lines), len(rewritten.lines)) - 1
    sentence = f"Up to ply {last} another bundle has another history. This service has signed two"
    assert f"bob.proof: DOES NOT HOLD. {sentence} histories" in output


def test_an_older_bundle_with_a_newer_one_holds_with_a_newer_email(check: Verify) -> None:
    old, new = played("lattaque-en", 20, seed=3), played("lattaque-en", 40, seed=3)
    letter = new.letter(30)
    for names in (("a.proof", "b.proof"), ("b.proof", "a.proof")):
        files = {names[0]: old.bundle(), names[1]: new.bundle(), "letter.eml": letter}
        status, output = check(files)
        assert status == 0, output
        assert output.count("Witnesses that agree: 2.") == 2
    _, rewritten = histories()
    status, output = check({**files, "letter.eml": rewritten.letter(30)})
    assert (status, "letter.eml: DOES NOT HOLD." in output) == (1, True)


def test_a_truncated_bundle_does_not_hold(check: Verify) -> None:
    short, long = played("lattaque-en", 20, seed=3), played("lattaque-en", 22, seed=3)
    assert long.lines[:23] == short.lines
    assert check({"short.proof": short.bundle(), "long.proof": long.bundle()})[0] == 0
    status, output = check({"match-17.proof": short.bundle(), "late.eml": long.letter(24)})
    assert status == 1
    assert "late.eml: DOES NOT HOLD. It knows a later ply, 24. Download the bundle again" in output


def test_an_own_key_above_the_true_one_does_not_hold(check: Verify) -> None:
    """A loser cuts the match short, has it aborted, and signs with a key of their own."""
    forger = Forger(begun("lattaque-en").set_up().abort())
    forged = forger.bundle(signed=True)
    head = re.findall("estafette/head/1 .*", forged)[0]
    own = re.sub("(?m)^sign .*$", f"sign {sign(head, key=2)}", forged)
    own = own.replace("key ", f"key {PUBLIC[2]}\nkey ", 1)
    letter = begun("lattaque-en").set_up().letter(2)
    assert check({"match-17.proof": own})[0] == 0
    status, output = check({"match-17.proof": own, "true.eml": letter})
    assert (status, "true.eml: DOES NOT HOLD." in output) == (1, True)
    assert check({"match-17.proof": own, "true.eml": letter}, keys=(PUBLIC[0],))[0] == 1
    assert check({"match-17.proof": own}, keys=(PUBLIC[0],))[0] == 1
    true = begun("lattaque-en").set_up().bundle()
    assert check({"match-17.proof": own, "true.proof": true})[0] == 1


def receipt_changes() -> list[tuple[str, str]]:
    """Patterns and replacements for the text of a receipt."""
    return [
        ("receipt/1 17", "receipt/1 18"),
        ("receipt/1 17", "receipt/2 17"),
        ("head/1 17 1 ", "head/1 17 2 "),
        ("head/1 17 1 ", "head/1 18 1 "),
        ("(?m)^sign .*\n", ""),
        ("sign [0-9a-f]{2}", "sign 00"),
        ("(?m)^seal .*\n", ""),
        ("seal S", "seal N"),
        ("seal S [0-9a-f]{2}", "seal S zz"),
        ("seal S [0-9a-f]{3}", "seal S 123"),
        ("(?m) [0-9-]+$", ""),
        ("(?m)^words .*\n", ""),
        ("words fair", "words foul"),
        ("words fair", "word fair"),
        ("end\n", ""),
        ("(?m)^(seal .*) ([0-9]{2}) ([0-9]{2})$", r"\1 \3 \2"),
    ]


@pytest.mark.parametrize("number", range(len(receipt_changes())))
def test_a_changed_receipt_does_not_hold(check: Verify, number: int) -> None:
    match = domino()
    pattern, new = receipt_changes()[number]
    changed = line(pattern, new)(match.receipt(Seat.SOUTH))
    status, output = check({"match-17.proof": match.bundle(), "receipt.txt": changed})
    assert status in (1, 2)
    assert re.search("receipt.txt: (DOES NOT HOLD|CANNOT BE READ)", output), output
    assert "match-17.proof: HOLDS." in output


def test_a_receipt_shows_that_the_army_was_replaced(check: Verify) -> None:
    match = running()
    receipt = match.receipt(Seat.SOUTH)
    forger = Forger(match)
    idle = [place for place in forger.sealed if place[0] == "S"]
    idle = [place for place in idle if list(place) not in [row[:2] for row in forger.opens]]
    one, two = next(
        (one, two) for one in idle for two in idle if forger.sealed[one][0] != forger.sealed[two][0]
    )
    ranks = forger.sealed[one][0], forger.sealed[two][0]
    forger.reseal(*one, ranks[1])
    forger.reseal(*two, ranks[0])
    exchanged = forger.bundle(signed=True)
    assert check({"match-17.proof": exchanged})[0] == 0
    status, output = check({"match-17.proof": exchanged, "receipt.txt": receipt})
    assert (status, "receipt.txt: DOES NOT HOLD" in output) == (1, True)
    letter = match.letter(20)
    assert check({"match-17.proof": exchanged, "north.eml": letter})[0] == 1


def email_changes() -> list[tuple[str, str]]:
    return [
        ("(?m)^sign .*$", ""),
        ("(?m)^(sign .*)[0-9a-f]$", r"\1"),
        ("(?m)^(head .{60})", r"\1\n"),
        ("head/1 17 20", "head/1 17 21"),
        ("head/1 17 20", "head/1 17 020"),
        ("head/1 17", "head/1 99"),
        ("sign [0-9a-f]{2}", "sign 00"),
        ("(?m)^head ", "nothing "),
    ]


@pytest.mark.parametrize("number", range(len(email_changes())))
def test_a_changed_email_does_not_hold(check: Verify, number: int) -> None:
    match = running()
    changed = line(*email_changes()[number])("\n".join(match.proof(20)))
    status, output = check({"match-17.proof": match.bundle(), "letter.txt": changed})
    assert status in (1, 2)
    assert re.search("letter.txt: (DOES NOT HOLD|CANNOT BE READ)", output), output
    assert "match-17.proof: HOLDS." in output


def bundle_changes() -> list[tuple[str, str]]:
    return [
        ("^estafette/proof/1 17$", "estafette/proof/1 017"),
        ("^estafette/proof/1 17$", "estafette/proof/2 17"),
        ("^key .*\\n", ""),
        ("^key .", "key "),
        ("^head .*\\n", ""),
        ("^sign .*\\n", ""),
        ("^(head .*\\n)(sign .*\\n)", r"\2\1"),
        ("^rule ", "rule  "),
        ('^rule {"format"', 'rule {"format" '),
        ('"pieces":36', '"pieces":36.0'),
        ("^ply \\[1,", "ply [01,"),
        ("^ply \\[1,", "ply [ 1,"),
        ('^(ply .*)""', r"\1null"),
        ("^army S .*\\n", ""),
        ("^army S .*\\n", r"\g<0>\g<0>"),
        ("^end\\n", ""),
        ("^end\\n", "end\\nend\\n"),
        ("^end$", "fin"),
        ("^(ply .*[.]00000)1", r"\g<1>2"),
        ("^end\\n", "end"),
        ("^end\\n", "end\\n\\n"),
        ("^end\\n", "note Bob cheats\\nend\\n"),
        ("^open", "öpen"),
        ("^open", "\u200bopen"),
        ("\\+00:00", "Z"),
    ]


@pytest.mark.parametrize("number", range(len(bundle_changes())))
def test_a_changed_line_does_not_hold(check: Verify, number: int) -> None:
    changed = line(*bundle_changes()[number])(running().bundle())
    status, output = check({"match-17.proof": changed})
    assert status in (1, 2)
    assert re.match("match-17.proof: (DOES NOT HOLD|CANNOT BE READ)", output), output


# --- keys and signatures that only look valid


ORDER = 2**252 + 27742317777372353535851937790883648493
SMALL = ["01" + 31 * "00", "ec" + 30 * "ff" + "7f", "00" * 32, "00" * 31 + "80"]


@pytest.mark.parametrize("key", SMALL)
def test_a_key_that_accepts_any_signature_does_not_hold(check: Verify, key: str) -> None:
    text = re.sub("(?m)^key .*$", f"key {key}", running().bundle())
    for signature in ("01" + 63 * "00", key + 32 * "00"):
        forged = re.sub("(?m)^sign .*$", f"sign {signature}", text)
        assert check({"match-17.proof": forged})[0] == 1


def test_a_signature_has_one_form(check: Verify) -> None:
    text = running().bundle()
    signature = re.findall("(?m)^sign (.*)$", text)[0]
    s = int.from_bytes(bytes.fromhex(signature[64:]), "little") + ORDER
    other = signature[:64] + s.to_bytes(32, "little").hex()
    assert check({"match-17.proof": text.replace(signature, other)})[0] == 1


def test_unreadable_files_are_named(check: Verify, tmp_path: Path) -> None:
    good = running().bundle()
    for bad in ("", "nothing", "\0" * 99, b"\xff\xfe", "{" * 90_000, "estafette/proof/1"):
        status, output = check({"good.proof": good, "bad.txt": bad})
        assert status == 2
        assert "bad.txt: CANNOT BE READ." in output and "good.proof: HOLDS." in output
    deep = re.sub("(?m)^rule .*", "rule " + "[" * 90_000, good)
    assert check({"match-17.proof": deep})[0] == 2
    assert verify.main([str(tmp_path / "missing.proof"), str(tmp_path)]) == 2


def test_a_fault_outweighs_an_unreadable_file(check: Verify) -> None:
    true, rewritten = histories()
    files = {"match-17.proof": rewritten.bundle(), "21.eml": true.letter(21), "bad.txt": "x"}
    assert check(files)[0] == 1


def test_devices_and_folders_are_not_read(tmp_path: Path) -> None:
    assert verify.main(["/dev/zero", str(tmp_path)]) == 2


@pytest.mark.parametrize("key", ["", "abc", "G" * 64, "AB" * 32])
def test_an_invalid_key_is_refused(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        verify.main(["--key", key, "match-17.proof"])
    assert stopped.value.code == 2
    assert "64 digits" in capsys.readouterr().err
