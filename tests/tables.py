"""`python -m tests.tables`: writes docs/tables.md, a drawing of the tables."""

import os
from collections.abc import Iterator
from pathlib import Path

import django

PAGE = Path(__file__).resolve().parents[1] / "docs" / "tables.md"
OURS = ("accounts", "config", "games")

HEADING = """\
# Tables

The models of each app and the foreign keys between them. Django's and allauth's tables are left
out, as are tables without foreign keys. Written by `make docs`; a test compares it with the models.
"""


def page() -> str:
    """The text of docs/tables.md."""
    return f"{HEADING}\n```mermaid\nerDiagram\n" + "\n".join(_lines()) + "\n```\n"


def _lines() -> Iterator[str]:
    from django.apps import apps

    models = [model for model in apps.get_models() if model.__module__.startswith(OURS)]
    for model in sorted(models, key=lambda model: (model._meta.app_label, model.__name__)):
        for field in model._meta.local_fields:
            if field.remote_field and field.related_model in models:
                many = "|o" if field.unique else "o{"
                one = "|o" if field.null else "||"
                owner = field.related_model.__name__
                yield f"    {owner} {one}--{many} {model.__name__} : {field.name}"


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    PAGE.write_text(page())


if __name__ == "__main__":
    main()
