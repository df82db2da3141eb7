"""Every channel through which data can leave, and how the twins test it: a reviewed list.

test_registered.py fails for anything not listed here. An entry is one of:

* Visited, by a function of visits.py that requests the page as a curious reader would,
* Driven: it happens in some story of worlds.py, or test_twins.py fails, or
* Idle, with the reason why no data of a match can leave through it.

Hidden things must differ between the worlds, or nothing is tested: see World._victims_whims.
docs/secrecy.md, "To add something", says more.
"""

from typing import NamedTuple

from tests.secrecy import api_visits, visits
from tests.secrecy.visits import Visit

OPPONENT, SPECTATOR, STRANGER, STAFF = "the opponent", "a spectator", "a stranger", "staff"
EVERYBODY = (OPPONENT, SPECTATOR, STRANGER, STAFF)


class Visited(NamedTuple):
    """`opens`: the page shows the record of a match after it is finished, by the site's rules."""

    visit: Visit
    viewers: tuple[str, ...] = EVERYBODY
    opens: bool = False


class Driven(NamedTuple):
    """It happens in the course of the matches, by `how`."""

    how: str


class Idle(NamedTuple):
    why: str


DOORS = Idle("A door of allauth: it knows people, sessions and factors, and no match.")
BROUGHT_ALONG = Idle("It shows what its owner has brought as a text, and opens no match.")
PREFERENCES = Idle("It writes the reader's own and leads back to their page; it knows no match.")
TAKES_MAIL = Idle("It takes a message in behind a secret, and says in a word whether it is stored.")
FRAME = Idle("Django's own; it serves words and redirections, no data.")

