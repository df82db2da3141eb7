"""Refusals of commands as problems, with the code of the refusal and its translated sentence."""

from collections.abc import Iterator
from contextlib import contextmanager

from games.api.gate.problems import KINDS, Problem, not_found
from games.lobby.models import Invitation
from games.play import refusals
from games.play.models.match import Match
from games.play.words.wording import refusal_text, refusal_texts
from games.rules.core.basics.refusals import BadSetup, Refusal

NOT_FOUND = refusals.NotSeated.code


@contextmanager
def problems() -> Iterator[None]:
    """Context manager: a refusal within the block is raised as a Problem.

    Whatever does not exist, or is not for the asker, is the one problem "not-found".
    """
    try:
        yield
    except (Match.DoesNotExist, Invitation.DoesNotExist):
        raise not_found() from None
    except Refusal as refusal:
        raise problem_of(refusal) from None


def problem_of(refusal: Refusal) -> Problem:
    """The problem of a refusal."""
    if refusal.code == NOT_FOUND:
        return not_found()
    code = refusal.code if refusal.code in KINDS else Refusal.code
    if isinstance(refusal, BadSetup):
        return Problem(code, refusal_text(refusal), faults=refusal_texts(refusal))
    return Problem(code, refusal_text(refusal))
