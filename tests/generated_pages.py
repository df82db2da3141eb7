"""`python -m tests.generated_pages`: writes pages of docs/ from the code."""

import os
from collections.abc import Callable, Iterator
from dataclasses import fields
from pathlib import Path

import django

DOCS = Path(__file__).resolve().parents[1] / "docs"
OURS = ("accounts", "config", "games", "lib")

TABLES = """\
# Tables

The models of each app and the foreign keys between them. Django's and allauth's tables are left
out, as are tables without foreign keys. Written by `make docs`; a test compares it with the models.
"""
EVENTS = """\
# Events

What happens in the service, and who hears of it (`config/subscribers.py`). An event is published
once, in the transaction that causes it ([architecture.md](architecture.md)). Written by
`make docs`; a test compares it with the code.

| event | name in rows | ids | what it says | subscribers |
|---|---|---|---|---|
"""


def tables() -> str:
    """The text of docs/tables.md."""
    return f"{TABLES}\n```mermaid\nerDiagram\n" + "\n".join(_foreign_keys()) + "\n```\n"


def _foreign_keys() -> Iterator[str]:
    from django.apps import apps

    models = [model for model in apps.get_models() if model.__module__.startswith(OURS)]
    for model in sorted(models, key=lambda model: (model._meta.app_label, model.__name__)):
        for field in model._meta.local_fields:
            if field.remote_field and field.related_model in models:
                many = "|o" if field.unique else "o{"
                one = "|o" if field.null else "||"
                owner = field.related_model.__name__
                yield f"    {owner} {one}--{many} {model.__name__} : {field.name}"


def events() -> str:
    """The text of docs/events.md."""
    from config.subscribers import SUBSCRIBERS

    rows = []
    for event, subscribers in SUBSCRIBERS.items():
        ids = ", ".join(f"`{field.name}`" for field in fields(event) if field.name != "people")
        says = " ".join((event.__doc__ or "").split())
        keys = ", ".join(f"`{subscriber.key}`" for subscriber in subscribers)
        rows.append(f"| `{event.__name__}` | `{event.name}` | {ids} | {says} | {keys} |\n")
    return EVENTS + "".join(rows)


def api_document() -> str:
    """The text of docs/api/v1.json."""
    from games.api import document

    return document.text()


PAGES: dict[Path, Callable[[], str]] = {
    DOCS / "tables.md": tables,
    DOCS / "events.md": events,
    DOCS / "api" / "v1.json": api_document,
}


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    for path, page in PAGES.items():
        path.write_text(page())


if __name__ == "__main__":
    main()
