"""The test vectors of docs/proofs.md, byte for byte."""

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from games.rules.proof import chain, deal, seals
from games.rules.registry import ruleset

SECRET = bytes(range(32))
SEED = bytes(range(32, 64))
# RFC 8032, section 7.1, test 1.
KEY = "9d61b19deffd5a60ba844af492ec2cc44449c5697b326919703bac031cae7f60"
LEAF = "bf352c9899cfc7911cba2ed35cb9970994b9cd5563b2d54d333e8d81bd130262"
ARMY = "aaddbf1f991e873c0f60c12f2e827629ad080e3ef2a103a112d93e6ac273240d"
WORDS = (
    "19c51e9220204cd8d473f44c951f6b2bf41f29032a313fd563c45242e7fcedfe",
    "db9a631ddc8d933ef8a448c6d224c435660b0b0b485565d06c2f0cf8e29633b9",
)
LINE_0 = (
    f'["estafette/match/2",17,"lattaque-en",[["two_square",5]],"3d","7d","{"a" * 64}",null,'
    '"2026-11-26T09:11:40.123456+00:00"]'
)
HEAD_0 = "76c05c70ff36bb56dfb99c1fdf8efa83865a84b8d7be0912de8b43ad21320aaa"
HEAD_1 = "490fb1cb9c0b20f425f57a266a59f0cd89badd1f82cd245aac226393eeef2c8e"
SIGNATURE = (
    "d5aefa2d866229b63dc1c94516ef6c2ad5d1e451bbb8ffdfb83dfceaaf1696e3"
    "0c7b5c25b845feb0e1b0ec301fa8139be91ca378bdad9f5b760f08f738cb2a04"
)


def test_a_square_is_sealed() -> None:
    nonce = seals.nonce(SECRET, 17, "S", "a4")
    assert nonce == "5fac5f9461a2de82ebf38628f1dda6f81b7a0793ebcacba34803166765ce4994"
    assert seals.leaf(17, "S", "a4", "R", nonce) == LEAF
    assert seals.leaves(17, "S", ["a4"], seals.SealedArmy(SECRET, ("R",))) == [LEAF]
    assert seals.army_hash(17, "S", [LEAF]) == ARMY


def test_the_tiles_set_aside_follow_from_seed_and_words() -> None:
    assert deal.commitment(SEED) == (
        "f2e58f0c590b35e9140a2ef090bce96265229e155f1a8b2c57790f85b141d503"
    )
    assert (deal.words_hash("fair wind"), deal.words_hash("")) == WORDS
    lot = deal.lot_of(ruleset("domino"))
    assert deal.drawn(SEED, 17, "S", WORDS, lot, 4) == ("25", "44", "36", "11")


def test_heads_cover_all_lines_before_them() -> None:
    line_1 = chain.ply_line(1, 0, "setup", "", "2026-11-26T10:00:00.000001+00:00", ARMY)
    assert line_1 == f'[1,0,"setup","","2026-11-26T10:00:00.000001+00:00","{ARMY}"]'
    assert list(chain.heads([LINE_0, line_1])) == [HEAD_0, HEAD_1]
    assert chain.next_head(chain.first_head(LINE_0), line_1) == HEAD_1


def test_the_first_line_names_the_terms() -> None:
    line = chain.first_line(
        17,
        "lattaque-en",
        {"two_square": 5, "limit": 40},
        "3d",
        "7d",
        "{}",
        None,
        "2026-11-26T09:11:40.123456+00:00",
    )
    assert line == (
        '["estafette/match/2",17,"lattaque-en",[["limit",40],["two_square",5]],"3d","7d",'
        '"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a",null,'
        '"2026-11-26T09:11:40.123456+00:00"]'
    )


def test_a_head_is_signed() -> None:
    statement = chain.statement(17, 1, HEAD_1)
    assert statement == f"estafette/head/1 17 1 {HEAD_1}"
    key = Ed25519PrivateKey.from_private_bytes(bytes.fromhex(KEY))
    signature = key.sign(statement.encode()).hex()
    assert signature == SIGNATURE
    assert chain.proof_lines(statement, signature) == (f"head {statement}", f"sign {SIGNATURE}")


def test_endings_say_their_result_and_reason() -> None:
    assert chain.ending_extra("S", "flag captured") == "S flag captured"
    assert chain.ending_extra("draw", "agreed") == "draw agreed"
    assert chain.ending_extra("", "aborted") == "- aborted"
    assert chain.setup_extra(ARMY) == ARMY
    assert chain.setup_extra(ARMY, "S", "flag shot") == f"{ARMY} S flag shot"


def test_an_abort_is_a_cancel_in_the_chain() -> None:
    line = chain.ply_line(2, 1, "abort", "", "2026-11-26T10:00:00.000001+00:00", "- aborted")
    assert line == '[2,1,"cancel","","2026-11-26T10:00:00.000001+00:00","- aborted"]'
