"""`python -m tests.icons` draws the icons that must be PNG, from the SVG, with Debian's Chromium.

iPhones take no SVG from a web manifest. They are kept in the repository, since a browser is no part
of the service; a test says when the SVG has changed.
"""

import sys
from hashlib import sha256
from pathlib import Path

from playwright.sync_api import sync_playwright

STATIC = Path(__file__).resolve().parent.parent / "static"
SOURCE = STATIC / "svg" / "favicon.svg"
SIZES_PX = (180, 192, 512)
DRAWN_FROM = "7805c0e89676123d"  # what `source_digest` said of the SVG then


def path_of(size: int) -> Path:
    return STATIC / "png" / f"icon-{size}.png"


def source_digest() -> str:
    return sha256(SOURCE.read_bytes()).hexdigest()[:16]


def main(chromium: str = "/usr/bin/chromium") -> None:
    drawing = SOURCE.read_text().replace("<svg ", '<svg width="100%" height="100%" ', 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox"])
        for size in SIZES_PX:
            page = browser.new_page(viewport={"width": size, "height": size})
            page.set_content(f"<style>body{{margin:0}}svg{{display:block}}</style>{drawing}")
            path_of(size).parent.mkdir(exist_ok=True)
            page.screenshot(path=path_of(size))
        browser.close()
    print(source_digest())


if __name__ == "__main__":
    main(*sys.argv[1:])
