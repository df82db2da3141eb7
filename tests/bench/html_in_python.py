"""Times parts of pages that are HTML joined in Python, against Django templates of the same HTML.

    python -m tests.bench.html_in_python

On SQLite in memory; both must give the same text.
"""

from typing import Any

import tests.environment  # noqa: F401 - the settings of the tests

import django  # isort: skip

django.setup()

from collections.abc import Callable  # noqa: E402
from time import process_time  # noqa: E402

from django.template import engines  # noqa: E402
from django.test.utils import setup_databases, teardown_databases  # noqa: E402

from games.play.board import boards, sidebar  # noqa: E402
from games.play.board.orientation import axes  # noqa: E402
from games.play.board.pieces import faces  # noqa: E402
from games.play.board.replay_blocks import position  # noqa: E402
from games.play.lists import overview  # noqa: E402
from games.play.record import match_view  # noqa: E402
from games.play.record.move_numbers import numbered  # noqa: E402
from games.play.templatetags import match_page  # noqa: E402
from games.play.templatetags.home_rows import running_rows  # noqa: E402
from games.play.templatetags.match_page import nameplate  # noqa: E402
from games.play.words import narration  # noqa: E402
from games.rules.core.basics.moves import move_number  # noqa: E402
from games.rules.core.basics.pieces import Seat  # noqa: E402
from tests.play import match_helpers  # noqa: E402

CALLS, ROUNDS, ROWS = 20, 9, 50
MOVES = ("a4-a5", "j7-j6", "a5-a4", "j6-j7") * 15

BOARD = """\
<div class="board-frame"><table class="board {{ family }} files-{{ files|length }}">\
<caption>{{ caption }}</caption><thead><tr><td></td>\
{% for file in files %}<th scope="col">{{ file }}</th>{% endfor %}</tr></thead><tbody>\
{% for row, squares in rows %}<tr><th scope="row">{{ row }}</th>\
{% for square, face, lake in squares %}\
{% if lake %}<td data-square="{{ square }}" class="lake">{% translate "lake" %}</td>{% else %}\
<td data-square="{{ square }}">{% if face %}<span class="{{ face.classes }}" role="img" \
aria-label="{{ face.label|safe }}">{{ face.inside|safe }}</span>{% endif %}</td>\
{% endif %}{% endfor %}</tr>{% endfor %}</tbody></table></div>"""

MOVE_LIST = """\
{% for number, links in lines %}<li><span>{{ number }}</span>{% for link in links %} \
{% if link %}<a class="notation" href="?ply={{ link.ply }}" aria-label="{{ link.aloud }}"\
{% if link.is_shown %} aria-current="step"{% endif %}>{{ link.text }}</a>\
{% else %}<span></span>{% endif %}{% endfor %}</li>{% endfor %}"""

HOME_ROWS = """\
{% load formatting %}{% for each, title in rows %}<tr><th scope="row">\
<a href="{% url 'play:match' each.number %}">{{ each.opponent }}</a>\
{{ each.opponent|house_badge }}{% if each.note %}<br><span class="small">{{ each.first_words }}\
</span>{% endif %}</th><td data-label="{% translate "Match:" %}">{{ each.number }}</td>\
<td class="wide">{{ title }}{% if each.switches %} <span class="badge note">\
{% translate "Custom rules" %}</span>{% endif %}</td><td class="wide">\
{% if each.to_act %}{% translate "Your move" %}{% else %}\
{% blocktranslate with opponent=each.opponent %}{{ opponent }} to move{% endblocktranslate %}\
{% endif %}</td><td class="wide">{% time_left each.deadline now %}</td></tr>{% endfor %}"""

NAMEPLATE = """\
{% load formatting %}<p class="seat {{ side }}{% if player.to_act %} to-act{% endif %}">\
<a class="name" href="{% url 'accounts:profile' player.user.username %}">\
{{ player.user.username }}</a>{{ player.user.username|house_badge }} \
<span class="muted">{{ seat }}</span> {% time_left player.deadline now %} </p>"""

