"""Refusals of the commands of plans: sentences for the plan's owner."""

from collections.abc import Sequence

from games.plan_language.faults import Fault
from games.play.refusals import NotNow
from games.rules.core.basics.refusals import Refusal, gettext_noop


class PlanOutdated(Refusal):
    """The match, or the plan, has changed since the sender loaded it; nothing was stored."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "The match has moved on since you loaded this page. Nothing was saved or played; "
                "check the board and try again."
            )
        )


class PlanEdited(Refusal):
    """The plan was changed elsewhere since the sender loaded it; nothing was stored."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "Your plan was changed elsewhere in the meantime. Nothing was saved; below is what "
                "you typed, and above it the plan as it stands."
            )
        )


class AnswerWaits(Refusal):
    """An answer of the plan waits; until it is played or stopped nothing can be saved."""

    def __init__(self) -> None:
        super().__init__(
            gettext_noop(
                "An answer of your plan waits to be played. Play it now or stop it first; nothing "
                "was saved."
            )
        )


class BadPlan(Refusal):
    """Lines that are not accepted; `faults` tells what is wrong with which of them."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        super().__init__(gettext_noop("The plan was not saved."))
        self.faults = faults


def nothing_waits() -> NotNow:
    return NotNow(gettext_noop("No answer of your plan waits to be played."))


def plan_is_held() -> NotNow:
    return NotNow(
        gettext_noop(
            "Your plan is held by an open offer or by a pause. Decline the offer or end the pause "
            "first, or move by hand."
        )
    )


def no_plan_yet() -> NotNow:
    return NotNow(gettext_noop("A plan can be made once both armies are set up."))


def plan_needs_a_move() -> NotNow:
    return NotNow(
        gettext_noop(
            "It is your turn, so a plan begins with your move: enter it, and the lines count for "
            "your opponent's answers to it."
        )
    )


def plan_too_long(most: int, count: int) -> NotNow:
    return NotNow(
        gettext_noop("A plan has at most %(most)s characters, and this one has %(count)s."),
        most=most,
        count=count,
    )


def unknown_button() -> NotNow:
    return NotNow(gettext_noop("This page has no such button; choose one of those that it shows."))


def unknown_wait() -> NotNow:
    return NotNow(gettext_noop("Choose whether the plan answers after a while or at once."))
