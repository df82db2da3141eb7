"""Parses moves, and the set-up of two officers, as commands."""

from games.mail.reading.commands import Command, Verb
from games.mail.reading.grammar.vocabulary import Vocabulary
from lib.spelling import moves as spelled_moves
from lib.spelling.moves import SpelledMove


def read_move(text: str, vocabulary: Vocabulary) -> Command | None:
    """The move that fills a text, or the set-up of two officers; None otherwise."""
    points = vocabulary.two_points
    if points and (match := points.fullmatch(text.casefold())):
        return Command(Verb.SETUP, squares=(match["one"], match["other"]))
    return _command(spelled_moves.read_move(text))


def read_starred_huff(text: str) -> Command | None:
    """A huff in record notation, `*d6,c4-c5` or `*d6`; to be tried before emphasis is stripped."""
    return _command(spelled_moves.read_starred_huff(text))


def _command(move: SpelledMove | None) -> Command | None:
    return move and Command(
        Verb.MOVE, squares=move.squares, claims_capture=move.claims_capture, huff=move.huff
    )
