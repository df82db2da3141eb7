"""For a signed-in user: a tiny page, an empty one of this site, and a lean move.

For everybody: the process that answers.

The move takes a lock, writes three rows and commits.
"""

import os

from django.contrib.auth.decorators import login_required
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST

from tests.bench.floor.models import Game, Notice, Turn


@login_required
def tiny(request: HttpRequest) -> HttpResponse:
    return render(request, "bench/tiny.html")


@login_required
def empty(request: HttpRequest) -> HttpResponse:
    return render(request, "bench/empty.html")


def process(request: HttpRequest) -> HttpResponse:
    return HttpResponse(os.getpid())


@require_POST
@login_required
def move(request: HttpRequest, game_id: int) -> HttpResponse:
    text, at = request.POST["move"], timezone.now()
    with transaction.atomic():
        game = Game.objects.select_for_update().get(pk=game_id)
        number = game.ply + 1
        Game.objects.filter(pk=game_id).update(ply=number, state=text * 20)
        Turn.objects.create(game_id=game_id, number=number, text=text, at=at)
        Notice.objects.create(user_id=request.user.pk, game_id=game_id, ply=number, at=at)
    return redirect("tiny")
