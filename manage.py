#!/usr/bin/env python
"""Django's command line: `python manage.py help`."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["up"]:
        from config.processes.up_options import set_environment

        set_environment(sys.argv[2:])
    from django.core.management import execute_from_command_line
    from django.db.utils import OperationalError

    from config.environment.variables import WrongEnvironment
    from config.management.command_errors import sentence

    try:
        execute_from_command_line(sys.argv)
    except (WrongEnvironment, OperationalError, OSError) as error:
        reason = str(error) if isinstance(error, WrongEnvironment) else sentence(error)
        if not reason or "--traceback" in sys.argv:
            raise
        if sys.argv[1:2] != ["receive_mail"]:
            sys.exit(reason)
        sys.stderr.write(f"{reason}\n")
        # A mail server bounces the message on any other exit code.
        sys.exit(os.EX_TEMPFAIL)
