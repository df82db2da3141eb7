"""Random matches with their proofs, made without a database."""

import random
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path

from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from games.rules.core.basics.moves import Attack, Charge, Move
from games.rules.core.basics.pieces import BySeat, Seat
from games.rules.core.basics.viewpoint import Viewpoint
from games.rules.core.engine import advance, begin
from games.rules.core.observation import witness
from games.rules.core.ruleset.base import Ruleset
from games.rules.core.state.events import Event
from games.rules.core.state.position import Position
from games.rules.core.text.game_record import result_of
from games.rules.core.text.notation import annotate, remarks
from games.rules.proof import bundle, chain, deal, seals
from games.rules.proof.rules_line import rules_line
from games.rules.proof.seals import SealedArmy
from games.rules.registry import editions, ruleset

KEYS = [Ed25519PrivateKey.from_private_bytes(bytes([seed] * 32)) for seed in range(3)]
PUBLIC = [key.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw).hex() for key in KEYS]
PRESETS = [rules.key for rules in editions()]
HIDDEN = [rules.key for rules in editions() if rules.hidden]
ATTACKS_OFTEN = 0.6  # so that a random match ends after some hundred plies


def sign(statement: str, key: int = 0) -> str:
    """The signature of a statement, in hexadecimal."""
    return KEYS[key].sign(statement.encode()).hex()


def proof_lines(lines: list[str], number: int, match: int, key: int = 0) -> tuple[str, str]:
    """The proof lines of one ply."""
    head = list(chain.heads(lines[: number + 1]))[-1]
    statement = chain.statement(match, number, head)
    return chain.proof_lines(statement, sign(statement, key))


