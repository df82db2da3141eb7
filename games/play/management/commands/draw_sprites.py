"""Management command `draw_sprites`: draws the sprites of pictures from static/svg/army.svg."""

from io import BytesIO
from typing import Any

from django.core.management.base import BaseCommand, CommandError
from PIL import Image
from PIL.PngImagePlugin import PngInfo

from games.play.pictures import sheet
from games.play.pictures.canvas import SHEET


class Command(BaseCommand):
    help = "Draw games/play/pictures/sprites.png. Needs resvg-py, of requirements-dev.txt."

    def handle(self, *args: Any, **options: Any) -> None:
        """Write the file."""
        try:
            import resvg_py
        except ImportError:
            raise CommandError(
                "resvg-py is not installed; it is in requirements-dev.txt."
            ) from None
        drawn = bytes(resvg_py.svg_to_bytes(svg_string=sheet.sheet_svg()))
        info = PngInfo()
        info.add_text("digest", sheet.digest())
        info.add_text("names", " ".join(sheet.sprites()))
        Image.open(BytesIO(drawn)).save(SHEET, "PNG", pnginfo=info, optimize=True)
        self.stdout.write(f"{SHEET.name}: {SHEET.stat().st_size} bytes")
