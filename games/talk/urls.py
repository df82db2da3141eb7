"""URLs of talk. They come before those of play, whose last one takes any name."""

from django.urls import path

from games.talk import views

app_name = "talk"

urlpatterns = [
    path("match/<number:match_id>/talk/", views.page, name="page"),
    path("match/<number:match_id>/talk/mute/", views.mute, name="mute"),
]
