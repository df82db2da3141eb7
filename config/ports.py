"""Connects the ports: implementations in upper rooms of what lower rooms ask (lib/ports.py)."""


def connect() -> None:
    """Connect every port. Called when all models are loaded."""
    import accounts.ports
    import games.lobby.ports
    import games.outbox.ports
    import games.people.ports
    import games.play.ports
    from config.personal_data import exports
    from config.web.site_settings import is_sign_up_open
    from games.archive.storage import delete_records_of
    from games.competitions.ladders import departures as ladder_departures
    from games.competitions.ladders import links as ladders
    from games.competitions.tournaments import links as tournaments
    from games.competitions.tournaments.commands import entering, withdrawing
    from games.house import house_accounts
    from games.house.forms import levels
    from games.house.playing.offer_answers import accept_challenge
    from games.idempotency import client_keys, replay
    from games.lobby import commands as lobby
    from games.lobby.models import challenges_column
    from games.mail import intake, unread_messages
    from games.mail.inbound import listener_probe
    from games.notifications import standing_access
    from games.notifications.email import account_emails
    from games.notifications.policy import deliverability
    from games.outbox.publishing import reschedule
    from games.people import erasure
    from games.people.moderation import erasure as reports
    from games.play.commands import matches
    from games.play.lists.endings import at_closing, is_playing
    from games.play.lists.opponents import running_opponents
    from games.talk import commands as talk
    from games.talk import excerpts
    from games.watch import following

    accounts.ports.on_closing.connect(
        # Before their matches end, since these then count as forfeits.
        withdrawing.erase_player,
        matches.erase_player,
        ladder_departures.close_account,
        lobby.erase_player,
        erasure.erase_player,
        reports.erase_player,
        talk.erase_lines_of,
        following.erase_player,
        replay.forget_name,
        client_keys.forget_name,
        delete_records_of,
        standing_access.delete_channels_of,
        intake.delete_messages_of,
    )
    accounts.ports.on_leaving.connect(
        lobby.close_invitations, entering.leave_all, ladder_departures.close_account
    )
    accounts.ports.still_running.connect(is_playing, tournaments.is_playing)
    accounts.ports.export_files.connect(exports.files)
    accounts.ports.opponents_of.connect(running_opponents)
    accounts.ports.compete.connect(tournaments.compete, ladders.compete)
    accounts.ports.endings_of.connect(at_closing, tournaments.at_closing, ladders.at_closing)
    accounts.ports.on_blocking.connect(ladder_departures.close_account)
    accounts.ports.send_email.connect(account_emails.keep_and_send)
    accounts.ports.on_preferences.connect(reschedule)
    accounts.ports.sign_up_is_open.connect(is_sign_up_open)
    games.people.ports.on_block.connect(lobby.separate)
    games.people.ports.talk_excerpt.connect(excerpts.excerpt)
    games.play.ports.unread_moves.connect(
        unread_messages.first_unread, house_accounts.unread_from_house
    )
    games.play.ports.events.connect(tournaments.link_of, ladders.link_of)
    games.play.ports.other_ways.connect(listener_probe.is_open)
    games.play.ports.challenges.connect(challenges_column)
    games.play.ports.say.connect(talk.say)
    games.lobby.ports.house_levels.connect(levels)
    games.lobby.ports.house_opponent.connect(house_accounts.opponent)
    games.lobby.ports.house_accepts.connect(accept_challenge)
    games.outbox.ports.on_release.connect(deliverability.release)