# By name; an unnamed pattern by its route.
URLS: dict[str, Visited | Idle] = {
    "home": Visited(visits.home),
    "play:next": Visited(visits.next_match),
    "play:setups": Visited(visits.setups),
    "play:new_setup": Visited(visits.new_setup),
    "play:edit_setup": Visited(visits.edit_setup),
    "play:live": Idle("It answers with a status and nothing more."),
    "play:ready": Idle("It answers with a status and nothing more."),
    "metrics": Idle("It needs a token; what it says is compared at the end of each story."),
    "play:match": Visited(visits.match, opens=True),
    "play:move": Visited(visits.move, opens=True),
    "play:prepare": Visited(visits.prepare, opens=True),
    "play:put_aside": Visited(visits.put_aside),
    "play:set_up": Visited(visits.set_up),
    "play:news": Visited(visits.news),
    "play:mark": Visited(visits.mark, opens=True),
    "play:note": Visited(visits.note, opens=True),
    "play:practice": Visited(visits.practice),
    "play:moves": Visited(visits.moves),
    "talk:page": Visited(visits.talk),
    "talk:mute": Visited(visits.mute_talk),
    "play:plies": Visited(visits.plies, opens=True),
    "play:battles": Visited(visits.battles),
    "play:plan": Visited(visits.plan),
    "play:step": Visited(visits.step),
    "play:small": Visited(visits.small),
    "play:proof": Visited(visits.proof),
    "play:bundle": Visited(visits.bundle, opens=True),
    "play:receipt": Visited(visits.receipt),
    "play:picture": Visited(visits.picture),
    "play:picture_svg": Visited(visits.picture),
    "play:picture_of": Visited(visits.picture_of, opens=True),
    "watch:index": Visited(visits.watch),
    "watch:live": Visited(visits.page("watch:live")),
    "watch:follow": Visited(visits.follow, opens=True),
    "play:time_off": Visited(visits.time_off),
    "play:time_off_of": Visited(visits.time_off_of),
    "play:withdraw_vacation": Visited(visits.withdraw_vacation),
    "lobby:index": Visited(visits.lobby_index),
    "lobby:new": Visited(visits.lobby_new),
    "lobby:strength": Visited(visits.strength),
    "lobby:challenge": Visited(visits.challenge),
    "lobby:link": Visited(visits.link),
    "lobby:rematch": Visited(visits.rematch),
    "lobby:detail": Visited(visits.invitation),
    "lobby:accept": Visited(visits.accept),
    "lobby:decline": Visited(visits.decline),
    "lobby:withdraw": Visited(visits.withdraw),
    "lobby:prolong": Visited(visits.prolong),
    "ratings:index": Visited(visits.page("ratings:index")),
    "ratings:family": Visited(visits.leaders),
    "ratings:person": Visited(visits.ratings_of_victim),
    "lobby:report": Visited(visits.report_invitation),
    "moderation:report_profile": Visited(visits.report_profile),
    "moderation:report_line": Visited(visits.report_line),
    "moderation:own": Visited(visits.page("moderation:own")),
    "moderation:decision": Visited(visits.decision),
    "tournaments:index": Visited(visits.page("tournaments:index")),
    "tournaments:tournament": Visited(visits.tournament("tournaments:tournament")),
    "tournaments:enter": Visited(visits.enter_tournament),
    "tournaments:leave": Visited(visits.leave_tournament),
    "tournaments:table_csv": Visited(visits.tournament("tournaments:table_csv")),
    "tournaments:pairings_csv": Visited(visits.tournament("tournaments:pairings_csv")),
    "ladders:index": Visited(visits.page("ladders:index")),
    "ladders:ladder": Visited(visits.ladder("ladders:ladder")),
    "ladders:log": Visited(visits.ladder("ladders:log")),
    "ladders:join": Visited(visits.ladder("ladders:join")),
    "ladders:leave": Visited(visits.ladder("ladders:leave")),
    "ladders:challenge": Visited(visits.ladder_challenge),
    "house:play": Visited(visits.page("house:play")),
    "house:thought": Visited(visits.thought, opens=True),
    "api_reference": Idle(
        "It describes the operations, the same for everybody who reads the language."
    ),
    "api:openapi": Idle("It describes the operations, the same for everybody."),
    "api:presets": Visited(api_visits.presets),
    "api:account": Visited(api_visits.account),
    "api:waiting": Visited(api_visits.waiting),
    "api:matches": Visited(api_visits.matches),
    "api:match": Visited(api_visits.match),
    "api:board": Visited(api_visits.board, opens=True),
    "api:plies": Visited(api_visits.plies),
    "api:record": Visited(api_visits.record, opens=True),
    "api:receipt": Visited(api_visits.receipt),
    "api:lobby": Visited(api_visits.lobby),
    "api:invitations": Visited(api_visits.invitations),
    "api:invitation": Visited(api_visits.invitation),
    "api:archive": Visited(api_visits.archive),
    "api:records": Visited(api_visits.records, opens=True),
    "api:lines": Visited(api_visits.lines, opens=True),
    "api:play_move": Visited(api_visits.play_move),
    "api:send_setup": Visited(api_visits.send_setup),
    "api:act": Visited(api_visits.act),
    "api:invite": Visited(api_visits.invite),
    "api:accept": Visited(api_visits.accept),
    "api:decline": Visited(api_visits.decline),
    "api:withdraw": Visited(api_visits.withdraw),
    "archive:index": Visited(visits.archive),
    "archive:history": Visited(visits.history),
    "archive:match": Visited(visits.replay, opens=True),
    "archive:summary": Visited(visits.summary, opens=True),
    "archive:chart": Visited(visits.summary, opens=True),
    "archive:record": Visited(visits.record, opens=True),
    "archive:plies": Visited(visits.replay_plies, opens=True),
    "archive:battles": Visited(visits.replay_battles),
    "archive:film": Visited(visits.film, opens=True),
    "archive:film_file": Visited(visits.film_file, opens=True),
    "archive:records": BROUGHT_ALONG,
    "archive:new_record": BROUGHT_ALONG,
    "archive:imported": BROUGHT_ALONG,
    "archive:text": BROUGHT_ALONG,
    "archive:change": BROUGHT_ALONG,
    "archive:shared": BROUGHT_ALONG,
    "archive:shared_text": BROUGHT_ALONG,
    "archive:own_plies": BROUGHT_ALONG,
    "archive:own_battles": BROUGHT_ALONG,
    "archive:shared_plies": BROUGHT_ALONG,
    "archive:shared_battles": BROUGHT_ALONG,
    "mailbox": Visited(visits.mailbox),
    "mailbox_email": Visited(visits.mailbox_email),
    "mailbox_html": Visited(visits.mailbox_html),
    "mailbox_answer": Idle("It takes a message in, and leads to the e-mails."),
    "mail:confirm": Visited(visits.confirm),
    "mail:provider": TAKES_MAIL,
    "mail:provider_mime": TAKES_MAIL,
    "accounts:preferences": Visited(visits.preferences),
    "accounts:sessions": Idle("It knows browsers and addresses, and no match."),
    "accounts:tokens": Visited(visits.page("accounts:tokens")),
    "accounts:bots": Visited(visits.page("accounts:bots")),
    "notifications:bot": Idle("It shows addresses of webhooks to their owner, and no match."),
    "accounts:leave": Visited(visits.leave),
    "accounts:stay": PREFERENCES,
    "accounts:export": Visited(visits.export, opens=True),
    "accounts:unsubscribe": Visited(visits.stop_emails),
    "accounts:profile": Visited(visits.profile),
    "people:blocked": Visited(visits.blocked),
    "people:block": Visited(visits.block),
    "people:unblock": Visited(visits.block),
    "notifications:settings": Visited(visits.page("notifications:settings")),
    "notifications:atom": Visited(visits.feed("notifications:atom")),
    "notifications:ical": Visited(visits.feed("notifications:ical")),
    "notifications:add_device": PREFERENCES,
    "notifications:renew_device": PREFERENCES,
    "notifications:remove_device": PREFERENCES,
    "notifications:add_webhook": PREFERENCES,
    "notifications:remove_webhook": PREFERENCES,
    "notifications:renew_feeds": PREFERENCES,
    "notifications:close_feeds": PREFERENCES,
    "notifications:close_all": PREFERENCES,
    "notifications:seen": PREFERENCES,
    "notifications:try_email": PREFERENCES,
    "notifications:try_push": PREFERENCES,
    "notifications:try_webhook": PREFERENCES,
    "notifications:service_worker": Idle("A script, the same for everybody."),
    "notifications:offline": Idle("Words, the same for everybody who reads the language."),
    "help": Visited(visits.page("help")),
    "proofs": Idle("It explains proofs and lists public keys, the same for everybody."),
    "proofs_keys": Idle("Public keys, the same for everybody."),
    "proofs_program": Idle("A program, the same for everybody."),
    "lessons": Visited(visits.page("lessons")),
    "put_away_first_steps": PREFERENCES,
    "end_guidance": PREFERENCES,
    "lesson": Visited(visits.lesson),
    "lesson_move": Visited(visits.lesson_move),
    "lesson_prepare": Visited(visits.lesson_prepare),
    "help_game": Visited(visits.guide),
    "help_picture": Visited(visits.guide_picture),
    "admin:index": Visited(visits.page("admin:index")),
    "admin:play_look_position": Visited(visits.look_position, (STAFF,)),
    "admin:play_match_changelist": Visited(visits.stewardship, (STAFF,)),
    "admin:login": FRAME,
    "admin:logout": FRAME,
    "admin:password_change": FRAME,
    "admin:password_change_done": FRAME,
    "admin:jsi18n": FRAME,
    "admin:app_list": Idle("A part of admin:index."),
    "admin:view_on_site": Idle("It redirects to a row's own address, which holds its number."),
    "admin:autocomplete": Idle("No field of the admin asks for it; it would list handles."),
    "admin:auth_user_password_change": Idle(
        "It is closed: an admin that sets passwords would see what players see."
    ),
    "admin/(?P<url>.*)$": Idle("It answers 404, or adds a stroke to the address."),
    "account_login": DOORS,
    "account_logout": DOORS,
    "account_inactive": DOORS,
    "account_signup": DOORS,
    "account_reauthenticate": DOORS,
    "account_email": DOORS,
    "account_email_verification_sent": DOORS,
    "account_change_password": DOORS,
    "account_set_password": DOORS,
    "account_reset_password": DOORS,
    "account_confirm_login_code": DOORS,
    "account_confirm_password_reset_code": DOORS,
    "account_complete_password_reset": DOORS,
    "account_password_reset_completed": DOORS,
    "account_request_login_code": DOORS,
    "mfa_index": DOORS,
    "mfa_authenticate": DOORS,
    "mfa_reauthenticate": DOORS,
    "mfa_activate_totp": DOORS,
    "mfa_deactivate_totp": DOORS,
    "mfa_view_recovery_codes": DOORS,
    "mfa_generate_recovery_codes": DOORS,
    "mfa_download_recovery_codes": DOORS,
    "mfa_list_webauthn": DOORS,
    "mfa_add_webauthn": DOORS,
    "mfa_reauthenticate_webauthn": DOORS,
    "mfa_remove_webauthn": DOORS,
    "mfa_edit_webauthn": DOORS,
    "mfa_login_webauthn": DOORS,
}

