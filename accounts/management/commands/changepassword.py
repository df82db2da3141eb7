"""`manage.py changepassword`: Django's, which also revokes the tokens of the account."""

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword

from accounts.models import User
from accounts.tokens import revoking


class Command(changepassword.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        result: str | None = super().handle(*args, **options)
        # Without a name, Django changes the password of the system user's namesake.
        name = options["username"] or getpass.getuser()
        revoking.revoke_all(User.objects.get_by_natural_key(name))
        return result
