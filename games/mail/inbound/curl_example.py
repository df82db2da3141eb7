"""Example for the demo: a curl command that answers an e-mail with a move."""

import shlex

from django.conf import settings
from django.db import connection, transaction

from accounts.models import User
from games.notifications.email.replies import reply_addresses
from games.notifications.email.replies.reply_addresses import About
from games.notifications.models import Purpose
from games.play.models.match import Match, Player, Status
from games.play.record.match_view import view_match
from games.rules.core.text import notation

DISPATCH_KEY = "the example of the demo"


def curl_example(listener_url: str) -> str:
    """A shell command that plays a legal move in a running match; "" if there is none."""
    try:
        return _curl_example(listener_url)
    finally:
        connection.close()


def _curl_example(listener_url: str) -> str:
    waiting = Player.objects.filter(to_act=True, live=True, match__status=Status.RUNNING)
    player = waiting.select_related("user").order_by("match").first()
    if player is None:
        return ""
    user: User = User.objects.get(pk=player.user_id)
    view = view_match(player.match_id, user)
    if not view.observation.moves:
        return ""
    move = notation.write_move(view.rules, view.observation.moves[0])
    about = About(
        dispatch_key=DISPATCH_KEY,
        purpose=Purpose.MATCH,
        user=user,
        match_id=player.match_id,
        ply=view.number,
    )
    with transaction.atomic():
        address = reply_addresses.issue(about)
    header = f"From: {user.email}\\r\\nSubject: {Match.objects.get(pk=player.match_id)}"
    message = shlex.quote(f"{header}\\r\\n\\r\\n{move}\\r\\n")
    options = f"--mail-from {user.email} --mail-rcpt {address}"
    command = f"printf {message} | curl -s {listener_url} {options} -T -"
    return f"{command} # {settings.SITE_URL}{view.address}"
