"""`python -m tests.lint_migrations`: refuses migrations that the running version does not survive.

While a new version starts, the old one still answers on the migrated database. So a column is
dropped or renamed one version after the last code that reads it (docs/running.md).
"""

import logging
import os
import sys

import django
from django.apps import apps


def main() -> int:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    # It asks what SQL a migration becomes, and needs no database that is there.
    os.environ["DATABASE_URL"] = "sqlite://:memory:"
    django.setup()
    logging.getLogger("django_migration_linter").setLevel(logging.ERROR)
    from django_migration_linter import MessageType, MigrationLinter

    ours = [
        app.label
        for app in apps.get_app_configs()
        if app.name.partition(".")[0] in ("config", "accounts", "games")
    ]
    linter = MigrationLinter(
        str(apps.get_app_config("config").path + "/.."),
        include_apps=ours,
        no_cache=True,
        ignore_initial_migrations=True,  # no older version runs on those
        quiet=[MessageType.OK.value, MessageType.IGNORE.value],
    )
    linter.lint_all_migrations()
    if linter.has_errors:
        print("These would break the version that runs while they are applied; part them in two.")
    return int(linter.has_errors)


if __name__ == "__main__":
    sys.exit(main())
