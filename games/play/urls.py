from django.urls import path

from games.play.views import endings, home, library, setting_up, table

app_name = "play"

urlpatterns = [
    path("next/", home.next_match, name="next"),
    path("set-ups/", library.setups, name="setups"),
    path("set-ups/new/<slug:preset>/", library.new_setup, name="new_setup"),
    path("set-ups/<int:setup_id>/", library.edit_setup, name="edit_setup"),
    path("match/<int:match_id>/", table.match, name="match"),
    path("match/<int:match_id>/move/", table.move, name="move"),
    path("match/<int:match_id>/prepare/", table.prepare, name="prepare"),
    path("match/<int:match_id>/put-aside/", table.put_aside, name="put_aside"),
    path("match/<int:match_id>/set-up/", setting_up.set_up, name="set_up"),
    path("match/<int:match_id>/moves/", home.move_list, name="moves"),
    path("match/<int:match_id>/<slug:name>/", endings.step, name="step"),
]
