"""Practice board page: a player tries moves of both sides in their own running match."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from accounts.requests import PersonsRequest
from games.idempotency.replay import command_transaction
from games.plan_language.reading import read_lines
from games.play.board import boards
from games.play.board.choices import Choices, choices
from games.play.commands import moves
from games.play.commands.plans import saving
from games.play.commands.plans.refusing import AnswerWaits, BadPlan, PlanEdited, PlanOutdated
from games.play.converters import read_number
from games.play.knowledge.memory import recall
from games.play.models.match import Match, Status
from games.play.plans import sentences
from games.play.practice import practice_board, progress, steps, stored
from games.play.practice.line import Line, RankAsked
from games.play.practice.practice_board import PracticeBoard
from games.play.practice.steps import Desk
from games.play.practice.stored import Practice, PracticeChanged
from games.play.record import match_view, move_numbers
from games.play.refusals import MatchMovedOn, NotNow
from games.play.words import narration
from games.play.words.wording import refusal_text
from games.rules.core.basics.moves import move_number
from games.rules.core.basics.pieces import Seat
from games.rules.core.basics.refusals import Refusal, gettext_noop
from games.rules.core.text import notation


@require_http_methods(["GET", "HEAD", "POST"])
@login_required
@never_cache
def practice(request: PersonsRequest, match_id: int) -> HttpResponse:
    """The practice board of one of the two players, or one of the steps on it."""
    desk = _desk(request, match_id)
    if request.method != "POST":
        return _page(request, desk)
    try:
        if not desk.view.match.is_at(read_number(request.POST.get("ply", ""))):
            raise MatchMovedOn
        if read_number(request.POST.get("version", "")) != desk.practice.version:
            raise PracticeChanged
        return _act(request, desk)
    except RankAsked as rank_asked:
        return _page(request, desk, refusal=rank_asked, rank_asked=rank_asked, status=422)
    except BadPlan as bad:
        faults = [sentences.fault_text(one) for one in bad.faults]
        return _page(request, desk, refusal=bad, faults=faults, status=422)
    except (MatchMovedOn, PracticeChanged, PlanOutdated, PlanEdited, AnswerWaits) as refusal:
        return _page(request, _desk(request, match_id), refusal=refusal, status=409)
    except Refusal as refusal:
        return _page(request, desk, refusal=refusal, status=422)


def _desk(request: PersonsRequest, match_id: int) -> Desk:
    """The reader's practice board; raises Http404 unless they play and the armies stand."""
    try:
        view = match_view.view_match(match_id, request.user)
    except Match.DoesNotExist:
        raise Http404 from None
    if view.me is None or view.match.status != Status.RUNNING:
        raise Http404
    practice = progress.caught_up(view, stored.read(view.me.pk))
    return Desk(view, recall(view), practice)


def _act(request: PersonsRequest, desk: Desk) -> HttpResponse:
    """Do what the button says; raises Refusal."""
    view = desk.view
    if request.POST.get("do") == "draft":
        moves.prepare_move(view.match.pk, request.user, steps.first_move(desk), view.number)
        return redirect(view.address)
    if request.POST.get("do") == "plan":
        return _plan(request, desk)
    after = _after(request, desk)
    if view.me is not None:
        with command_transaction():
            stored.put(view.me.pk, after)
    return redirect(f"{view.address}practice/")


def _plan(request: PersonsRequest, desk: Desk) -> HttpResponse:
    """Add the line to the plan of the match; raises Refusal."""
    text = read_lines(steps.planned(desk, request.POST.get("shows", "")))
    if text.faults:
        raise BadPlan(text.faults)
    number = desk.view.match.pk
    saving.save_plan(number, request.user, desk.view.number, text.lines, newer_wins=True)
    messages.success(request, _("Plan saved."))
    return redirect("play:plan", number)


def _after(request: HttpRequest, desk: Desk) -> Practice:
    """The practice board after the step of the form; raises Refusal."""
    form = request.POST
    number = read_number(form.get("line", ""))
    match form.get("do"):
        case "move":
            return steps.moved(desk, form.get("move", ""), form.get("as", ""))
        case "back":
            return steps.taken_back(desk)
        case "clear":
            return steps.cleared(desk)
        case "guess":
            return steps.guessed(desk, form.get("square", ""), form.get("rank", ""))
        case "keep":
            return steps.kept(desk, form.get("name", ""))
        case "load":
            return steps.loaded(desk, number)
        case "drop":
            return steps.dropped(desk, number)
    raise NotNow(gettext_noop("This page has no such button; choose one of those that it shows."))


