"""Hash chain of a match, version 2: each ply is a line of JSON, and a head covers all lines so far.

The lines are those that a bundle shows. `at` is a moment in UTC with six digits behind the point,
`2026-11-26T09:11:40.123456+00:00`.
"""

import json
from collections.abc import Iterable, Iterator, Mapping

from games.rules.core.basics.options import Value
from games.rules.proof.hashes import digest

FORMAT = "estafette/match/2"
LOOK = "estafette/look/1"
NO_RESULT = "-"
VOID_EXTRA = "- void"  # an administrator's sentence may have to be erased, so it is not hashed
# The chain knows one kind for every end without a result before the first move.
KINDS = {"abort": "cancel"}

encode = json.JSONEncoder(separators=(",", ":")).encode


def first_line(
    match: int,
    preset: str,
    switches: Mapping[str, Value],
    pace: str,
    setup_pace: str,
    rules_line: str,
    deal: tuple[str, str, str] | None,
    at: str,
) -> str:
    """Line 0: the terms of the match.

    `deal` is the commitment and the hashes of South's and North's words, None without a deal.
    """
    rules = digest(rules_line)
    return encode(
        [FORMAT, match, preset, sorted(switches.items()), pace, setup_pace, rules, deal, at]
    )


def ply_line(number: int, seat: int | None, kind: str, text: str, at: str, extra: str) -> str:
    """The line of ply `number`, from 1; `kind` as it is stored, `seat` 0, 1 or None."""
    return encode([number, seat, KINDS.get(kind, kind), text, at, extra])


def ending_extra(result: str, reason: str) -> str:
    """The last field of an ending: `S flag captured`, `draw agreed`, `- aborted`.

    `result` is `S`, `N`, `O` or `draw`, "" for none; `reason` is the value of a Termination.
    """
    return f"{result or NO_RESULT} {reason}"


def setup_extra(sealed: str, result: str = "", reason: str = "") -> str:
    """The last field of a set-up: what `seals.seal_setup` returns, and any ending by its volley."""
    return f"{sealed} {ending_extra(result, reason)}" if reason else sealed


def look_extra(asker: str, second: str, reason: str) -> str:
    """The last field of a look: a hash of who asked, who agreed, and why."""
    return digest("\n".join((LOOK, asker, second, reason)))


def first_head(line: str) -> str:
    """The head of line 0."""
    return digest(line)


def next_head(head: str, line: str) -> str:
    """The head after one more line."""
    return digest(f"{head} {line}")


def heads(lines: Iterable[str]) -> Iterator[str]:
    """The head after each line, from line 0."""
    head = ""
    for line in lines:
        head = next_head(head, line) if head else first_head(line)
        yield head


def statement(match: int, number: int, head: str) -> str:
    """What is signed of a head: that it is the one of ply `number`."""
    return f"estafette/head/1 {match} {number} {head}"


def proof_lines(statement: str, signature: str) -> tuple[str, str]:
    """The two lines that e-mails, receipts and bundles show; a signature has 128 hex digits."""
    return f"head {statement}", f"sign {signature}"
