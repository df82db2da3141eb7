"""What follows each event: the one table in which a room that hears of it is named.

A handler is called with a dispatch and its batch (games/relay/outbox.py); ids lead it to the rest.
"""

HANDLERS: dict[str, tuple[str, ...]] = {
    "match-began": ("games.mail.handlers.on_match_began",),
    "turn-came": ("games.mail.handlers.on_turn_came",),
    "deadline-near": ("games.mail.handlers.on_deadline_near",),
    "draw-offered": ("games.mail.handlers.on_draw_offered",),
    "draw-declined": ("games.mail.handlers.on_draw_declined",),
    "match-reopened": (),
    "vacation-began": (),
    "time-given": (),
    "time-up": (),
    "pause-offered": (),
    "match-paused": (),
    "match-resumed": (),
    "clock-credited": (),
    "match-over": ("games.mail.handlers.on_match_over",),
    "challenged": ("games.mail.handlers.on_challenged",),
    "invitation-declined": ("games.mail.handlers.on_invitation_declined",),
    "invitation-stale": ("games.mail.handlers.on_invitation_stale",),
    "invitation-expired": ("games.mail.handlers.on_invitation_expired",),
}
