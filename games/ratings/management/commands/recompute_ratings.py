"""`manage.py recompute_ratings`: computes the ratings again from the numbered units."""

from argparse import ArgumentParser
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from games.ratings.models import Unit
from games.ratings.numbering import recompute
from games.ratings.replay import differences
from games.rules import registry


class Command(BaseCommand):
    help = "Compute the ratings again from the first unit, or check what would change."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument(
            "--family", choices=sorted(registry.games), help="only this game, such as lattaque"
        )
        parser.add_argument(
            "--check",
            action="store_true",
            help="write nothing; print what differs, and exit with 1 if anything does",
        )

    def handle(self, *args: Any, **options: Any) -> None:
        known = Unit.objects.order_by("family").values_list("family", flat=True).distinct()
        families = [options["family"]] if options["family"] else list(known)
        total = 0
        for family in families:
            if not options["check"]:
                changed = recompute(family)
                if changed is None:
                    raise CommandError("The ratings are being computed. Try again in a minute.")
                self.stdout.write(f"{family}: {changed} units changed.")
                continue
            for line in differences(family):
                self.stdout.write(line)
                total += 1
        if options["check"]:
            self.stdout.write(f"{total} differences.")
        if total:
            raise SystemExit(1)
