"""`python -m tests.icons` draws the icons that must be PNG, from the SVG, with Debian's Chromium.

iPhones take no SVG from a web manifest, and programs that read no page ask for favicon.ico, which
holds PNG pictures as well. They are kept in the repository, since a browser is no part
of the service; a test says when the SVG has changed.
"""

import struct
import sys
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "static"
SOURCE = STATIC / "svg" / "favicon.svg"
SIZES_PX = (180, 192, 512)
FAVICON = STATIC / "root" / "favicon.ico"
FAVICON_SIZES_PX = (16, 32, 48)
DRAWN_FROM = "7805c0e89676123d"  # what `source_digest` said of the SVG then


def path_of(size: int) -> Path:
    return STATIC / "png" / f"icon-{size}.png"


def source_digest() -> str:
    return sha256(SOURCE.read_bytes()).hexdigest()[:16]


def icon(pictures: dict[int, bytes]) -> bytes:
    """An ICO file with these PNG pictures, by their size in pixels (at most 255)."""
    entries, start = b"", 6 + 16 * len(pictures)
    for size, picture in pictures.items():
        entries += struct.pack("<BBBBHHII", size, size, 0, 0, 1, 32, len(picture), start)
        start += len(picture)
    return struct.pack("<HHH", 0, 1, len(pictures)) + entries + b"".join(pictures.values())


def main(chromium: str = "/usr/bin/chromium") -> None:
    drawing = SOURCE.read_text().replace("<svg ", '<svg width="100%" height="100%" ', 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        pictures = {}
        for size in (*SIZES_PX, *FAVICON_SIZES_PX):
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
            pictures[size] = page.screenshot()
        browser.close()
    for size in SIZES_PX:
        path_of(size).parent.mkdir(exist_ok=True)
        path_of(size).write_bytes(pictures[size])
    FAVICON.parent.mkdir(exist_ok=True)
    FAVICON.write_bytes(icon({size: pictures[size] for size in FAVICON_SIZES_PX}))
    print(source_digest())


if __name__ == "__main__":
    main(*sys.argv[1:])
