"""Plays matches through the service, and runs verify.py on their proofs in a bare Python."""

import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from random import Random

from django.conf import settings

from games.play.commands import moves
from games.play.models.match import Match, by_seat
from games.play.record import match_store
from games.play.record.proofs import bundles, receipts
from games.rules.core.basics.pieces import Seat
from games.rules.core.text import notation

PROGRAM = Path(settings.BASE_DIR) / "games/rules/proof/verify.py"
HOLDS, FAILS, UNREADABLE = 0, 1, 2  # exit statuses of verify.py


def verified(
    folder: Path, texts: Mapping[str, str], *keys: str, files: Iterable[str] = ()
) -> tuple[int, str]:
    """The exit status of verify.py on these texts, by name, and all that it said.

    `files` are the names of more, which lie in the folder.
    """
    for name, text in texts.items():
        (folder / name).write_bytes(text.encode())
    program = [sys.executable, "-I", str(PROGRAM)]
    given = [part for key in keys for part in ("--key", key)]
    done = subprocess.run(
        [*program, *given, *texts, *files], cwd=folder, capture_output=True, text=True, check=False
    )
    assert not done.stderr, done.stderr
    return done.returncode, done.stdout


def proofs_of(match: Match, name: str = "") -> dict[str, str]:
    """The bundle of a match as it stands, and the receipts of the seats that have set up."""
    files = {f"bundle{name}-{match.pk}.proof": bundles.bundle(match.pk)}
    for seat, player in by_seat(match).items():
        try:
            files[f"receipt-{match.pk}-{seat}.txt"] = receipts.receipt(match.pk, player.user)
        except receipts.NoReceipt:
            continue
    return files


def set_up_at_random(match: Match, dice: Random) -> None:
    """Both sides send a set-up drawn from all that the rules allow."""
    players = by_seat(match)
    for seat in match.rules.seats_setting_up:
        position = match_store.load_match(match.pk).position
        setup = match.rules.random_setup(seat, dice, position)
        text = notation.write_setup(match.rules, setup)
        moves.submit_move(match.pk, players[seat].user, text, None)


def play_at_random(match: Match, dice: Random, plies: int) -> Iterator[int]:
    """Play up to so many random moves, battles first; yields the number of each ply."""
    players = by_seat(match)
    for _ in range(plies):
        state = match_store.load_match(match.pk)
        if not state.match.is_live:
            return
        seat = Seat(state.position.turn)
        texts = [
            notation.write_move(state.rules, move)
            for move in state.rules.legal_moves(state.position, seat)
        ]
        battles = [text for text in texts if "x" in text]
        text = dice.choice(battles if battles and dice.random() < 0.6 else texts)
        yield moves.submit_move(match.pk, players[seat].user, text, state.match.ply).ply
