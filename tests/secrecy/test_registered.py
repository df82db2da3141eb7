"""Every channel that can send data is listed in channels.py, and nothing else."""

from collections.abc import Iterator

from celery import current_app
from django.conf import settings
from django.contrib import admin
from django.urls import URLPattern, URLResolver, get_resolver

from config.subscribers import HANDLERS, SUBSCRIBERS
from games.notifications import catalogue
from tests.floors import at_least
from tests.secrecy import channels
from tests.secrecy.channels import Idle

ADMIN_PAGES = ("changelist", "add", "history", "delete", "change")


def patterns(
    resolver: URLResolver, route: str = "", spaces: tuple[str, ...] = ()
) -> Iterator[tuple[str, str]]:
    """Every pattern below a resolver: its name, else its route, and the route."""
    for pattern in resolver.url_patterns:
        whole = route + str(pattern.pattern)
        if isinstance(pattern, URLPattern):
            name = pattern.name and ":".join([*spaces, pattern.name])
            yield str(name or whole), whole
        else:
            yield from patterns(pattern, whole, (*spaces, *filter(None, [pattern.namespace])))


def admin_pages() -> set[str]:
    """The patterns of the models of ADMIN."""
    names = set()
    for label in channels.ADMIN:
        app, model = label.lower().split(".")
        names |= {f"admin:{app}_{model}_{page}" for page in ADMIN_PAGES}
        names.add(f"admin/{app}/{model}/<path:object_id>/")
    return names


def test_every_address_is_listed() -> None:
    listed = channels.URLS.keys() | admin_pages()
    there = {name for name, _ in patterns(get_resolver())}
    assert there == listed, f"Not listed: {there - listed}; not there: {listed - there}"


def test_every_model_of_the_admin_is_listed() -> None:
    there = {model._meta.label for model in admin.site._registry}
    assert there == channels.ADMIN.keys()


def test_every_email_is_listed() -> None:
    folders = (settings.BASE_DIR / "templates" / "mail").glob("*/body.txt")
    assert {path.parent.name for path in folders} == channels.EMAILS.keys()
    written = {entry.email for entry in catalogue.NOTIFICATIONS.values()}
    assert written | {"digest", "trial", "receipt"} == channels.EMAILS.keys()


def test_every_event_is_listed() -> None:
    trials = {key for key in HANDLERS if key.startswith("trial-")}
    other_keys = HANDLERS.keys() - trials
    there = {
        *(event.name for event in SUBSCRIBERS),
        *(f"{event}:{key}" for event in catalogue.NOTIFICATIONS for key in other_keys),
        *(f"trial:{key}" for key in trials),
    }
    assert there == channels.EVENTS.keys()


def test_every_task_is_listed() -> None:
    current_app.loader.import_default_modules()
    there = {name for name in current_app.tasks if not name.startswith("celery.")}
    assert there == channels.TASKS.keys()


def test_idle_channels_have_a_reason() -> None:
    listed = channels.URLS | channels.ADMIN | channels.EMAILS | channels.EVENTS | channels.TASKS
    idle = {name: entry for name, entry in listed.items() if isinstance(entry, Idle)}
    for name, entry in at_least(10, idle.items()):
        assert entry.why.endswith("."), f"Why does {name} carry nothing of a match?"
