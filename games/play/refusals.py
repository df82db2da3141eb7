"""Refusals of match commands: exceptions with a sentence for the player (rules have their own)."""

from games.rules.core.basics.refusals import IllegalMove, Refusal, gettext_noop

MAX_ATTEMPTS = 5  # of a command on a match that others change, before MatchMovedOn


class NotSeated(Refusal):
    """The sender is not one of the two players."""

    code = "not-found"

    def __init__(self) -> None:
        super().__init__(gettext_noop("Only the two players of this match can do that."))


class MatchIsOver(Refusal):
    """The match has ended."""

    code = "match-over"

    def __init__(self) -> None:
        super().__init__(gettext_noop("This match is over and can no longer be changed."))


class MatchMovedOn(Refusal):
    """Optimistic lock: the match has moved on since the sender loaded it."""

    code = "stale-ply"

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "The match has moved on since you loaded this page. Nothing was played; check "
                "the board and move again."
            )
        )


class TooLate(Refusal):
    """The action arrived after the deadline."""

    code = "too-late"

    def __init__(self) -> None:
        super().__init__(
            gettext_noop("This arrived after the time had run out, so it does not count.")
        )


class NotAsWritten(Refusal):
    """Only another move than the one that was written is possible: an attack, or a step."""

    def __init__(self) -> None:
        super().__init__(gettext_noop("This move is not possible as it is written."))


class CapturesNothing(Refusal):
    """The move is written as an attack, and the square to which it leads is empty."""

    code = IllegalMove.code

    def __init__(self, square: str) -> None:
        super().__init__(
            gettext_noop(
                "There is no enemy piece on %(square)s; write a dash if you want to move there."
            ),
            square=square,
        )


class NotNow(Refusal):
    """The command does not fit the state of the match."""

    code = "not-now"


class AlreadyPublic(NotNow):
    """A match cannot be reopened once its armies are public."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "This match ended too long ago to be reopened: both armies are public. It can "
                "be ended without a result instead."
            )
        )


def no_draw_offer() -> NotNow:
    return NotNow(gettext_noop("Your opponent has not offered a draw."))


class DrawAlreadyOffered(NotNow):
    """The sender's draw offer is still open."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "You have already offered a draw; the offer is valid until your next turn."
            )
        )


def draw_offered_lately() -> NotNow:
    return NotNow(
        gettext_noop("After a draw offer, you can offer another once you have moved three times.")
    )


def pause_offered_lately() -> NotNow:
    return NotNow(
        gettext_noop(
            "After an offer of a pause, you can offer another once you have moved three times, or "
            "as soon as a pause that was accepted is over."
        )
    )


def no_draw_before_play() -> NotNow:
    return NotNow(gettext_noop("A draw can be offered once both armies are set up."))


def too_late_to_abort() -> NotNow:
    return NotNow(
        gettext_noop("A match can only be aborted before the first move; you can still resign.")
    )


def nothing_to_resign() -> NotNow:
    return NotNow(
        gettext_noop(
            "The first move has not been played yet: abort the match instead of resigning."
        )
    )


def no_clock_runs() -> NotNow:
    return NotNow(gettext_noop("That player's clock is not running."))


def not_ended_by_time() -> NotNow:
    return NotNow(
        gettext_noop("The clock did not end this match, so there is no time-out to undo.")
    )


def enough_time_already() -> NotNow:
    return NotNow(
        gettext_noop("Your opponent already has about sixty days; more cannot be added now.")
    )


def time_not_up() -> NotNow:
    return NotNow(
        gettext_noop(
            "Your opponent still has time, or had a minute ago. You can claim the win once it "
            "is up."
        )
    )


def no_pauses_here() -> NotNow:
    return NotNow(
        gettext_noop(
            "Matches of a tournament have no pauses, since others wait for the result. You can "
            "give your opponent a day."
        )
    )


def nothing_to_pause() -> NotNow:
    return NotNow(
        gettext_noop("This match cannot be paused: only running matches with a time limit can be.")
    )


def paused_already() -> NotNow:
    return NotNow(gettext_noop("This match is already paused."))


def not_paused() -> NotNow:
    return NotNow(gettext_noop("This match is not paused."))


def pause_already_offered() -> NotNow:
    return NotNow(
        gettext_noop("You have already offered a pause; the offer is valid until you move.")
    )


def no_pause_offer() -> NotNow:
    return NotNow(gettext_noop("Your opponent has not offered a pause."))


def vacation_ends_first() -> NotNow:
    return NotNow(gettext_noop("A vacation cannot end before it begins."))


def vacation_too_soon_or_far() -> NotNow:
    return NotNow(
        gettext_noop("Enter a vacation at least one full day and at most a year before it begins.")
    )


def vacations_overlap() -> NotNow:
    return NotNow(gettext_noop("You are already on vacation on some of these days."))


def too_many_vacations(most: int) -> NotNow:
    return NotNow(gettext_noop("You can plan at most %(most)s vacations at a time."), most=most)


def budget_spent(days: int) -> NotNow:
    return NotNow(
        gettext_noop("You have %(days)s vacation days left in that year; this takes more."),
        days=days,
    )


def vacation_begun() -> NotNow:
    return NotNow(gettext_noop("A vacation can be cancelled until it begins; this one has begun."))


def rest_changed_lately() -> NotNow:
    return NotNow(gettext_noop("Days off and nights can only be changed once a week."))


def set_up_already() -> NotNow:
    return NotNow(gettext_noop("Your set-up is already sent and can no longer be changed."))


def set_up_first() -> NotNow:
    return NotNow(gettext_noop("Send your set-up first; moves come once both armies are set up."))


def nothing_to_set_up() -> NotNow:
    return NotNow(gettext_noop("This side has nothing to set up; its first turn is a move."))
