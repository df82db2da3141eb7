"""`manage.py write_docs`: generates the pictures and tables of docs/games from the rules."""

from django.core.management.base import BaseCommand

from games.guide.game_pages import generated_docs


class Command(BaseCommand):
    help = "Writes the generated parts of docs/games and docs/pictures."

    def handle(self, *args: object, **options: object) -> None:
        for path, text in generated_docs.files().items():
            path.write_text(text, encoding="utf-8")
            self.stdout.write(f"{path.name}\n")
