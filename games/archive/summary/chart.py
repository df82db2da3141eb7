"""The chart of a summary as an SVG file: pieces left, and enemy ranks seen, by move; pure drawing.

It has figures and no words, so it is the same in every language. South's line is solid, North's
dashed; strokes at the foot of each part are battles.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from games.archive.summary.walk import Step, Walk
from games.play.pictures.colours import DARK, LIGHT
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import BySeat, Seat

WIDTH, PART_HEIGHT = 640, 170
LEFT, RIGHT, TOP, BOTTOM = 34, 10, 12, 24  # margins of each part
STROKE = 5  # height of a battle's stroke
STYLE = (
    f"svg{{--p:{LIGHT['paper']};--i:{LIGHT['faded']};--s:#a5382b;--n:#1f4277}}"
    f"@media(prefers-color-scheme:dark){{svg{{--p:{DARK['paper']};--i:{DARK['faded']};"
    "--s:#f08a7a;--n:#93b4ee}}"
    "path{fill:none;stroke:var(--i)}text{font:12px sans-serif;fill:var(--i)}"
    ".s{stroke:var(--s);stroke-width:2}.n{stroke:var(--n);stroke-width:2;stroke-dasharray:6 3}"
)

Count = Callable[[Step], BySeat[int]]


def size(walk: Walk) -> tuple[int, int]:
    """Width and height of the chart."""
    return WIDTH, PART_HEIGHT * len(_parts(walk))


def draw(walk: Walk) -> bytes:
    """The chart as an SVG file."""
    width, height = size(walk)
    parts = "".join(
        _part(walk.steps, count, place * PART_HEIGHT) for place, count in enumerate(_parts(walk))
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}"'
        f' viewBox="0 0 {width} {height}"><style>{STYLE}</style>'
        f'<rect width="{width}" height="{height}" style="fill:var(--p)"/>{parts}</svg>'
    ).encode()


def _parts(walk: Walk) -> list[Count]:
    """What the parts count; where no rank is hidden, there is one part."""
    left: list[Count] = [lambda step: step.left]
    return [*left, lambda step: step.known] if walk.rules.hidden else left


def _part(steps: Sequence[Step], count: Count, top: int) -> str:
    most = max(1, *(max(count(step)) for step in steps))
    last = max(1, steps[-1].turn)
    foot = top + PART_HEIGHT - BOTTOM

    def x(turn: int) -> str:
        return f"{LEFT + turn * (WIDTH - LEFT - RIGHT) / last:.1f}"

    def y(number: int) -> str:
        return f"{foot - number * (foot - top - TOP) / most:.1f}"

    lines = ""
    for seat, name in ((Seat.SOUTH, "s"), (Seat.NORTH, "n")):
        points = "L".join(f"{x(step.turn)} {y(count(step)[seat])}" for step in steps)
        lines += f'<path class="{name}" d="M{points}"/>'
    battles = "".join(
        f"M{x(step.turn)} {foot}v{STROKE}" for step in steps if step.done and step.done.attack
    )
    marks = f'<path d="{battles}"/>' if battles else ""
    middle, end = last // 2, last
    labels = "".join(
        f'<text x="{x(turn)}" y="{foot + 18}" text-anchor="{anchor}">{move_number(turn)}</text>'
        for turn, anchor in ((middle, "middle"), (end, "end"))
        if turn
    )
    scale = "".join(
        f'<text x="{LEFT - 6}" y="{y(number)}" dy="4" text-anchor="end">{number}</text>'
        for number in (0, most)
    )
    frame = f'<path d="M{LEFT} {top + TOP}V{foot}H{WIDTH - RIGHT}"/>'
    return f"{frame}{marks}{lines}{labels}{scale}"