# By label; the pages of each are its list, its rows, their history and their deletion.
ADMIN: dict[str, Visited | Idle] = {
    label: Visited(visits.admin(label), (STAFF,))
    for label in (
        "accounts.AccessToken",
        "accounts.User",
        "account.EmailAddress",
        "auth.Group",
        "config.SiteSettings",
        "competitions.Entry",
        "competitions.Ladder",
        "competitions.Tournament",
        "lobby.Invitation",
        "mail.Correspondent",
        "mfa.Authenticator",
        "people.Report",
        "play.Halt",
        "play.HeldPlayer",
        "play.Look",
        "play.Match",
        "play.Outage",
        "play.Vacation",
        "ratings.Family",
        "ratings.Unit",
        "outbox.Dispatch",
    )
}

# By the folder of their templates.
EMAILS: dict[str, Driven | Idle] = {
    "began": Driven("a match is opened"),
    "turn": Driven("a move is played, and the last set-up sent"),
    "reminder": Driven("the reminders are swept half a day before a deadline"),
    "draw_offered": Driven("a player offers a draw"),
    "draw_declined": Driven("the other declines it"),
    "over": Driven("a match ends, in each of its ways"),
    "followed": Driven("a match ends that somebody follows"),
    "talk": Driven("the victim writes to the opponent"),
    "digest": Driven("the hour of somebody's digest has come"),
    "credit": Driven("the service stands still for some hours"),
    "clock": Driven("a pause is offered, a day is given, a vacation begins"),
    "looked": Driven("two members of staff agree to a look"),
    "tournament": Idle("It says titles, names and places, and no match is opened for it."),
    "trial": Idle("It holds the instant at which its reader asked for it."),
    "receipt": Driven("the opponent plays by mail"),
    "invitation": Driven("a rematch is offered"),
    "moderated": Idle("It says what a moderator has written, and knows no match."),
    "reports_wait": Driven("the victim reports what the opponent wrote"),
    "report_closed": Idle("It says in a word what a moderator has decided, and knows no match."),
    "invitation_declined": Idle("It is about a match that has not begun."),
    "invitation_stale": Idle("It is about a match that has not begun."),
    "ladder": Idle("It names a ladder, and holds numbers of days."),
    "invitation_expired": Idle("It is about a match that has not begun."),
}

