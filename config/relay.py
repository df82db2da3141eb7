"""What follows each event: the one table in which a room that hears of it is named.

A handler is called with a dispatch and its batch (games/relay/outbox.py); ids lead it to the rest.
An event goes to the post room, which hands it on to the ways beside letters: "turn-came:push" is
one device's row of it, so that each is delivered and tried again by itself.
"""

LETTERS: dict[str, tuple[str, ...]] = {
    "match-began": ("games.mail.handlers.on_match_began",),
    "turn-came": ("games.mail.handlers.on_turn_came",),
    "deadline-near": ("games.mail.handlers.on_deadline_near",),
    "draw-offered": ("games.mail.handlers.on_draw_offered",),
    "draw-declined": ("games.mail.handlers.on_draw_declined",),
    "match-over": ("games.mail.handlers.on_match_over",),
    "vacation-began": ("games.mail.handlers.on_vacation_began",),
    "clock-credited": ("games.mail.handlers.on_clock_credited",),
    "time-given": ("games.mail.handlers.on_time_given",),
    "time-up": ("games.mail.handlers.on_time_up",),
    "pause-offered": ("games.mail.handlers.on_pause_offered",),
    "match-paused": ("games.mail.handlers.on_match_paused",),
    "match-resumed": ("games.mail.handlers.on_match_resumed",),
    "match-reopened": ("games.mail.handlers.on_match_reopened",),
    "challenged": ("games.mail.handlers.on_challenged",),
    "invitation-declined": ("games.mail.handlers.on_invitation_declined",),
    "invitation-stale": ("games.mail.handlers.on_invitation_stale",),
    "invitation-expired": ("games.mail.handlers.on_invitation_expired",),
}
HANDLERS: dict[str, tuple[str, ...]] = {
    **LETTERS,
    **{f"{event}:push": ("games.notices.push.on_event",) for event in LETTERS},
    **{f"{event}:webhook": ("games.notices.hooks.on_event",) for event in LETTERS},
    # What somebody asked for, to see whether it arrives.
    "trial:email": ("games.mail.handlers.on_trial",),
    "trial:push": ("games.notices.push.on_trial",),
    "trial:webhook": ("games.notices.hooks.on_trial",),
}
