"""Icons of the web manifest: each exists, in its size, and was drawn from the current SVG."""

import json
import struct

from tests import icons


def test_the_manifest_names_existing_icons_with_their_sizes() -> None:
    listed = json.loads((icons.STATIC / "estafette.webmanifest").read_text())["icons"]
    drawn = {icon["sizes"]: icon["src"] for icon in listed if icon["type"] == "image/png"}
    assert set(drawn) == {f"{size}x{size}" for size in icons.SIZES_PX}
    for sizes, name in drawn.items():
        head = (icons.STATIC / name).read_bytes()[:24]
        assert head[:8] == b"\x89PNG\r\n\x1a\n"
        width, height = struct.unpack(">II", head[16:24])
        assert f"{width}x{height}" == sizes


def test_the_icons_were_drawn_from_the_current_svg() -> None:
    assert icons.source_digest() == icons.DRAWN_FROM, "Run `python -m tests.icons`."