@dataclass
class Match:
    """A match under way, with the lines of its chain."""

    rules: Ruleset
    number: int = 17
    seed: int = 0
    words: tuple[str, str] = ("fair wind", "")
    switches: dict[str, bool | int | str] = field(default_factory=dict)
    lines: list[str] = field(default_factory=list)
    armies: dict[Seat, SealedArmy] = field(default_factory=dict)
    setup_plies: dict[Seat, int] = field(default_factory=dict)
    seconds: int = 0

    def __post_init__(self) -> None:
        self.rng = random.Random(f"{self.rules.key} {self.seed}")
        self.secrets = [self.rng.randbytes(32), self.rng.randbytes(32)]
        self.deal_seed = self.rng.randbytes(32)
        self.position = self._dealt()
        self.lines.append(
            chain.first_line(
                self.number,
                self.rules.key,
                self.switches,
                "3d",
                "7d",
                rules_line(self.rules),
                self._deal_line(),
                self.now(),
            )
        )

    def _dealt(self) -> Position:
        position = begin(self.rules, None)
        if self.rules.deal is None:
            return position
        aside = deal.aside(self.rules, self.deal_seed, self.number, BySeat(*self.words))
        return position._replace(memory=aside)

    def _deal_line(self) -> tuple[str, str, str] | None:
        if self.rules.deal is None:
            return None
        south, north = self.words
        return deal.commitment(self.deal_seed), deal.words_hash(south), deal.words_hash(north)

    def now(self) -> str:
        """The time of the next ply."""
        self.seconds += 61
        hours, minutes = divmod(self.seconds // 60, 60)
        day, hour = divmod(hours, 24)
        return f"2026-11-{day + 1:02}T{hour:02}:{minutes:02}:{self.seconds % 60:02}.000001+00:00"

    @property
    def plies(self) -> int:
        return len(self.lines) - 1

    def append(self, seat: int | None, kind: str, text: str = "", extra: str = "") -> None:
        self.lines.append(chain.ply_line(self.plies + 1, seat, kind, text, self.now(), extra))

    # --- what happens in a match

    def set_up(self, *seats: Seat) -> "Match":
        """Let some seats set up, or all that are to."""
        for seat in seats or tuple(self.position.awaited):
            setup = self.rules.random_setup(seat, self.rng, self.position)
            self.position, events = advance(self.rules, self.position, seat, setup)
            secret = self.secrets[seat]
            if self.rules.hidden:
                self.armies[seat] = SealedArmy(secret, seals.ranks_of(self.rules, setup))
            sealed = seals.seal_setup(self.rules, self.number, setup, secret)
            self.setup_plies[seat] = self.plies + 1
            extra = chain.setup_extra(sealed, *self._ending())
            self.append(seat, "setup", _remarks(events).strip(), extra)
        return self

    def play(self, plies: int = 1) -> "Match":
        """Play random moves, attacks more often than not."""
        for _ in range(plies):
            if self.position.outcome:
                break
            seat = self.position.turn
            moves = tuple(self.rules.legal_moves(self.position, seat))
            attacks = [move for move in moves if isinstance(move, Attack | Charge)]
            often = attacks and self.rng.random() < ATTACKS_OFTEN
            self.move(self.rng.choice(attacks if often else moves))
        return self

    def move(self, move: Move) -> None:
        seat = self.position.turn
        self.position, events = advance(self.rules, self.position, seat, move)
        text = annotate(self.rules, move, witness(events, Viewpoint.GALLERY))
        ending = chain.ending_extra(*self._ending()) if self.position.outcome else ""
        self.append(seat, "move", text, ending)

    def _ending(self) -> tuple[str, str]:
        outcome = self.position.outcome
        return (result_of(self.rules, outcome), str(outcome.reason)) if outcome else ("", "")

    def resign(self, seat: Seat) -> "Match":
        winner = self.rules.seat_letters[seat.other]
        self.append(seat, "resign", extra=chain.ending_extra(winner, "resigned"))
        return self

    def draw(self) -> "Match":
        self.append(self.position.turn, "draw", extra=chain.ending_extra("draw", "agreed"))
        return self

    def time(self) -> "Match":
        winner = self.rules.seat_letters[self.position.turn.other]
        self.append(None, "time", extra=chain.ending_extra(winner, "time"))
        return self

    def abort(self, seat: Seat = Seat.SOUTH) -> "Match":
        self.append(seat, "abort", extra=chain.ending_extra("", "aborted"))
        return self

    def no_show(self) -> "Match":
        self.append(None, "cancel", extra=chain.ending_extra("", "no set-up in time"))
        return self

    def void(self) -> "Match":
        self.append(None, "void", extra=chain.VOID_EXTRA)
        return self

    def reopen(self) -> "Match":
        self.append(None, "reopen")
        return self

    def look(self) -> "Match":
        self.append(None, "look", extra="ab" * 32)
        return self

    # --- its files

    def proven(self, *, time_is_final: bool = True) -> bundle.Proven:
        return bundle.Proven(
            match=self.number,
            rules=self.rules,
            lines=self.lines,
            armies=self.armies,
            seed=self.deal_seed if self.rules.deal else None,
            time_is_final=time_is_final,
        )

    def bundle(self, *, time_is_final: bool = True) -> str:
        return bundle.write_bundle(self.proven(time_is_final=time_is_final), PUBLIC[:1], sign)

    def proof(self, number: int, key: int = 0) -> tuple[str, str]:
        return proof_lines(self.lines, number, self.number, key)

    def receipt(self, seat: Seat) -> str:
        return bundle.write_receipt(
            self.number,
            self.rules,
            seat,
            self.armies.get(seat),
            self.words[seat] if self.rules.deal else None,
            self.proof(self.setup_plies[seat]),
        )

    def letter(
        self, number: int, *, attached: str = "", transfer: str = "quoted-printable"
    ) -> bytes:
        """An e-mail that shows a ply, as a mailbox stores it."""
        message = EmailMessage()
        message["Subject"] = "Your move in match 17"
        message["From"] = "Estafette <play@club.example>"
        message["Message-ID"] = f"<{number}@club.example>"
        lines = ("Anna has moved – it is your turn.", "", "Keep this e-mail, it is your witness:")
        text = "\n".join([*lines, *self.proof(number), ""])
        message.set_content(text, cte=transfer)
        message.add_alternative(f"<p>{text}</p>", subtype="html")
        if attached:
            message.add_attachment(attached, filename="receipt-17.txt")
        return message.as_bytes().replace(b"\n", b"\r\n")


def _remarks(events: tuple[Event, ...]) -> str:
    return remarks(witness(events, Viewpoint.GALLERY))


def begun(preset: str, seed: int = 0, **switches: bool | int | str) -> Match:
    """A match in which nobody has set up."""
    return Match(ruleset(preset, switches), seed=seed, switches=switches)


def played(preset: str, plies: int = 60, seed: int = 0, **switches: bool | int | str) -> Match:
    """A match after some random moves."""
    return begun(preset, seed, **switches).set_up().play(plies)


class Files:
    """Files of a test in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def write(self, name: str, content: str | bytes) -> str:
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)
