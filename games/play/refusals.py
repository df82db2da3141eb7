"""What the table refuses, beside what the rules refuse. Each says what is so and what to do."""

from games.rules.core.errors import Refusal, gettext_noop


class NotSeated(Refusal):
    def __init__(self) -> None:
        super().__init__(gettext_noop("Only the two players of this match can do that."))


class MatchIsOver(Refusal):
    def __init__(self) -> None:
        super().__init__(gettext_noop("This match is over; nothing can be changed any more."))


class Overtaken(Refusal):
    """The match has moved on since the sender looked at it."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "The match has gone on since you looked at it. Nothing was played; "
                "look at the board as it is now and move again."
            )
        )


class TooLate(Refusal):
    def __init__(self) -> None:
        super().__init__(
            gettext_noop("The time for this was over before it arrived, so it does not count.")
        )


class NotNow(Refusal):
    """A command that exists but does not fit the state of the match."""


class OpenAlready(NotNow):
    """A match that everybody may have looked into cannot go on."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "This match ended too long ago to go on: both armies are open to everybody. "
                "It can be ended without a result instead."
            )
        )


def no_draw_offer() -> NotNow:
    return NotNow(gettext_noop("There is no draw offer of your opponent to answer."))


def draw_already_offered() -> NotNow:
    return NotNow(gettext_noop("You have offered a draw already; it stands until your next turn."))


def no_draw_before_play() -> NotNow:
    return NotNow(gettext_noop("A draw can be offered once both armies are set up."))


def too_late_to_abort() -> NotNow:
    return NotNow(
        gettext_noop("A match can be aborted until the first move only; you can still resign.")
    )


def nothing_to_resign() -> NotNow:
    return NotNow(
        gettext_noop(
            "The first move has not been played yet: abort the match instead of resigning."
        )
    )


def no_clock_runs() -> NotNow:
    return NotNow(gettext_noop("No clock of that player is running, so there is none to extend."))


def not_ended_by_time() -> NotNow:
    return NotNow(gettext_noop("The clock has not ended this match, so that cannot be taken back."))


def time_enough() -> NotNow:
    return NotNow(gettext_noop("Your opponent has sixty days or nearly; more cannot be added now."))


def time_not_up() -> NotNow:
    return NotNow(
        gettext_noop(
            "Your opponent's time is not up, or was not a minute ago; a match can be claimed then."
        )
    )


def nothing_to_pause() -> NotNow:
    return NotNow(
        gettext_noop(
            "No clock of this match can be paused: that is for matches in play on a clock."
        )
    )


def paused_already() -> NotNow:
    return NotNow(gettext_noop("The clocks of this match are paused already."))


def not_paused() -> NotNow:
    return NotNow(gettext_noop("The clocks of this match are not paused, so they run as they do."))


def pause_already_offered() -> NotNow:
    return NotNow(
        gettext_noop("You have offered a pause already; it stands until you have played.")
    )


def no_pause_offer() -> NotNow:
    return NotNow(gettext_noop("There is no offer of a pause by your opponent to answer."))


def holiday_ends_first() -> NotNow:
    return NotNow(gettext_noop("A holiday ends on the day on which it begins, or later."))


def holiday_too_soon_or_far() -> NotNow:
    return NotNow(
        gettext_noop(
            "A holiday is entered a whole day before it begins at least, and a year at most."
        )
    )


def holidays_overlap() -> NotNow:
    return NotNow(gettext_noop("You are on vacation on some of these days already."))


def too_many_holidays(most: int) -> NotNow:
    return NotNow(gettext_noop("At most %(most)s holidays can be planned at a time."), most=most)


def budget_spent(hours: int) -> NotNow:
    return NotNow(
        gettext_noop("Of that year's vacation you have %(hours)s hours left; this takes more."),
        hours=hours,
    )


def holiday_begun() -> NotNow:
    return NotNow(gettext_noop("A holiday can be taken back until it begins; this one has begun."))


def rest_changed_lately() -> NotNow:
    return NotNow(gettext_noop("Days off and nights can be changed once a week."))


def set_up_already() -> NotNow:
    return NotNow(
        gettext_noop("Your army stands already, and a set-up cannot be changed once it is sent.")
    )
