"""How a program tries the API: what it may request, and what it should not.

As the visits of visits.py. Every answer is recorded with its status, its headers and its ETag.
"""

from games.lobby.models import Invitation
from tests.secrecy.visits import Visitor, any_invitation, is_playable, tries, vain_actions

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


def receipt(v: Visitor) -> None:
    """The receipt of somebody who has no seat, or sits opposite, or has not set up yet."""
    v.ask(f"/matches/{v.match_id}/receipt")


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


# --- playing


def lines(v: Visitor) -> None:
    """All lines, those after several plies, and those of a seat that is asked for."""
    path = f"/matches/{v.match_id}/lines"
    v.ask(path)
    for after in (v.rng.randint(0, v.match.ply), v.match.ply - 1, v.match.ply, "-1"):
        v.ask(path, after=after)
    v.ask(path, seat="N")


def play_move(v: Visitor) -> None:
    """Impossible moves, with and without a key; moves for other plies than the newest."""
    path = f"/matches/{v.match_id}/moves"
    for text in tries(v, 3):
        # A legal move would be played, and the game has other moves.
        if not is_playable(v, text):
            body = {"move": text, "ply": v.match.ply}
            v.ask(path, body=body, key=v.rng.choice(("", "a-move-that-is-tried")))
    (text,) = tries(v, 1)
    before = v.rng.choice((0, v.match.ply + 1, max(0, v.match.ply - 2), -1))
    v.ask(path, body={"move": text, "ply": before})


def send_setup(v: Visitor) -> None:
    for text in ("RRRR/2", ""):
        v.ask(f"/matches/{v.match_id}/setup", body={"setup": text})


def act(v: Visitor) -> None:
    """Actions that have no effect."""
    for action in (*vain_actions(v)[:3], "nonsense"):
        v.ask(f"/matches/{v.match_id}/actions", body={"action": action})


def invite(v: Visitor) -> None:
    """An open seat under a key, whose answer is given again; challenges that are refused."""
    for _ in range(2):
        v.ask("/invitations", body={"preset": v.match.preset}, key="an-invitation-that-is-kept")
    v.ask("/invitations", body={"preset": "nonsense", "guest": v.victim.username})
    v.ask("/invitations", body={"preset": v.match.preset}, key="short")


def accept(v: Visitor) -> None:
    v.ask(f"/invitations/{any_invitation(v)}/accept", body={})
    v.ask(f"/invitations/{any_invitation(v)}/accept", body={"words": "fair wind"})


def decline(v: Visitor) -> None:
    v.ask(f"/invitations/{any_invitation(v)}/decline", body={})


def withdraw(v: Visitor) -> None:
    v.ask(f"/invitations/{any_invitation(v)}/withdraw", body={})