def _page(
    request: HttpRequest,
    desk: Desk,
    *,
    refusal: Refusal | None = None,
    rank_asked: RankAsked | None = None,
    faults: Sequence[str] = (),
    status: int = 200,
) -> HttpResponse:
    """The page; what was typed stays in its fields if it was refused."""
    view, line = desk.view, desk.line()
    board = practice_board.board_of(view, line)
    chosen = [request.GET.get("huff"), request.GET.get("from"), *request.GET.getlist("via")]
    options = choices(board, chosen=filter(None, chosen))
    form = request.POST if refusal else {}
    context = {
        "view": view,
        "match": view.match,
        "practice": desk.practice,
        "address": board.address,
        "refusal": refusal_text(refusal) if refusal else "",
        "faults": faults,
        "asked": _asked(line, rank_asked) if rank_asked else None,
        "board": _drawn(view, line, board, options),
        "choices": options,
        "chosen": " ".join(options.begun),
        "typed": form.get("move", "") or options.made,
        "name": form.get("name", ""),
        "turn": view.sides[line.turn],
        "over": line.is_over,
        "happened": narration.aloud(board, board.entry) if line.steps else "",
        "moves": _moves(desk, line),
        "guesses": _guesses(request, line),
        "kept": _kept(desk),
        "may_draft": view.may_move and line.steps,
        "may_plan": not view.my_turn and len(line.steps) > 1,
        "most_characters": stored.MAX_NAME_CHARACTERS,
    }
    if view.me:
        # Otherwise the masthead queries them.
        context["waiting_count"] = view.me.waiting
        context["challenge_count"] = view.me.challenges
    return render(request, "play/practice.html", context, status=status)


def _drawn(
    view: match_view.MatchView, line: Line, board: PracticeBoard, options: Choices
) -> SafeString:
    """The board with the choices of the side to move."""
    when = move_numbers.after(view)
    return boards.table(
        view.rules,
        {**board.observation.pieces, **options.drafted},
        caption=_("Practice board · %(when)s, and your line: %(count)s")
        % {"when": when, "count": len(line.steps)},
        turned=view.seat is Seat.NORTH,
        links=options.links,
        marks=options.marks,
        overlays=practice_board.overlays(line, board.address),
    )


def _asked(line: Line, rank_asked: RankAsked) -> dict[str, object]:
    """What the page asks before a hidden piece fights."""
    named = [(rank, narration.piece_name(line.rules, rank)) for rank in rank_asked.options]
    return {"square": rank_asked.square, "move": rank_asked.move, "options": named}


def _moves(desk: Desk, line: Line) -> list[dict[str, str]]:
    """The moves of the line with who makes them."""
    seat, rows = desk.view.observation.turn, []
    for step in line.steps:
        rows.append({"side": desk.view.sides[seat], "text": step.text})
        seat = seat.other
    return rows


def _guesses(request: HttpRequest, line: Line) -> dict[str, object] | None:
    """The form of guesses: the hidden pieces with what each is assumed to be, and all ranks."""
    rules = line.rules
    if not line.where:
        return None
    pieces, ranks = [], dict.fromkeys(chain.from_iterable(steps.shown_ranks(line)))
    names = {rank: narration.piece_name(rules, rank) for rank in ranks}
    for square, first in sorted(line.where.items()):
        rank = line.ranks.get(first)
        known = steps.shown_now(line, first, rank) if rank else ""
        pieces.append((square, names.get(known, "")))
    chosen = request.GET.get("piece", "") or request.POST.get("square", "")
    return {"pieces": pieces, "ranks": list(names.items()), "asked": chosen}


def _kept(desk: Desk) -> list[dict[str, object]]:
    """The lines that are kept, with their moves as texts."""
    opening = desk.view.opening or 0
    return [
        {
            "number": number,
            "name": line.name,
            "move": move_number(line.ply - opening),
            "outdated": line.outdated,
            "text": " ".join(
                notation.read_annotated(desk.view.rules, step.text).text for step in line.steps
            ),
        }
        for number, line in enumerate(desk.practice.kept, 1)
    ]