LOOK_BACK = """\
<nav class="replay" aria-label="{% translate "Browse the moves" %}">\
{% for rel, name, ply, off in links %}{% if not ply and not rel %}<span class="at">{{ name }}\
</span>{% else %}<a class="button small" {% if off %}role="link" aria-disabled="true"\
{% else %}rel="{{ rel }}" href="?ply={{ ply }}"{% endif %}>\
<svg class="icon" aria-hidden="true"><use href="{% static "svg/army.svg" %}#i-{{ rel }}"/></svg>\
<span class="visually-hidden">{% translate name %}</span></a>{% endif %}\
{% if not forloop.last %} {% endif %}{% endfor %}</nav>"""


def milliseconds(render: Callable[[], str]) -> float:
    """Processor time of one call, the minimum of several rounds, since other load only adds."""
    best = float("inf")
    for _ in range(ROUNDS):
        start = process_time()
        for _ in range(CALLS):
            render()
        best = min(best, process_time() - start)
    return best / CALLS * 1e3


def board(view: Any) -> dict[str, Any]:
    """The context of BOARD."""
    rules, pieces = view.rules, view.observation.pieces
    files, rows = axes(rules.board, view.near_seat is Seat.NORTH)
    looks = faces(rules, pieces.values())

    def square(name: str) -> tuple[str, Any, bool]:
        return name, looks[pieces[name]] if name in pieces else None, name in rules.board.blocked

    squares = [(row, [square(f"{file}{row}") for file in files]) for row in rows]
    words = {"family": rules.family, "caption": boards.caption(view)}
    return {**words, "files": files, "rows": squares}


def move_list(view: Any) -> dict[str, Any]:
    """The context of MOVE_LIST."""
    lines: dict[int, list[dict[str, Any] | None]] = {}
    for entry, turn in numbered(view, view.entries):
        lines.setdefault(move_number(turn), [None, None])[(turn - 1) % 2] = {
            "ply": entry.number - (view.opening or 0),
            "aloud": narration.aloud(view, entry),
            "is_shown": entry.number == view.number,
            "text": entry.text,
        }
    return {"lines": sorted(lines.items(), reverse=True)}


def look_back(view: Any) -> dict[str, Any]:
    """The context of LOOK_BACK."""
    first, last = view.at_first, view.at_last
    return {
        "links": [
            ("first", "First", 0, first),
            ("prev", "Previous", view.shown_before, first),
            ("", position(view), 0, False),
            ("next", "Next", view.shown_after, last),
            ("last", "Last", view.shown_last, last),
        ]
    }


def main() -> None:
    databases = setup_databases(verbosity=0, interactive=False)
    people = match_helpers.people()
    match = match_helpers.running_match(people, *MOVES)
    view = match_view.view_match(match.pk, people.alice)
    home = overview.home_lists(people.alice)
    listed, whole, now = home["waiting"] * ROWS, home["whole"], home["now"]
    template = engines["django"].from_string
    in_board, in_list, in_rows = template(BOARD), template(MOVE_LIST), template(HOME_ROWS)
    in_plate, in_links = template(NAMEPLATE), template(LOOK_BACK)
    plate = {"player": view.near, "side": "south", "seat": "South", "now": now}
    rows = [(each, view.rules.title) for each in listed]
    parts: dict[str, tuple[Callable[[], str], Callable[[], str]]] = {
        "board": (lambda: boards.draw(view), lambda: in_board.render(board(view))),
        "list of moves": (
            lambda: sidebar.move_list(view, narration.aloud),
            lambda: in_list.render(move_list(view)),
        ),
        "nameplate": (lambda: nameplate(view.near, now), lambda: in_plate.render(plate)),
        "links to other plies": (
            lambda: match_page.look_back(view),
            lambda: in_links.render(look_back(view)),
        ),
        f"{ROWS} rows of the home page": (
            lambda: running_rows(listed, whole, people.alice, now),
            lambda: in_rows.render({"rows": rows, "now": now}),
        ),
    }
    for name, (joined, rendered) in parts.items():
        assert joined() == rendered(), name
        python, django_template = milliseconds(joined), milliseconds(rendered)
        ratio = django_template / python
        print(f"{name}: {python:.2f} ms joined, {django_template:.2f} ms rendered: {ratio:.1f} x")
    teardown_databases(databases, verbosity=0)


if __name__ == "__main__":
    main()
