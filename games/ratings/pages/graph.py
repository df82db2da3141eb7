"""The graph of a rating as inline SVG: a line, and a band as wide as the deviation; pure drawing.

It has no styles and no script, and takes the colour of the text around it.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from math import ceil, floor

from django.utils.formats import date_format
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.ratings.pages.results import Point

WIDTH, HEIGHT = 400, 220
LEFT, RIGHT, TOP, BOTTOM = 40, 10, 10, 24  # margins
STEPS = (10, 20, 50, 100, 200, 500, 1000)  # between the lines of the grid
MAX_LINES = 6


def draw(points: Sequence[Point], name: str) -> SafeString:
    """The graph of at least one point, oldest first; `name` is its title."""
    low = min(point.rating - point.deviation for point in points)
    high = max(point.rating + point.deviation for point in points)
    step = next((step for step in STEPS if (high - low) / step <= MAX_LINES - 1), STEPS[-1])
    low, high = floor(low / step) * step, ceil(high / step) * step
    start, end = points[0].at, points[-1].at
    span = (end - start).total_seconds()

    def x(at: datetime) -> float:
        share = (at - start).total_seconds() / span if span else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(rating: float) -> float:
        return TOP + (high - rating) / (high - low) * (HEIGHT - TOP - BOTTOM)

    line = [(x(point.at), y(point.rating)) for point in points]
    upper = [(x(point.at), y(point.rating + point.deviation)) for point in points]
    lower = [(x(point.at), y(point.rating - point.deviation)) for point in points]
    grid = [(rating, y(rating)) for rating in range(int(low), int(high) + 1, step)]
    return format_html(
        '<svg class="graph" viewBox="0 0 {} {}" role="img" aria-labelledby="graph-title graph-desc"'
        ' fill="none" stroke="currentColor" font-size="12">'
        '<title id="graph-title">{}</title><desc id="graph-desc">{}</desc>{}'
        '<polygon points="{}" fill="currentColor" fill-opacity="0.15" stroke="none"/>'
        '<polyline points="{}" stroke-width="2"/>'
        '<circle cx="{}" cy="{}" r="3" fill="currentColor" stroke="none"/>{}</svg>',
        WIDTH,
        HEIGHT,
        name,
        _description(points),
        format_html_join("", GRID, ((LEFT, _n(at), WIDTH - RIGHT, rating) for rating, at in grid)),
        _pairs([*upper, *reversed(lower)]),
        _pairs(line),
        _n(line[-1][0]),
        _n(line[-1][1]),
        _dates(start, end),
    )


GRID = (
    '<path d="M{0} {1}H{2}" stroke-opacity="0.2"/>'
    '<text x="{0}" y="{1}" dx="-6" dy="4" text-anchor="end" fill="currentColor" stroke="none">{3}'
    "</text>"
)
DATE = '<text x="{}" y="{}" text-anchor="{}" fill="currentColor" stroke="none">{}</text>'


def _dates(start: datetime, end: datetime) -> SafeString:
    """The first and the last day, below the graph; one if they are the same."""
    ends = [(LEFT, "start", _day(start)), (WIDTH - RIGHT, "end", _day(end))]
    if ends[0][2] == ends[1][2]:
        ends = [(WIDTH // 2, "middle", _day(end))]
    return format_html_join("", DATE, ((x, HEIGHT - 6, anchor, day) for x, anchor, day in ends))


def _description(points: Sequence[Point]) -> str:
    first, last = points[0], points[-1]
    values = {
        "first": _points(first.rating),
        "start": _day(first.at),
        "last": _points(last.rating),
        "deviation": _points(last.deviation),
        "end": _day(last.at),
        "lowest": _points(min(point.rating for point in points)),
        "highest": _points(max(point.rating for point in points)),
    }
    return (
        _(
            "From %(first)s on %(start)s to %(last)s ± %(deviation)s on %(end)s; lowest "
            "%(lowest)s, highest %(highest)s."
        )
        % values
    )


def _points(number: float) -> int:
    return floor(number + 0.5)


def _day(at: datetime) -> str:
    return date_format(localtime(at), "DATE_FORMAT")


def _pairs(points: Sequence[tuple[float, float]]) -> str:
    return " ".join(f"{_n(x)},{_n(y)}" for x, y in points)


def _n(number: float) -> str:
    """A coordinate to a tenth, independent of the language."""
    return f"{number:.1f}"
