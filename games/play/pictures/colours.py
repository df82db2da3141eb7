"""The colours of pictures, as values by name; static/css has the same ones for pages.

Programs that draw SVG files outside of a browser do not know custom properties, and neither does
Pillow, so the values are here. An SVG file for browsers uses them by `properties`.
"""

from collections.abc import Mapping

LIGHT: Mapping[str, str] = {
    "paper": "#f4ecd9",
    "land": "#d5d6ac",
    "land2": "#cbcd9e",
    "hedge": "#a3a777",
    "water": "#a9c6cc",
    "wave": "#5d8894",
    "faded": "#5f5545",
    "gilt": "#f2cb6c",
    "mark": "#7a4f00",
    "hit": "#a01f16",
    "fort": "#e3d2a0",
}
DARK: Mapping[str, str] = {
    "paper": "#15181e",
    "land": "#2d3529",
    "land2": "#283024",
    "hedge": "#465040",
    "water": "#1f3d4a",
    "wave": "#4c7d90",
    "faded": "#b3a991",
    "gilt": "#8a6d1f",
    "mark": "#f0c766",
    "hit": "#ff9a85",
    "fort": "#352c1a",
}
# The same on light and dark screens: tiles, and what is drawn on them.
SOUTH, NORTH, INK = "#a5382b", "#1f4277", "#fcf1da"
# Tiles that are too small for a drawing, on dark screens.
BRIGHT_SOUTH, BRIGHT_NORTH = "#cc5a4a", "#5f8ad0"


def properties(colours: Mapping[str, str]) -> str:
    """The colours as custom properties of a style sheet, without braces."""
    return ";".join(f"--{name}:{value}" for name, value in colours.items())
