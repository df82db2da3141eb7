"""How a program tries the API: what it may request, and what it should not.

As the visits of visits.py. Every answer is recorded with its status, its headers and its ETag.
"""

from games.lobby.models import Invitation
from tests.secrecy.visits import Visitor

VIEWPOINTS = ("south", "north", "gallery", "open")


def presets(v: Visitor) -> None:
    v.ask("/presets")


def account(v: Visitor) -> None:
    v.ask("/account")


def waiting(v: Visitor) -> None:
    v.ask("/waiting")


def matches(v: Visitor) -> None:
    v.ask("/matches")
    v.ask("/matches", state=v.rng.choice(("live", "finished", "nonsense")))
    v.ask("/matches", cursor=v.rng.choice((f"matches-1-{v.match_id + 1}", "nonsense")))


def match(v: Visitor) -> None:
    v.ask(f"/matches/{v.match_id}")
    v.ask(f"/matches/{v.match_id + 1}")


def board(v: Visitor) -> None:
    """Now, earlier and later than now; from every viewpoint, also those of others."""
    path = f"/matches/{v.match_id}/board"
    v.ask(path)
    v.ask(path, ply=v.rng.randint(0, v.match.ply))
    v.ask(path, ply=v.match.ply + 1)
    for viewpoint in VIEWPOINTS:
        v.ask(path, viewpoint=viewpoint)
    v.ask(path, viewpoint=v.rng.choice(VIEWPOINTS), ply=v.rng.randint(0, v.match.ply))
    v.ask(path, viewpoint="nonsense", seat="N")


def plies(v: Visitor) -> None:
    path = f"/matches/{v.match_id}/plies"
    v.ask(path)
    v.ask(path, after=v.rng.randint(0, v.match.ply))
    v.ask(path, after="-1")


def record(v: Visitor) -> None:
    v.ask(f"/matches/{v.match_id}/record")


def lobby(v: Visitor) -> None:
    v.ask("/lobby")
    v.ask("/lobby", cursor="lobby-1-2")


def invitations(v: Visitor) -> None:
    v.ask("/invitations")


def invitation(v: Visitor) -> None:
    """Each that there is, and one that there is not."""
    newest = Invitation.objects.order_by("pk").last()
    assert newest is not None
    for number in range(1, newest.pk + 2):
        v.ask(f"/invitations/{number}")


def archive(v: Visitor) -> None:
    v.ask("/archive")
    v.ask("/archive", player=v.victim.username, result=v.rng.choice(("won", "lost", "draw")))
    v.ask("/archive", cursor=v.rng.choice((f"archive-1-{v.match_id}", "nonsense")))


def records(v: Visitor) -> None:
    v.ask("/archive/records")
    v.ask("/archive/records", opponent=v.victim.username)
