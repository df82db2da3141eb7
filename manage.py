#!/usr/bin/env python
"""Django's command line: `python manage.py help`."""

import os
import sys

if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    if sys.argv[1:2] == ["up"]:
        from config.up_options import set_environment

        set_environment(sys.argv[2:])
    from django.core.management import execute_from_command_line

    from config.environment import WrongEnvironment

    try:
        execute_from_command_line(sys.argv)
    except WrongEnvironment as wrong:
        sys.exit(str(wrong))