EVENTS: dict[str, Driven | Idle] = {
    "match-began": Driven("a match is opened"),
    "turn-came": Driven("a move is played, and the last set-up sent"),
    "deadline-near": Driven("the reminders are swept half a day before a deadline"),
    "draw-offered": Driven("a player offers a draw"),
    "draw-declined": Driven("the other declines it"),
    "match-over": Driven("a match ends, in each of its ways"),
    "followed-over": Driven("a match ends that somebody follows"),
    "talk-came": Driven("the victim writes to the opponent"),
    "armies-seen": Driven("two members of staff agree to a look"),
    "match-reopened": Driven("an ending by time is taken back"),
    "clock-credited": Driven("the service stands still for some hours"),
    "vacation-began": Driven("a deadline of the victim's passes where vacations were agreed"),
    "time-given": Driven("the victim gives the opponent a day"),
    "time-extended": Driven("an administrator gives more time"),
    "time-up": Driven("the victim's time is up where that has to be claimed"),
    "pause-offered": Driven("the players offer each other a pause"),
    "match-paused": Driven("an offered pause is accepted"),
    "match-resumed": Driven("the pause is ended"),
    "reports-wait": Driven("the victim reports what the opponent wrote"),
    "ladder-drop-near": Idle("It says since when its reader has not played; no board."),
    "ladder-dropped": Idle("It says that its reader lost a place on a ladder; no board."),
    "challenged": Driven("a rematch is offered"),
    "invitation-declined": Idle("Nobody has a board yet."),
    "invitation-stale": Idle("Nobody has a board yet."),
    "invitation-expired": Idle("Nobody has a board yet."),
}
EVENTS |= {
    name: Idle("It is about what somebody wrote, and opens no match.")
    for name in ("moderated", "report-closed")
}
TABLES = Idle("It says titles, names and places, which follow from public endings.")
EVENTS |= {
    f"tournament-{name}": TABLES
    for name in ("begins", "cancelled", "advanced", "over", "withdrawn")
}
# The same for the other channels, to devices and webhooks: event and key of the handler.
EVENTS |= {f"{name}:{way}": entry for name, entry in EVENTS.items() for way in ("push", "webhook")}
EVENTS |= {
    f"challenged:{way}": Idle("It is about a match that has not begun.")
    for way in ("push", "webhook")
}
EVENTS |= {
    f"reports-wait:{way}": Idle("It says that a report waits, and nothing of it.")
    for way in ("push", "webhook")
}
EVENTS |= {
    f"ladder-{what}:{way}": Idle("It names a ladder, and holds numbers of days.")
    for what in ("drop-near", "dropped")
    for way in ("push", "webhook")
}
EVENTS |= {
    f"trial:trial-{way}": Idle("It holds words that are always the same.")
    for way in ("email", "push", "webhook")
}
EVENTS["match-final"] = Driven("an ending can no longer be undone")
EVENTS["mail-receipt"] = Driven("the opponent plays by mail")
EVENTS["account-email"] = Idle("It is about an account, and written before any match is known.")

