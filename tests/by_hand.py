"""Set-up of tests run by hand, before they import a model: settings and a database."""

import os

from tests import environment  # noqa: F401 -- it sets up the settings' world.


def set_up() -> None:
    # Every retry would be a line.
    os.environ.setdefault("LOG_LEVEL", "CRITICAL")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    import django
    from django.db import connection

    from tests.databases import copy_for_tests

    django.setup()
    copy_for_tests(connection)
    connection.creation.create_test_db(verbosity=0)
