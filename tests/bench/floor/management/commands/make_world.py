"""`manage.py make_world`: the small world of `make scale`, in an empty database."""

from typing import Any

from django.core.management.base import BaseCommand

from tests.bench.scale import world


class Command(BaseCommand):
    def handle(self, *args: Any, **options: Any) -> None:
        world.make()
