"""Helpers that save plans by the real command, and read what became of them."""

from typing import Any

from accounts.models import User
from games.plan_language.reading import read_lines
from games.play.commands.plans import saving
from games.play.models.match import Match, Player
from games.play.models.plan import PlanState, Wait
from games.play.models.ply import Ply
from games.play.record.sealed import plans
from games.play.record.sealed.plans import StoredPlan


def save(match: Match, user: User, *lines: str, wait: Wait = Wait.NOW, **more: Any) -> saving.Saved:
    """Save these lines for the board of now; they answer at once."""
    match.refresh_from_db()
    text = read_lines("\n".join(lines))
    assert not text.faults
    return saving.save_plan(match.pk, user, match.ply, text.lines, wait=wait, **more)


def plan_of(match: Match, user: User) -> StoredPlan:
    """The plan of a player, opened."""
    plan = plans.read(Player.objects.get(match=match, user=user).pk)
    assert plan is not None
    return plan


def texts(match: Match) -> list[str]:
    """The public texts of all plies, the oldest first."""
    plies = Ply.objects.filter(match=match).order_by("number")
    return list(plies.values_list("text", flat=True))


def stored(match: Match, user: User) -> tuple[str, ...]:
    """The lines of the plan that stands, in the order in which they are tried."""
    saved = plans.read(Player.objects.get(match=match, user=user).pk)
    return saved.contents.lines if saved and saved.row.state is PlanState.STANDING else ()
