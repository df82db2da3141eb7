"""URLs of matches, set-ups, time off and readiness."""

from django.urls import path

from games.play.views import health, home, setting_up, setup_library, time_off
from games.play.views.match import (
    actions,
    looking_back,
    match_page,
    notes,
    pictures,
    plan,
    polling,
    practice,
    proofs,
)

app_name = "play"

urlpatterns = [
    path("health/live", health.live, name="live"),
    path("health/ready", health.ready, name="ready"),
    path("next/", home.next_match, name="next"),
    path("set-ups/", setup_library.setups, name="setups"),
    path("set-ups/new/<slug:preset>/", setup_library.new_setup, name="new_setup"),
    path("set-ups/<number:setup_id>/", setup_library.edit_setup, name="edit_setup"),
    path("time-off/", time_off.own, name="time_off"),
    path("time-off/<number:vacation_id>/withdraw/", time_off.withdraw, name="withdraw_vacation"),
    path("time-off/<handle:handle>/", time_off.public_page, name="time_off_of"),
    path("match/<number:match_id>/", match_page.match, name="match"),
    path("match/<number:match_id>/move/", match_page.move, name="move"),
    path("match/<number:match_id>/prepare/", match_page.prepare, name="prepare"),
    path("match/<number:match_id>/put-aside/", match_page.put_aside, name="put_aside"),
    path("match/<number:match_id>/set-up/", setting_up.set_up, name="set_up"),
    path("match/<number:match_id>/moves/", home.move_list, name="moves"),
    path("match/<number:match_id>/news/", polling.news, name="news"),
    path("match/<number:match_id>/mark/", notes.mark, name="mark"),
    path("match/<number:match_id>/note/", notes.note, name="note"),
    path("match/<number:match_id>/plan/", plan.plan, name="plan"),
    path("match/<number:match_id>/battles/", looking_back.battles, name="battles"),
    path("match/<number:match_id>/plies/<number:block>/", looking_back.block, name="plies"),
    path("match/<number:match_id>/small/<number:ply>.svg", pictures.small, name="small"),
    path(
        "match/<number:match_id>/picture/<number:ply>.png",
        pictures.picture,
        name="picture",
    ),
    path(
        "match/<number:match_id>/picture/<number:ply>.svg",
        pictures.picture_svg,
        name="picture_svg",
    ),
    path(
        "match/<number:match_id>/picture/<number:ply>-<slug:eyes>.png",
        pictures.picture_of,
        name="picture_of",
    ),
    path("match/<number:match_id>/practice/", practice.practice, name="practice"),
    path("match/<number:match_id>/proof/", proofs.proof, name="proof"),
    path("match/<number:match_id>/proof/bundle/", proofs.bundle, name="bundle"),
    path("match/<number:match_id>/proof/receipt/", proofs.receipt, name="receipt"),
    path("match/<number:match_id>/<slug:name>/", actions.action, name="step"),
]
