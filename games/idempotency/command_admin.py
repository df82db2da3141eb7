"""Admin base class whose actions are idempotent: a form that is sent twice acts once."""

from contextlib import AbstractContextManager
from typing import Any

from accounts.admin_actions import ReasonedActions
from games.idempotency.replay import command_transaction
from lib.admin_base import ReadOnlyAdmin


class CommandActions(ReasonedActions, ReadOnlyAdmin):
    """Read-only admin whose rows are changed only by its actions."""

    def transaction(self) -> AbstractContextManager[Any]:
        return command_transaction()