TASKS: dict[str, Driven | Idle] = {
    "config.tasks.close_accounts": Idle("It closes accounts a year after they asked for it."),
    "config.tasks.warn_of_tokens": Idle("It says when a token expires, and knows no match."),
    "config.tasks.watch": Idle("It tells how the service is, by numbers of rows and their ages."),
    "games.competitions.tasks.sweep": Driven("at the last look, and at some others"),
    "games.play.tasks.settle": Driven("after the service stood still"),
    "games.play.tasks.sweep": Driven("at the last look, and at some others"),
    "games.play.tasks.make_final": Driven("at the last look, and at some others"),
    "games.play.tasks.answer_plans": Driven("at the last look, and when an answer is due"),
    "games.ratings.tasks.count": Driven("at the last look, and at some others"),
    "games.house.tasks.answer": Driven("at the last look, and at some others"),
    "games.archive.tasks.make_film": Driven("at the last look, and at some others"),
    "games.lobby.tasks.sweep": Driven("at the last look, and at some others"),
    "games.mail.tasks.read_messages": Driven("the opponent plays by mail"),
    "games.mail.tasks.fetch_mail": Idle("It takes messages in, and sends nothing."),
    "games.outbox.tasks.drain": Driven("at the last look, and at some others"),
    "config.tasks.clean_up": Driven("at the last look, and at some others"),
}

# What is received without requesting a page:
# e-mails   messages as they are sent; of the victim's own their sizes and their order
# outside   what is sent to the opponent's devices and webhooks, before it is sealed
# log       every record at DEBUG, as it is written
# broker    messages to the workers
# commits   what is done once a transaction has committed
# metrics   what a monitor gets
# database  every table, as in a dump, but for SEALED

# The only columns of the database in which the worlds may differ; "*" is a whole table.
SEALED: dict[tuple[str, str], str] = {
    ("play_ply", "sealed"): "The truth, encrypted.",
    ("play_matchsecrets", "sealed"): "The seed of a deal, encrypted.",
    ("play_draft", "*"): "Whether anything is prepared, for which ply, and what, encrypted.",
    (
        "play_plan",
        "*",
    ): "Whether a plan stands, for which ply, until when, and its lines, encrypted.",
    ("play_notebook", "*"): "What a player has seen, marked, noted and tried, encrypted.",
    ("notifications_replyaddress", "proposal"): "A set-up that an e-mail proposed, encrypted.",
    ("people_block", "*"): "Whom a player blocks.",
    ("accounts_user", "no_challenges"): "Whether anybody may challenge a player.",
    ("play_savedsetup", "*"): "What a player keeps, and under which names.",
    ("mail_incomingmessage", "sealed"): "A message as it came, encrypted.",
    ("mail_incomingmessage", "envelope"): "Its envelope, encrypted.",
    ("mail_incomingmessage", "receipt"): "What its receipt says, encrypted.",
}


def pages() -> dict[str, Visited]:
    """Every channel that is visited."""
    urls = URLS | ADMIN
    return {name: entry for name, entry in urls.items() if isinstance(entry, Visited)}
