"""Connects the ports: implementations in upper rooms of what lower rooms ask (lib/ports.py)."""


def connect() -> None:
    """Connect every port. Called when all models are loaded."""
    import accounts.ports
    import games.lobby.ports
    import games.outbox.ports
    import games.play.ports
    from games.archive.storage import delete_records_of
    from games.competitions.ladders import departures as ladders
    from games.house import house_accounts
    from games.house.forms import levels
    from games.house.playing.offer_answers import accept_challenge
    from games.lobby import commands as lobby
    from games.mail import intake, unread_messages
    from games.mail.inbound import listener_probe
    from games.notifications import standing
    from games.notifications.email import account_emails
    from games.notifications.policy import deliverability
    from games.outbox.publishing import reschedule
    from games.play.commands import matches
    from games.play.lists.endings import at_closing
    from games.play.lists.opponents import running_opponents

    accounts.ports.on_closing.connect(
        matches.erase_player,
        ladders.close_account,
        lobby.erase_player,
        delete_records_of,
        standing.delete_channels_of,
        intake.delete_messages_of,
    )
    accounts.ports.opponents_of.connect(running_opponents)
    accounts.ports.endings_of.connect(at_closing, ladders.at_closing)
    accounts.ports.on_blocking.connect(ladders.close_account)
    accounts.ports.send_email.connect(account_emails.keep_and_send)
    accounts.ports.on_preferences.connect(reschedule)
    games.play.ports.unread_moves.connect(
        unread_messages.first_unread, house_accounts.unread_from_house
    )
    games.play.ports.other_ways.connect(listener_probe.is_open)
    games.lobby.ports.house_levels.connect(levels)
    games.lobby.ports.house_opponent.connect(house_accounts.opponent)
    games.lobby.ports.house_accepts.connect(accept_challenge)
    games.outbox.ports.on_release.connect(deliverability.release)
